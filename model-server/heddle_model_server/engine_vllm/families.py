"""Which of vLLM's parsers reads the output of which model family. Pure."""

from typing import NamedTuple


class Family(NamedTuple):
    """types: of the model's config. mark: text that its chat template must contain. tool_parser, reasoning_parser: as
    vLLM names them; empty: the family has none."""

    types: tuple[str, ...]
    mark: str
    tool_parser: str
    reasoning_parser: str


MISTRAL = ("mistral", "mistral3", "ministral", "ministral3", "mixtral")
QWEN3 = ("qwen3", "qwen3_moe", "qwen3_next", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe")
GLM = ("glm4_moe", "glm4v_moe", "glm4_moe_lite", "glm_moe_dsa")

# The first that fits. A type alone says little: many models of other formats have Llama's or Qwen's architecture.
FAMILIES = (
    Family(("gpt_oss",), "<|channel|>", "openai", "openai_gptoss"),
    Family(MISTRAL, "[THINK]", "mistral", "mistral"),
    Family(MISTRAL, "[TOOL_CALLS]", "mistral", ""),
    Family(("llama", "mllama"), "Environment: ipython", "llama3_json", ""),
    Family(("llama4",), "", "llama4_pythonic", ""),
    Family(("deepseek_v3",), "thinking is defined", "deepseek_v31", "deepseek_v3"),
    Family(("deepseek_v3",), "</think>", "deepseek_v3", "deepseek_r1"),
    Family(("deepseek_v3",), "<｜tool▁calls▁begin｜>", "deepseek_v3", ""),
    Family(("deepseek_v32",), "", "deepseek_v32", "deepseek_v3"),
    Family(("deepseek_v4",), "", "deepseek_v4", "deepseek_v4"),
    Family(GLM, "<arg_key>", "glm47", "glm47"),
    Family(("kimi_k2", "kimi_k25", "deepseek_v3"), "</think>", "kimi_k2", "kimi_k2"),
    Family(("kimi_k2", "kimi_k25", "deepseek_v3"), "<|tool_call_begin|>", "kimi_k2", ""),
    Family(("qwen3_5", "qwen3_5_moe"), "<function=", "qwen3_coder", "qwen3"),
    Family(QWEN3, "<function=", "qwen3_coder", ""),
    Family(QWEN3, "</think>", "hermes", "qwen3"),
    Family((*QWEN3, "qwen2", "qwen2_moe"), "<tool_call>", "hermes", ""),
    Family(("minimax_m2",), "", "minimax_m2", "minimax_m2"),
    Family(("granite",), "<|tool_call|>", "granite", ""),
    Family(("granitemoehybrid",), "<tool_call>", "granite4", ""),
    Family(("seed_oss",), "", "seed_oss", "seed_oss"),
    Family(("gemma4", "gemma4_text"), "", "gemma4", "gemma4"),
    Family(("ernie4_5_moe",), "<tool_call>", "ernie45", "ernie45"),
    Family(("phi3",), "<|tool|>", "phi4_mini_json", ""),
)


def parsers_of(model_type: str, template: str) -> tuple[str, str]:
    """The names of the tool and of the reasoning parser; empty if the family isn't known."""
    for family in FAMILIES:
        if model_type in family.types and family.mark in template:
            return family.tool_parser, family.reasoning_parser
    return "", ""
