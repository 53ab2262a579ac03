"""The operator's settings. One list gives types, defaults, environment variables and --help."""

import argparse
import os
from dataclasses import dataclass, field, fields


def setting(default, help: str, choices: tuple[str, ...] = (), secret: bool = False):
    """A field of NodeSettings. secret: read from the environment only."""
    return field(default=default, metadata={"help": help, "choices": choices, "secret": secret})


@dataclass(frozen=True, slots=True)
class NodeSettings:
    model: str = setting("", "folder or hub name of the base model")
    model_name: str = setting("", "the name callers use; empty: the last part of the folder or hub name")
    listen: str = setting("127.0.0.1:50051", "gRPC address; port 0 picks a free port and prints it")
    token: str = setting("", "shared token that every call must send; empty: none", secret=True)
    tls_cert: str = setting("", "certificate (PEM); empty: no TLS")
    tls_key: str = setting("", "its private key (PEM)")
    tls_client_ca: str = setting("", "certificate authority of clients (PEM); empty: clients need no certificate")
    engine: str = setting(
        "auto", "vllm, for GPUs; cpu, for development; auto: vllm if there is a GPU", ("auto", "vllm", "cpu")
    )
    task: str = setting(
        "auto",
        "what the model does; auto: it embeds if it has sentence-transformers' files or no layer that chooses tokens",
        ("auto", "chat", "embed"),
    )
    vllm_args: str = setting("", "vLLM: more arguments as of `vllm serve`, as a shell would split them")
    tool_parser: str = setting(
        "auto",
        "vLLM: its parser of tool calls, as `vllm serve --tool-call-parser` names it; auto: by the model's family",
    )
    reasoning_parser: str = setting(
        "auto",
        "vLLM: its parser of reasoning, as `vllm serve --reasoning-parser` names it; auto: by the model's family",
    )
    dtype: str = setting("auto", "of weights and cache", ("auto", "float32", "bfloat16", "float16"))
    threads: int = setting(0, "CPU engine: torch threads; 0: one for a tiny model, else one per core")
    context: int = setting(0, "most tokens of prompt and answer together; 0: the model's own limit")
    slots: int = setting(0, "choices generated at the same time; 0: vLLM's own default, 32 on the CPU engine")
    cache_tokens: int = setting(0, "CPU engine: tokens in the key-value cache; 0: what 1 GiB holds")
    prefill_tokens: int = setting(512, "CPU engine: prompt tokens computed between two decoding steps")
    queue_limit: int = setting(256, "requests that may wait")
    scheduling: str = setting("priority", "order of waiting requests", ("priority", "fcfs"))
    prefix_cache: bool = setting(True, "reuse cached prompt prefixes between requests")
    max_adapters: int = setting(8, "LoRA adapters loaded at the same time; 0: none")
    max_adapter_rank: int = setting(16, "highest rank of an adapter")
    grace: float = setting(30.0, "seconds that running requests get when the node is stopped")
    train: bool = setting(False, "also train; needs artifact_roots")
    artifact_roots: str = setting("", "comma-separated folders and s3://bucket/prefix that training may read and write")
    train_device: str = setting(
        "",
        "cpu, cuda or cuda:N, the first of train_devices; empty: GPUs that don't serve, else those that do, else the CPU",
    )
    train_devices: int = setting(1, "devices per job")
    train_share: str = setting(
        "auto",
        "what serving does while a job runs; auto: pause on a shared GPU, else beside",
        ("auto", "pause", "beside"),
    )
    train_ahead: bool = setting(
        False, "start the trainer process with the node, not with the first job; no effect if serving yields its memory"
    )
    train_idle: float = setting(
        600.0,
        "idle seconds before the trainer process ends, 0: never; it ends at once if serving yields its memory",
    )
    train_save_seconds: float = setting(30.0, "seconds between saved states of a job")
    train_row_tokens: int = setting(0, "tokens per packed row; 0: 8192 on CUDA, else 1024")
    train_grace: float = setting(60.0, "seconds a stopping trainer gets for its gradient step before it is killed")
    train_jobs: int = setting(4, "jobs at the same time; they take turns on the trainer and its base model")
    train_turn_seconds: float = setting(30.0, "least seconds of a job's turn while others wait")
    train_turn_overhead: float = setting(
        0.2,
        "what the hand-over before a turn may be of it, at the most: after a slow one turns are longer; 0: they aren't",
    )
    train_kernels: str = setting(
        "auto",
        "auto: FlashAttention (3 on Hopper cards, where it is installed) or FlexAttention, and liger-kernel where it is installed; plain: torch's own, on GPUs too",
        ("auto", "plain"),
    )
    train_scratch: str = setting("", "temporary folder for training data; empty: the system's")


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"HEDDLE_NODE_{name.upper()}"


def yes_or_no(text: str) -> bool:
    """Parses a boolean. Raises ArgumentTypeError."""
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Adds a flag for each setting, by default as the environment says; none for secrets, which only that says."""
    for item in fields(NodeSettings):
        if item.metadata["secret"]:
            continue
        parser.add_argument(
            f"--{item.name.replace('_', '-')}",
            type=yes_or_no if item.type is bool else item.type,
            choices=item.metadata["choices"] or None,
            default=os.environ.get(variable(item.name), item.default),
            help=f"{item.metadata['help']} (default {item.default!r}; {variable(item.name)})",
        )


def settings_of(arguments: argparse.Namespace) -> NodeSettings:
    """The settings of add_settings' flags. Raises ValueError for a variable that is none of its choices."""
    values = {}
    for item in fields(NodeSettings):
        value = values[item.name] = getattr(arguments, item.name, os.environ.get(variable(item.name), item.default))
        choices = item.metadata["choices"]
        # Flags were checked before.
        if choices and value not in choices:
            raise ValueError(f"{variable(item.name)} is one of {', '.join(choices)}")
    return NodeSettings(**values)
