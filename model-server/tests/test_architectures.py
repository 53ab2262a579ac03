"""Which models can be served: those that say over cached rows what they say by themselves."""

from __future__ import annotations

import pytest
import torch
import transformers

from heddle_model_server.model import LoadedModel
from heddle_model_server.engine_cpu.forward import over_rows
from heddle_model_server.train.packed_attention import choose_attention

DENSE = dict(
    vocab_size=200,
    hidden_size=64,
    intermediate_size=96,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
)


def loaded(kind: str, **fields) -> LoadedModel:
    config = getattr(transformers, f"{kind}Config")(**{**DENSE, **fields})
    name = f"{kind.removesuffix('Text')}ForCausalLM"
    torch.manual_seed(1)
    model = getattr(transformers, name)(config).eval()
    return LoadedModel(
        name=name,
        model=model,
        tokenizer=None,
        generation=None,
        device=torch.device("cpu"),
        dtype=torch.float32,
        context=64,
        vocabulary=200,
        width=64,
        parameters=0,
        layers=2,
        kv_heads=getattr(config, "num_key_value_heads", 2),
        head_dim=getattr(config, "head_dim", None) or 16,
        eos=frozenset(),
    )


@pytest.mark.parametrize(
    "kind, fields",
    [
        ("Llama", {}),
        (
            "Llama",
            {"attention_bias": True, "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}},
        ),
        ("Llama", {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}}),
        ("Mistral", {"sliding_window": 4}),
        ("Qwen2", {}),
        ("Qwen2", {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}),
        ("Qwen3", {"head_dim": 16}),
        ("Gemma2", {"head_dim": 16, "sliding_window": 4}),
        ("Gemma3Text", {"head_dim": 16, "sliding_window": 4}),
        ("Phi3", {}),
        ("Qwen2Moe", {"num_experts": 4, "moe_intermediate_size": 32, "shared_expert_intermediate_size": 32}),
    ],
)
def test_served(kind: str, fields: dict):
    trained = loaded(kind, **fields).model.requires_grad_(True)
    assert choose_attention(trained, ["span"]) == "span", "what is shared is computed once"
    over_rows(loaded(kind, **fields), 2, 8)


@pytest.mark.parametrize("kind, fields", [("Mamba", {}), ("GptOss", {"head_dim": 16, "num_local_experts": 4})])
def test_refused_with_a_sentence(kind: str, fields: dict):
    made = loaded(kind, **fields)
    usual = made.model.config._attn_implementation
    # It is trained in its own way.
    made.model.requires_grad_(True)
    assert not choose_attention(made.model, ["span"]) and made.model.config._attn_implementation == usual
    with pytest.raises(ValueError, match="this engine can't serve"):
        over_rows(made, 2, 8)
