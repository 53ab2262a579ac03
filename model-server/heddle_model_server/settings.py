"""What an operator can set: one list gives types, defaults, environment variables and --help."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field, fields


def setting(default, help: str, choices: tuple[str, ...] = (), secret: bool = False):
    return field(default=default, metadata={"help": help, "choices": choices, "secret": secret})


@dataclass(frozen=True, slots=True)
class NodeSettings:
    model: str = setting("", "folder or hub name of the base model")
    model_name: str = setting("", "what callers call it; empty: the folder's or hub name's last part")
    listen: str = setting("127.0.0.1:50051", "address for gRPC; port 0 takes a free one and prints it")
    token: str = setting("", "shared token that every call has to bring; empty: none", secret=True)
    tls_cert: str = setting("", "certificate (PEM); empty: no TLS")
    tls_key: str = setting("", "its private key (PEM)")
    tls_client_ca: str = setting("", "authority of clients' certificates (PEM); empty: none is asked for")
    engine: str = setting("torch", "what generates: torch in this process, or a vLLM server beside it", ("torch", "vllm"))
    vllm_command: str = setting("vllm", "what runs vLLM: a program, perhaps of another Python environment")
    vllm_args: str = setting("", "more arguments for `vllm serve`, as a shell would split them")
    vllm_start: float = setting(900.0, "seconds until the vLLM server has to answer")
    device: str = setting("auto", "auto, cpu, cuda or cuda:N")
    dtype: str = setting("auto", "of weights and cache", ("auto", "float32", "bfloat16", "float16"))
    threads: int = setting(0, "of torch on a CPU; 0: one for a tiny model, else one a core")
    context: int = setting(0, "tokens of prompt and answer together; 0: the model's own")
    slots: int = setting(32, "choices generated at once")
    cache_tokens: int = setting(0, "of keys and values; 0: what the memory has room for")
    prefill_tokens: int = setting(512, "of prompts, computed between two tokens of others")
    queue_limit: int = setting(256, "requests that may wait")
    scheduling: str = setting("priority", "which request comes first", ("priority", "fcfs"))
    prefix_cache: bool = setting(True, "share what was computed between requests that begin alike")
    max_adapters: int = setting(8, "LoRA adapters loaded at once; 0: none")
    max_adapter_rank: int = setting(16, "highest rank of an adapter")
    grace: float = setting(30.0, "seconds for running requests when the node is stopped")
    train: bool = setting(False, "train, too: needs artifact_roots")
    artifact_roots: str = setting(
        "", "folders and s3://bucket/prefix below which training reads and writes, with commas between them"
    )
    train_device: str = setting("", "cpu, cuda or cuda:N, the first of train_devices; empty: that of serving")
    train_devices: int = setting(1, "devices that a job uses together")
    train_share: str = setting(
        "auto",
        "what serving does while a job runs; auto: pause where they share a GPU, else beside",
        ("auto", "pause", "shrink", "beside"),
    )
    train_ahead: bool = setting(
        False, "start the trainer process with the node, not with the first job; not where serving makes room for it"
    )
    train_idle: float = setting(
        600.0,
        "seconds without a job after which the trainer process is ended, 0: never; at once where serving makes room for it",
    )
    train_save_seconds: float = setting(30.0, "between saved states of a job")
    train_row_tokens: int = setting(0, "of packed sequences in a pass; 0: 8192 on CUDA, else 1024")
    train_grace: float = setting(60.0, "seconds for a gradient step, after which a trainer that should stop is killed")
    train_scratch: str = setting("", "folder for data while it is read; empty: the system's")


def variable(name: str) -> str:
    return f"HEDDLE_NODE_{name.upper()}"


def yes_or_no(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """A flag for each setting, but for secrets, which come from the environment alone."""
    for item in fields(NodeSettings):
        if item.metadata["secret"]:
            continue
        kind = {"int": int, "float": float, "bool": yes_or_no}.get(item.type, str)
        parser.add_argument(
            f"--{item.name.replace('_', '-')}",
            type=kind,
            choices=item.metadata["choices"] or None,
            default=None,
            help=f"{item.metadata['help']} (default {item.default!r}; {variable(item.name)})",
        )


def settings_of(arguments: argparse.Namespace) -> NodeSettings:
    """Flags before environment variables before defaults. Raises ValueError naming what can't be read."""
    values = {}
    for item in fields(NodeSettings):
        value = getattr(arguments, item.name, None)
        text = os.environ.get(variable(item.name))
        if value is None and text is not None:
            kind = {"int": int, "float": float, "bool": yes_or_no}.get(item.type, str)
            try:
                value = kind(text)
            except (ValueError, argparse.ArgumentTypeError) as error:
                raise ValueError(f"{variable(item.name)}: {error}") from error
            if item.metadata["choices"] and value not in item.metadata["choices"]:
                raise ValueError(f"{variable(item.name)} is one of {', '.join(item.metadata['choices'])}")
        values[item.name] = item.default if value is None else value
    return NodeSettings(**values)
