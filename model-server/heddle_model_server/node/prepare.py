"""Prepares requests for the engine: renders their templates, tokenises them, checks their fields, compiles grammars. Runs on a
thread of its own, since prompts may be long and grammars large."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from heddle.node.v1 import node_pb2 as pb

from ..chat.grammar import Grammars
from ..chat.messages import documents_of, messages_of, read_json, tools_of
from ..chat.output_parser import CALL_END, THINK, THINK_END, ChoiceParser, OutputFormat, OutputParser, OutputParsers
from ..chat.prompt import Chat, Prompt, PromptRenderer
from ..chat.text import TokenTexts
from ..engine import EngineFacts
from ..errors import NodeError, bad_field, unsupported
from ..model import Model, vocabulary_name
from ..request import Embed, Request
from .fields import optional, params_of, token_ids, truncated
from .messages import ResultEncoder
from .structures import structure_grammar, tool_call_grammar

MAX_PROMPT_LOGPROBS = 2_000_000
MOST_INPUTS = 2048
TOOL_CHOICES = {pb.TOOL_CHOICE_AUTO: "auto", pb.TOOL_CHOICE_REQUIRED: "required", pb.TOOL_CHOICE_FUNCTION: "function"}


@dataclass(slots=True)
class PreparedRequest:
    """A request for the engine, and how to read and report its answer. new_parser: None: it has no text."""

    request: Request | Embed
    encoder: ResultEncoder
    new_parser: Callable[[], ChoiceParser] | None = None
    # What its first event tells of the prompt.
    started: pb.Started = field(default_factory=pb.Started)
    echo: str = ""
    hide_reasoning: bool = False


class RequestPreparer:
    def __init__(self, model: Model, facts: EngineFacts, output_parsers: OutputParsers | None = None):
        """output_parsers: the engine's own."""
        self._model = model
        self._facts = facts
        self._output_parsers = output_parsers
        self.prompt_renderer = PromptRenderer(model.tokenizer)
        self._grammars = Grammars(model.tokenizer, model.vocabulary, model.eos)
        self._texts = TokenTexts(model.tokenizer.backend_tokenizer, self._grammars.tokenizer)
        self._vocabulary = vocabulary_name(model.tokenizer)
        known = model.tokenizer.get_vocab()
        # Only models with these marks write reasoning or tool calls.
        self.has_reasoning = THINK_END in known or THINK_END in self.prompt_renderer.template
        self.has_tool_calls = "<tool_call>" in known or "<tool_call>" in self.prompt_renderer.template
        self.tool_parser = "tool_call" if self.has_tool_calls else ""
        self.reasoning_parser = "think" if self.has_reasoning else ""
        if output_parsers:
            self.tool_parser, self.reasoning_parser = output_parsers.tool, output_parsers.reasoning
        self._encode = lru_cache(4096)(self._tokens)

    def _tokens(self, text: str) -> tuple[int, ...]:
        return tuple(self._model.tokenizer(text, add_special_tokens=False)["input_ids"])

    def prepare(self, request: pb.GenerateRequest, arrived: float = 0.0) -> PreparedRequest:
        """arrived: seconds of time.monotonic; 0: now. Raises NodeError for an invalid request."""
        refuse_unsupported(request)
        if request.priority and not self._facts.priorities:
            raise NodeError("NO_PRIORITIES", "This node doesn't schedule by priority; leave priority out.", "priority")
        params = params_of(request, self._facts.vocabulary, self._model.generation, self._encode)
        grammar = structure_grammar(request.structure, self._grammars)
        output_format, role, echo, hide = OutputFormat(), "assistant", "", False
        engine_parser: Callable[[], ChoiceParser] | None = None
        after: tuple[int, ...] = ()
        kind = request.WhichOneof("prompt")
        if request.HasField("text"):
            tokens = tokens_of(self._model, request.text)
        elif kind == "tokens":
            tokens = token_ids(request.tokens.token_ids, self._facts.vocabulary, "prompt")
        elif kind == "chat":
            chat = request.chat
            if chat.images:
                self._check_images(request)
            wanted = chat_of(chat)
            prompt = self.prompt_renderer.render(wanted)
            tokens, role, echo = prompt.tokens, prompt.role, prompt.echo
            hide = optional(chat, "include_reasoning") is False
            output_format = self._format(chat, wanted.tools, prompt)
            calls = tool_call_grammar(wanted.tools, output_format, self._grammars)
            if calls is not None and grammar is not None:
                raise bad_field("tool_choice", "A required tool call and a structure exclude each other.")
            grammar = calls or grammar
            # What follows a grammar isn't in the model's own format.
            parsers = self._output_parsers if grammar is None else None
            if parsers and (parsers.reasoning or output_format.calls == "auto"):
                engine_parser = parsers.new_parser(wanted, tokens, output_format)
                params = replace(params, skip_special_tokens=False, spaces_between_special_tokens=False)
            elif output_format.calls == "auto" and not output_format.parallel:
                # Without parallel calls the answer ends after the first.
                params = replace(params, stop=(*params.stop, CALL_END))
            if output_format.reasoning_open and grammar is not None:
                after = self._encode(THINK_END)
        else:
            raise bad_field("messages", "messages is missing.")
        tokens = truncated(tokens, request, self._facts.context)
        if not request.count_only:
            params = replace(params, max_tokens=self._max_tokens(tokens, request))
        if params.min_tokens > params.max_tokens and not request.count_only:
            why = f"The prompt ({len(tokens)} tokens) and min_tokens together exceed the context of {self._facts.context} tokens."
            raise NodeError("PROMPT_TOO_LONG", why, "min_tokens")
        if params.prompt_logprobs is not None:
            self._bound_prompt_logprobs(params.prompt_logprobs, len(tokens))
        return PreparedRequest(
            request=Request(
                id=request.request_id,
                prompt=tokens,
                params=params,
                images=tuple(image.data for image in request.chat.images),
                cache_salt=request.cache_salt,
                priority=request.priority,
                grammar=grammar,
                grammar_after=after,
                # Parsing a whole answer at once would hold up others.
                stream=request.stream or engine_parser is not None,
                arrived=arrived or time.monotonic(),
            ),
            new_parser=engine_parser or partial(OutputParser, output_format),
            encoder=ResultEncoder(self._texts, request.reporting.return_tokens_as_token_ids),
            started=pb.Started(
                role=role,
                prompt_token_ids=tokens if request.reporting.prompt_token_ids else [],
                prompt_text=self._prompt_text(request, tokens),
                vocabulary=self._vocabulary if request.reporting.prompt_token_ids else "",
            ),
            echo=echo,
            hide_reasoning=hide,
        )

    def _check_images(self, request: pb.GenerateRequest) -> None:
        if not self._facts.images:
            raise NodeError("NO_IMAGES", "This model takes no images; send text.", "messages")
        # How many tokens an image has is known when it is computed.
        if request.count_only:
            raise unsupported("messages", "tokens of images can't be counted before they are computed")
        if request.reporting.HasField("prompt_logprobs"):
            raise unsupported("prompt_logprobs", "a prompt with images has none")

    def _prompt_text(self, request: pb.GenerateRequest, tokens: list[int]) -> str:
        if not request.reporting.prompt_text:
            return ""
        if request.HasField("text") and not request.truncate_prompt_tokens:
            return request.text.text
        skip = optional(request.reporting, "skip_special_tokens") is not False
        return self._model.tokenizer.decode(tokens, skip_special_tokens=skip, clean_up_tokenization_spaces=False)

    def _format(self, chat: pb.ChatPrompt, tools: list[dict], prompt: Prompt) -> OutputFormat:
        calls = TOOL_CHOICES.get(chat.tool_choice, "none")
        if calls == "auto" and not tools:
            calls = "none"
        if calls == "auto" and not self.tool_parser:
            raise unsupported("tool_choice", "this model wasn't trained to call tools; `required` works with any model")
        reasoning_open = self.has_reasoning and prompt.ending.rstrip().endswith(THINK)
        return OutputFormat(
            reasoning=self.has_reasoning and (reasoning_open or calls not in ("required", "function")),
            reasoning_open=reasoning_open,
            calls=calls,
            function=chat.tool_name,
            parallel=optional(chat, "parallel_tool_calls") is not False,
        )

    def _max_tokens(self, tokens: list[int], request: pb.GenerateRequest) -> int:
        """How many tokens may be generated. Raises PROMPT_TOO_LONG."""
        context = self._facts.context
        if not tokens:
            raise bad_field("messages", "The prompt is empty.")
        left = context - len(tokens)
        if left < 1:
            why = f"The prompt has {len(tokens)} tokens, and this model's context is {context} tokens with the answer"
            raise NodeError("PROMPT_TOO_LONG", f"{why}; shorten it or send truncate_prompt_tokens.", "messages")
        wanted = optional(request.stopping, "max_tokens")
        return left if wanted is None else min(wanted, left)

    def _bound_prompt_logprobs(self, top: int, tokens: int) -> None:
        each = self._facts.vocabulary if top < 0 else top + 1
        if each * tokens > MAX_PROMPT_LOGPROBS:
            why = f"prompt_logprobs asks for {each * tokens} numbers; the limit is {MAX_PROMPT_LOGPROBS}."
            raise bad_field("prompt_logprobs", why)


def tokens_of(model: Model, prompt: pb.TextPrompt) -> list[int]:
    """A text's tokens."""
    special = optional(prompt, "add_special_tokens") is not False
    return model.tokenizer(prompt.text, add_special_tokens=special)["input_ids"]


def chat_of(chat: pb.ChatPrompt) -> Chat:
    """The chat of a request. Raises BAD_FIELD or BAD_MESSAGES."""
    if chat.reasoning_effort not in ("", "low", "medium", "high"):
        raise bad_field("reasoning_effort", "reasoning_effort must be low, medium or high.")
    kwargs = chat.chat_template_kwargs_json
    return Chat(
        messages=messages_of(chat.messages_json, len(chat.images)),
        tools=tools_of(chat.tools_json),
        documents=documents_of(chat.documents_json),
        template=chat.chat_template,
        template_kwargs=read_json(kwargs, dict, "chat_template_kwargs") if kwargs else {},
        add_generation_prompt=optional(chat, "add_generation_prompt") is not False,
        continue_final_message=chat.continue_final_message,
        add_special_tokens=chat.add_special_tokens,
        echo=chat.echo,
        reasoning_effort=chat.reasoning_effort,
    )


def refuse_unsupported(request: pb.GenerateRequest) -> None:
    """Raises UNSUPPORTED_FIELD for fields that this node can't honour."""
    for text, field, why in (
        (request.kv_transfer_params_json, "kv_transfer_params", "this node doesn't share its cache"),
        (request.chat.mm_processor_kwargs_json, "mm_processor_kwargs", "this model takes only text"),
    ):
        if text and read_json(text, dict, field):
            raise unsupported(field, why)
    extra = read_json(request.backend_xargs_json, dict, "backend_xargs") if request.backend_xargs_json else {}
    if extra:
        raise unsupported("backend_xargs", f"this node has no extension {min(extra)!r}")


class EmbedPreparer:
    tool_parser = reasoning_parser = ""

    def __init__(self, model: Model, facts: EngineFacts):
        self._model = model
        self._facts = facts

    def prepare(self, request: pb.EmbedRequest, arrived: float = 0.0) -> PreparedRequest:
        """arrived: seconds of time.monotonic; 0: now. Raises NodeError for an invalid request."""
        if request.priority and not self._facts.priorities:
            raise NodeError("NO_PRIORITIES", "This node doesn't schedule by priority; leave priority out.", "priority")
        if not 1 <= len(request.inputs) <= MOST_INPUTS:
            raise bad_field("input", f"input has {len(request.inputs)} texts; it may have 1 to {MOST_INPUTS}.")
        return PreparedRequest(
            request=Embed(
                id=request.request_id,
                prompts=[self._tokens(one, at) for at, one in enumerate(request.inputs)],
                dimensions=self._dimensions(optional(request, "dimensions")),
                cache_salt=request.cache_salt,
                priority=request.priority,
                arrived=arrived or time.monotonic(),
            ),
            encoder=ResultEncoder(None, False),
        )

    def _tokens(self, given: pb.EmbedInput, at: int) -> list[int]:
        if given.HasField("text"):
            tokens = tokens_of(self._model, given.text)
        else:
            tokens = token_ids(given.tokens.token_ids, self._facts.vocabulary, "input")
        if not tokens:
            raise bad_field("input", f"The input at {at} is empty.")
        if len(tokens) > self._facts.context:
            why = f"The input at {at} has {len(tokens)} tokens, and this model takes {self._facts.context}; shorten or split it."
            raise NodeError("PROMPT_TOO_LONG", why, "input")
        return tokens

    def _dimensions(self, wanted: int | None) -> int | None:
        how = self._model.embedding
        if wanted is None or wanted == how.dimensions:
            return None
        if not how.shortened:
            raise bad_field(
                "dimensions",
                f"This model's embeddings have {how.dimensions} dimensions and can't be shortened; leave dimensions out.",
            )
        if how.sizes and wanted not in how.sizes:
            raise bad_field(
                "dimensions", f"This model's embeddings may have {', '.join(map(str, how.sizes))} dimensions."
            )
        if not 1 <= wanted <= how.dimensions:
            raise bad_field("dimensions", f"dimensions must be from 1 to {how.dimensions} for this model.")
        return wanted
