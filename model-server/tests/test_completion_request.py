"""What vLLM is asked. Needs no vLLM."""

from __future__ import annotations

from heddle_model_server.request import Params, Request
from heddle_model_server.engine_vllm.completion_request import completion_body


def salt_of(salt: str) -> str:
    request = Request("the same id", [1, 2], Params(), cache_salt=salt)
    return completion_body(request, "base", False, lambda tokens: "", ())["cache_salt"]


def test_beginnings_are_shared_by_salt_and_without_one_with_nobody():
    assert salt_of("ours") == "ours"
    assert salt_of("") and salt_of("") != salt_of("")
