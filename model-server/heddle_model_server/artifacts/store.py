"""Where checkpoints and saved states are written and data is read: a folder or an S3-compatible store. What is written
there appears whole or not at all: its manifest comes last. Knows nothing of what the files mean."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from ..errors import NodeError
from ..train.errors import TrainingError
from .fetch import MANIFEST
from .s3 import S3Access, S3Store

LARGEST_MANIFEST = 2**20


@dataclass(frozen=True, slots=True)
class Whole:
    """A folder that was written to its end."""

    address: str
    manifest_sha256: str
    bytes: int


class Artifacts(Protocol):
    """Names are paths below the root, with slashes. Raises DISK or ARTIFACTS_UNREACHABLE."""

    def address(self, name: str) -> str: ...

    def manifest(self, folder: str) -> dict | None:
        """None if there is no such folder, or it isn't whole."""

    def whole(self, parent: str) -> list[str]:
        """Names of all whole folders below, from there."""

    def write(self, folder: str, files: dict[str, bytes], facts: dict) -> Whole:
        """The same folder may be written again. facts: told in the manifest besides the files."""

    def remove(self, folder: str) -> None: ...


def open_artifacts(address: str, s3: S3Access | None = None) -> Artifacts:
    """address: an absolute path, file://… or s3://bucket/prefix. Raises BAD_ADDRESS."""
    bucket, path = parts_of(address)
    if bucket:
        return S3Artifacts(bucket, path, s3 or S3Access.of_environment())
    return FolderArtifacts(Path(path))


def parts_of(address: str) -> tuple[str, str]:
    """Bucket and prefix; for a folder an empty bucket and the path. Pure. Raises BAD_ADDRESS."""
    parts = urlsplit(address)
    if parts.scheme == "s3" and parts.netloc:
        return parts.netloc, address.split("://", 1)[1].partition("/")[2].strip("/")
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return "", unquote(parts.path)
    if parts.scheme == "" and address.startswith("/"):
        return "", address
    raise TrainingError("BAD_ADDRESS", "An address is an absolute path, file:///… or s3://bucket/prefix.")


def manifest_of(files: dict[str, bytes], facts: dict) -> bytes:
    listed = [
        {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
    ]
    return json.dumps({"files": listed, **facts}, indent=2).encode()


def whole_of(address: str, files: dict[str, bytes], manifest: bytes) -> Whole:
    size = sum(map(len, files.values())) + len(manifest)
    return Whole(address, hashlib.sha256(manifest).hexdigest(), size)


class FolderArtifacts:
    def __init__(self, root: Path):
        self._root = root.absolute()

    def address(self, name: str) -> str:
        return str(self._root / name)

    def manifest(self, folder: str) -> dict | None:
        try:
            return read_manifest((self._root / folder / MANIFEST).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreachable(error.strerror or "it failed") from error

    def whole(self, parent: str) -> list[str]:
        top = self._root / parent
        found = [Path(folder).relative_to(top) for folder, _, files in os.walk(top) if MANIFEST in files]
        return sorted(str(one) for one in found if not any(part.startswith(".") for part in one.parts))

    def write(self, folder: str, files: dict[str, bytes], facts: dict) -> Whole:
        """Beside its place, each file synced; then renamed."""
        place = self._root / folder
        manifest = manifest_of(files, facts)
        whole = whole_of(str(place), files, manifest)
        beside = place.with_name(f".{place.name}.{os.getpid()}.part")
        with disk(beside):
            if (place / MANIFEST).exists() and (place / MANIFEST).read_bytes() == manifest:
                return whole
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir()
            for name, content in [*files.items(), (MANIFEST, manifest)]:
                write_synced(beside / name, content)
            sync(beside)
            if place.exists():
                self.remove(folder)
            beside.rename(place)
            sync(place.parent)
        return whole

    def remove(self, folder: str) -> None:
        """Gone under its name at once, so that nobody finds a part of it."""
        place = self._root / folder
        gone = place.with_name(f".{place.name}.{os.getpid()}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        try:
            place.rename(gone)
        except FileNotFoundError:
            return
        shutil.rmtree(gone, ignore_errors=True)
        if len(Path(folder).parts) > 2 and all(one.name.startswith(".") for one in place.parent.iterdir()):
            # What is left are beginnings of writers that died.
            shutil.rmtree(place.parent, ignore_errors=True)


class S3Artifacts:
    def __init__(self, bucket: str, prefix: str, access: S3Access):
        self._root = f"s3://{bucket}/{prefix}".rstrip("/")
        self._store = S3Store(bucket, prefix, access)

    def address(self, name: str) -> str:
        return f"{self._root}/{name}"

    def manifest(self, folder: str) -> dict | None:
        with reached():
            try:
                content = self._store.read(f"{folder}/{MANIFEST}", LARGEST_MANIFEST)
            except ValueError:
                return None
        return None if content is None else read_manifest(content)

    def whole(self, parent: str) -> list[str]:
        with reached():
            names = self._store.names(f"{parent}/")
        end = f"/{MANIFEST}"
        return sorted(one.removeprefix(f"{parent}/").removesuffix(end) for one in names if one.endswith(end))

    def write(self, folder: str, files: dict[str, bytes], facts: dict) -> Whole:
        manifest = manifest_of(files, facts)
        whole = whole_of(self.address(folder), files, manifest)
        with reached():
            there = self._store.read(f"{folder}/{MANIFEST}", LARGEST_MANIFEST)
            if there == manifest:
                return whole
            if there is not None:
                # It isn't whole while its files change.
                self._store.delete(f"{folder}/{MANIFEST}")
            for name, content in [*files.items(), (MANIFEST, manifest)]:
                self._store.write(f"{folder}/{name}", content)
        return whole

    def remove(self, folder: str) -> None:
        with reached():
            names = self._store.names(f"{folder}/")
            for name in sorted(names, key=lambda one: not one.endswith(f"/{MANIFEST}")):
                self._store.delete(name)


def read_manifest(content: bytes) -> dict | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@contextmanager
def reached() -> Iterator[None]:
    try:
        yield
    except NodeError as error:
        raise unreachable(error.message) from error


def unreachable(why: str) -> TrainingError:
    return TrainingError("ARTIFACTS_UNREACHABLE", f"The artifact store can't be used: {why.rstrip('.')}.")


@contextmanager
def disk(beside: Path) -> Iterator[None]:
    """What was begun beside its place goes, when writing fails."""
    try:
        yield
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        why = "the disk is full" if full else error.strerror or "it failed"
        raise TrainingError(
            "DISK", f"The checkpoint can't be written: {why}. Free space or fix it, and run the job again."
        ) from error


def write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
