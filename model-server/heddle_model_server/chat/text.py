"""The text of an answer, from its tokens as they come: whole characters, up to a stop string, or until it repeats itself."""

from functools import cache

from tokenizers.decoders import DecodeStream

from ..model import Model
from ..request import Delta, Logprob, Repetition, Request

MAX_CHARACTER_TOKENS = 12
PROMPT_TAIL = 8


class Detokenizer:
    """For one choice of a request."""

    def __init__(self, request: Request, model: Model):
        self._tokenizer = model.tokenizer.backend_tokenizer
        self._special = model.special
        self._skip = request.params.skip_special_tokens
        self._spaces = request.params.spaces_between_special_tokens
        # The prompt's last tokens decide whether the first begins with a space.
        self._stream = DecodeStream(ids=request.prompt[-PROMPT_TAIL:], skip_special_tokens=self._skip)
        self._after_special = False
        self._pending: list[int] = []

    def push(self, token: int) -> str:
        """Takes a token; returns the text it completes."""
        if token in self._special:
            if self._skip:
                return ""
            text = self.flush() + self._tokenizer.id_to_token(token)
            if self._spaces and self._after_special:
                text = " " + text
            self._after_special = True
            return text
        self._after_special = False
        try:
            text = self._stream.step(self._tokenizer, token)
        except Exception:
            # Invalid UTF-8: the library's stream gives up, so a new one begins.
            self._pending.append(token)
            return self.flush()
        if text is None:
            self._pending.append(token)
            # No character has so many tokens: these bytes are invalid.
            return self.flush() if len(self._pending) > MAX_CHARACTER_TOKENS else ""
        self._pending.clear()
        return text

    def flush(self) -> str:
        """Returns the text of an incomplete character."""
        if not self._pending:
            return ""
        text = self._tokenizer.decode(self._pending, skip_special_tokens=self._skip)
        self._pending.clear()
        self._stream = DecodeStream(ids=[], skip_special_tokens=self._skip)
        return text


class StopStrings:
    """For one choice."""

    def __init__(self, stops: tuple[str, ...], include: bool):
        """include: whether the stop string is part of the text."""
        self._stops = stops
        self._include = include
        self._held = ""

    def push(self, text: str) -> tuple[str, str | None]:
        """Returns the text that is certain, and the stop string that ended it, if any."""
        if not self._stops:
            return text, None
        held = self._held + text
        found = [(held.find(stop), stop) for stop in self._stops if stop in held]
        if found:
            at, stop = min(found, key=lambda one: (one[0], -len(one[1])))
            self._held = ""
            return held[: at + len(stop)] if self._include else held[:at], stop
        keep = max(self.beginning(held, stop) for stop in self._stops)
        self._held = held[len(held) - keep :]
        return held[: len(held) - keep], None

    def flush(self, text: str = "") -> str:
        """Returns the text held back, and text in which stop strings don't count."""
        held, self._held = self._held + text, ""
        return held

    @staticmethod
    def beginning(text: str, stop: str) -> int:
        """How many of the last characters may begin the stop string."""
        for length in range(min(len(stop) - 1, len(text)), 0, -1):
            if text.endswith(stop[:length]):
                return length
        return 0


def repeats(tokens: list[int], rule: Repetition) -> bool:
    """Whether the last tokens are one pattern of min_size to max_size tokens, min_count times in a row."""
    for size in range(rule.min_size, rule.max_size + 1):
        length = size * rule.min_count
        if length > len(tokens):
            return False
        # A cheap test that rules out most patterns.
        if tokens[-1] == tokens[-1 - size]:
            tail = tokens[-length:]
            if tail[size:] == tail[:-size]:
                return True
    return False


class ChoiceOutput:
    """What is to be told of a choice: its tokens and their text, up to what ended it."""

    def __init__(self, request: Request, model: Model, index: int):
        self._params, self._stream, self._index = request.params, request.stream, index
        self._text = Detokenizer(request, model)
        self._stops = StopStrings(request.params.stop, request.params.include_stop)
        self._generated = 0
        # What wasn't told yet; without streaming a choice goes out in one piece.
        self._delta = Delta(index, "", [], [])

    def push(self, token: int, logprob: Logprob | None = None, ends: bool = False) -> bool:
        """Takes a generated token; true if a stop string ended the choice. ends: `end` follows with this token, and its text."""
        delta, text, stop = self._delta, "", None
        delta.tokens.append(token)
        if logprob is not None:
            delta.logprobs.append(logprob)
        self._generated += 1
        if not ends:
            text = self._text.push(token)
            if self._params.stop and self._generated < self._params.min_tokens:
                text = self._stops.flush(text)
            elif self._params.stop:
                text, stop = self._stops.push(text)
        delta.pieces.append(text)
        delta.text += text
        if stop is not None:
            delta.finish, delta.stop_reason = "stop", stop
        return stop is not None

    def end(self, reason: str, stop: str | int | None = None, token: int | None = None) -> None:
        """Ends the choice. token: the one that ended it, if one did."""
        delta = self._delta
        shown = token is not None and self._params.include_stop and not self._params.skip_special_tokens
        text = self._stops.flush(self._text.push(token)) if shown else ""
        rest = self._text.flush()
        if self._params.stop:
            rest, found = self._stops.push(rest)
            rest = rest if found is not None else rest + self._stops.flush()
        delta.text += text + rest
        if delta.pieces:
            delta.pieces[-1] += text + rest
        delta.finish, delta.stop_reason = reason, stop

    def take(self) -> Delta | None:
        """Removes and returns what wasn't told yet; None if nothing is to be sent."""
        delta = self._delta
        if delta.finish is None and not (self._stream and delta.tokens):
            return None
        self._delta = Delta(self._index, "", [], [])
        return delta


class TokenTexts:
    def __init__(self, tokenizer, grammar_tokenizer):
        """tokenizer: of the tokenizers library. grammar_tokenizer: llguidance's, which knows every token's bytes."""
        self._tokenizer = tokenizer
        self._bytes = grammar_tokenizer
        # A token's text (� for an incomplete character) and bytes.
        self.of = cache(self._of)

    def _of(self, token: int) -> tuple[str, bytes]:
        if not self._bytes.is_special_token(token):
            raw = bytes(self._bytes.decode_bytes([token]))
            return raw.decode(errors="replace"), raw
        # llguidance marks special tokens with the byte 0xff, and mistakes the token of that byte for one.
        if self._tokenizer.decode([token], skip_special_tokens=False) == "�":
            return "�", b"\xff"
        text = self._tokenizer.id_to_token(token) or ""
        return text, text.encode()
