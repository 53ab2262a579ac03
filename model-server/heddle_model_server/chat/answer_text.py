"""The text of one choice, from its tokens as they come: whole characters, up to a stop string. Knows nothing of how
tokens are drawn."""

from __future__ import annotations

from ..model import Model
from ..request import Request
from .detokenizer import Detokenizer
from .stop import StopStrings

PROMPT_TAIL = 8


def detokenizer(request: Request, model: Model) -> Detokenizer:
    """For a choice of the request."""
    params = request.params
    return Detokenizer(
        model.tokenizer.backend_tokenizer,
        request.prompt[-PROMPT_TAIL:],
        params.skip_special_tokens,
        params.spaces_between_special_tokens,
        model.special,
    )


class AnswerText:
    def __init__(self, request: Request, model: Model):
        self._params = request.params
        self._text = detokenizer(request, model)
        self._stops = StopStrings(request.params.stop, request.params.include_stop)
        self._generated = 0

    def push(self, token: int) -> tuple[str, str | None]:
        """Takes the next token. Returns the text that is certain now, and the stop string that ended it, if any."""
        self._generated += 1
        text = self._text.push(token)
        if not self._params.stop:
            return text, None
        if self._generated < self._params.min_tokens:
            return self._stops.pass_through(text), None
        return self._stops.push(text)

    def end(self, token: int | None) -> str:
        """The rest of the text. token: the one that ended the choice; None: it ended otherwise."""
        shown = token is not None and self._params.include_stop and not self._params.skip_special_tokens
        text = self._stops.pass_through(self._text.push(token)) if shown else ""
        rest = self._text.flush()
        if self._params.stop:
            rest, found = self._stops.push(rest)
            rest = rest if found is not None else rest + self._stops.flush()
        return text + rest
