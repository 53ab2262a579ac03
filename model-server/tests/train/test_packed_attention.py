"""Every kind of attention over a packed row is that of its sequences one by one; and kernels of others are asked for."""

from __future__ import annotations

import sys
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import pairwise
from types import ModuleType

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.utils import import_utils

from heddle_model_server.train import packed_attention
from heddle_model_server.train.policy import fuse_layers
from heddle_model_server.train.packed_attention import KINDS, RowSpans, Span, by_span, choose_attention, kinds_for

# Two texts by themselves; three that begin alike, the last of them with the second's beginning, too.
SPANS = [
    Span(0, 40),
    Span(40, 41),
    Span(41, 241),
    Span(241, 300, ((41, 141),)),
    Span(300, 330, ((41, 141), (241, 260))),
]
OPTIONS = [{}, {"window": 16}, {"scaling": 0.3}, {"softcap": 2.0}]
CUDA = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")


def inputs(device: str, dtype: torch.dtype, head_dim: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(2)
    made = [torch.randn(1, heads, SPANS[-1].end, head_dim, generator=generator) for heads in (4, 2, 2)]
    return [one.to(device, dtype).requires_grad_(True) for one in made]


def results(attend, given: list[torch.Tensor], options: dict) -> list[torch.Tensor]:
    """What it computes, and the gradients of it."""
    made = attend(RowSpans(SPANS, given[0].device), *given, **options)
    return [made.detach(), *torch.autograd.grad((made.float() ** 2).sum(), given)]


def reference_varlen(query, keys, values, ends, key_ends, most, most_keys, *, scale, window_size, **_):
    """What torch says of varlen_attn, whose kernels need a GPU: [tokens, heads, dim], and a text's last query sees its last key."""
    assert window_size[1] == 0
    made = []
    for (a, b), (c, d) in zip(pairwise(ends), pairwise(key_ends)):
        assert b - a <= most and d - c <= most_keys
        own = torch.arange(d - c - (b - a), d - c)[:, None]
        mask = torch.arange(d - c) <= own
        if window_size[0] >= 0:
            mask &= torch.arange(d - c) >= own - window_size[0]
        one, *seen = (part.transpose(0, 1) for part in (query[a:b], keys[c:d], values[c:d]))
        seen = [part.repeat_interleave(one.shape[0] // part.shape[0], 0) for part in seen]
        scores = one @ seen[0].transpose(1, 2) * (one.shape[-1] ** -0.5 if scale is None else scale)
        made.append((scores.masked_fill(~mask, float("-inf")).softmax(-1) @ seen[1]).transpose(0, 1))
    return torch.cat(made)


def reference_flash_3(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    seqused_q=None,
    seqused_k=None,
    softmax_scale=None,
    causal=False,
    qv=None,
    q_descale=None,
    k_descale=None,
    v_descale=None,
    window_size=(-1, -1),
    attention_chunk=0,
    softcap=0.0,
    num_splits=1,
    pack_gqa=None,
    deterministic=False,
    sm_margin=0,
    return_attn_probs=False,
):
    """flash_attn_varlen_func of the package, with its parameters."""
    assert causal and not softcap
    ends = (cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k)
    return reference_varlen(q, k, v, *ends, scale=softmax_scale, window_size=window_size)


@pytest.fixture
def flash_3(monkeypatch):
    """Installs FlashAttention 3; what it returns replaces its function."""
    package = ModuleType("flash_attn_interface")
    package.__spec__ = ModuleSpec("flash_attn_interface", None)
    package.flash_attn_varlen_func = reference_flash_3
    monkeypatch.setitem(sys.modules, "flash_attn_interface", package)
    return partial(monkeypatch.setattr, package, "flash_attn_varlen_func")


@pytest.mark.parametrize("kind", ["varlen", "varlen3"])
@pytest.mark.parametrize("options", OPTIONS[:3])
def test_one_call_of_flash_attention(kind, options, flash_3, monkeypatch):
    monkeypatch.setattr(packed_attention, "varlen_attn", reference_varlen)
    given = inputs("cpu", torch.float32, 16)
    for one, other in zip(results(by_span, given, options), results(KINDS[kind], given, options)):
        torch.testing.assert_close(one, other)


def test_older_packages_of_flash_attention_3_return_more(flash_3):
    given = inputs("cpu", torch.float32, 16)
    row = RowSpans(SPANS, torch.device("cpu"))
    alone = KINDS["varlen3"](row, *given)
    flash_3(lambda *tensors, **options: (reference_flash_3(*tensors, **options), None))
    torch.testing.assert_close(KINDS["varlen3"](row, *given), alone)


def test_flash_attention_3_is_tried_first_on_hopper_cards_that_have_it(monkeypatch, request):
    card = torch.device("cuda", 1)
    asked = []
    hopper = lambda device: asked.append(device) or (9, 0)
    monkeypatch.setattr(torch.cuda, "get_device_capability", hopper)
    monkeypatch.setattr(packed_attention, "find_spec", lambda name: None)
    assert kinds_for(card, "auto") == ["varlen", "flex", "span"]
    monkeypatch.undo()
    monkeypatch.setattr(torch.cuda, "get_device_capability", hopper)
    request.getfixturevalue("flash_3")
    assert kinds_for(card, "auto") == ["varlen3", "varlen", "flex", "span"]
    assert kinds_for(card, "plain") == kinds_for(torch.device("cpu"), "auto") == ["span"]
    assert set(asked) == {card}
    for other in ((8, 0), (8, 9), (10, 0), (12, 0)):
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _, other=other: other)
        assert kinds_for(card, "auto") == ["varlen", "flex", "span"]


def test_flash_attention_3_is_chosen_where_its_kernel_runs_and_is_right(make_policy, flash_3, monkeypatch):
    monkeypatch.setattr(packed_attention, "varlen_attn", reference_varlen)
    base = make_policy()._base
    chosen = lambda: (
        base.set_attn_implementation("sdpa") or choose_attention(base, ["varlen3", "varlen", "flex", "span"])
    )
    assert chosen() == "varlen3"

    def of_another_card(*_tensors, **_options):
        raise RuntimeError("no kernel image is available for execution on the device")

    def of_whole_rows(q, k, v, *_ends, **options):
        whole = torch.tensor([0, len(q)]), torch.tensor([0, len(k)])
        return reference_flash_3(q, k, v, *whole, len(q), len(k), **options)

    for broken in (of_another_card, of_whole_rows):
        flash_3(broken)
        assert chosen() == "varlen"


@torch.no_grad()
@pytest.mark.parametrize("options", OPTIONS)
def test_one_call_of_flex_attention(options):
    given = [one.detach() for one in inputs("cpu", torch.float32, 16)]
    row = RowSpans(SPANS, torch.device("cpu"))
    torch.testing.assert_close(by_span(row, *given, **options), KINDS["flex"](row, *given, **options))


@CUDA
@pytest.mark.parametrize(
    "kind, options",
    [*[(kind, one) for kind in ("varlen3", "varlen") for one in OPTIONS[:3]], *[("flex", one) for one in OPTIONS]],
)
def test_on_a_gpu(kind, options):
    if kind not in kinds_for(torch.device("cuda"), "auto"):
        pytest.skip("FlashAttention 3 isn't installed")
    given = inputs("cuda", torch.bfloat16, 64)
    for one, other in zip(results(by_span, given, options), results(KINDS[kind], given, options)):
        assert (one - other).abs().max() <= 0.03 * one.abs().max()


def test_a_kind_that_a_device_lacks_gives_way_to_the_next(make_policy):
    base = make_policy()._base
    base.set_attn_implementation("sdpa")
    # Neither has gradients on a CPU.
    assert choose_attention(base, ["varlen", "flex"]) == "" and base.config._attn_implementation == "sdpa"
    assert choose_attention(base, ["varlen", "span"]) == "span"
    assert all(parameter.grad is None for parameter in base.parameters())


def test_flash_attention_is_chosen_where_its_kernel_runs(make_policy, monkeypatch):
    monkeypatch.setattr(packed_attention, "varlen_attn", reference_varlen)
    base = make_policy()._base
    base.set_attn_implementation("sdpa")
    assert choose_attention(base, ["varlen", "flex"]) == "varlen"


class Wrong:
    """Kernels with one fault each: (kernel that is right, row, queries, keys, values, options)."""

    @staticmethod
    def forgets_what_is_shared(right, row, *given, **options):
        return right(RowSpans([Span(span.start, span.end) for span in row.spans], row.device), *given, **options)

    @staticmethod
    def sees_other_texts(right, row, *given, **options):
        return right(RowSpans([Span(0, row.spans[-1].end)], row.device), *given, **options)

    @staticmethod
    def is_off_by_one(right, row, query, keys, *given, **options):
        return right(row, query, keys.roll(1, 2), *given, **options)

    @staticmethod
    def scales_by_another_number(right, row, query, *given, **options):
        return right(row, 1.3 * query, *given, **options)


def test_in_bfloat16_and_through_many_layers_a_right_kernel_is_told_from_a_wrong_one(monkeypatch):
    monkeypatch.setattr(packed_attention, "varlen_attn", reference_varlen)
    torch.manual_seed(0)
    sizes = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 32, "num_attention_heads": 8}
    config = LlamaConfig(vocab_size=512, num_key_value_heads=2, initializer_range=0.06, **sizes)
    adapters = LoraConfig(r=4, target_modules="all-linear")
    base = get_peft_model(LlamaForCausalLM(config).to(torch.bfloat16), adapters).get_base_model()
    right = KINDS["varlen"]
    usual = base.config._attn_implementation
    assert choose_attention(base, ["varlen"]) == "varlen"
    for name, wrong in vars(Wrong).items():
        if isinstance(wrong, staticmethod):
            base.set_attn_implementation(usual)
            monkeypatch.setitem(KINDS, "varlen", partial(wrong, right))
            assert choose_attention(base, ["varlen"]) == "", name


# What of the package is called; its kernels need a GPU.
LIGER = """
def _apply_liger_kernel_to_instance(model, **wanted):
    model.asked = wanted
"""


def test_liger_kernel_is_asked_for_layers_and_not_for_losses(tmp_path, monkeypatch):
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=10, **sizes))
    # It is where this runs on a GPU.
    if not import_utils.is_liger_kernel_available():
        assert not fuse_layers(model) and not hasattr(model, "asked")
    package = tmp_path / "liger_kernel/transformers"
    package.mkdir(parents=True)
    (tmp_path / "liger_kernel/__init__.py").write_text("")
    (package / "__init__.py").write_text(LIGER)
    described = tmp_path / "liger_kernel-0.8.5.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: liger-kernel\nVersion: 0.8.5\n")
    monkeypatch.syspath_prepend(tmp_path)
    forget_liger()
    try:
        assert fuse_layers(model)
    finally:
        forget_liger()
    wanted = {name for name, asked in model.asked.items() if asked}
    assert wanted == {"rope", "rms_norm", "swiglu", "geglu"} and not model.asked["fused_linear_cross_entropy"]


def forget_liger() -> None:
    """What was imported of it, and what transformers remembers."""
    for name in [name for name in sys.modules if name.startswith("liger_kernel")]:
        del sys.modules[name]
    for look in (import_utils.is_liger_kernel_available, import_utils._is_package_available):
        getattr(look, "cache_clear", lambda: None)()
