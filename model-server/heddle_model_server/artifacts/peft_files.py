"""Reads a LoRA adapter in peft's file format."""

import json
import math
import re
from dataclasses import dataclass

import torch
from safetensors.torch import load as load_tensors

from ..errors import NodeError

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
LORA_TENSOR = re.compile(r"^(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.default)?\.weight$")


@dataclass(frozen=True, slots=True)
class LoraWeights:
    """Of one layer: y += scaling · b a x. a: [rank, in]; b: [out, rank]."""

    a: torch.Tensor
    b: torch.Tensor
    scaling: float


def invalid(why: str) -> NodeError:
    """The adapter can't be served. why: the end of the sentence, without a full stop."""
    return NodeError("ADAPTER_INVALID", f"This adapter can't be served: {why}.")


def read_adapter(files: dict[str, bytes], shapes: dict[str, tuple[int, int]], max_rank: int) -> dict[str, LoraWeights]:
    """LoRA weights by layer path: A is [rank, in], B is [out, rank]. files: content by name. shapes: (in, out) of
    the base model's linear layers, by path. Raises ADAPTER_INVALID."""
    config = read_config(files)
    try:
        tensors = load_tensors(files[WEIGHTS])
    except Exception as error:
        raise invalid(f"{WEIGHTS} can't be read") from error
    pairs: dict[str, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        match = LORA_TENSOR.match(name)
        if match is None:
            raise invalid(f"it changes {name}; only LoRA's A and B of linear layers can be served")
        pairs.setdefault(match[1], {})[match[2]] = tensor
    if not pairs:
        raise invalid("it changes nothing")
    return {path: weights_of(path, pair, shapes, config, max_rank) for path, pair in pairs.items()}


def read_config(files: dict[str, bytes]) -> dict:
    """adapter_config.json as a dict. Raises ADAPTER_INVALID for features that can't be served, and for a file that is missing."""
    missing = {CONFIG, WEIGHTS} - files.keys()
    if missing:
        raise invalid(f"it has no {min(missing)}")
    try:
        config = json.loads(files[CONFIG])
    except (ValueError, RecursionError) as error:
        raise invalid(f"{CONFIG} is not JSON") from error
    if not isinstance(config, dict) or str(config.get("peft_type", "")).upper() != "LORA":
        raise invalid("it is not a LoRA adapter")
    for name in (
        "use_dora",
        "modules_to_save",
        "trainable_token_indices",
        "megatron_config",
        "alora_invocation_tokens",
    ):
        if config.get(name):
            raise invalid(f"it uses {name}, which this node doesn't support")
    if config.get("bias", "none") != "none":
        raise invalid("it changes biases, which this node doesn't support")
    if not isinstance(config.get("r"), int) or not isinstance(config.get("lora_alpha"), int | float):
        raise invalid("its r or lora_alpha is missing")
    return config


def weights_of(
    path: str, pair: dict[str, torch.Tensor], shapes: dict[str, tuple[int, int]], config: dict, max_rank: int
) -> LoraWeights:
    """One layer's A and B with their scaling, checked against the base model's (in, out). Raises ADAPTER_INVALID."""
    shape = shapes.get(path)
    if shape is None:
        raise invalid(f"the base model has no linear layer {path}")
    a, b = pair.get("A"), pair.get("B")
    if a is None or b is None or a.dim() != 2 or b.dim() != 2:
        raise invalid(f"A or B of {path} is missing or has a wrong shape")
    rank = a.shape[0]
    if (a.shape[1], b.shape[0]) != shape or b.shape[1] != rank:
        raise invalid(f"A and B of {path} don't fit the base model")
    if rank > max_rank:
        raise invalid(f"its rank {rank} is above this node's {max_rank}")
    if not (a.isfinite().all() and b.isfinite().all()):
        raise invalid(f"{path} has weights that are not numbers")
    alpha = by_pattern(config.get("alpha_pattern"), path, config["lora_alpha"])
    return LoraWeights(a, b, scaling_of(config, alpha, rank))


def scaling_of(config: dict, alpha: float, rank: int) -> float:
    """By what B · A is multiplied."""
    return alpha / (math.sqrt(rank) if config.get("use_rslora") else rank)


def by_pattern(patterns: object, path: str, otherwise: float) -> float:
    """peft's rule: the value of the first pattern that matches the path's end; otherwise `otherwise`."""
    for pattern, value in (patterns if isinstance(patterns, dict) else {}).items():
        try:
            if re.match(rf"(.*\.)?({pattern})$", path):
                return value
        except re.error:
            continue
    return otherwise
