"""One forward pass of a transformers model over rows of the cache: token positions, attention masks, and which keys and
values are stored. Verifies that a model's logits over rows are its own."""

from collections.abc import Callable
from itertools import pairwise

import torch
from transformers import AttentionInterface

from ..attention import attend
from ..model import LoadedModel
from .kv_cache import KVCache
from .lora import Lora

ATTENTION = "heddle_rows"
PROBE_TOKENS = 12

# (ids [rows, tokens], pass, all_positions) → logits [rows, tokens or 1, vocabulary].
RunModel = Callable[[torch.Tensor, "ForwardPass", bool], torch.Tensor]


class ForwardPass:
    """What all layers of a pass share: rows, positions, masks. The model gets it as its cache."""

    # What transformers asks of a cache.
    is_compileable = False
    is_sliding = [False]

    def __init__(self, cache: KVCache, rows: list[int], positions: torch.Tensor, length: int, kept: torch.Tensor):
        """positions: [rows, tokens], the position of each token. length: of the longest row after this pass. kept:
        [rows, tokens], which tokens are no padding."""
        self.cache = cache
        self.positions = positions
        self.length = length
        # A slice reads the cache without a copy.
        contiguous = all(b == a + 1 for a, b in pairwise(rows))
        self._rows = slice(rows[0], rows[-1] + 1) if contiguous else rows
        row, token = kept.nonzero(as_tuple=True)
        self._kept = (row, slice(None), token)
        self._stored = (torch.tensor(rows)[row], slice(None), positions[row, token])
        self._masks: dict[int | None, torch.Tensor] = {}

    def mask(self, window: int | None) -> torch.Tensor:
        """[rows, 1, tokens, length], true where a token may attend. window: how far back it sees; None: unlimited."""
        if window not in self._masks:
            seen = torch.arange(self.length)
            mask = seen <= self.positions[..., None]
            if window is not None:
                mask &= seen > self.positions[..., None] - window
            self._masks[window] = mask[:, None]
        return self._masks[window]

    def update(self, keys: torch.Tensor, values: torch.Tensor, layer: int, *_args, **_kwargs):
        """Stores a layer's keys and values [rows, heads, tokens, dim]; returns those of all positions, [rows, heads, length, dim]."""
        all_keys, all_values = self.cache.layers[layer]
        all_keys[self._stored] = keys[self._kept]
        all_values[self._stored] = values[self._kept]
        return all_keys[self._rows, :, : self.length], all_values[self._rows, :, : self.length]

    def get_seq_length(self, _layer: int = 0) -> int:
        """Cached tokens before this pass."""
        return self.length - self.positions.shape[1]

    get_query_offset = get_seq_length

    def get_mask_sizes(self, tokens: int, _layer: int = 0) -> tuple[int, int]:
        """Length and offset of the keys."""
        return self.length, 0


def attend_cached(module, query, keys, values, _mask, scaling=None, sliding_window=None, softcap=None, **kwargs):
    """Attention over cache rows, registered with transformers. The masks come from the pass, which the model hands
    through as `rows_pass`. Shapes: see attention.attend."""
    current: ForwardPass = kwargs["rows_pass"]
    if kwargs.get("s_aux") is not None or kwargs.get("position_bias") is not None:
        raise NotImplementedError("attention with sinks or position biases")
    return attend(query, keys, values, current.mask(sliding_window), scaling, softcap), None


# Without a registered mask function transformers builds no masks.
AttentionInterface.register(ATTENTION, attend_cached)


def forward(
    run: RunModel,
    cache: KVCache,
    rows: list[int],
    tokens: list[list[int]],
    starts: list[int],
    all_positions: bool = False,
) -> torch.Tensor:
    """Computes the next tokens of some rows, from positions `starts` on. Returns logits after each row's last token,
    [rows, vocabulary]; with all_positions (one row only) after every token, [tokens, vocabulary]."""
    widest = max(map(len, tokens))
    # Left-padded, so that every row's last token is in the last column.
    pads = [widest - len(row) for row in tokens]
    ids = torch.tensor([[0] * pad + row for pad, row in zip(pads, tokens)])
    column = torch.arange(widest)
    positions = (torch.tensor([start - pad for start, pad in zip(starts, pads)])[:, None] + column).clamp_(min=0)
    kept = column >= torch.tensor(pads)[:, None]
    length = max(start + len(row) for start, row in zip(starts, tokens))
    logits = run(ids, ForwardPass(cache, rows, positions, length, kept), all_positions)
    return logits[0] if all_positions else logits[:, -1]


@torch.inference_mode()
def over_rows(loaded: LoadedModel, max_adapters: int, max_rank: int) -> tuple[RunModel, Lora]:
    """Gives the model this engine's attention and adapters; returns what runs it. Raises ValueError for an
    architecture whose logits over rows aren't those of the model alone."""
    model = loaded.model
    vocabulary = min(loaded.vocabulary, model.get_input_embeddings().weight.shape[0])
    ids = torch.randint(0, vocabulary, (PROBE_TOKENS,), generator=torch.Generator().manual_seed(1)).tolist()
    plain = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float()

    def run(ids: torch.Tensor, current: ForwardPass, all_positions: bool) -> torch.Tensor:
        return model(
            input_ids=ids,
            position_ids=current.positions,
            past_key_values=current,
            use_cache=True,
            logits_to_keep=0 if all_positions else 1,
            rows_pass=current,
        ).logits

    try:
        model.set_attn_implementation(ATTENTION)
        lora = Lora(model, max_adapters, max_rank)
        cache = KVCache(loaded.layers, loaded.kv_heads, loaded.head_dim, 64, 2, 32, loaded.dtype)
        forward(run, cache, [0, 1], [ids[:9], ids[:5]], [0, 0])
        forward(run, cache, [1], [ids[5:10]], [5])
        ours = [forward(run, cache, [0, 1], [[ids[at]], [ids[at + 1]]], [at, at + 1]) for at in (9, 10)]
        off = (torch.cat(ours).float() - plain[[9, 10, 10, 11]]).abs().max().item()
        problem = f"its logits over cached rows are off by {off:.3g}"
    except Exception as error:
        off, problem = float("inf"), f"it fails over cached rows ({error})"
    if off > (2e-3 if loaded.dtype == torch.float32 else 6e-2) * (plain.abs().max().item() or 1.0):
        raise ValueError(f"{loaded.name} has an architecture that this engine can't serve: {problem}.")
    return run, lora
