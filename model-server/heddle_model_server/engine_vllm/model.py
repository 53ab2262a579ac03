"""What the node needs to know of a model that a vLLM server holds: its tokenizer and its limits. Doesn't load its
weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import AutoConfig, AutoTokenizer, GenerationConfig


@dataclass(slots=True)
class ServedModel:
    """Looks like engine.model.LoadedModel to the code that prepares requests."""

    name: str
    tokenizer: object
    generation: GenerationConfig
    device: str
    context: int
    vocabulary: int
    parameters: int
    eos: frozenset[int]
    special: frozenset[int]
    special_texts: tuple[str, ...]

    def text_of(self, tokens: tuple[int, ...]) -> str:
        """Decodes tokens, special ones included."""
        return self.tokenizer.decode(list(tokens))


def served_model(source: str, name: str = "", device: str = "auto", context: int = 0) -> ServedModel:
    """source: a folder or a hub name. context: in tokens; 0: the model's own. Raises ValueError without a fast
    tokenizer."""
    tokenizer = AutoTokenizer.from_pretrained(source)
    if not tokenizer.is_fast:
        raise ValueError(f"The tokenizer of {source} is not a fast tokenizer, which this node needs.")
    config = AutoConfig.from_pretrained(source).get_text_config()
    try:
        generation = GenerationConfig.from_pretrained(source)
    except OSError:
        generation = GenerationConfig()
    ends = generation.eos_token_id
    special = {id: token.content for id, token in tokenizer.added_tokens_decoder.items() if token.special}
    longest = getattr(config, "max_position_embeddings", None) or 4096
    return ServedModel(
        name=name or Path(source).name,
        tokenizer=tokenizer,
        generation=generation,
        device=("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device,
        context=min(context or longest, longest),
        vocabulary=config.vocab_size,
        parameters=0,
        special=frozenset(special),
        special_texts=tuple(special.values()),
        eos=frozenset(({tokenizer.eos_token_id} | set(ends if isinstance(ends, list) else [ends])) - {None}),
    )
