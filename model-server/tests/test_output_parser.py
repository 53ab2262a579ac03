"""Answers split into content, reasoning and calls, whatever the pieces they come in."""

from __future__ import annotations

import json

import pytest

from heddle_model_server.chat.output_parser import OutputFormat, OutputParser
from heddle_model_server.request import Delta

CALL = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'


def split(shape: OutputFormat, text: str, size: int):
    answer = OutputParser(shape)
    content, reasoning, calls = "", "", {}
    for part in [
        *(answer.feed(Delta(0, text[i : i + size], [], [])) for i in range(0, len(text), size)),
        answer.finish(),
    ]:
        content += part.content
        reasoning += part.reasoning
        for call in part.calls:
            name, arguments = calls.get(call.index, ("", ""))
            calls[call.index] = (name + call.name, arguments + call.arguments)
    return content, reasoning, [(name, json.loads(arguments)) for name, arguments in calls.values()]


CASES = [
    ("plain", OutputFormat(), "a <think> b", ("a <think> b", "", [])),
    ("no reasoning after all", OutputFormat(reasoning=True), "<thin air>", ("<thin air>", "", [])),
    ("reasoning", OutputFormat(reasoning=True), "<think>\nwhy\n</think>\n\nyes", ("yes", "why", [])),
    ("opened", OutputFormat(reasoning=True, reasoning_open=True), "why\n</think>\nyes", ("yes", "why", [])),
    ("cut off in reasoning", OutputFormat(reasoning=True), "<think>\nwhy </th", ("", "why </th", [])),
    ("only at the beginning", OutputFormat(reasoning=True), "a <think>b</think>", ("a <think>b</think>", "", [])),
    ("a call", OutputFormat(calls="auto"), CALL, ("", "", [("f", {"a": 1})])),
    ("text and calls", OutputFormat(calls="auto"), f"well\n{CALL}{CALL}", ("well", "", [("f", {"a": 1})] * 2)),
    ("one call only", OutputFormat(calls="auto", parallel=False), CALL + CALL, ("", "", [("f", {"a": 1})])),
    (
        "a call whose end is what stopped it",
        OutputFormat(calls="auto", parallel=False),
        CALL.removesuffix("</tool_call>"),
        ("", "", [("f", {"a": 1})]),
    ),
    ("calls not looked for", OutputFormat(), CALL, (CALL, "", [])),
    ("no call", OutputFormat(calls="auto"), "<tool_call>x</tool_call>", ("<tool_call>x</tool_call>", "", [])),
    ("a call cut off", OutputFormat(calls="auto"), '<tool_call>{"na', ('<tool_call>{"na', "", [])),
    (
        "thought, then call",
        OutputFormat(reasoning=True, calls="auto"),
        f"<think>w</think>{CALL}",
        ("", "w", [("f", {"a": 1})]),
    ),
    ("function", OutputFormat(calls="function", function="g"), '{"b": 2}', ("", "", [("g", {"b": 2})])),
    (
        "required",
        OutputFormat(calls="required"),
        '[{"name":"f","parameters":{"t":"}, {"}},{"name":"g","parameters":{}}]',
        ("", "", [("f", {"t": "}, {"}), ("g", {})]),
    ),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("name, shape, text, expected", CASES, ids=[case[0] for case in CASES])
def test_answer(name, shape, text, expected, size):
    assert split(shape, text, size) == expected
