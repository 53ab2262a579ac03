"""Reads SFT data: lines of JSON, each {messages, tools?}. Knows nothing of batches or models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .data import at_line, values_of
from .errors import TrainingError
from .tokens import ChatTokens, TokenSequence, Turn


@dataclass(frozen=True, slots=True)
class Conversation:
    """line: its line number, from 1."""

    messages: list[dict]
    tools: list[dict] | None = None
    line: int = 0


def read_lines(lines: Iterable[str]) -> Iterator[Conversation]:
    """Skips empty lines. Raises BAD_DATA naming the line."""
    for number, value in values_of(lines):
        messages = value.get("messages") if isinstance(value, dict) else None
        if not isinstance(messages, list) or not messages:
            raise at_line(number, "it needs `messages`, an array with at least one message")
        tools = value.get("tools")
        if tools is not None and not (isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)):
            raise at_line(number, "`tools` must be an array of objects")
        for at, message in enumerate(messages):
            if not isinstance(message, dict) or not isinstance(message.get("role"), str):
                raise at_line(number, f"messages[{at}] needs a role")
        if not any(message["role"] == "assistant" for message in messages):
            raise at_line(number, "it has no assistant message, and only those are trained on")
        yield Conversation(messages, tools, number)


def sequences_of(conversation: Conversation, chat: ChatTokens) -> list[TokenSequence]:
    """Token sequences with loss on the assistants' messages, tool calls included. Raises BAD_DATA naming the line."""
    turns = [Turn(message, message["role"] == "assistant") for message in conversation.messages]
    try:
        return chat.sequences(turns, conversation.tools)
    except TrainingError as error:
        raise at_line(conversation.line, error.message) from error
