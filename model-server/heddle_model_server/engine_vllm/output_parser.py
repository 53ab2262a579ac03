"""Splits a model's output into content, reasoning and tool calls with vLLM's own parsers."""

from __future__ import annotations

import logging
from collections.abc import Callable

from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.parser import HarmonyParser, ParserManager
from vllm.parser.abstract_parser import Parser
from vllm.reasoning import ReasoningParserManager
from vllm.tokenizers.hf import get_cached_tokenizer
from vllm.tool_parsers import ToolParserManager

from ..chat.output_parser import OutputFormat, ParsedOutput, ToolCallDelta, new_id
from ..chat.prompt import Chat
from ..chat.template import template_of
from ..errors import one_line
from ..model import Model
from ..request import Delta
from ..settings import NodeSettings
from .families import parsers_of

log = logging.getLogger(__name__)

HARMONY = "gpt_oss"


class VllmOutputParsers:
    """Implements chat.output_parser.OutputParsers. tool, reasoning: the names of the two; empty: there is none."""

    def __init__(self, parser: type[Parser], tool: str, reasoning: str, tokenizer):
        self._parser = parser
        self._tokenizer = tokenizer
        # vLLM's, once it runs: it decides the form of the ids of calls.
        self.model_config = None
        self.tool = tool
        self.reasoning = reasoning

    def new_parser(self, chat: Chat, prompt: list[int], output_format: OutputFormat) -> Callable[[], VllmOutputParser]:
        """See OutputParsers."""
        request = request_of(chat, output_format)
        more = {"chat_template_kwargs": chat.template_kwargs, "model_config": self.model_config}
        new = lambda: self._parser(self._tokenizer, request.tools, **more)
        return lambda: VllmOutputParser(new(), request, prompt, output_format)


def request_of(chat: Chat, output_format: OutputFormat) -> ChatCompletionRequest:
    """The chat as vLLM's parsers want it. The messages only tell how many calls there were before, which some ids contain."""
    messages: list[dict] = [{"role": "user", "content": ""}]
    if output_format.calls != "auto":
        return ChatCompletionRequest(messages=messages)
    call = {"id": "0", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    if earlier := sum(len(message.get("tool_calls", ())) for message in chat.messages):
        messages.append({"role": "assistant", "content": "", "tool_calls": [call] * earlier})
    functions = [tool["function"] for tool in chat.tools]
    tools = [
        {"type": "function", "function": {"name": one["name"], "parameters": one.get("parameters") or {}}}
        for one in functions
    ]
    return ChatCompletionRequest(messages=messages, tools=tools, tool_choice="auto")


class VllmOutputParser:
    """Parses the output of one choice."""

    def __init__(self, parser: Parser, request: ChatCompletionRequest, prompt: list[int], output_format: OutputFormat):
        self._parser = parser
        self._request = request
        self._prompt = prompt
        self._looks_for_calls, self._parallel = output_format.calls == "auto", output_format.parallel
        self._broken = False
        # What the parser took and hasn't given back.
        self._held = ""
        # Line ends that may be the last of a part.
        self._content_ends = self._reasoning_ends = ""
        self._reasoned = self._spoke = False
        self._empty_calls: dict[int, bool] = {}
        self._past_reasoning = parser.reasoning_parser is None or parser.is_reasoning_end(prompt)
        self.in_reasoning = False

    @property
    def has_calls(self) -> bool:
        """See OutputParser."""
        return bool(self._empty_calls)

    def feed(self, delta: Delta) -> ParsedOutput:
        """See OutputParser. The parser gets one token at a time: vLLM's parsers lose calls when several come at once."""
        parsed = ParsedOutput()
        pieces = [([token], text) for token, text in zip(delta.tokens, delta.pieces)] or [(delta.tokens, delta.text)]
        for at, (tokens, text) in enumerate(pieces, 1):
            if self._broken:
                parsed.content += text
            else:
                self._step(text, tokens, delta.finish is not None and at == len(pieces), parsed)
        return parsed

    def finish(self) -> ParsedOutput:
        """Returns what is still pending. What looked like a call and wasn't becomes text."""
        parsed = ParsedOutput(content="" if self.has_calls else self._content_ends)
        if self.in_reasoning:
            parsed.reasoning = self._reasoning_ends
        parsed.calls = [ToolCallDelta(index, arguments="{}") for index, empty in self._empty_calls.items() if empty]
        if self._looks_for_calls and not self._broken and not self.has_calls:
            parsed.content += self._unread()
        return parsed

    def _unread(self) -> str:
        # This one gives back itself what it can't read.
        if isinstance(self._parser, HarmonyParser):
            return ""
        if self._past_reasoning:
            return self._held
        end = self._parser.reasoning_parser.reasoning_end_str
        return self._held.partition(end)[2].lstrip() if end else ""

    def _step(self, text: str, tokens: list[int], last: bool, parsed: ParsedOutput) -> None:
        self._held += text
        try:
            message = self._parser.parse_delta(text, tokens, self._request, self._prompt, finished=last)
        except Exception:
            log.warning("an answer could not be parsed; the rest of it is sent as text", exc_info=True)
            self._broken = True
            self.in_reasoning = False
            parsed.content += self._content_ends + self._held
            self._content_ends = ""
            return
        if message is None:
            return
        if message.reasoning:
            self._reason(message.reasoning, parsed)
        if message.content:
            self._say(message.content, parsed)
        if self._looks_for_calls:
            for call in message.tool_calls or ():
                self._call(call, parsed)

    def _reason(self, text: str, parsed: ParsedOutput) -> None:
        self._take(text)
        self.in_reasoning = True
        text = self._reasoning_ends + text
        if not self._reasoned:
            text = text.lstrip("\n")
        kept = text.rstrip("\n")
        self._reasoning_ends = text[len(kept) :]
        self._reasoned = self._reasoned or bool(kept)
        parsed.reasoning += kept

    def _say(self, text: str, parsed: ParsedOutput) -> None:
        self._take(text)
        self.in_reasoning = False
        self._past_reasoning = True
        text = self._content_ends + text
        if self._reasoned and not self._spoke:
            text = text.lstrip()
        kept = text.rstrip("\n")
        self._content_ends = text[len(kept) :]
        self._spoke = self._spoke or bool(kept)
        parsed.content += kept

    def _call(self, call, parsed: ParsedOutput) -> None:
        self._held = self._content_ends = ""
        self.in_reasoning = False
        if call.index and not self._parallel:
            return
        first = call.index not in self._empty_calls
        arguments = call.function.arguments or ""
        self._empty_calls[call.index] = self._empty_calls.get(call.index, True) and not arguments
        identity = (call.id or new_id()) if first else ""
        parsed.calls.append(ToolCallDelta(call.index, identity, call.function.name or "", arguments))

    def _take(self, text: str) -> None:
        """Forgets what was held up to the end of a text that the parser gave back."""
        at = self._held.find(text)
        self._held = self._held[at + len(text) :] if at >= 0 else ""


def refuse_unknown(settings: NodeSettings) -> None:
    """Raises ValueError for the name of a parser that vLLM doesn't have."""
    for name, value, known in (
        ("tool_parser", settings.tool_parser, ToolParserManager.list_registered()),
        ("reasoning_parser", settings.reasoning_parser, ReasoningParserManager.list_registered()),
    ):
        if value not in ("auto", *known):
            raise ValueError(f"{name} is auto or one of vLLM's: {', '.join(known)}.")


def output_parsers(model: Model, settings: NodeSettings) -> VllmOutputParsers | None:
    """The parsers of a model; None: no family is known, and the node's own serve. Raises ValueError if a parser that
    the settings name can't read this model."""
    refuse_unknown(settings)
    tool, reasoning = parsers_of(model.type, template_of(model.tokenizer))
    named = (settings.tool_parser, settings.reasoning_parser)
    tool, reasoning = (own if name == "auto" else name for name, own in zip(named, (tool, reasoning)))
    if not tool and not reasoning:
        return None
    tokenizer = get_cached_tokenizer(model.tokenizer)
    try:
        parser = ParserManager.get_parser(tool, reasoning, True, model.name, model.type == HARMONY, tokenizer=tokenizer)
        # Some read files of their own only when they begin.
        parser(tokenizer).parse_delta("", [], request_of(Chat([]), OutputFormat()), [0], finished=True)
    except Exception as error:
        names = " and ".join(filter(None, (tool, reasoning)))
        why = f"vLLM's parsers {names} can't read this model: {one_line(error)}"
        if named != ("auto", "auto"):
            raise ValueError(why) from error
        log.warning("%s; the node's own parser is used", why)
        return None
    return VllmOutputParsers(parser, tool, reasoning, tokenizer)
