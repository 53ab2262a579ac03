"""Spaces put between special tokens afterwards are where a text made with them has them."""

from __future__ import annotations

import random

import pytest
from conftest import Node

from heddle_model_server.chat.detokenizer import Detokenizer
from heddle_model_server.engine_vllm.special_token_spacing import SpecialTokenSpacing, spans_special_tokens

SPECIAL = ("<|im_start|>", "<|im_end|>")


@pytest.mark.parametrize("seed", range(20))
def test_spaces_are_where_a_text_with_them_has_them(node: Node, seed: int):
    chance = random.Random(seed)
    tokenizer = node.loaded.tokenizer.backend_tokenizer
    special = frozenset(node.token(text) for text in SPECIAL)
    plain = [*node.tokens("Hello! How can I help you today? Łódź, 東京"), *special]
    tokens = [chance.choice([*plain, *special, *special]) for _ in range(40)]

    def text(spaces: bool) -> str:
        stream = Detokenizer(tokenizer, [], False, spaces, special)
        return "".join([*map(stream.push, tokens), stream.flush()])

    # The text lags behind the tokens, and both come in pieces of any size.
    came, spaces, bare, out = 0, SpecialTokenSpacing(tokenizer, [], special), text(False), ""
    known = 0
    while known < len(tokens) or came < len(bare):
        some = tokens[known : known + chance.randint(0, 3)]
        known += len(some)
        ready = Detokenizer(tokenizer, [], False, False, special)
        most = sum(len(ready.push(token)) for token in tokens[:known]) if known < len(tokens) else len(bare)
        upto = min(most, came + chance.randint(0, 12))
        out += spaces.put(some, bare[came:upto])
        came = upto
    assert out == text(True)


def test_what_ends_an_answer_brings_no_space(node: Node):
    tokenizer = node.loaded.tokenizer.backend_tokenizer
    end = node.token("<|im_end|>")
    assert SpecialTokenSpacing(tokenizer, [], frozenset([end])).put([end, end], "<|im_end|>") == "<|im_end|>"


@pytest.mark.parametrize(
    "stop, crossing",
    [
        ("<|im_end|> <|im_end|>", True),
        ("<|im_end|><|im_start|>", True),
        ("><", True),
        ("> <|im", True),
        ("|> ", True),
        (" <", True),
        (" ", True),
        ("a<|im_end|> <|im_start|>b", True),
        ("<|im_end|>", False),
        (" help", False),
        ("> b", False),
        ("\n", False),
        ("\n ", False),
    ],
)
def test_stops_that_a_space_would_make_or_break(stop: str, crossing: bool):
    assert spans_special_tokens(stop, SPECIAL) is crossing
