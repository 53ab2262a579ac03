"""Loads a base model and its tokenizer. Knows nothing of how it is run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig


@dataclass(slots=True)
class LoadedModel:
    """A base model in memory. context: in tokens. kv_heads, head_dim: of its attention."""

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
    """source: a folder or a hub name. device: auto, cpu, cuda or cuda:1. dtype: auto (bfloat16 on CUDA, else
    float32), float32, bfloat16 or float16. context: in tokens; 0: the model's own. threads: 0: one for a tiny model,
    else all cores. Raises ValueError without a fast tokenizer."""
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    kind = (torch.bfloat16 if where.type == "cuda" else torch.float32) if dtype == "auto" else getattr(torch, dtype)
    tokenizer = AutoTokenizer.from_pretrained(source)
    if not tokenizer.is_fast:
        raise ValueError(f"The tokenizer of {source} is not a fast tokenizer, which this node needs.")
    model = AutoModelForCausalLM.from_pretrained(source, dtype=kind).to(where).eval()
    model.requires_grad_(False)
    parameters = sum(p.numel() for p in model.parameters())
    if where.type == "cpu":
        # A tiny model is slower with several threads.
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
