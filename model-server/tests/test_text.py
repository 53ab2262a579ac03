"""Text as it comes from tokens, stop strings, repetitions, draws: the pure parts."""

from __future__ import annotations

import random
import signal
import threading
from types import SimpleNamespace

import pytest
import torch

from heddle_model_server.request import Params, Repetition, Request
from heddle_model_server.engine_cpu.sampling import draw
from heddle_model_server.chat.grammar import Grammars
from heddle_model_server.chat.text import Detokenizer, repeats, StopStrings, TokenTexts
from heddle_model_server.chat.template_sandbox import SECONDS, TemplateSandbox


def plain(tokenizer) -> SimpleNamespace:
    """A model without special tokens."""
    return SimpleNamespace(tokenizer=tokenizer, special=frozenset())


@pytest.mark.parametrize("text", ["Hello!", "žluťoučký kůň 🧵 loom", "日本語 and more", "a\n\n  b"])
def test_text_comes_whole(reference, text):
    _, tokenizer = reference
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    stream = Detokenizer(Request("one", [], Params()), plain(tokenizer))
    pieces = [stream.push(token) for token in ids]
    assert "".join([*pieces, stream.flush()]) == text
    assert not any("�" in piece for piece in pieces)


def test_bytes_that_are_no_text_do_not_end_the_stream(reference):
    _, tokenizer = reference
    order = random.Random(4)
    for _ in range(200):
        ids = [order.randrange(3, len(tokenizer)) for _ in range(30)]
        stream = Detokenizer(Request("one", ids[:3], Params()), plain(tokenizer))
        assert isinstance("".join([*map(stream.push, ids), stream.flush()]), str)


def test_the_text_of_every_token_is_what_it_decodes_to(reference):
    _, tokenizer = reference
    backend = tokenizer.backend_tokenizer
    texts = TokenTexts(backend, Grammars(tokenizer, len(tokenizer), frozenset()).tokenizer)
    for token in range(len(tokenizer)):
        text, raw = texts.of(token)
        assert text == backend.decode([token], skip_special_tokens=False)
        assert text == raw.decode(errors="replace")


@pytest.mark.parametrize("seed", range(30))
def test_stop_strings_are_found_in_any_pieces(seed):
    order = random.Random(seed)
    text = "".join(order.choice("ab") for _ in range(40))
    stops = tuple({"".join(order.choice("ab") for _ in range(order.randint(2, 6))) for _ in range(3)})
    first = min((at for at in (text.find(stop) for stop in stops) if at >= 0), default=-1)
    finder = StopStrings(stops, False)
    out, found, at = "", None, 0
    while at < len(text) and found is None:
        size = order.randint(1, 4)
        piece, found = finder.push(text[at : at + size])
        out += piece
        at += size
    if found is None:
        assert first < 0 and out + finder.flush() == text
    else:
        assert text.startswith(out + found)
        # Nothing was sent that belongs to the stop string, and it is the earliest that was whole by then.
        assert len(out) >= first


@pytest.mark.parametrize(
    "tokens, rule, expected",
    [
        ([1, 2, 1, 2, 1, 2], (1, 2, 3), True),
        ([1, 2, 1, 2, 1, 2], (1, 1, 3), False),
        ([9, 5, 5, 5], (1, 4, 3), True),
        ([9, 5, 5, 5, 6], (1, 4, 3), False),
        ([5, 5], (1, 4, 3), False),
        ([], (1, 4, 2), False),
    ],
)
def test_repetition(tokens, rule, expected):
    assert repeats(tokens, Repetition(*rule)) is expected


def test_draws_follow_the_distribution():
    logits = torch.tensor([[0.0, 1.0, 2.0, float("-inf"), 3.0]])
    numbers = random.Random(1)
    n = 20_000
    params = [Params(temperature=1.0)] * n
    drawn = torch.tensor(draw(logits.expand(n, -1).contiguous(), params, [numbers.random() for _ in range(n)]))
    shares = torch.bincount(drawn, minlength=5) / n
    assert torch.allclose(shares, logits[0].softmax(-1), atol=0.02)


@pytest.mark.parametrize("temperature", [1e-5, 1e-20, 1e-39, 1e-46])
def test_the_colder_the_likelier(temperature):
    logits = torch.tensor([[-40.0, 31.0, 30.0, float("-inf")]])
    for filters in ({}, {"top_p": 0.9, "top_k": 3, "min_p": 0.1}):
        assert draw(logits.clone(), [Params(temperature=temperature, **filters)], [0.7]) == [1]


def test_filters_keep_what_they_should():
    logits = torch.log(torch.tensor([[0.5, 0.25, 0.15, 0.1]]))
    ends = [0.0, 0.3, 0.6, 0.9, 0.9999999]

    def reached(**fields):
        params = [Params(temperature=1.0, **fields)] * len(ends)
        return set(draw(logits.expand(len(ends), -1).contiguous(), params, ends))

    assert reached() == {0, 1, 2, 3}
    assert reached(top_k=2) == {0, 1}
    assert reached(top_p=0.6) == {0, 1}
    assert reached(top_p=0.5) == {0}
    assert reached(min_p=0.25) == {0, 1, 2}
    assert reached(top_k=3, top_p=0.8) == {0, 1}


def test_a_template_that_waits_for_the_processor_is_not_late():
    sandbox = TemplateSandbox()
    try:
        assert sandbox.render("{{ x }}", {"x": 1}) == "1"
        sandbox._child.send_signal(signal.SIGSTOP)
        goes_on = threading.Timer(SECONDS * 1.2, sandbox._child.send_signal, [signal.SIGCONT])
        goes_on.start()
        assert sandbox.render("{{ x }}", {"x": 2}) == "2"
    finally:
        sandbox.close()
