"""Encodes the engine's results and errors as wire messages. Pure."""

import grpc

from heddle.node.v1 import node_pb2 as pb

from ..chat.text import TokenTexts
from ..errors import as_node_error
from ..request import Done, Logprob


def error_message(error: Exception) -> pb.Error:
    """An error as a message; see errors.as_node_error."""
    error = as_node_error(error)
    status = grpc.StatusCode[error.status].value[0]
    return pb.Error(code=error.code, status=status, message=error.message, retriable=error.retriable, field=error.field)


class ResultEncoder:
    """Encodes logprobs with their tokens' texts; as_ids: with `token_id:{id}` instead. texts: None: there are no tokens."""

    def __init__(self, texts: TokenTexts | None, as_ids: bool):
        self._texts = texts
        self._as_ids = as_ids

    def logprob(self, logprob: Logprob) -> pb.TokenLogprob:
        """One token's logprob, with the most likely alternatives."""
        text, raw = self._texts.of(logprob.token)
        return pb.TokenLogprob(
            token_id=logprob.token,
            token=f"token_id:{logprob.token}" if self._as_ids else text,
            logprob=logprob.logprob,
            bytes=raw,
            rank=logprob.rank,
            top=map(self.logprob, logprob.top),
        )

    def done(self, event: Done, reasoning_tokens: int) -> pb.Done:
        """The last event, with the usage."""
        return pb.Done(
            usage=pb.Usage(
                prompt_tokens=event.prompt_tokens,
                completion_tokens=event.completion_tokens,
                cached_tokens=event.cached_tokens,
                reasoning_tokens=reasoning_tokens,
            ),
            prompt_logprobs=[
                pb.PromptLogprobs(tokens=map(self.logprob, tokens)) for tokens in event.prompt_logprobs or []
            ],
            first_token_ms=event.first_token_s * 1000,
            total_ms=event.total_s * 1000,
        )
