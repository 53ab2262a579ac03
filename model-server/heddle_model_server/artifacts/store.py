"""Files of an artifact store: a folder or an S3-compatible store. Their names are paths below its address, with slashes."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..errors import NodeError
from .s3 import S3Store


def parts_of(address: str) -> tuple[str, str]:
    """Bucket and prefix; for a folder an empty bucket and the path. Pure. Raises ValueError."""
    parts = urlsplit(address)
    if parts.scheme == "s3" and parts.netloc:
        return parts.netloc, address.split("://", 1)[1].partition("/")[2].strip("/")
    if parts.scheme == "file" and parts.netloc in ("", "localhost"):
        return "", unquote(parts.path)
    if parts.scheme == "" and address.startswith("/"):
        return "", address
    raise ValueError("An address is an absolute path, file:///… or s3://bucket/prefix.")


def open_store(address: str) -> FolderStore | S3Store:
    """address: see parts_of. Raises ValueError."""
    bucket, path = parts_of(address)
    return S3Store(bucket, path) if bucket else FolderStore(Path(path))


class FolderStore:
    def __init__(self, folder: Path):
        self._root = folder.absolute()
        self.address = str(self._root)

    def read(self, name: str, at_most: int) -> bytes | None:
        """A file's content; None if there is none. Raises ADAPTER_UNREACHABLE, and ValueError for more than `at_most` bytes."""
        try:
            with (self._root / name).open("rb") as file:
                content = file.read(at_most + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise NodeError("ADAPTER_UNREACHABLE", f"The folder can't be read: {error.strerror}.") from error
        if len(content) > at_most:
            raise ValueError(f"{name} is larger than expected")
        return content

    def write(self, name: str, content: bytes) -> None:
        """The file appears whole or not at all, and then outlives a power loss. Raises OSError."""
        path = self._root / name
        beside = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.rename(path)
        except OSError:
            self.delete(str(beside.relative_to(self._root)))
            raise
        # The folder itself may be new, too.
        for folder in (path.parent, path.parent.parent):
            sync(folder)

    def delete(self, name: str) -> None:
        """Nothing happens if there is no such file. Folders that are empty then go, too."""
        path = self._root / name
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == self._root or any(folder.iterdir()):
                return
            folder.rmdir()

    def names(self, beginning: str) -> list[str]:
        """The files below a folder, whose name ends in a slash."""
        walked = os.walk(self._root / beginning)
        return sorted(str(Path(folder, file).relative_to(self._root)) for folder, _, files in walked for file in files)


def sync(folder: Path) -> None:
    """Returns when the folder's entries outlive a power loss."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
