"""Folders of files with a manifest of sizes and hashes, written last and removed first: a folder that has one is whole."""

import errno
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from ..errors import NodeError
from ..train.errors import TrainingError
from .s3 import S3Store
from .store import FolderStore, open_store

MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 2**20
MAX_BYTES = 8 * 2**30


@dataclass(frozen=True, slots=True)
class Whole:
    """A folder that was written to its end."""

    address: str
    manifest_sha256: str
    bytes: int


class Folders:
    """Their names are paths below the store's address. Raises ARTIFACTS_UNREACHABLE, and DISK for a folder."""

    def __init__(self, store: FolderStore | S3Store):
        self._store = store

    def address(self, folder: str) -> str:
        """Where a folder is."""
        return f"{self._store.address}/{folder}"

    def manifest(self, folder: str) -> dict | None:
        """None if there is no such folder, or it isn't whole."""
        with reached():
            try:
                value = json.loads(self._store.read(f"{folder}/{MANIFEST}", MAX_MANIFEST_BYTES) or b"null")
            except (ValueError, RecursionError):
                return None
        return value if isinstance(value, dict) else None

    def begun(self, parent: str) -> list[str]:
        """Names, from `parent` on, of all folders with files, whole or not."""
        with reached():
            names = self._store.names(f"{parent}/")
        return sorted({name.removeprefix(f"{parent}/").rpartition("/")[0] for name in names} - {""})

    def write(self, folder: str, files: dict[str, bytes], facts: dict) -> Whole:
        """The same folder may be written again. facts: told in the manifest besides the files."""
        manifest = manifest_of(files, facts)
        size = sum(map(len, files.values())) + len(manifest)
        whole = Whole(self.address(folder), hashlib.sha256(manifest).hexdigest(), size)
        with reached():
            there = self._store.read(f"{folder}/{MANIFEST}", MAX_MANIFEST_BYTES)
            if there == manifest:
                return whole
            try:
                if there is not None:
                    self.remove(folder)
                for name, content in [*files.items(), (MANIFEST, manifest)]:
                    self._store.write(f"{folder}/{name}", content)
            except OSError as error:
                with suppress(OSError):
                    self.remove(folder)
                full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
                why = "the disk is full" if full else error.strerror or "it failed"
                raise TrainingError(
                    "DISK", f"The checkpoint can't be written: {why}. Free space or fix it, and run the job again."
                ) from error
        return whole

    def remove(self, folder: str) -> None:
        """Nothing happens if there is none."""
        with reached():
            names = self._store.names(f"{folder}/")
            for name in sorted(names, key=lambda one: not one.endswith(f"/{MANIFEST}")):
                self._store.delete(name)


def manifest_of(files: dict[str, bytes], facts: dict) -> bytes:
    """The content of a folder's manifest."""
    listed = [
        {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
    ]
    return json.dumps({"files": listed, **facts}, indent=2).encode()


def fetch(address: str, manifest_sha256: str) -> dict[str, bytes]:
    """The files of the folder at `address` by name, each checked against the manifest's hash and size.
    manifest_sha256: the manifest's own hash; empty: not checked. Raises NodeError."""
    try:
        store = open_store(address)
    except ValueError as error:
        raise NodeError("BAD_FIELD", str(error), "address") from error
    try:
        manifest = store.read(MANIFEST, MAX_MANIFEST_BYTES)
        if manifest is None:
            raise NodeError(
                "ADAPTER_NOT_FOUND", "No adapter at this address: manifest.json, which is written last, is missing."
            )
        if manifest_sha256 and hashlib.sha256(manifest).hexdigest() != manifest_sha256.lower():
            raise ValueError("manifest.json is not the one that was announced")
        files: dict[str, bytes] = {}
        for name, sha256, size in manifest_entries(manifest):
            content = store.read(name, size)
            if content is None:
                raise ValueError(f"{name} is missing")
            if len(content) != size or hashlib.sha256(content).hexdigest() != sha256:
                raise ValueError(f"{name} differs from the manifest")
            files[name] = content
        return files
    except ValueError as error:
        raise NodeError("ADAPTER_CORRUPT", f"The adapter at this address is damaged: {error}.") from error


def manifest_entries(manifest: bytes) -> list[tuple[str, str, int]]:
    """Name, SHA-256 and size in bytes of each file that a manifest lists. Raises ValueError."""
    try:
        entries = [(f["name"], f["sha256"].lower(), f["bytes"]) for f in json.loads(manifest)["files"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("manifest.json can't be read") from error
    for name, sha256, size in entries:
        if not isinstance(name, str) or not re.fullmatch(r"[\w][\w.-]{0,199}", name):
            raise ValueError("manifest.json names a file outside the adapter")
        if not re.fullmatch(r"[0-9a-f]{64}", sha256) or type(size) is not int or size < 0:
            raise ValueError(f"manifest.json has no hash or size for {name}")
    if sum(size for _, _, size in entries) > MAX_BYTES:
        raise ValueError("it is larger than an adapter may be")
    return entries


@contextmanager
def reached() -> Iterator[None]:
    """Turns a store's error into a job's."""
    try:
        yield
    except NodeError as error:
        raise unreachable(error.message) from error


def unreachable(why: str) -> TrainingError:
    """The store doesn't do what a job needs."""
    return TrainingError("ARTIFACTS_UNREACHABLE", f"The artifact store can't be used: {why.rstrip('.')}.")
