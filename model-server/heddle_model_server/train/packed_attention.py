"""Attention over a packed row: each sequence sees itself alone, or also the beginning that it shares with others, which is
computed once. By FlashAttention or FlexAttention on a GPU, else span by span."""

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib.util import find_spec
from itertools import accumulate

import torch
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention
from torch.nn.attention.varlen import varlen_attn
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from ..attention import attend

log = logging.getLogger(__name__)

# Newer torch wants to be told that there are fewer keys than queries.
GQA = {"enable_gqa": True} if "enable_gqa" in inspect.signature(varlen_attn).parameters else {}

# How far a tensor may be from what it was, as a share of its length; other types: bfloat16. A right kernel was at 0.09 for
# gradients through 32 layers, the least wrong one that the test tries at 0.26.
TOLERANCE = {torch.float32: 2e-3}
BFLOAT16_TOLERANCE = 0.15


@dataclass(frozen=True, slots=True)
class Span:
    """The tokens [start, end) of a row. Each sees those before it in the span, and all in `before`, beginnings of other spans."""

    start: int
    end: int
    before: tuple[tuple[int, int], ...] = ()

    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """What its last token sees."""
        return (*self.before, (self.start, self.end))


@dataclass
class RowSpans:
    """The spans of a row, one behind the other, and what kernels want to know of them: made once, used by every layer."""

    spans: list[Span]
    device: torch.device
    _masks: dict[int | None, BlockMask] = field(default_factory=dict)

    @cached_property
    def seen(self) -> torch.Tensor:
        """The places of what each span sees, span after span."""
        return torch.cat([torch.arange(a, b) for span in self.spans for a, b in span.pieces]).to(self.device)

    @cached_property
    def lengths(self) -> tuple[torch.Tensor, torch.Tensor, int, int]:
        """Where each span's queries and keys end, counted over all, from 0; and the most of both that a span has."""
        queries = [span.end - span.start for span in self.spans]
        keys = [sum(b - a for a, b in span.pieces) for span in self.spans]
        ends = (torch.tensor([0, *accumulate(of)], dtype=torch.int32, device=self.device) for of in (queries, keys))
        return *ends, max(queries), max(keys)

    def mask(self, window: int | None) -> BlockMask:
        """For FlexAttention. window: the most tokens that a token sees."""
        if window not in self._masks:
            self._masks[window] = self._mask(window)
        return self._masks[window]

    def _mask(self, window: int | None) -> BlockMask:
        length = self.spans[-1].end
        number = torch.empty(length, dtype=torch.int32)
        position = torch.empty(length, dtype=torch.int32)
        # Of each span, up to where it sees each other.
        limit = torch.zeros(len(self.spans), len(self.spans), dtype=torch.int32)
        at = {span.start: i for i, span in enumerate(self.spans)}
        for i, span in enumerate(self.spans):
            number[span.start : span.end] = i
            first = sum(b - a for a, b in span.before)
            position[span.start : span.end] = torch.arange(first, first + span.end - span.start)
            for start, end in span.pieces:
                limit[i, at[start]] = end
        number, position, limit = (one.to(self.device) for one in (number, position, limit))

        def sees(_row, _head, query, key):
            seen = (key <= query) & (key < limit[number[query], number[key]])
            return seen if window is None else seen & (position[query] - position[key] < window)

        make = compiled(create_block_mask) if self.device.type == "cuda" else create_block_mask
        return make(sees, None, None, length, length, device=self.device)


def by_span(row: RowSpans, query, keys, values, scaling=None, dropout=0.0, window=None, softcap=None):
    """Shapes: see attention.attend, of one row."""
    made = []
    for span in row.spans:
        tokens = span.end - span.start
        seen_keys, seen_values = (
            torch.cat([one[:, :, a:b] for a, b in span.pieces], 2) if span.before else one[:, :, span.start : span.end]
            for one in (keys, values)
        )
        length = seen_keys.shape[2]
        windowed = window is not None and window < length
        plain = not (span.before or windowed or softcap is not None)
        mask = None
        if not plain:
            at = torch.arange(length, device=query.device)
            own = at[length - tokens :, None]
            mask = at <= own
            if windowed:
                mask &= at > own - window
            mask = mask[None, None]
        own_queries = query[:, :, span.start : span.end]
        made.append(attend(own_queries, seen_keys, seen_values, mask, scaling, softcap, plain, dropout))
    return torch.cat(made, 1)


def by_flash(
    kernel: Callable, row: RowSpans, query, keys, values, scaling=None, dropout=0.0, window=None, softcap=None
):
    """One call of FlashAttention (kernel), for which the last query of a span sees its last key. Shapes: see attention.attend."""
    if softcap is not None or dropout:
        raise NotImplementedError("soft capping or dropout")
    own, seen = query[0].transpose(0, 1), [one[0].transpose(0, 1)[row.seen] for one in (keys, values)]
    return kernel(own, *seen, *row.lengths, scale=scaling, left=-1 if window is None else window - 1)[None]


def flash_2(*given, scale, left: int) -> torch.Tensor:
    """Torch's own. given: queries, keys and values, [tokens, heads, dim], and RowSpans.lengths. left: how many keys before
    its own a query sees; -1: all."""
    return varlen_attn(*given, scale=scale, window_size=(left, 0), **GQA)


def flash_3(*given, scale, left: int) -> torch.Tensor:
    """The same by the package of Hopper's kernels. Called itself: torch would take it for every attention of the process, and
    transformers' `flash_attention_3` knows nothing of shared beginnings."""
    from flash_attn_interface import flash_attn_varlen_func

    made = flash_attn_varlen_func(*given, softmax_scale=scale, causal=True, window_size=(left, 0))
    # Older ones also return the softmax's sums.
    return made[0] if isinstance(made, tuple) else made


def by_flex(row: RowSpans, query, keys, values, scaling=None, dropout=0.0, window=None, softcap=None):
    """One call of FlexAttention, which skips what nobody sees. Shapes: see attention.attend."""
    if dropout:
        raise NotImplementedError("dropout")
    cap = None if softcap is None else lambda score, *_: softcap * torch.tanh(score / softcap)
    run = compiled(flex_attention) if query.device.type == "cuda" else flex_attention
    made = run(query, keys, values, cap, row.mask(window), scaling, query.shape[1] != keys.shape[1])
    return made.transpose(1, 2)


@cache
def compiled(function: Callable) -> Callable:
    """As one kernel, for rows of any length; else it would take memory for each pair of tokens."""
    return torch.compile(function, dynamic=True)


# The quickest first.
KINDS = {"varlen3": partial(by_flash, flash_3), "varlen": partial(by_flash, flash_2), "flex": by_flex, "span": by_span}


def attention_of(kind: str) -> Callable:
    """As transformers calls it, with a row's spans; None: rows are no packed ones."""

    def forward(
        module, query, keys, values, _mask, scaling=None, dropout=0.0, sliding_window=None, softcap=None, **more
    ):
        row = more.pop("spans", None)
        if row is None:
            return sdpa_attention_forward(module, query, keys, values, None, dropout, scaling, **more)
        if more.get("s_aux") is not None or more.get("position_bias") is not None:
            raise NotImplementedError("attention with sinks or position biases")
        return KINDS[kind](row, query, keys, values, scaling, dropout, sliding_window, softcap), None

    return forward


# Without a registered mask function transformers builds no masks. It looks on a hub for every name with "flash" in it.
for name in KINDS:
    AttentionInterface.register(f"heddle_{name}", attention_of(name))


def kinds_for(device: torch.device, kernels: str) -> list[str]:
    """The kinds to try on a device, the quickest first. kernels: see settings.train_kernels."""
    if device.type != "cuda" or kernels != "auto":
        return ["span"]
    hopper = torch.cuda.get_device_capability(device)[0] == 9 and find_spec("flash_attn_interface") is not None
    return [kind for kind in KINDS if hopper or kind != "varlen3"]


def choose_attention(base: PreTrainedModel, kinds: list[str]) -> str:
    """Gives the model, with its adapters, the first kind by which its logits and their gradients are what they were; its
    name, or empty: not every architecture's attention can be replaced, and some keep more between tokens than attention."""
    usual = base.config._attn_implementation
    if usual.removeprefix("heddle_") in kinds:
        return usual.removeprefix("heddle_")
    training = base.training
    base.eval()
    try:
        for kind in kinds:
            try:
                if fits(base, usual, f"heddle_{kind}"):
                    log.info("attention by %s", kind)
                    return kind
            except Exception as error:
                log.info("no attention by %s: %s", kind, str(error).partition("\n")[0])
        base.set_attn_implementation(usual)
        return ""
    finally:
        base.train(training)


def fits(base: PreTrainedModel, usual: str, wanted: str) -> bool:
    """Whether a row of two texts that begin alike has the logits and gradients of the texts by themselves."""
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(0, base.config.get_text_config().vocab_size, (1, 12), generator=generator).to(base.device)
    other = torch.cat([ids[:, :6], ids[:, 8:].flip(1)], 1)
    positions = torch.tensor([[*range(12), *range(6, 10)]], device=base.device)
    row = RowSpans([Span(0, 12), Span(12, 16, ((0, 6),))], base.device)

    def results(attention: str, rows: list[dict], select: Callable) -> list[torch.Tensor]:
        base.set_attn_implementation(attention)
        trained = [parameter for parameter in base.parameters() if parameter.requires_grad]
        logits = select(torch.cat([base(**one, use_cache=False).logits[0] for one in rows]).float())
        logits.logsumexp(-1).sum().backward()
        gradients = [parameter.grad for parameter in trained if parameter.grad is not None]
        for parameter in trained:
            parameter.grad = None
        return [logits.detach(), *gradients]

    expected = results(usual, [{"input_ids": ids}, {"input_ids": other}], lambda logits: logits)
    packed = {"input_ids": torch.cat([ids, other[:, 6:]], 1), "position_ids": positions, "spans": row}
    found = results(wanted, [packed], lambda logits: torch.cat([logits[:12], logits[:6], logits[12:]]))
    most = TOLERANCE.get(base.dtype, BFLOAT16_TOLERANCE)
    close = lambda one, two: (one - two).float().norm() <= most * (one.float().norm() or 1.0)
    return len(expected) == len(found) and all(bool(close(*pair)) for pair in zip(expected, found))
