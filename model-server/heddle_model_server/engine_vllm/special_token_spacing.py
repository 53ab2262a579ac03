"""Inserts the spaces between adjacent special tokens into text that came without them. Knows nothing of requests."""

from __future__ import annotations

from collections import deque

from ..chat.detokenizer import Detokenizer


class SpecialTokenSpacing:
    """For one choice. Text may arrive later than its tokens, and may end earlier."""

    def __init__(self, tokenizer, prompt_tail: list[int], special: frozenset[int]):
        """tokenizer: of the tokenizers library."""
        self._stream = Detokenizer(tokenizer, prompt_tail, False, False, special)
        self._special = special
        self._after_special = False
        # Characters of all tokens, and of all text so far.
        self._token_characters = 0
        self._text_characters = 0
        self._space_positions: deque[int] = deque()

    def put(self, tokens: list[int], text: str) -> str:
        """The next piece of text, with its spaces."""
        for token in tokens:
            special = token in self._special
            if special and self._after_special:
                self._space_positions.append(self._token_characters)
            self._after_special = special
            self._token_characters += len(self._stream.push(token))
        parts, begin = [], 0
        # A space comes with the token after it: the text doesn't contain the token that ends the answer.
        while self._space_positions and self._space_positions[0] < self._text_characters + len(text):
            position = self._space_positions.popleft() - self._text_characters
            parts.append(text[begin:position])
            begin = position
        parts.append(text[begin:])
        self._text_characters += len(text)
        return " ".join(parts)


def spans_special_tokens(stop: str, special: tuple[str, ...]) -> bool:
    """Whether the space between two special tokens decides if `stop` is found."""
    ends = {text[at:] for text in special for at in range(len(text))}
    begins = {text[:at] for text in special for at in range(1, len(text) + 1)}

    def ending(part: str) -> bool:
        return part in ends or part.endswith(special)

    def beginning(part: str) -> bool:
        return part in begins or part.startswith(special)

    for at in range(len(stop)):
        left, right = stop[:at], stop[at:]
        if left and ending(left) and beginning(right):
            return True
        if right[0] == " " and (not left or ending(left)) and (right == " " or beginning(right[1:])):
            return True
    return False
