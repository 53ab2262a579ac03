"""Constrains a choice to a grammar, token by token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy
import torch
from llguidance import LLMatcher, LLTokenizer

from ..errors import NodeError, one_line


class Grammars:
    """Compiles grammars for one tokenizer."""

    def __init__(self, tokenizer, vocabulary: int, ends: frozenset[int]):
        """tokenizer: a fast transformers tokenizer. vocabulary: the model's, which may be larger than that."""
        self.tokenizer = LLTokenizer(
            tokenizer.backend_tokenizer.to_str(), n_vocab=vocabulary, eos_token=sorted(ends) or None
        )

    def special(self, text: str) -> bool:
        """Whether a text is one special token, which grammars write as `<…>`."""
        ids = self.tokenizer.tokenize_str(text, parse_special=True)
        return len(ids) == 1 and self.tokenizer.is_special_token(ids[0])

    def compile(self, grammar: str, field: str) -> Matcher:
        """grammar: in llguidance's notation. Raises BAD_STRUCTURE with the library's message."""
        matcher = LLMatcher(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise bad_structure(field, matcher.get_error())
        return Matcher(matcher, self.tokenizer.vocab_size, grammar)


@contextmanager
def compiling(field: str) -> Iterator[None]:
    """Turns whatever the libraries raise (for nesting that is too deep, say) into BAD_STRUCTURE."""
    try:
        yield
    except NodeError:
        raise
    except Exception as error:
        raise bad_structure(field, error) from error


def bad_structure(field: str, why: object) -> NodeError:
    """The structure in `field` is invalid."""
    return NodeError("BAD_STRUCTURE", f"{field} can't be compiled: {one_line(why)}.", field)


class Matcher:
    """The position of one choice in its grammar."""

    def __init__(self, matcher: LLMatcher, vocabulary: int, source: str):
        """source: the grammar's text."""
        self.source = source
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._bits = numpy.zeros((vocabulary + 31) // 32, dtype=numpy.int32)

    def copy(self) -> Matcher:
        """An independent matcher at the same position."""
        return Matcher(self._matcher.deep_copy(), self._vocabulary, self.source)

    def mask(self, logits: torch.Tensor) -> None:
        """Sets the logits [vocabulary] of forbidden tokens to −inf, in place."""
        self._matcher.unsafe_compute_mask_ptr(self._bits.ctypes.data, self._bits.nbytes)
        if self._matcher.is_error():
            # The rest of the library's message is its whole state.
            why = self._matcher.get_error().partition("\n")[0]
            raise NodeError("BAD_STRUCTURE", f"The structure can't be followed any further ({why}); make it simpler.")
        allowed = numpy.unpackbits(self._bits.view(numpy.uint8), bitorder="little", count=self._vocabulary)
        forbidden = torch.from_numpy(allowed == 0).to(logits.device)
        logits[: self._vocabulary].masked_fill_(forbidden, float("-inf"))
        logits[self._vocabulary :] = float("-inf")

    def advance(self, token: int) -> bool:
        """Takes a generated token; true if the grammar is complete."""
        self._matcher.consume_token(token)
        return self._matcher.is_stopped()
