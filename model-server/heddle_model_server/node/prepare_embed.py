"""Prepares a request for embeddings: tokenises its texts and checks its fields."""

from __future__ import annotations

import time

from heddle.node.v1 import node_pb2 as pb

from ..engine import EngineFacts
from ..errors import NodeError, bad_field
from ..model import Model
from ..request import Embed
from .fields import optional, token_ids
from .messages import ResultEncoder
from .prepare import PreparedRequest

MOST_INPUTS = 2048


class EmbedPreparer:
    tool_parser = reasoning_parser = ""

    def __init__(self, model: Model, facts: EngineFacts):
        self._model = model
        self._facts = facts

    def close(self) -> None:
        """Has nothing to end."""

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
            special = optional(given.text, "add_special_tokens") is not False
            tokens = self._model.tokenizer(given.text.text, add_special_tokens=special)["input_ids"]
        else:
            tokens = token_ids(given.tokens.token_ids, self._facts.vocabulary, "input")
        if not tokens:
            raise bad_field("input", f"The input at {at} is empty.")
        if len(tokens) > self._facts.context:
            raise NodeError(
                "PROMPT_TOO_LONG",
                f"The input at {at} has {len(tokens)} tokens, and this model takes {self._facts.context}; shorten or split it.",
                "input",
            )
        return tokens

    def _dimensions(self, wanted: int | None) -> int | None:
        how = self._model.embedding
        if wanted is None or wanted == how.dimensions:
            return None
        if not how.shortened:
            raise bad_field("dimensions", f"This model's embeddings have {how.dimensions} dimensions and can't be shortened; leave dimensions out.")
        if how.sizes and wanted not in how.sizes:
            raise bad_field("dimensions", f"This model's embeddings may have {', '.join(map(str, how.sizes))} dimensions.")
        if not 1 <= wanted <= how.dimensions:
            raise bad_field("dimensions", f"dimensions must be from 1 to {how.dimensions} for this model.")
        return wanted
