"""Checks that the addresses of a training job, links resolved, lie below the roots that the operator named."""

import os

from ..artifacts.store import parts_of
from ..errors import NodeError


class ArtifactRoots:
    def __init__(self, roots: str):
        """roots: comma-separated folders and s3://bucket/prefix. Raises ValueError."""
        try:
            self._roots = [normalized(root.strip()) for root in roots.split(",") if root.strip()]
        except ValueError as error:
            raise ValueError(f"artifact_roots: {error}") from error

    def __bool__(self) -> bool:
        return bool(self._roots)

    def check(self, address: str, field: str) -> str:
        """Returns the address if it is below a root. Raises BAD_ADDRESS."""
        try:
            bucket, parts = normalized(address)
        except ValueError as error:
            raise NodeError("BAD_ADDRESS", str(error), field) from error
        for root_bucket, root in self._roots:
            if bucket == root_bucket and len(parts) > len(root) and parts[: len(root)] == root:
                return address
        raise NodeError("BAD_ADDRESS", f"{field} is not below one of this node's artifact_roots.", field)


def normalized(address: str) -> tuple[str, list[str]]:
    """Bucket (empty for a folder) and path segments, with symbolic links resolved. Raises ValueError."""
    bucket, path = parts_of(address)
    parts = path.split("/")
    if "\0" in address or ".." in parts or (bucket and path and not all(parts)):
        raise ValueError("An address can't contain .. or empty path segments.")
    if not bucket:
        parts = os.path.realpath(path).split("/")
    return bucket, [part for part in parts if part]
