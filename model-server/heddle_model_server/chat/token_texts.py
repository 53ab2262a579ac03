"""Text and bytes of single tokens, for logprobs. Knows nothing of sequences."""

from __future__ import annotations


class TokenTexts:
    def __init__(self, tokenizer, grammar_tokenizer):
        """tokenizer: of the tokenizers library. grammar_tokenizer: llguidance's, which knows every token's bytes."""
        self._tokenizer = tokenizer
        self._bytes = grammar_tokenizer
        self._known: dict[int, tuple[str, bytes]] = {}

    def of(self, token: int) -> tuple[str, bytes]:
        """A token's text (� for an incomplete character) and bytes."""
        known = self._known.get(token)
        if known is None:
            if self._bytes.is_special_token(token):
                text = self._tokenizer.id_to_token(token) or ""
                known = text, text.encode()
                # llguidance marks special tokens with the byte 0xff, and mistakes the token of that byte for one.
                if self._tokenizer.decode([token], skip_special_tokens=False) == "�":
                    known = "�", b"\xff"
            else:
                raw = bytes(self._bytes.decode_bytes([token]))
                known = raw.decode(errors="replace"), raw
            self._known[token] = known
        return known
