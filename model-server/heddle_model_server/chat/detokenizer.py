"""Converts a stream of tokens to text, in whole characters. Knows nothing of stop strings or templates."""

from __future__ import annotations

from tokenizers.decoders import DecodeStream

MAX_CHARACTER_TOKENS = 12


class Detokenizer:
    """For one choice. prompt_tail: the prompt's last tokens, which decide whether the first token begins with a
    space."""

    def __init__(self, tokenizer, prompt_tail: list[int], skip_special: bool, spaces: bool, special: frozenset[int]):
        """tokenizer: of the tokenizers library. spaces: put a space between adjacent special tokens."""
        self._tokenizer = tokenizer
        self._stream = DecodeStream(ids=prompt_tail, skip_special_tokens=skip_special)
        self._skip = skip_special
        self._spaces = spaces
        self._special = special
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
