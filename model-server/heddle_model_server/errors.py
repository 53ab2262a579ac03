"""What can go wrong for a caller: a stable code, a gRPC status, one sentence. The list is proto/heddle/node/v1/README.md.
Knows nothing of where an error is raised or how it is sent."""

from __future__ import annotations

import grpc

S = grpc.StatusCode

STATUS = {
    "BAD_FIELD": S.INVALID_ARGUMENT,
    "UNSUPPORTED_FIELD": S.INVALID_ARGUMENT,
    "BAD_MESSAGES": S.INVALID_ARGUMENT,
    "BAD_TEMPLATE": S.INVALID_ARGUMENT,
    "BAD_STRUCTURE": S.INVALID_ARGUMENT,
    "PROMPT_TOO_LONG": S.INVALID_ARGUMENT,
    "NO_PRIORITIES": S.INVALID_ARGUMENT,
    "DUPLICATE_REQUEST": S.ALREADY_EXISTS,
    "ADAPTER_NOT_LOADED": S.FAILED_PRECONDITION,
    "ADAPTER_NOT_FOUND": S.NOT_FOUND,
    "ADAPTER_INVALID": S.FAILED_PRECONDITION,
    "ADAPTER_CORRUPT": S.DATA_LOSS,
    "ADAPTER_CONFLICT": S.ALREADY_EXISTS,
    "ADAPTER_UNREACHABLE": S.UNAVAILABLE,
    "ADAPTERS_FULL": S.RESOURCE_EXHAUSTED,
    "NODE_FULL": S.RESOURCE_EXHAUSTED,
    "DRAINING": S.UNAVAILABLE,
    "UNHEALTHY": S.UNAVAILABLE,
    "OUT_OF_MEMORY": S.RESOURCE_EXHAUSTED,
    "ABORTED": S.ABORTED,
    "UNAUTHENTICATED": S.UNAUTHENTICATED,
    "INTERNAL": S.INTERNAL,
}

# Another node, or this one later, may well do it.
RETRIABLE = {
    "ADAPTER_UNREACHABLE",
    "ADAPTERS_FULL",
    "NODE_FULL",
    "DRAINING",
    "UNHEALTHY",
    "OUT_OF_MEMORY",
    "INTERNAL",
}


class NodeError(Exception):
    """code: of the list above. message: a sentence for the caller. field: of the HTTP interface, where one is at fault."""

    def __init__(self, code: str, message: str, field: str = ""):
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    @property
    def status(self) -> grpc.StatusCode:
        return STATUS[self.code]

    @property
    def retriable(self) -> bool:
        return self.code in RETRIABLE


def bad_field(field: str, sentence: str) -> NodeError:
    return NodeError("BAD_FIELD", sentence, field)


def unsupported(field: str, why: str) -> NodeError:
    return NodeError("UNSUPPORTED_FIELD", f"{field} can't be used here: {why}.", field)
