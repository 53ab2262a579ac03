"""The errors a caller can see: a stable code, a gRPC status, one sentence. The list is in proto/heddle/node/v1/README.md."""

# Names of gRPC's status codes.
STATUS = {
    "BAD_FIELD": "INVALID_ARGUMENT",
    "UNSUPPORTED_FIELD": "INVALID_ARGUMENT",
    "BAD_MESSAGES": "INVALID_ARGUMENT",
    "BAD_TEMPLATE": "INVALID_ARGUMENT",
    "BAD_STRUCTURE": "INVALID_ARGUMENT",
    "PROMPT_TOO_LONG": "INVALID_ARGUMENT",
    "NO_CHAT": "INVALID_ARGUMENT",
    "NO_EMBEDDINGS": "INVALID_ARGUMENT",
    "NO_IMAGES": "INVALID_ARGUMENT",
    "BAD_IMAGE": "INVALID_ARGUMENT",
    "NO_PRIORITIES": "INVALID_ARGUMENT",
    "DUPLICATE_REQUEST": "ALREADY_EXISTS",
    "ADAPTER_NOT_LOADED": "FAILED_PRECONDITION",
    "ADAPTER_NOT_FOUND": "NOT_FOUND",
    "ADAPTER_INVALID": "FAILED_PRECONDITION",
    "ADAPTER_CORRUPT": "DATA_LOSS",
    "ADAPTER_CONFLICT": "ALREADY_EXISTS",
    "ADAPTER_UNREACHABLE": "UNAVAILABLE",
    "ADAPTERS_FULL": "RESOURCE_EXHAUSTED",
    "NODE_FULL": "RESOURCE_EXHAUSTED",
    "DRAINING": "UNAVAILABLE",
    "UNHEALTHY": "UNAVAILABLE",
    "ENGINE_DIED": "UNAVAILABLE",
    "OUT_OF_MEMORY": "RESOURCE_EXHAUSTED",
    "ABORTED": "ABORTED",
    "BAD_ADDRESS": "INVALID_ARGUMENT",
    "UNKNOWN_MODEL": "NOT_FOUND",
    "TRAINER_BUSY": "RESOURCE_EXHAUSTED",
    "FENCED": "ABORTED",
    "UNAUTHENTICATED": "UNAUTHENTICATED",
    "INTERNAL": "INTERNAL",
}

# A retry may succeed, on this node or on another.
RETRIABLE = {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "INTERNAL"}


class NodeError(Exception):
    """code: a key of STATUS. message: one sentence for the caller. field: of the HTTP interface, if one is at fault."""

    def __init__(self, code: str, message: str, field: str = ""):
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    @property
    def status(self) -> str:
        """The name of the gRPC status code."""
        return STATUS[self.code]

    @property
    def retriable(self) -> bool:
        """Whether a retry, here or on another node, may succeed."""
        return self.status in RETRIABLE


def as_node_error(error: Exception) -> NodeError:
    """The error itself; INTERNAL in place of one that tells a caller nothing."""
    return error if isinstance(error, NodeError) else NodeError("INTERNAL", "The node failed to process this request.")


def bad_field(field: str, sentence: str) -> NodeError:
    """A field has an invalid value."""
    return NodeError("BAD_FIELD", sentence, field)


def unsupported(field: str, why: str) -> NodeError:
    """A field that this node can't honour. why: the end of the sentence, without a full stop."""
    return NodeError("UNSUPPORTED_FIELD", f"{field} can't be used here: {why}.", field)


def one_line(error: object) -> str:
    """A library's error in one line of at most 200 characters, without a full stop."""
    return " ".join(str(error).split())[:200].rstrip(".")
