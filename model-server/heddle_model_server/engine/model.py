"""Loads a base model and its tokenizer once, and makes sure that they run here as they run by themselves. Knows nothing
of requests."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from .cache import RowCache
from .forward import Forward


@dataclass(slots=True)
class LoadedModel:
    name: str
    model: torch.nn.Module
    tokenizer: object
    generation: GenerationConfig
    device: torch.device
    dtype: torch.dtype
    context: int
    vocabulary: int
    parameters: int
    layers: int
    kv_heads: int
    head_dim: int
    eos: frozenset[int]


def load_model(
    source: str, name: str = "", device: str = "auto", dtype: str = "auto", context: int = 0, threads: int = 0
) -> LoadedModel:
    """source: a folder or a hub name. device: auto, cpu, cuda, cuda:1. dtype: auto (bfloat16 on CUDA, else float32),
    float32, bfloat16, float16. context: tokens; 0: the model's own. threads: 0: one for a tiny model, else all cores."""
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    kind = (torch.bfloat16 if where.type == "cuda" else torch.float32) if dtype == "auto" else getattr(torch, dtype)
    tokenizer = AutoTokenizer.from_pretrained(source)
    if not tokenizer.is_fast:
        raise ValueError(f"The tokenizer of {source} is not one of the fast kind, which this node needs.")
    model = AutoModelForCausalLM.from_pretrained(source, dtype=kind).to(where).eval()
    model.requires_grad_(False)
    parameters = sum(p.numel() for p in model.parameters())
    if where.type == "cpu":
        # More threads than one cost a tiny model more than they bring.
        torch.set_num_threads(threads or (1 if parameters < 5_000_000 else os.cpu_count() or 1))
    config = model.config.get_text_config()
    heads = config.num_attention_heads
    longest = getattr(config, "max_position_embeddings", None) or 4096
    eos = model.generation_config.eos_token_id
    ends = {tokenizer.eos_token_id} | set(eos if isinstance(eos, list) else [eos])
    return LoadedModel(
        name=name or Path(source).name,
        model=model,
        tokenizer=tokenizer,
        generation=model.generation_config,
        device=where,
        dtype=kind,
        context=min(context or longest, longest),
        vocabulary=model.get_output_embeddings().weight.shape[0],
        parameters=parameters,
        layers=config.num_hidden_layers,
        kv_heads=getattr(config, "num_key_value_heads", None) or heads,
        head_dim=getattr(config, "head_dim", None) or config.hidden_size // heads,
        eos=frozenset(ends - {None}),
    )


@torch.inference_mode()
def check_runs_here(loaded: LoadedModel) -> None:
    """Raises if the model, run over rows of a cache, doesn't say what it says by itself: its architecture is then none
    that this engine can serve. Call it before the model is changed in any way."""
    ids = torch.randint(0, loaded.vocabulary, (12,), generator=torch.Generator().manual_seed(1)).tolist()
    plain = loaded.model(input_ids=torch.tensor([ids], device=loaded.device), use_cache=False).logits[0].float()
    own = loaded.model.config._attn_implementation
    cache = RowCache(
        loaded.layers, loaded.kv_heads, loaded.head_dim, 64, 2, 32, loaded.dtype, loaded.device, width=32
    )
    forward = Forward(loaded.model, cache, loaded.device)
    try:
        forward.prefill([0, 1], [ids[:9], ids[:5]], [0, 0])
        forward.prefill([1], [ids[5:10]], [5])
        ours = [forward.decode(0, [ids[9], ids[10]], [9, 10]), forward.decode(0, [ids[10], ids[11]], [10, 11])]
    except Exception as error:
        raise ValueError(f"{loaded.name} is built in a way that this engine can't serve: {error}") from error
    finally:
        loaded.model.set_attn_implementation(own)
    expected = [plain[[9, 10]], plain[[10, 11]]]
    scale = plain.abs().max().item() or 1.0
    tolerance = (2e-3 if loaded.dtype == torch.float32 else 6e-2) * scale
    worst = max((a.float() - b).abs().max().item() for a, b in zip(ours, expected))
    if not worst <= tolerance:
        raise ValueError(
            f"{loaded.name} gives other logits over cached rows (off by {worst:.3g}): this engine can't serve it."
        )
