"""Measures gradient steps: speed, device utilisation, memory."""

import re
import resource
import time

import torch

from .policy import Policy

# Dense bf16, without sparsity, by the makers' data sheets, in 1e12 operations a second. Of the names that a card's name has, the
# longest counts.
PEAK_TFLOPS = {
    **{
        "B200": 2250.0,
        "GB200": 2500.0,
        "H200": 989.0,
        "GH200": 989.0,
        "H100": 989.0,
        "H100 PCIe": 756.0,
        "H100 NVL": 835.0,
    },
    **{
        "H800": 989.0,
        "H20": 148.0,
        "A100": 312.0,
        "A800": 312.0,
        "A40": 149.7,
        "A30": 165.0,
        "A10": 125.0,
        "A10G": 70.0,
    },
    **{"L40S": 362.0, "L40": 181.0, "L4": 121.0},
}


class StepClock:
    """Times one step after another."""

    def __init__(self, policy: Policy):
        self._policy = policy
        self._peak = peak_flops(policy.device) * policy.distributed.size
        self.start()

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
            possible = seconds * self._peak / self._policy.computed_share
            result["performance/mfu"] = lora_flops(self._policy, lengths) / possible
            result["performance/mfu_6n"] = lora_flops(self._policy, lengths, 6.0) / possible
        return result


def lora_flops(policy: Policy, lengths: list[int], per_parameter: float = 4.0) -> float:
    """Operations that a step of LoRA needs, whatever is computed besides (recomputed activations don't count). per_parameter: of
    the base, for each token; 6: as if all weights were trained, which is how others count.

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
    return tokens * (per_parameter * (policy.base_parameters - looked_up) + 6.0 * policy.trained_parameters) + attention


def peak_flops(device: torch.device) -> float:
    """Peak operations per second; 0 if unknown, and then there is no MFU."""
    return peak_of(torch.cuda.get_device_name(device)) if device.type == "cuda" else 0.0


def peak_of(card: str) -> float:
    """peak_flops of a card by its name, such as NVIDIA A100-SXM4-80GB."""
    known = [name for name in PEAK_TFLOPS if re.search(rf"\b{name}\b", card)]
    return PEAK_TFLOPS[max(known, key=len)] * 1e12 if known else 0.0


def memory_bytes(device: torch.device) -> int:
    """Peak memory so far: of the device, or of this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
