"""Llama and similar architectures, rewritten for cache rows: layers with the same input are one matrix product, and
a step does nothing superfluous. Uses transformers' weights. Knows nothing of requests or sampling."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from ..model import LoadedModel
from ..attention import attend
from .forward import ForwardPass
from .lora import Lora, LoraGroup

KNOWN = {"LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"}
# Rotary embeddings that don't depend on the text's length.
FIXED_ROPES = {"default", "linear", "llama3"}


class LlamaLike:
    @staticmethod
    def knows(model: nn.Module) -> bool:
        """Whether this module can run the model."""
        config = model.config
        rope = getattr(config, "rope_parameters", None) or {}
        return (
            type(model).__name__ in KNOWN
            and config.hidden_act == "silu"
            and rope.get("rope_type", "default") in FIXED_ROPES
            and not getattr(config, "use_sliding_window", False)
        )

    def __init__(self, loaded: LoadedModel, lora: Lora):
        model = loaded.model
        config = model.config
        trunk = model.model
        self._embedding = trunk.embed_tokens.weight
        self._norm, self._eps = trunk.norm.weight, config.rms_norm_eps
        self._window = getattr(config, "sliding_window", None) if type(model).__name__ == "MistralForCausalLM" else None

        def group(prefix: str, *names: str) -> LoraGroup:
            return lora.group({f"{prefix}{name}": model.get_submodule(f"{prefix}{name}") for name in names})

        self._blocks = [
            Block(layer, lambda *names, i=i: group(f"model.layers.{i}.", *names), config, self._window)
            for i, layer in enumerate(trunk.layers)
        ]
        self._head = group("", "lm_head")
        with torch.inference_mode():
            cos, sin = trunk.rotary_emb(self._embedding, torch.arange(loaded.context)[None])
        # The rotation subtracts in a head's first half, so its sines are negated.
        half = sin.shape[-1] // 2
        self._cos = cos[0].clone()
        self._sin = torch.cat((-sin[0, :, :half], sin[0, :, half:]), -1)

    def __call__(self, ids: torch.Tensor, current: ForwardPass, all_positions: bool) -> torch.Tensor:
        """ids: [rows, tokens]. Returns logits after each row's last token, [rows, 1, vocabulary], or after every
        token, [rows, tokens, vocabulary]."""
        hidden = F.embedding(ids, self._embedding)
        cos = self._cos[current.positions][:, :, None]
        sin = self._sin[current.positions][:, :, None]
        for index, block in enumerate(self._blocks):
            hidden = block(hidden, cos, sin, current, index)
        if not all_positions:
            hidden = hidden[:, -1:]
        return self._head(F.rms_norm(hidden, self._norm.shape, self._norm, self._eps))


class Block:
    """One decoder layer."""

    def __init__(self, layer: nn.Module, group, config, window: int | None):
        attention = layer.self_attn
        self._dim = attention.head_dim
        self._heads = config.num_attention_heads
        self._kv_heads = config.num_key_value_heads
        self._scaling = attention.scaling
        self._window = window
        self._eps = config.rms_norm_eps
        self._before = layer.input_layernorm.weight
        self._between = layer.post_attention_layernorm.weight
        self._qkv = group("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
        self._out = group("self_attn.o_proj")
        self._gate_up = group("mlp.gate_proj", "mlp.up_proj")
        self._down = group("mlp.down_proj")
        self._wide = self._gate_up.sizes[0]
        self._q_norm = attention.q_norm.weight if hasattr(attention, "q_norm") else None
        self._k_norm = attention.k_norm.weight if hasattr(attention, "k_norm") else None

    def __call__(self, hidden, cos, sin, current: ForwardPass, index: int) -> torch.Tensor:
        """hidden: [rows, tokens, width]; cos, sin: [rows, tokens, 1, head dim]. Returns [rows, tokens, width]."""
        rows, tokens, _ = hidden.shape
        heads, kv_heads, dim = self._heads, self._kv_heads, self._dim
        x = F.rms_norm(hidden, self._before.shape, self._before, self._eps)
        made = self._qkv(x).view(rows, tokens, heads + 2 * kv_heads, dim)
        turned, values = made[:, :, : heads + kv_heads], made[:, :, heads + kv_heads :]
        if self._q_norm is not None:
            turned = torch.cat(
                (
                    F.rms_norm(turned[:, :, :heads], self._q_norm.shape, self._q_norm, self._eps),
                    F.rms_norm(turned[:, :, heads:], self._k_norm.shape, self._k_norm, self._eps),
                ),
                dim=2,
            )
        half = dim // 2
        swapped = torch.cat((turned[..., half:], turned[..., :half]), -1)
        turned = torch.addcmul(turned * cos, swapped, sin).transpose(1, 2)
        keys, values = current.update(turned[:, heads:], values.transpose(1, 2), index)
        seen = attend(turned[:, :heads], keys, values, current.mask(self._window), self._scaling)
        hidden = hidden + self._out(seen.reshape(rows, tokens, heads * dim))
        x = F.rms_norm(hidden, self._between.shape, self._between, self._eps)
        both = self._gate_up(x)
        return hidden + self._down(F.silu(both[..., : self._wide]) * both[..., self._wide :])
