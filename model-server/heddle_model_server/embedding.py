"""How a model's hidden states become an embedding, by sentence-transformers' files or without, and how engines tell of it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from transformers.utils import cached_file

from .request import Account, Embedded, Event

# Encoders, and decoders without the layer that chooses tokens.
EMBEDS = re.compile(r"((?<!LMHead)Model|ForMaskedLM|ForTextEncoding)$")

# sentence-transformers' names of its modes that this node knows.
POOLING = {"cls_token": "cls", "mean_tokens": "mean", "max_tokens": "max", "lasttoken": "last"}


@dataclass(frozen=True, slots=True)
class Embedding:
    """pooling: mean, cls, last or max. dimensions: of a whole embedding. shortened: whether the model was trained for shorter ones;
    sizes: which; empty: any. context: most tokens of a text; 0: the model's own."""

    pooling: str
    normalize: bool
    dimensions: int
    shortened: bool = False
    sizes: tuple[int, ...] = ()
    context: int = 0


def read_embedding(source: str, config, task: str) -> Embedding | None:
    """None: the model chats. source: a folder or a hub name. config: transformers' of it. task: auto, chat or embed. Raises
    ValueError for modules that this node can't run."""
    modules = read_json(source, "modules.json")
    embeds = modules is not None or any(map(EMBEDS.search, config.architectures or []))
    if task == "chat" or (task == "auto" and not embeds):
        return None
    sizes = tuple(getattr(config, "matryoshka_dimensions", None) or ())
    shortened = bool(sizes) or bool(getattr(config, "is_matryoshka", False))
    pooling, normalize, context = "mean" if is_encoder(config) else "last", True, 0
    if modules is not None:
        kinds = {module["type"].rsplit(".", 1)[-1]: module["path"] for module in modules}
        unknown = kinds.keys() - {"Transformer", "Pooling", "Normalize"}
        if unknown:
            raise ValueError(f"{source} has a module {min(unknown)}, which this node can't run.")
        normalize = "Normalize" in kinds
        if "Pooling" in kinds:
            pooling = pooling_of(source, read_json(source, f"{kinds['Pooling']}/config.json") or {})
        context = (read_json(source, "sentence_bert_config.json") or {}).get("max_seq_length") or 0
    return Embedding(pooling, normalize, config.hidden_size, shortened, sizes, context)


def pooling_of(source: str, config: dict) -> str:
    """The mode of a Pooling module. Raises ValueError for one that this node doesn't know, or several."""
    named = config.get("pooling_mode")
    modes = (
        [named]
        if named
        else [
            mode
            for mode in (key.removeprefix("pooling_mode_") for key, on in config.items() if on is True)
            if mode != "include_prompt"
        ]
    )
    known = [POOLING.get(mode, mode) for mode in modes]
    if len(known) != 1 or known[0] not in ("cls", "mean", "max", "last"):
        raise ValueError(f"{source} pools by {' and '.join(modes) or 'nothing'}, which this node can't do.")
    return known[0]


def is_encoder(config) -> bool:
    """Whether its tokens see those after them."""
    return any(name.endswith("ForMaskedLM") for name in config.architectures or []) or "bert" in config.model_type


def read_json(source: str, name: str):
    """A file of the model; None if it has no such file."""
    path = cached_file(
        source,
        name,
        _raise_exceptions_for_missing_entries=False,
        _raise_exceptions_for_connection_errors=False,
        _raise_exceptions_for_gated_repo=False,
    )
    if path is None:
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class EmbeddingAnswer(Account):
    """The answer to one request, as the node's events."""

    def events(self, index: int, values: bytes, begun: float = 0.0) -> Iterator[Event]:
        """Of a text's vector. values: see Embedded. begun: when work on the first began; 0: now."""
        if not self.started_at:
            yield self.start(at=begun)
        yield Embedded(index, values)
