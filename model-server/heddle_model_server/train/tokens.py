"""Converts conversations to tokens, and decides which are trained. Pure: a tokenizer and a template in, arrays out. Knows
nothing of rewards or files.

An answer is trained in the context in which it is generated: the template's text up to it, with its generation prompt,
and then the answer's own tokens. Turns share one sequence as long as the text before the later one begins with all of the
earlier one's; where a template rewrites what was said (it drops earlier reasoning, say), a new sequence begins."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

import numpy as np

from ..chat.messages import message_of
from ..chat.template import render, special_texts, template_of
from ..errors import NodeError
from ..model import vocabulary_name
from .errors import TrainingError

# The HTTP interface's value for a missing logprob.
UNKNOWN = -9999.0
HALF_SURROGATE = "half of a surrogate pair, which is no text: an escape like \\ud83d needs its other half behind it"


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """All are [tokens]. trained: whether a token has loss; never the first, which nothing precedes. logprobs: by the
    sampling policy; teacher: by a teacher; NaN: unknown."""

    tokens: np.ndarray
    trained: np.ndarray
    logprobs: np.ndarray
    teacher: np.ndarray

    @staticmethod
    def plain(tokens: np.ndarray, trained: np.ndarray) -> TokenSequence:
        """One of which no logprobs are known."""
        return TokenSequence(tokens, trained, *(np.full(len(tokens), math.nan, np.float32) for _ in range(2)))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def trained_tokens(self) -> int:
        """How many tokens have loss."""
        return int(self.trained.sum())


@dataclass(frozen=True, slots=True)
class Sampled:
    """The tokens of an answer as they were sampled, with logprobs by the sampling policy and by a teacher; NaN: unknown."""

    tokens: list[int]
    logprobs: list[float]
    teacher: list[float]


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a conversation. trained: whether it has loss. sampled: its original tokens, if known. prompt: with those,
    the tokens that they were sampled after."""

    message: dict
    trained: bool = False
    sampled: Sampled | None = None
    prompt: list[int] | None = None


class ChatTokens:
    def __init__(self, tokenizer):
        """tokenizer: a fast transformers tokenizer with a chat template. Raises BAD_CONFIG."""
        self._template = template_of(tokenizer)
        if not self._template:
            raise TrainingError(
                "BAD_CONFIG", "The base model has no chat template, so conversations can't be trained on."
            )
        self._tokenizer = tokenizer
        self._specials = special_texts(tokenizer)
        self._ends = {tokenizer.eos_token_id} - {None}
        # Samples whose tokens were of another vocabulary.
        self.foreign = 0

    @cached_property
    def _vocabulary(self) -> str:
        return vocabulary_name(self._tokenizer)

    @cached_property
    def _by_text(self) -> dict[str, int]:
        # Of tokens with the same text the first.
        every = reversed(range(len(self._tokenizer)))
        return {self._tokenizer.decode([token], skip_special_tokens=False): token for token in every}

    def kept(self, tokens: object) -> TokenSequence | None:
        """The sequence that a sample's `tokens` hold as a model had it; None without, or if their vocabulary is another one:
        then the messages are to be tokenised. Raises BAD_DATA."""
        if tokens is None:
            return None
        if not isinstance(tokens, dict):
            raise TrainingError("BAD_DATA", "its `tokens` are no object")
        if tokens.get("vocabulary") != self._vocabulary:
            self.foreign += 1
            return None
        ids, spans = tokens.get("ids"), tokens.get("trained")
        if not self.are_ids(ids) or not ids:
            raise TrainingError("BAD_DATA", "its `tokens` have ids that are none of this model's")
        trained = np.zeros(len(ids), bool)
        for span in spans if isinstance(spans, list) else [None]:
            if not (are_numbers(span) and len(span) == 2 and 0 <= span[0] <= span[1] <= len(ids)):
                raise TrainingError("BAD_DATA", "its `tokens` need `trained`, an array of [from, to] in `ids`")
            trained[span[0] : span[1]] = True
        trained[0] = False
        return TokenSequence.plain(np.array(ids, np.int64), trained)

    def note(self) -> str:
        """A sentence about tokens that could not be used; empty: there were none."""
        if not self.foreign:
            return ""
        return f"{self.foreign} sequences had tokens of another vocabulary than this model's: their messages were tokenised anew"

    def are_ids(self, value: object) -> bool:
        """Whether the value is an array of this model's tokens."""
        return are_numbers(value) and all(0 <= token < len(self._tokenizer) for token in value)

    def sequences(self, turns: list[Turn], tools: list[dict] | None = None) -> list[TokenSequence]:
        """One or more sequences, with every trained turn in exactly one. Raises BAD_DATA."""
        messages = [normalized(turn.message, at) for at, turn in enumerate(turns)]
        if not is_text(tools):
            raise TrainingError("BAD_DATA", f"its tools have {HALF_SURROGATE}")
        finished: list[TokenSequence] = []
        # Of the sequence at hand, as of TokenSequence.
        tokens, trained, logprobs, teacher = [], [], [], []
        text = ""

        def add(some: list[int], learnt: bool, sampled: Sampled | None = None) -> None:
            tokens.extend(some)
            trained.extend([learnt] * len(some))
            logprobs.extend(sampled.logprobs if sampled else [math.nan] * len(some))
            teacher.extend(sampled.teacher if sampled else [math.nan] * len(some))

        def finish() -> None:
            if any(trained):
                trained[0] = False
                numbers = (np.array(logprobs, np.float32), np.array(teacher, np.float32))
                finished.append(TokenSequence(np.array(tokens, np.int64), np.array(trained, bool), *numbers))
            tokens.clear(), trained.clear(), logprobs.clear(), teacher.clear()

        for at, turn in enumerate(turns):
            if not turn.trained:
                continue
            if turn.prompt is not None and turn.sampled is not None:
                if turn.prompt[: len(tokens)] != tokens:
                    finish()
                add(turn.prompt[len(tokens) :], False)
                add(turn.sampled.tokens, True, turn.sampled)
                # Nothing is known of its text.
                text = ""
                continue
            before, answer = self._parts(messages[: at + 1], tools)
            if not text or not before.startswith(text):
                finish()
                text = ""
            add(self._tokens(before[len(text) :]), False)
            if turn.sampled is not None:
                add(turn.sampled.tokens, True, turn.sampled)
                text = before + self._tokenizer.decode(turn.sampled.tokens, skip_special_tokens=False)
            else:
                ids = self._tokens(answer)
                learnt = self._length(ids)
                add(ids[:learnt], True)
                add(ids[learnt:], False)
                text = before + answer
        finish()
        return finished

    def sampled(self, entries: list[dict], ids: list[int] | None = None) -> Sampled | None:
        """The tokens in a choice's `logprobs.content`, whose ids may be known; None if one isn't this model's."""
        tokens = ids or [self._token(entry) for entry in entries]
        if any(token is None for token in tokens):
            return None
        known = lambda value: math.nan if value is None or value <= UNKNOWN else float(value)
        return Sampled(
            tokens, *([known(entry.get(name)) for entry in entries] for name in ("logprob", "teacher_logprob"))
        )

    def text(self, tokens: list[int]) -> str:
        """Decodes tokens, without special ones."""
        return self._tokenizer.decode(tokens, skip_special_tokens=True)

    def _parts(self, messages: list[dict], tools: list[dict] | None) -> tuple[str, str]:
        """The text before the last message, and the message as the template writes it."""
        whole = self._render(messages, tools, False)
        if len(messages) == 1:
            # Templates need a first message; the text before it is what different answers have in common.
            other = [self._render([{"role": "assistant", "content": said}], tools, False) for said in ("A", "B")]
            same = len(commonprefix([whole, *other]))
            return whole[:same], whole[same:]
        before = self._render(messages[:-1], tools, True)
        # The generation prompt may add text that the finished message doesn't have.
        same = len(before if whole.startswith(before) else commonprefix([whole, before]))
        return whole[:same], whole[same:]

    def _render(self, messages: list[dict], tools: list[dict] | None, prompt: bool) -> str:
        variables = {"messages": messages, "tools": tools or None, "documents": None, "add_generation_prompt": prompt}
        try:
            return render(self._template, self._specials | variables)
        except Exception as error:
            why = str(error)[:200].rstrip(".")
            raise TrainingError("BAD_DATA", f"the chat template can't write these messages: {why}") from error

    def _tokens(self, text: str) -> list[int]:
        return self._tokenizer(text, add_special_tokens=False)["input_ids"] if text else []

    def _length(self, ids: list[int]) -> int:
        """Tokens up to the end-of-answer token, inclusive; what a template adds after it isn't trained."""
        ends = [at for at, token in enumerate(ids) if token in self._ends]
        return ends[-1] + 1 if ends else len(ids)

    def _token(self, entry: dict) -> int | None:
        text = entry.get("token")
        if not isinstance(text, str):
            return None
        if text.startswith("token_id:") and text[9:].isdecimal():
            token = int(text[9:])
            return token if token < len(self._tokenizer) else None
        # Many tokens share the text of an incomplete character; only ids tell them apart.
        return None if "\ufffd" in text else self._by_text.get(text)


def normalized(message: object, at: int) -> dict:
    """A message as templates expect it. Raises BAD_DATA."""
    try:
        result = message_of(message, at)
    except NodeError as error:
        raise TrainingError("BAD_DATA", error.message.rstrip(".")) from error
    if not is_text(result):
        raise TrainingError("BAD_DATA", f"messages[{at}] has {HALF_SURROGATE}")
    if result.get("reasoning") and "reasoning_content" not in result:
        # The name most templates use.
        result["reasoning_content"] = result["reasoning"]
    return result


def are_numbers(value: object) -> bool:
    """Whether the value is an array of whole numbers."""
    return isinstance(value, list) and all(type(one) is int for one in value)


def is_text(value: object) -> bool:
    """Whether every text in the value can be encoded as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True
