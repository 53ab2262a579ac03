"""Reads what is to be known of a base model, and loads it with transformers."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import torch
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

from .embedding import Embedding, read_embedding


@dataclass(slots=True, kw_only=True)
class Model:
    """A base model without its weights. context: in tokens. width: of its hidden states. eos: tokens that end a text. special:
    tokens that are no text. type: as its config names it. embedding: None: it chats. sees: images."""

    name: str
    tokenizer: object
    generation: GenerationConfig
    context: int
    vocabulary: int
    width: int
    eos: frozenset[int]
    special: frozenset[int] = frozenset()
    type: str = ""
    embedding: Embedding | None = None
    sees: bool = False


@dataclass(slots=True, kw_only=True)
class LoadedModel(Model):
    """A base model in memory. kv_heads, head_dim: of its attention."""

    model: torch.nn.Module
    device: torch.device
    dtype: torch.dtype
    parameters: int
    layers: int
    kv_heads: int
    head_dim: int


def read_model(source: str, name: str = "", context: int = 0, task: str = "auto") -> Model:
    """source: a folder or hub name. context: in tokens; 0: its own. task: auto, chat, embed. ValueError: its tokenizer isn't fast."""
    tokenizer = AutoTokenizer.from_pretrained(source)
    if not tokenizer.is_fast:
        raise ValueError(f"The tokenizer of {source} is not a fast tokenizer, which this node needs.")
    whole = AutoConfig.from_pretrained(source)
    config = whole.get_text_config()
    try:
        generation = GenerationConfig.from_pretrained(source)
    except OSError:
        generation = GenerationConfig.from_model_config(config)
    embedding = read_embedding(source, config, task)
    longest = getattr(config, "max_position_embeddings", None) or 4096
    if embedding:
        # Some encoders have more positions than texts may have tokens.
        longest = min(longest, tokenizer.model_max_length, embedding.context or longest)
    eos = generation.eos_token_id
    ends = {tokenizer.eos_token_id} | set(eos if isinstance(eos, list) else [eos])
    return Model(
        name=name or Path(source).name,
        tokenizer=tokenizer,
        generation=generation,
        context=min(context or longest, longest),
        vocabulary=config.vocab_size,
        width=config.hidden_size,
        eos=frozenset(ends - {None}),
        special=frozenset(id for id, token in tokenizer.added_tokens_decoder.items() if token.special),
        type=whole.model_type,
        embedding=embedding,
        sees=getattr(whole, "vision_config", None) is not None,
    )


def vocabulary_name(tokenizer) -> str:
    """Names what token ids mean: the same for tokenizers that give all tokens the same ids, whatever else they differ in."""
    tokens = sorted(tokenizer.get_vocab().items(), key=lambda entry: (entry[1], entry[0]))
    return hashlib.sha256(json.dumps(tokens).encode()).hexdigest()[:32]


def read_weights(
    source: str, dtype: torch.dtype, device: torch.device, kind: type = AutoModelForCausalLM
) -> torch.nn.Module:
    """The whole model, read onto the device once. kind: transformers' class of such models."""
    # transformers needs a library more for it, which takes long to import.
    onto = {} if device.type == "cpu" else {"device_map": device}
    return kind.from_pretrained(source, dtype=dtype, **onto)


def load_model(
    source: str,
    name: str = "",
    device: str = "cpu",
    dtype: str = "auto",
    context: int = 0,
    threads: int = 0,
    known: Model | None = None,
    weights: Callable[[str, torch.dtype, torch.device], torch.nn.Module] = read_weights,
) -> LoadedModel:
    """device: cpu, cuda or cuda:1. dtype: auto (bfloat16 on CUDA, else float32), float32, bfloat16 or float16.
    threads: 0: one for a tiny model, else all cores. known: what read_model made of the same. weights: how they
    are read. The rest and errors: see read_model."""
    known = known or read_model(source, name, context)
    where = torch.device(device)
    kind = (torch.bfloat16 if where.type == "cuda" else torch.float32) if dtype == "auto" else getattr(torch, dtype)
    if known.embedding:
        weights = partial(weights, kind=AutoModel)
    model = weights(source, kind, where).eval()
    model.requires_grad_(False)
    parameters = sum(p.numel() for p in model.parameters())
    if where.type == "cpu":
        # A tiny model is slower with several threads.
        torch.set_num_threads(threads or (1 if parameters < 5_000_000 else os.cpu_count() or 1))
    config = model.config.get_text_config()
    if not known.embedding:
        known.vocabulary = model.get_output_embeddings().weight.shape[0]
    heads = config.num_attention_heads
    return LoadedModel(
        **{field.name: getattr(known, field.name) for field in fields(known)},
        model=model,
        device=where,
        dtype=kind,
        parameters=parameters,
        layers=config.num_hidden_layers,
        kv_heads=getattr(config, "num_key_value_heads", None) or heads,
        head_dim=getattr(config, "head_dim", None) or config.hidden_size // heads,
    )
