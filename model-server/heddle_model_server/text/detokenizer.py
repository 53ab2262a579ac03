"""From tokens to text as they come, in whole characters. Knows nothing of stops or templates."""

from __future__ import annotations

from tokenizers.decoders import DecodeStream

MAX_CHARACTER_TOKENS = 12


class Detokenizer:
    """The text of one choice. prompt_tail: the prompt's last tokens, which decide about a first token's space."""

    def __init__(self, tokenizer, prompt_tail: list[int], skip_special: bool, spaces: bool, special: frozenset[int]):
        """tokenizer: of the tokenizers library. spaces: one between two special tokens in a row."""
        self._tokenizer = tokenizer
        self._stream = DecodeStream(ids=prompt_tail, skip_special_tokens=skip_special)
        self._skip = skip_special
        self._spaces = spaces
        self._special = special
        self._after_special = False
        self._pending: list[int] = []

    def push(self, token: int) -> str:
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
            # Bytes that make no character, in an order no text has: the library's stream gives up, ours begins again.
            self._pending.append(token)
            return self.flush()
        if text is None:
            self._pending.append(token)
            # No character has so many parts: these are bytes that make none.
            return self.flush() if len(self._pending) > MAX_CHARACTER_TOKENS else ""
        self._pending.clear()
        return text

    def flush(self) -> str:
        """What was held back as half a character."""
        if not self._pending:
            return ""
        text = self._tokenizer.decode(self._pending, skip_special_tokens=self._skip)
        self._pending.clear()
        self._stream = DecodeStream(ids=[], skip_special_tokens=self._skip)
        return text
