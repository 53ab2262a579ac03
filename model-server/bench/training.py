"""Gradient steps and tokens per second of the recipes by themselves, without a node or a service around them; with
`--beside`, of transformers' own Trainer over the same sequences in the same run.

python bench/training.py --model FOLDER --recipe sft rl [--data FILE] [--config JSON] [--epochs N] [--groups-per-step N]
python bench/training.py --size 1b --device cuda --recipe sft --beside

Prints one line of JSON for each that ran. `seconds`: from the first event to the last, the checkpoint included. `mfu`: as
train/metrics.py counts it, for LoRA: 4 operations a token and parameter of the frozen base; `mfu_6n`: 6, as is usual for
training of all weights. `steady_mfu_6n`: of the steps after the first two, in which kernels are chosen and compiled."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

BEGAN = time.perf_counter()
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

import torch
from torch.profiler import ProfilerActivity, profile, schedule
from tokens import SIZES, random_model
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from heddle_model_server.demo.corpus import conversations
from heddle_model_server.model import LoadedModel, load_model
from heddle_model_server.train.data import read_lines, values_of
from heddle_model_server.train.events import GradientStep, TrainingFailed
from heddle_model_server.train.job import JobOptions
from heddle_model_server.train.metrics import lora_flops, memory_bytes, peak_flops
from heddle_model_server.train.policy import LoraOptions, Policy
from heddle_model_server.train.rl import train_rl
from heddle_model_server.train.sft import train_sft
from heddle_model_server.train.run import options_of


# Steps in which kernels are chosen and compiled.
WARM_UP = 2


def random_loaded(size: str, device: str, folder: Path, context: int) -> LoadedModel:
    """A model of random weights, made where it runs. Its tokenizer is the demo model's."""
    if size in ("tiny", "nano", "small"):
        return load_model(str(random_model(size, folder)), device=device)
    tokenizer = AutoTokenizer.from_pretrained(random_model("tiny", folder))
    where, kind = torch.device(device), torch.bfloat16 if device.startswith("cuda") else torch.float32
    torch.set_default_dtype(kind)
    with where:
        fields = {"max_position_embeddings": context, "eos_token_id": tokenizer.eos_token_id, **SIZES[size]}
        model = LlamaForCausalLM(LlamaConfig(**fields)).eval().requires_grad_(False)
    torch.set_default_dtype(torch.float32)
    parameters = sum(p.numel() for p in model.parameters())
    config = model.config
    return LoadedModel(
        name=size,
        model=model,
        tokenizer=tokenizer,
        generation=model.generation_config,
        device=where,
        dtype=kind,
        context=context,
        vocabulary=config.vocab_size,
        width=config.hidden_size,
        parameters=parameters,
        layers=config.num_hidden_layers,
        kv_heads=config.num_key_value_heads,
        head_dim=config.head_dim,
        eos=frozenset({tokenizer.eos_token_id}),
    )


def made_lines(recipe: str, count: int, longest: int) -> list[str]:
    """Conversations or groups of four trajectories, of very different lengths, in words of the demo's corpus."""
    draw = random.Random(7)
    said = [message.get("content") or "" for one in conversations() for message in one["messages"]]
    words = " ".join(said).split()
    length = lambda: max(4, min(int(draw.lognormvariate(0, 0.8) * longest / 6), longest // 3))
    text = lambda: " ".join(draw.choices(words, k=length()))
    lines = []
    for _ in range(count):
        asked = {"role": "user", "content": text()}
        if recipe == "sft":
            lines.append(json.dumps({"messages": [asked, {"role": "assistant", "content": text()}]}))
            continue
        answers = [{"finish_reason": "stop", "message": {"role": "assistant", "content": text()}} for _ in range(4)]
        group = [{"messages_and_choices": [asked, one], "reward": draw.random()} for one in answers]
        lines.append(json.dumps({"trajectories": group}))
    return lines


def recipe(policy: Policy, arguments, lines: list[str], name: str) -> dict:
    """The figures of a recipe, sft or rl."""
    config = json.loads(arguments.config)
    with tempfile.TemporaryDirectory() as folder:
        # As a node saves by default: every 30 seconds, and at the end.
        job = JobOptions("bench", folder, row_tokens=arguments.row_tokens)
        if name == "sft":
            options = options_of("sft", config, arguments.epochs)
            events = train_sft(policy, read_lines(lines), options, job)
        else:
            options = options_of("rl", config, groups_per_step=arguments.groups_per_step)
            events = train_rl(policy, (group for _, group in values_of(lines)), len(lines), options, job)
        began, steps = 0.0, []
        with profiled(arguments.profile, policy.device) as next_step, closing(events):
            for event in events:
                began = began or time.perf_counter()
                if isinstance(event, TrainingFailed):
                    raise SystemExit(event.message)
                if isinstance(event, GradientStep):
                    steps.append(event.metrics)
                    next_step()
                    if steps[-1]["performance/step_seconds"] > 0.5:
                        note(f"{name}: step {len(steps)} took {steps[-1]['performance/step_seconds']:.2f} s")
                if arguments.seconds and time.perf_counter() - began > arguments.seconds:
                    break
        ended = time.perf_counter()
        measured = [Step(one) for one in steps]
        tokens = sum(one.tokens for one in measured)
        operations = sum(one.operations for one in measured) * peak_flops(policy.device)
        found = {"recipe": name} | figures("heddle", policy, ended - began, len(steps), tokens, operations)
        warm = measured[WARM_UP:]
        took = sum(one.seconds for one in warm)
        steady = sum(one.operations_6n for one in warm) / took if took else 0.0
        return found | {"attention": policy.attention, "steady_mfu_6n": round(steady, 4) or None}


def note(text: str) -> None:
    """Says on standard error how far it is: a card may be lent for too short."""
    print(f"{time.perf_counter() - BEGAN:6.1f} s: {text}", file=sys.stderr, flush=True)


class Step:
    """A step's figures. operations: of what the device does in a second at its best."""

    def __init__(self, metrics: dict[str, float]):
        self.seconds = metrics["performance/step_seconds"]
        self.tokens = metrics["tokens_per_second"] * self.seconds
        self.operations = metrics.get("performance/mfu", 0.0) * self.seconds
        self.operations_6n = metrics.get("performance/mfu_6n", 0.0) * self.seconds


@contextmanager
def profiled(file: Path | None, device: torch.device) -> Iterator[Callable[[], None]]:
    """Writes which kernels took how long in the step after the warm-up. Gives what is to be called after each step."""
    if file is None:
        yield lambda: None
        return
    kinds = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if device.type == "cuda" else [])]
    by = f"self_{device.type}_time_total"
    ready = lambda run: file.write_text(run.key_averages().table(sort_by=by, row_limit=50, max_name_column_width=110))
    with profile(
        activities=kinds, schedule=schedule(wait=1, warmup=1, active=1, repeat=1), on_trace_ready=ready
    ) as run:
        yield run.step


def plain_trainer(policy: Policy, arguments, lines: list[str]) -> dict:
    """transformers' Trainer with peft's layers: padded batches, the same sequences, order, optimiser and precision."""
    from transformers import Trainer, TrainingArguments

    size = json.loads(arguments.config).get("batch_size") or 2
    data = [one for c in read_lines(lines) for one in c.sides(policy.chat)[0] if len(one) <= policy.context]
    rows = [
        {"input_ids": one.tokens.tolist(), "labels": [t if k else -100 for t, k in zip(one.tokens, one.trained)]}
        for one in data
    ]

    def padded(batch: list[dict]) -> dict:
        width = max(len(one["input_ids"]) for one in batch)
        fill = lambda values, what: torch.tensor([one + [what] * (width - len(one)) for one in values])
        ids = [one["input_ids"] for one in batch]
        return {
            "input_ids": fill(ids, 0),
            "attention_mask": fill([[1] * len(one) for one in ids], 0),
            "labels": fill([one["labels"] for one in batch], -100),
        }

    with tempfile.TemporaryDirectory() as folder:
        settings = TrainingArguments(
            folder,
            per_device_train_batch_size=size,
            num_train_epochs=arguments.epochs,
            bf16=policy.dtype == torch.bfloat16,
            # Padded batches keep more than a card has.
            gradient_checkpointing=policy.checkpointing or policy.device.type == "cuda",
            gradient_checkpointing_kwargs={"use_reentrant": False},
            optim="adamw_torch",
            lr_scheduler_type="constant",
            logging_strategy="no",
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=policy.device.type == "cpu",
            remove_unused_columns=False,
        )
        trainer = Trainer(model=policy.model, args=settings, train_dataset=rows, data_collator=padded)
        began = time.perf_counter()
        trainer.train()
        seconds = time.perf_counter() - began
    lengths = [len(one) for one in data] * arguments.epochs
    return figures("trainer", policy, seconds, trainer.state.global_step, sum(lengths), lora_flops(policy, lengths))


def figures(what: str, policy: Policy, seconds: float, steps: int, tokens: float, operations: float) -> dict:
    peak = peak_flops(policy.device)
    return {
        "what": what,
        "parameters": policy.base_parameters,
        "trained_parameters": policy.trained_parameters,
        "steps": steps,
        "seconds": round(seconds, 3),
        "steps_per_second": round(steps / seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
        "mfu": round(operations / seconds / peak, 4) if peak else None,
        "mfu_6n": round(6.0 * policy.base_parameters * tokens / seconds / peak, 4) if peak else None,
        "memory_bytes": memory_bytes(policy.device),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="a folder; else --size")
    parser.add_argument("--size", default="tiny", choices=list(SIZES))
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--recipe", nargs="+", default=["sft"], choices=["sft", "rl"], help="one after the other, on one model"
    )
    parser.add_argument("--seconds", type=float, default=0, help="of each; 0: to its end")
    parser.add_argument("--data", default="", help="JSON lines as a job gets them; else made ones")
    parser.add_argument("--count", type=int, default=64, help="of made conversations or groups")
    parser.add_argument("--longest", type=int, default=512, help="tokens of a made one, about")
    parser.add_argument("--config", default="{}", help="the job's config, as JSON")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--groups-per-step", type=int, default=0)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--row-tokens", type=int, default=0)
    parser.add_argument("--gradient-checkpointing", type=lambda text: text == "true", default=None)
    parser.add_argument("--kernels", default="auto", choices=["auto", "plain"], help="as HEDDLE_NODE_TRAIN_KERNELS")
    parser.add_argument("--profile", type=Path, help="write which kernels took how long in a step")
    parser.add_argument("--beside", action="store_true", help="and transformers' Trainer (SFT only)")
    arguments = parser.parse_args()
    note("libraries are loaded")
    with tempfile.TemporaryDirectory() as folder:
        if arguments.model:
            loaded = load_model(arguments.model, device=arguments.device)
        else:
            loaded = random_loaded(arguments.size, arguments.device, Path(folder), max(2048, arguments.longest * 2))
        note("the model is loaded")
        lora = LoraOptions(rank=arguments.rank, alpha=2 * arguments.rank)
        policy = Policy(loaded, lora, arguments.gradient_checkpointing, kernels=arguments.kernels)
        note(f"the adapter is on it; attention: {policy.attention or 'as it was'}")
        for name in arguments.recipe:
            if arguments.data:
                lines = Path(arguments.data).read_text().splitlines()
            else:
                lines = made_lines(name, arguments.count, arguments.longest)
            print(json.dumps(recipe(policy, arguments, lines, name)), flush=True)
            if arguments.beside and name == "sft":
                print(json.dumps(plain_trainer(policy, arguments, lines)), flush=True)


if __name__ == "__main__":
    main()
