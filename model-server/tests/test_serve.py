"""How a node is put together: which engine serves, and when serving pauses for training."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heddle_model_server import __main__ as command
from heddle_model_server.engine_vllm.sleep_level import bytes_of_weights, free_memory, sleep_level
from heddle_model_server.settings import NodeSettings
from heddle_model_server.node.gpu_sharing import vllm_gpus, where_jobs_run
from heddle_model_server.node.serve import chosen_engine


@pytest.mark.parametrize(("flags", "embeds"), [([], False), (["--chats"], False), (["--embeds"], True)])
def test_the_demo_model_chats_unless_one_for_embeddings_is_asked_for(monkeypatch, flags, embeds):
    made = []
    monkeypatch.setattr(command, "make", lambda *asked: made.append(asked) or 0)
    monkeypatch.setattr("sys.argv", ["heddle_model_server", "make-demo-model", "demo", *flags])
    assert command.main() == 0 and made == [(Path("demo"), embeds, False)]


@pytest.mark.parametrize(
    ("setting", "gpu", "installed", "width", "engine"),
    [
        ("auto", True, True, 4096, "vllm"),
        ("auto", False, True, 4096, "cpu"),
        ("auto", True, False, 4096, "cpu"),
        # The demo model.
        ("auto", True, True, 96, "cpu"),
        ("cpu", True, True, 4096, "cpu"),
        ("vllm", False, False, 96, "vllm"),
    ],
)
def test_which_engine_serves(setting, gpu, installed, width, engine):
    assert chosen_engine(setting, gpu, installed, width) == engine


@pytest.mark.parametrize(
    ("arguments", "gpus"),
    [
        ("", 1),
        ("--tensor-parallel-size 2 --enforce-eager", 2),
        ("--tensor-parallel-size=4 -pp 2", 8),
        ("-tp 2 -dp 2", 4),
    ],
)
def test_how_many_gpus_serve(arguments, gpus):
    assert vllm_gpus(arguments) == gpus


TWO = "--tensor-parallel-size 2"


@pytest.mark.parametrize(
    ("gpus", "by_vllm", "settings", "device", "paused"),
    [
        (0, False, {}, "cpu", False),
        (0, False, {"train_share": "pause"}, "cpu", True),
        (1, False, {}, "cuda", False),
        (1, True, {}, "cuda", True),
        (1, True, {"train": False}, "cuda", False),
        (1, True, {"train_share": "beside"}, "cuda", False),
        (1, True, {"train_device": "cpu"}, "cpu", False),
        (2, True, {}, "cuda:1", False),
        (2, True, {"train_share": "pause"}, "cuda:1", True),
        (2, True, {"train_device": "cuda:0"}, "cuda:0", True),
        (2, True, {"train_device": "cuda:1", "vllm_args": TWO}, "cuda:1", True),
        (4, True, {"train_devices": 2, "vllm_args": TWO}, "cuda:2", False),
        (4, True, {"train_devices": 3, "vllm_args": TWO}, "cuda", True),
    ],
)
def test_jobs_have_gpus_that_do_not_serve_where_there_are_enough_else_serving_pauses(
    gpus, by_vllm, settings, device, paused
):
    assert where_jobs_run(NodeSettings(**{"train": True, **settings}), gpus, by_vllm) == (device, paused)


@pytest.mark.parametrize(("weights", "free", "level"), [(16, 200, 1), (16, 24, 1), (16, 23, 2), (140, 64, 2)])
def test_weights_go_to_host_memory_if_there_is_room(weights, free, level):
    assert sleep_level(weights * 2**30, free * 2**30) == level


def test_a_container_has_the_memory_of_its_limit(tmp_path):
    def container(**files: str) -> int:
        for name, text in files.items():
            (tmp_path / f"memory.{name}").write_text(text + "\n")
        return free_memory(tmp_path)

    mib = 2**20
    assert container(max="max", current="0", stat="anon 0\ninactive_file 0") > 64 * mib
    assert container(max=f"{64 * mib}", current=f"{48 * mib}", stat=f"anon 1\ninactive_file {16 * mib}") == 32 * mib


def test_how_large_the_weights_are(model_folder):
    assert bytes_of_weights(str(model_folder)) == (model_folder / "model.safetensors").stat().st_size


def test_the_bench_of_a_gpu_runs_tests_that_there_are(monkeypatch):
    root = Path(__file__).parents[1]
    monkeypatch.syspath_prepend(root / "bench")
    from gpu import faults, parts_of
    from gpu_parts import FAULTS

    # Once: they have a model of their own.
    assert "faults" in faults(Path(), False, "python")
    assert all("faults" not in command for _, command in parts_of("nano", Path(), Path(), False))
    for file, _, name in (test.partition("::") for test in FAULTS):
        assert re.search(rf"^def {name or 'test_'}", (root / file).read_text(), re.M), f"{file}::{name}"
