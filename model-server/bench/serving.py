"""A Heddle node beside bare `vllm serve`: tokens a second at so many streams over so many adapters, CPU time a token of the
process that callers reach, and the first token after long prompts. Same model, prompts, adapters and vLLM settings.

python bench/serving.py --model FOLDER [--engine vllm] [--streams 1 32 256] [--adapters 0 1 16] [--prompts 1024 32768]

Prints one line of JSON for each figure. Prompts are random tokens, different each time, so that no beginning is known."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import aiohttp
import grpc
import psutil
import torch
from safetensors.torch import save as save_tensors
from transformers import AutoConfig

from heddle.node.v1 import node_pb2 as pb, node_pb2_grpc
from heddle_model_server.artifacts.peft_files import CONFIG, WEIGHTS
from heddle_model_server.artifacts.folders import manifest_of

RANK = 16
PROMPT = 64
START_SECONDS = 900


@dataclass(frozen=True)
class Ask:
    """One completion of so many tokens, greedily and to the last. adapter: empty: the base model."""

    prompt: list[int]
    tokens: int
    adapter: str = ""


@dataclass(frozen=True)
class Took:
    """seconds: until all were answered. firsts: each one's until its first token."""

    seconds: float
    firsts: list[float]


class Heddle:
    """A node, asked as workers ask it: all requests in one call."""

    def __init__(self, folder: Path, adapters: list[Path], arguments):
        flags = ["--engine", arguments.engine, "--max-adapters", str(max(len(adapters), 1)), "--queue-limit", "1024"]
        flags += ["--max-adapter-rank", str(RANK), f"--vllm-args={arguments.vllm_args}", "--dtype", arguments.dtype]
        command = ["-m", "heddle_model_server", "serve", "--model", str(folder), "--listen", "127.0.0.1:0", *flags]
        self.process = started([sys.executable, *command], arguments.logs / "heddle.log", stdout=subprocess.PIPE)
        # vLLM writes there, too.
        said = next((line for line in self.process.stdout if line.startswith(b"listening on ")), None)
        if said is None:
            raise RuntimeError(f"the node did not start; see {arguments.logs}/heddle.log")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self._address = said.decode().split()[2]
        with grpc.insecure_channel(self._address) as channel:
            stub = node_pb2_grpc.NodeServiceStub(channel)
            for one in adapters:
                stub.LoadAdapter(pb.LoadAdapterRequest(adapter_id=one.name, address=str(one)), timeout=120)

    def connect(self) -> grpc.aio.Channel:
        self._connection = grpc.aio.insecure_channel(self._address)
        return self._connection

    async def ask(self, asks: list[Ask]) -> Took:
        over = asyncio.Event()
        firsts = [0.0] * len(asks)

        async def begun():
            yield pb.TogetherRequest(begin=[begin(number, ask) for number, ask in enumerate(asks)])
            await over.wait()

        began, left = time.perf_counter(), len(asks)
        async for message in node_pb2_grpc.NodeServiceStub(self._connection).GenerateTogether(begun()):
            now = time.perf_counter() - began
            for one in message.events:
                event = pb.GenerateEvent.FromString(one.event)
                kind = event.WhichOneof("event")
                if kind == "error":
                    raise RuntimeError(event.error.message)
                if kind == "delta":
                    firsts[one.number] = firsts[one.number] or now
                left -= kind == "done"
            if not left:
                break
        over.set()
        return Took(time.perf_counter() - began, firsts)


def begin(number: int, ask: Ask) -> pb.TogetherBegin:
    """A request of the node."""
    request = pb.GenerateRequest(
        request_id=f"bench-{number}-{time.monotonic_ns()}",
        tokens=pb.TokenPrompt(token_ids=ask.prompt),
        sampling=pb.Sampling(temperature=0.0),
        stopping=pb.Stopping(max_tokens=ask.tokens, ignore_eos=True),
        adapter_id=ask.adapter,
        stream=True,
    )
    return pb.TogetherBegin(number=number, request=request.SerializeToString())


class BareVllm:
    """`vllm serve`, asked by its own HTTP interface."""

    def __init__(self, folder: Path, adapters: list[Path], arguments):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        flags = ["--model", str(folder), "--port", str(port), "--host", "127.0.0.1", "--served-model-name", "base"]
        flags += ["--enable-lora", "--max-loras", str(max(len(adapters), 1)), "--max-lora-rank", str(RANK)]
        flags += ["--dtype", arguments.dtype, "--disable-log-stats", *shlex.split(arguments.vllm_args)]
        if adapters:
            flags += ["--lora-modules", *(f"{one.name}={one}" for one in adapters)]
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *flags]
        self.process = started(command, arguments.logs / "vllm.log")
        self._base = f"http://127.0.0.1:{port}"
        asyncio.run(self._up())

    async def _up(self) -> None:
        end = time.monotonic() + START_SECONDS
        async with aiohttp.ClientSession() as session:
            while time.monotonic() < end and self.process.poll() is None:
                try:
                    async with session.get(f"{self._base}/health") as answer:
                        if answer.status == 200:
                            return
                except aiohttp.ClientError:
                    pass
                await asyncio.sleep(0.5)
        raise RuntimeError("vllm serve did not start")

    def connect(self) -> aiohttp.ClientSession:
        limit = aiohttp.ClientTimeout(total=None)
        self._connection = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=limit)
        return self._connection

    async def ask(self, asks: list[Ask]) -> Took:
        began = time.perf_counter()

        async def one(ask: Ask) -> float:
            body = {"model": ask.adapter or "base", "prompt": ask.prompt, "max_tokens": ask.tokens}
            body |= {"temperature": 0.0, "ignore_eos": True, "stream": True}
            first = 0.0
            async with self._connection.post(f"{self._base}/v1/completions", json=body) as answer:
                answer.raise_for_status()
                async for line in answer.content:
                    if line.startswith(b"data: {"):
                        first = first or time.perf_counter() - began
            return first

        firsts = await asyncio.gather(*map(one, asks))
        return Took(time.perf_counter() - began, list(firsts))


def started(command: list[str], log: Path, **more) -> subprocess.Popen:
    """A server's process, with its own log."""
    with log.open("ab") as file:
        return subprocess.Popen(command, stderr=file, **{"stdout": file, **more}, start_new_session=True)


def stop(process: subprocess.Popen) -> None:
    """Ends a server and what it started."""
    family = [*psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for one in family:
        if one.is_running():
            one.kill()


def made_adapter(model: Path, folder: Path, seed: int) -> Path:
    """Random LoRA weights on the query and value layers, as a PEFT folder with a manifest."""
    config = AutoConfig.from_pretrained(model)
    width, heads = config.hidden_size, config.num_attention_heads
    dim = getattr(config, "head_dim", None) or width // heads
    draw = torch.Generator().manual_seed(seed)
    tensors = {}
    for layer in range(config.num_hidden_layers):
        for name, out in (("q_proj", heads * dim), ("v_proj", config.num_key_value_heads * dim)):
            path = f"base_model.model.model.layers.{layer}.self_attn.{name}"
            tensors[f"{path}.lora_A.weight"] = torch.randn(RANK, width, generator=draw) * 0.01
            tensors[f"{path}.lora_B.weight"] = torch.randn(out, RANK, generator=draw) * 0.01
    facts = {"peft_type": "LORA", "r": RANK, "lora_alpha": RANK, "target_modules": ["q_proj", "v_proj"], "bias": "none"}
    files = {CONFIG: json.dumps(facts).encode(), WEIGHTS: save_tensors(tensors, {"format": "pt"})}
    folder.mkdir(parents=True)
    for name, content in (files | {"manifest.json": manifest_of(files, {})}).items():
        (folder / name).write_bytes(content)
    return folder


async def measure(name: str, server, adapters: list[Path], arguments, vocabulary: int) -> None:
    """Prints the figures of one server, over one connection."""
    draw = random.Random(hashlib.sha256(name.encode()).hexdigest())
    prompt = lambda length: [draw.randrange(3, vocabulary) for _ in range(length)]
    process = psutil.Process(server.process.pid)
    tell = lambda **figures: print(json.dumps({"what": "serving", "server": name, **figures}), flush=True)

    async def run(streams: int, used: int, tokens: int, length: int = PROMPT) -> Took:
        names = [one.name for one in adapters[:used]] or [""]
        return await server.ask([Ask(prompt(length), tokens, names[i % len(names)]) for i in range(streams)])

    async with server.connect():
        for used in arguments.adapters:
            for streams in arguments.streams:
                await run(streams, used, 4)
                best, cpu = 0.0, 0.0
                for _ in range(arguments.rounds):
                    before = sum(process.cpu_times()[:2])
                    took = await run(streams, used, arguments.tokens)
                    speed = streams * arguments.tokens / took.seconds
                    if speed > best:
                        best, cpu = speed, (sum(process.cpu_times()[:2]) - before) / streams / arguments.tokens
                tell(
                    streams=streams,
                    adapters=used,
                    tokens_per_second=round(best, 1),
                    cpu_us_per_token=round(cpu * 1e6, 1),
                )
        for length in arguments.prompts:
            await run(1, 0, 2, length)
            firsts = [(await run(1, 0, 2, length)).firsts[0] for _ in range(5)]
            tell(prompt=length, first_token_ms=round(median(firsts) * 1000, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--engine", default="vllm", choices=["vllm", "cpu"], help="of the node")
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--vllm-args", default="", help="of both")
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 32, 256])
    parser.add_argument("--adapters", type=int, nargs="+", default=[0, 1, 16])
    parser.add_argument("--prompts", type=int, nargs="*", default=[1024, 32768])
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=["heddle", "vllm"])
    parser.add_argument("--logs", type=Path, default=Path(tempfile.gettempdir()))
    arguments = parser.parse_args()
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    vocabulary = AutoConfig.from_pretrained(arguments.model).vocab_size
    with tempfile.TemporaryDirectory() as scratch:
        count = max(arguments.adapters)
        adapters = [made_adapter(arguments.model, Path(scratch) / f"adapter{i}", i) for i in range(count)]
        for name, kind in {"heddle": Heddle, "vllm": BareVllm}.items():
            if arguments.only in (None, name):
                server = kind(arguments.model, adapters, arguments)
                try:
                    asyncio.run(measure(name, server, adapters, arguments, vocabulary))
                finally:
                    stop(server.process)


if __name__ == "__main__":
    main()
