"""Renders a chat to the model's prompt: template variables, text, tokens."""

import secrets
from dataclasses import dataclass, field

from ..errors import NodeError, bad_field, unsupported
from .template import render, special_texts, template_of
from .template_sandbox import TemplateSandbox

# chat_template_kwargs must not set these.
RESERVED_VARIABLES = {"messages", "tools", "documents", "add_generation_prompt", "continue_final_message"}
ENDING_CHARACTERS = 400


@dataclass(slots=True)
class Chat:
    messages: list[dict]
    tools: list[dict] = field(default_factory=list)
    documents: list[dict] = field(default_factory=list)
    template: str = ""
    template_kwargs: dict = field(default_factory=dict)
    add_generation_prompt: bool = True
    continue_final_message: bool = False
    add_special_tokens: bool = False
    echo: bool = False
    reasoning_effort: str = ""


@dataclass(slots=True)
class Prompt:
    tokens: list[int]
    # The end of the text; it shows whether the template opened the reasoning.
    ending: str
    role: str
    # Text to put in front of the answer.
    echo: str = ""


class PromptRenderer:
    def __init__(self, tokenizer):
        """tokenizer: a transformers tokenizer."""
        self._tokenizer = tokenizer
        self._sandbox = TemplateSandbox()
        # The model's own; empty if it has none.
        self.template = template_of(tokenizer)
        self._specials = special_texts(tokenizer)

    def render(self, chat: Chat) -> Prompt:
        """The prompt of a chat. Raises BAD_TEMPLATE, BAD_FIELD or BAD_MESSAGES."""
        if chat.continue_final_message and chat.add_generation_prompt:
            why = "continue_final_message and add_generation_prompt exclude each other: set add_generation_prompt to false."
            raise bad_field("continue_final_message", why)
        source = chat.template or self.template
        if not source:
            why = "This model has no chat template: send one as chat_template."
            raise NodeError("BAD_TEMPLATE", why, "chat_template")
        text = self._text(chat, source)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            why = "The messages contain half a character: a surrogate (\\ud800 to \\udfff) without its other half."
            raise NodeError("BAD_MESSAGES", why, "messages") from error
        tokens = self._tokenizer(text, add_special_tokens=chat.add_special_tokens)["input_ids"]
        if not tokens:
            raise NodeError("BAD_TEMPLATE", "The chat template rendered an empty prompt.", "chat_template")
        last = chat.messages[-1]
        role = "assistant" if chat.add_generation_prompt else last["role"]
        said = last.get("content")
        echo = said if chat.echo and last["role"] == role and isinstance(said, str) else ""
        return Prompt(tokens, text[-ENDING_CHARACTERS:], role, echo)

    def _text(self, chat: Chat, source: str) -> str:
        taken = RESERVED_VARIABLES & chat.template_kwargs.keys()
        if taken:
            raise bad_field(
                "chat_template_kwargs",
                f"chat_template_kwargs can't contain {min(taken)}: send it as a field of its own.",
            )
        if chat.reasoning_effort and "reasoning_effort" not in source:
            raise unsupported("reasoning_effort", "this model's chat template doesn't use it")
        messages = chat.messages
        marker = ""
        if chat.continue_final_message:
            if not messages[-1].get("content") or not isinstance(messages[-1]["content"], str):
                raise NodeError("BAD_MESSAGES", "The last message has no text to continue.", "messages")
            # The prompt is cut off at this marker, wherever the template puts the last message.
            marker = secrets.token_hex(12)
            messages = [*messages[:-1], {**messages[-1], "content": messages[-1]["content"] + marker}]
        variables = {
            **self._specials,
            "messages": messages,
            "tools": chat.tools or None,
            "documents": chat.documents or None,
            "add_generation_prompt": chat.add_generation_prompt,
            **({"reasoning_effort": chat.reasoning_effort} if chat.reasoning_effort else {}),
            **chat.template_kwargs,
        }
        if chat.template:
            text = self._sandbox.render(source, variables)
        else:
            try:
                text = render(source, variables)
            except Exception as error:
                why = str(error)[:300].rstrip(".")
                raise NodeError("BAD_TEMPLATE", f"The chat template failed: {why}.", "messages") from error
        if marker:
            at = text.rfind(marker)
            if at < 0:
                raise NodeError("BAD_TEMPLATE", "The chat template dropped the message to continue.", "messages")
            text = text[:at]
        return text
