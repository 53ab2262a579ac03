"""Measures gradient steps: speed, device utilisation, memory. Knows nothing of losses or rewards."""

from __future__ import annotations

import resource
import time

import torch

from .policy import Policy

# Dense bf16, without sparsity, by the makers' data sheets, in 1e12 operations a second.
PEAK_TFLOPS = {"H200": 989.0, "H100": 989.0, "A100": 312.0, "L40S": 362.0, "L4": 121.0}


class StepClock:
    """Times one step after another."""

    def __init__(self, policy: Policy):
        self._policy = policy
        self._peak = peak_flops(policy.device) * policy.distributed.size
        self._began = time.perf_counter()

    def start(self) -> None:
        """Begins a step."""
        self._began = time.perf_counter()

    def measured(self, lengths: list[int]) -> dict[str, float]:
        """The metrics of the step. lengths: tokens of each trained sequence. Tokens a second count them all; what sequences
        share is computed once, and counts once as work."""
        if self._policy.device.type == "cuda":
            torch.cuda.synchronize(self._policy.device)
        seconds = max(time.perf_counter() - self._began, 1e-9)
        result = {
            "tokens_per_second": sum(lengths) / seconds,
            "performance/step_seconds": seconds,
            "performance/memory_bytes": float(memory_bytes(self._policy.device)),
        }
        if self._peak:
            result["performance/mfu"] = lora_flops(self._policy, lengths) * self._policy.computed_share / seconds / self._peak
        return result


def lora_flops(policy: Policy, lengths: list[int]) -> float:
    """Operations that a step of LoRA needs, whatever is computed besides (recomputed activations don't count).

    A token takes 2 operations a base parameter forwards and 2 backwards, for the base has no gradients of its own weights;
    6 an adapter parameter; and attention, 2 products forwards and 4 backwards over half of the sequence before it. After
    Kaplan et al., arXiv:2001.08361, §2.1, and PaLM, arXiv:2204.02311, appendix B, less the weights' gradients. Embeddings
    that are only looked up are none of the base's parameters here.
    """
    config = policy.config
    looked_up = 0 if config.tie_word_embeddings else config.vocab_size * config.hidden_size
    tokens = sum(lengths)
    heads = config.num_attention_heads
    width = heads * (getattr(config, "head_dim", None) or config.hidden_size // heads)
    attention = sum(6 * config.num_hidden_layers * width * length * length for length in lengths)
    return tokens * (4.0 * (policy.base_parameters - looked_up) + 6.0 * policy.trained_parameters) + attention


def peak_flops(device: torch.device) -> float:
    """Peak operations per second; 0 if unknown, and then there is no MFU."""
    if device.type != "cuda":
        return 0.0
    name = torch.cuda.get_device_name(device)
    return next((tflops * 1e12 for part, tflops in PEAK_TFLOPS.items() if part in name.split()), 0.0)


def memory_bytes(device: torch.device) -> int:
    """Peak memory so far: of the device, or of this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
