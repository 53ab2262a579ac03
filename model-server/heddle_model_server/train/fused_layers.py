"""Layers of the base model as single kernels, by liger-kernel where that is installed."""

from __future__ import annotations

import torch
from transformers.integrations.liger import apply_liger_kernel
from transformers.utils import is_liger_kernel_available

# The losses stay ours: they are of single tokens.
WANTED = {
    **{"rope": True, "rms_norm": True, "swiglu": True, "geglu": True},
    **{"cross_entropy": False, "fused_linear_cross_entropy": False},
}


def fuse_layers(model: torch.nn.Module) -> bool:
    """Norms, rotary positions and gates, of the architectures that liger-kernel knows; for the whole process. Before adapters
    are added. Returns whether it is installed."""
    if not is_liger_kernel_available():
        return False
    apply_liger_kernel(model, WANTED)
    return True
