"""Tokens per second of the engine beside transformers' own `generate`, in the same run: at 1, 8 and 32 at once, and with
eight adapters in one batch. `python bench/tokens.py [--model FOLDER] [--size tiny|small] [--device cuda]`.

Without --model it makes random-weight models of 0.2 and 27 million parameters: speed does not depend on what they say.
Each figure is the best of some rounds; rounds of what is compared alternate, so that a busy machine hits all alike."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
sys.path.insert(0, str(Path(__file__).parent.parent))

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from heddle_model_server.artifacts.peft_files import LoraWeights
from heddle_model_server.demo.corpus import conversations
from heddle_model_server.demo.make import rendered, train_tokenizer
from heddle_model_server.model import load_model
from heddle_model_server.engine_cpu.engine import CpuEngine
from heddle_model_server.request import Done, Failed, Params, Request
from heddle_model_server.settings import NodeSettings

SIZES = {
    "tiny": dict(
        hidden_size=64, intermediate_size=172, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2
    ),
    "small": dict(
        hidden_size=512,
        intermediate_size=1408,
        num_hidden_layers=6,
        num_attention_heads=8,
        num_key_value_heads=4,
        vocab_size=8192,
    ),
    # The smallest that vLLM's kernels for CPUs take.
    "nano": dict(
        hidden_size=128, intermediate_size=344, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2
    ),
    "1b": dict(
        hidden_size=2048,
        intermediate_size=8192,
        num_hidden_layers=16,
        num_attention_heads=32,
        num_key_value_heads=8,
        vocab_size=32768,
    ),
    "4b": dict(
        hidden_size=2560,
        intermediate_size=9728,
        num_hidden_layers=36,
        num_attention_heads=32,
        num_key_value_heads=8,
        head_dim=128,
        vocab_size=32768,
    ),
    "8b": dict(
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        vocab_size=32768,
    ),
}
PROMPT = 16


def random_model(size: str, folder: Path, context: int = 2048, device: str = "cpu") -> Path:
    """A model folder, made on the device: bfloat16 on a GPU, else float32."""
    template = (Path(__file__).parent.parent / "heddle_model_server/demo/template.jinja").read_text()
    tokenizer = train_tokenizer([rendered(template, c) for c in conversations()], template)
    torch.manual_seed(1)
    fields = {
        "vocab_size": len(tokenizer),
        "max_position_embeddings": context,
        "eos_token_id": tokenizer.eos_token_id,
        **SIZES[size],
    }
    torch.set_default_dtype(torch.bfloat16 if device.startswith("cuda") else torch.float32)
    with torch.device(device):
        LlamaForCausalLM(LlamaConfig(**fields)).save_pretrained(folder / size)
    torch.set_default_dtype(torch.float32)
    tokenizer.save_pretrained(folder / size)
    return folder / size


def prompts(count: int, vocabulary: int) -> list[list[int]]:
    generator = torch.Generator().manual_seed(3)
    return torch.randint(3, min(vocabulary, 700), (count, PROMPT), generator=generator).tolist()


def generate(model, ids: list[list[int]], tokens: int, device: torch.device) -> float:
    batch = torch.tensor(ids, device=device)
    began = time.perf_counter()
    model.generate(
        batch,
        attention_mask=torch.ones_like(batch),
        min_new_tokens=tokens,
        max_new_tokens=tokens,
        do_sample=False,
        pad_token_id=0,
    )
    return len(ids) * tokens / (time.perf_counter() - began)


class Bench:
    def __init__(self, folder: str, device: str, slots: int):
        self.loaded = load_model(folder, device=device)
        # The engine wraps the layers of its own copy.
        self.plain = load_model(folder, device=device).model
        self.engine = CpuEngine(self.loaded, NodeSettings(slots=slots, prefix_cache=False))
        self.engine.start()

    def add_adapters(self, count: int, rank: int = 8) -> list:
        def make(i: int) -> dict[str, LoraWeights]:
            torch.manual_seed(i)
            return {
                path: LoraWeights(torch.randn(rank, width), torch.randn(out, rank) * 0.01, 1.0)
                for path, (width, out) in self.engine.scheduler.lora.shapes().items()
                if not path.endswith("lm_head")
            }

        return [self.engine.add_adapter(f"a{i}", make(i)).result() for i in range(count)]

    def engine_speed(self, ids: list[list[int]], tokens: int, adapters: list | None = None) -> tuple[float, float]:
        """Tokens a second, and milliseconds to the first token (median)."""
        left = [len(ids)]
        over = threading.Event()
        firsts = []

        def send(event):
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Done):
                firsts.append(event.first_token_s * 1000)
                left[0] -= 1
                if left[0] == 0:
                    over.set()

        params = Params(temperature=0.0, max_tokens=tokens, ignore_eos=True)
        began = time.perf_counter()
        for i, prompt in enumerate(ids):
            adapter = adapters[i % len(adapters)] if adapters else None
            self.engine.submit(Request(f"r{i}", prompt, params, adapter=adapter, arrived=time.monotonic()), send)
        over.wait()
        return len(ids) * tokens / (time.perf_counter() - began), sorted(firsts)[len(firsts) // 2]


def measure(name: str, folder: str, device: str, batches: list[int], tokens: int, rounds: int) -> None:
    bench = Bench(folder, device, max(batches))
    print(
        f"\n{name}: {bench.loaded.parameters / 1e6:.1f} M parameters, {bench.engine.facts.device}, {torch.get_num_threads()} thread(s)"
    )
    print(f"{'at once':>8} {'generate':>10} {'engine':>10} {'ratio':>6} {'first token':>12}")
    for count in batches:
        ids = prompts(count, bench.loaded.vocabulary)
        theirs, ours, first = 0.0, 0.0, 1e9
        for _ in range(rounds):
            theirs = max(theirs, generate(bench.plain, ids, tokens, bench.loaded.device))
            speed, ms = bench.engine_speed(ids, tokens)
            ours, first = max(ours, speed), min(first, ms)
        print(f"{count:>8} {theirs:>10.0f} {ours:>10.0f} {ours / theirs:>6.2f} {first:>9.1f} ms", flush=True)
    adapters = bench.add_adapters(8)
    ids = prompts(max(batches), bench.loaded.vocabulary)
    without = mixed = 0.0
    for _ in range(rounds + 1):
        without = max(without, bench.engine_speed(ids, tokens)[0])
        mixed = max(mixed, bench.engine_speed(ids, tokens, adapters)[0])
    print(
        f"{len(ids)} at once over 8 adapters of rank 8: {mixed:.0f}, without {without:.0f}: {(1 - mixed / without) * 100:.0f} % slower"
    )
    bench.engine.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="a model's folder instead of random weights")
    parser.add_argument("--size", choices=SIZES, action="append", help="of random weights; default tiny and small")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        sizes = [arguments.model] if arguments.model else arguments.size or ["tiny", "small"]
        for size in sizes:
            path = size if arguments.model else random_model(size, Path(folder))
            measure(size, str(path), arguments.device, arguments.at_once, arguments.tokens, arguments.rounds)


if __name__ == "__main__":
    main()
