"""The parts of bench/gpu.py that no other bench measures: what the device can do at best, sleep and wake of the vLLM engine,
memory after many jobs, faults.
`python bench/gpu_parts.py PART --model FOLDER --device cuda|cpu --logs FOLDER` prints a line of JSON for each figure."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import psutil
import torch

JOBS = 20
SLEEPS = 3
# Tests whose node has its settings from the environment: what a card changes is the device and the engine.
FAULTS = [
    "tests/train/test_limits.py::test_chat_waits_while_a_job_has_the_device",
    "tests/train/test_limits.py::test_the_trainers_memory_is_given_back_before_serving_takes_its_own",
    "tests/train/test_trainer.py",
    "tests/train/test_packed_attention.py",
    "tests/train/test_limits.py::test_too_little_memory_ends_the_job_and_not_the_node",
    "tests/test_adapters.py",
    "tests/test_vllm_calls.py",
    "tests/test_vllm.py::test_a_vllm_that_hangs_is_noticed",
    "tests/test_vllm.py::test_a_vllm_that_dies_is_told_of",
]


def tell(part: str, **figures) -> None:
    """Prints figures."""
    print(json.dumps({"what": part, **figures}), flush=True)


def probe(arguments) -> None:
    """What the device does at best, in large matrix products and copies; which kernels of attention and layers fit it; and the
    tests of packed attention, some of which need a GPU."""
    from training import random_loaded

    from heddle_model_server.train.policy import fuse_layers
    from heddle_model_server.train.packed_attention import KINDS, kinds_for, choose_attention

    cuda = arguments.device == "cuda"
    side, kind = (8192, torch.bfloat16) if cuda else (512, torch.float32)
    one, other = (torch.randn(side, side, device=arguments.device, dtype=kind) for _ in range(2))
    large = torch.empty(2**30 if cuda else 2**24, device=arguments.device, dtype=torch.uint8)
    tell(
        "probe",
        matmul_tflops=round(2 * side**3 / seconds_of(lambda: one @ other, cuda) / 1e12, 2),
        copy_gb_per_second=round(2 * large.numel() / seconds_of(lambda: large.clone(), cuda) / 1e9, 1),
        memory_gib=round(torch.cuda.mem_get_info()[1] / 2**30, 1) if cuda else None,
    )
    with tempfile.TemporaryDirectory() as folder:
        loaded = random_loaded("1b" if cuda else "nano", arguments.device, Path(folder), 2048)
        # Its kernels are for GPUs alone.
        fused = cuda and fuse_layers(loaded.model)
        fitting = []
        for wanted in kinds_for(loaded.device, "auto") if cuda else list(KINDS):
            with torch.autocast(arguments.device, loaded.dtype, enabled=cuda):
                fits = choose_attention(loaded.model.requires_grad_(True), [wanted]) == wanted
            fitting += [wanted] if fits else []
            tell("kernels", attention=wanted, fits=fits, liger=fused)
        tell(
            "attention",
            chosen=(fitting or ["as it was"])[0],
            flash_attention_3=find_spec("flash_attn_interface") is not None,
        )
    report_tests(["tests/train/test_packed_attention.py"], arguments, "probe.log")


def seconds_of(work: Callable[[], object], cuda: bool, times: int = 10) -> float:
    """Of one call, after three to warm up."""
    for _ in range(3):
        work()
    if cuda:
        torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(times):
        work()
    if cuda:
        torch.cuda.synchronize()
    return (time.perf_counter() - began) / times


def sleep(arguments) -> None:
    """Seconds until vLLM sleeps and is awake, and the device memory that it holds meanwhile."""
    if arguments.device == "cpu":
        tell("sleep", note="vLLM for CPUs has no sleep mode")
        return
    from heddle_model_server.engine_vllm.engine import VllmEngine
    from heddle_model_server.model import read_model
    from heddle_model_server.settings import NodeSettings

    used = lambda: round((torch.cuda.mem_get_info()[1] - torch.cuda.mem_get_info()[0]) / 2**30, 2)
    model = read_model(str(arguments.model))
    engine = VllmEngine(model, NodeSettings(model=str(arguments.model), max_adapters=1), sleeps=True)
    try:
        for _ in range(SLEEPS):
            awake, began = used(), time.perf_counter()
            engine.sleep().result()
            asleep, slept = used(), time.perf_counter()
            engine.wake().result()
            woken = time.perf_counter()
            tell(
                "sleep",
                sleep_s=round(slept - began, 3),
                wake_s=round(woken - slept, 3),
                awake_gib=awake,
                asleep_gib=asleep,
            )
    finally:
        engine.stop()


def jobs(arguments) -> None:
    """Memory that the trainer holds after one job and after many, SFT and RL in turns."""
    from training import made_lines

    from heddle_model_server.model import load_model
    from heddle_model_server.train.errors import Control
    from heddle_model_server.train.events import TrainingFailed
    from heddle_model_server.train.run import PolicyCache, run
    from heddle_model_server.train.spec import JobSpec

    models = PolicyCache(load_model(str(arguments.model), device=arguments.device))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, JOBS + 1):
            recipe = "sft" if number % 2 else "rl"
            data = Path(folder) / f"{number}.jsonl"
            data.write_text("\n".join(made_lines(recipe, 8, 128)))
            spec = JobSpec(
                job_id=f"job{number}",
                address=f"{folder}/{number}",
                recipe=recipe,
                data=str(data),
                count=8,
            )
            for event in run(spec, models, Control()):
                if isinstance(event, TrainingFailed):
                    raise SystemExit(event.message)
            if number in (1, 2, JOBS):
                held = (
                    torch.cuda.memory_allocated() if arguments.device == "cuda" else psutil.Process().memory_info().rss
                )
                tell("jobs", jobs=number, held_mib=round(held / 2**20, 1))


def faults(arguments) -> None:
    """Tests of faults, on this device. On a GPU the demo model is wide enough for vLLM."""
    from heddle_model_server.demo.make import make_demo_model

    with tempfile.TemporaryDirectory() as folder:
        demo = make_demo_model(Path(folder) / "demo", **({"hidden": 256} if arguments.device == "cuda" else {}))
        environment = {**os.environ, "HEDDLE_NODE_TRAIN_DEVICE": arguments.device, "TEST_MODEL": str(demo)}
        report_tests(FAULTS, arguments, "faults.log", environment)


def report_tests(tests: list[str], arguments, log: str, environment: dict[str, str] | None = None) -> None:
    """Runs tests one after the other and tells how each ended. log: its name, for what they print."""
    for test in tests:
        python = arguments.vllm_python if "vllm" in test else sys.executable
        command = [python, "-m", "pytest", "-q", "--tb=short", "--timeout=600", test]
        done = subprocess.run(command, cwd=HERE.parent, env=environment, capture_output=True, text=True)
        with (arguments.logs / log).open("a") as file:
            file.write(done.stdout + done.stderr)
        said = (done.stdout.strip().splitlines() or ["it did not start"])[-1].partition(" in ")[0]
        tell(log.removesuffix(".log"), test=test.removeprefix("tests/"), result=said)


PARTS = {"probe": probe, "sleep": sleep, "jobs": jobs, "faults": faults}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--model", type=Path, help="not of faults")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--vllm-python", default=sys.executable)
    parser.add_argument("--logs", type=Path, default=Path(tempfile.gettempdir()))
    arguments = parser.parse_args()
    PARTS[arguments.part](arguments)


if __name__ == "__main__":
    main()
