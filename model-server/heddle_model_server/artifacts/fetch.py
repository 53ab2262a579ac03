"""Fetches an adapter's files from a folder or a store, and verifies them against their manifest. Knows nothing of
their content."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from ..errors import NodeError
from .s3 import S3Access, S3Store

MANIFEST = "manifest.json"
MAX_BYTES = 8 * 2**30
MAX_MANIFEST_BYTES = 2**20


class Store(Protocol):
    def read(self, name: str, at_most: int) -> bytes | None:
        """A file's content; None if the file doesn't exist. Raises ADAPTER_UNREACHABLE, or ValueError if it is
        larger than `at_most` bytes."""


class FolderStore:
    def __init__(self, folder: Path):
        self._folder = folder

    def read(self, name: str, at_most: int) -> bytes | None:
        path = self._folder / name
        try:
            with path.open("rb") as file:
                content = file.read(at_most + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise NodeError("ADAPTER_UNREACHABLE", f"The adapter's folder can't be read: {error.strerror}.") from error
        if len(content) > at_most:
            raise ValueError(f"{name} is larger than expected")
        return content


def open_store(address: str, s3: S3Access) -> Store:
    """The store of an address: an absolute path, file:///… or s3://bucket/prefix. Raises BAD_FIELD."""
    parts = urlsplit(address)
    if parts.scheme == "s3" and parts.netloc:
        return S3Store(parts.netloc, parts.path.strip("/"), s3)
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return FolderStore(Path(unquote(parts.path)))
    if parts.scheme == "" and address.startswith("/"):
        return FolderStore(Path(address))
    raise NodeError(
        "BAD_FIELD", "An adapter's address is an absolute path, file:///… or s3://bucket/prefix.", "address"
    )


def fetch(address: str, manifest_sha256: str, s3: S3Access) -> dict[str, bytes]:
    """The files of the adapter at `address` by name, each checked against the manifest's hash and size.
    manifest_sha256: the manifest's own hash; empty: not checked. Raises NodeError."""
    store = open_store(address, s3)
    try:
        manifest = store.read(MANIFEST, MAX_MANIFEST_BYTES)
    except ValueError as error:
        raise corrupt(str(error)) from error
    if manifest is None:
        raise NodeError(
            "ADAPTER_NOT_FOUND", "No adapter at this address: manifest.json, which is written last, is missing."
        )
    if manifest_sha256 and hashlib.sha256(manifest).hexdigest() != manifest_sha256.lower():
        raise corrupt("manifest.json is not the one that was announced")
    files: dict[str, bytes] = {}
    for name, sha256, size in manifest_entries(manifest):
        try:
            content = store.read(name, size)
        except ValueError as error:
            raise corrupt(str(error)) from error
        if content is None:
            raise corrupt(f"{name} is missing")
        if len(content) != size or hashlib.sha256(content).hexdigest() != sha256:
            raise corrupt(f"{name} differs from the manifest")
        files[name] = content
    return files


def manifest_entries(manifest: bytes) -> list[tuple[str, str, int]]:
    """Name, SHA-256 and size in bytes of each file that a manifest lists. Raises ADAPTER_CORRUPT."""
    try:
        entries = [(f["name"], f["sha256"].lower(), f["bytes"]) for f in json.loads(manifest)["files"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise corrupt("manifest.json can't be read") from error
    total = 0
    for name, sha256, size in entries:
        if not isinstance(name, str) or not re.fullmatch(r"[\w][\w.-]{0,199}", name):
            raise corrupt("manifest.json names a file outside the adapter")
        if not re.fullmatch(r"[0-9a-f]{64}", sha256) or type(size) is not int or size < 0:
            raise corrupt(f"manifest.json has no hash or size for {name}")
        total += size
    if total > MAX_BYTES:
        raise corrupt("it is larger than an adapter may be")
    return entries


def corrupt(why: str) -> NodeError:
    """The adapter is damaged. why: the end of the sentence, without a full stop."""
    return NodeError("ADAPTER_CORRUPT", f"The adapter at this address is damaged: {why}.")
