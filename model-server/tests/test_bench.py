"""The bench of a GPU as far as it needs none: what a card is left free for, what is carried there, and how it is cut."""

from __future__ import annotations

import os
import random
import sys
import tarfile
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import carry
    import gpu

    return gpu, carry


def tell_the_process(_size, folder: Path, *_) -> None:
    (folder / "process").write_text(str(os.getpid()))


def test_a_model_is_made_in_a_process_that_ends(bench, tmp_path, monkeypatch):
    """No time is left for the slice itself."""
    gpu, _ = bench
    monkeypatch.setattr(gpu, "random_model", tell_the_process)
    folders = [f"--{name}={tmp_path / name}" for name in ("page", "logs", "models")]
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--slice=jobs", "--minutes=-1", *folders])
    gpu.main()
    number = int((tmp_path / "models/process").read_text())
    assert number != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert "no time was left" in (tmp_path / "page").read_text()


def test_each_slice_is_a_part_and_faults_are_of_no_size(bench, tmp_path):
    gpu, _ = bench
    for card in (False, True):
        of_a_size = dict(gpu.parts_of("nano", tmp_path, tmp_path, card))
        assert {part for part, _ in gpu.SLICES.values()} - of_a_size.keys() == {"faults"}
        for command in (*of_a_size.values(), gpu.faults(tmp_path, card, sys.executable)):
            assert (BENCH / command[0]).exists()


def test_what_is_carried_in_parts_is_whole_in_any_order(bench, tmp_path, capsys):
    _, carry = bench
    archive, content = tmp_path / "train.tar.xz", random.Random(1).randbytes(10_000)
    (tmp_path / "content").write_bytes(content)
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(tmp_path / "content", "heddle/content")
    parts = list(carry.pieces(archive, 4000, tmp_path / "parts"))
    assert len(parts) == 3 and all(part.stat().st_size <= 4000 for part in parts)
    into = tmp_path / "there"
    for part in (parts[2], parts[0], parts[1]):
        assert not (into / "train").exists()
        carry.unpack(part.parent, into)
    assert (into / "train/heddle/content").read_bytes() == content
    assert capsys.readouterr().out.splitlines()[-1] == str(into / "train")


@pytest.mark.parametrize(
    "name, packed",
    [
        # By this list xgrammar finds its library.
        ("./xgrammar-0.2.7.dist-info/RECORD", True),
        ("./vllm/_C_stable_libtorch.abi3.so", True),
        ("./vllm/vllm_flash_attn/_vllm_fa3_C.abi3.so", True),
        ("./vllm/vllm_flash_attn/_vllm_fa2_C.abi3.so", False),
        ("./vllm/_moe_C_stable_libtorch.abi3.so", False),
    ],
)
def test_kernels_of_other_cards_are_left_out(bench, name, packed):
    _, carry = bench
    assert (carry.LEFT_OUT.search(name) is None) == packed
