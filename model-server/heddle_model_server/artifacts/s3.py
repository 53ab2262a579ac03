"""Objects of an S3-compatible store, by the official SDK: its credentials, signatures, retries and multipart uploads."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..errors import NodeError

if TYPE_CHECKING:
    from botocore.client import BaseClient

TRIES = 3
PIECE = 2**20
# Larger objects go in parts of this size; a store takes 10,000 of them.
PART = 64 * 2**20
PARTS_AT_ONCE = 4
TIMEOUT_SECONDS = 60.0

Answer = TypeVar("Answer")


class S3Store:
    """Objects below a prefix, as store.FolderStore has files. Every method raises ADAPTER_UNREACHABLE where the store doesn't do it."""

    def __init__(self, bucket: str, prefix: str):
        self.address = f"s3://{bucket}/{prefix}".rstrip("/")
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""

    def read(self, name: str, at_most: int) -> bytes | None:
        """An object's content; None if there is none. Raises ValueError if it is larger."""

        def whole(client: BaseClient) -> bytes:
            with closing(client.get_object(**self._at(name))["Body"]) as body:
                content = body.read(at_most + 1)
                if len(content) > at_most:
                    raise ValueError(f"{name} is larger than expected")
                return content + body.read()

        return self._ask("give", name, whole)

    def save(self, name: str, path: Path) -> bool:
        """Brings an object into a file, piece by piece; false if there is none."""

        def pieces(client: BaseClient) -> bool:
            with closing(client.get_object(**self._at(name))["Body"]) as body, path.open("wb") as file:
                for piece in body.iter_chunks(PIECE):
                    file.write(piece)
            return True

        return self._ask("give", name, pieces) is not None

    def write(self, name: str, content: bytes) -> None:
        """The object appears whole or not at all."""
        from boto3.s3.transfer import TransferConfig

        parts = TransferConfig(multipart_threshold=PART, multipart_chunksize=PART, max_concurrency=PARTS_AT_ONCE)
        self._ask("take", name, lambda client: client.upload_fileobj(BytesIO(content), Config=parts, **self._at(name)))

    def delete(self, name: str) -> None:
        """Nothing happens if there is none."""
        self._ask("remove", name, lambda client: client.delete_object(**self._at(name)))

    def names(self, beginning: str) -> list[str]:
        """Of all objects that begin so."""

        def all_pages(client: BaseClient) -> list[str]:
            pages = client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix + beginning
            )
            return [item["Key"].removeprefix(self._prefix) for page in pages for item in page.get("Contents", [])]

        return self._ask("give", None, all_pages) or []

    def _at(self, name: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._prefix + name}

    def _ask(self, verb: str, name: str | None, take: Callable[[BaseClient], Answer]) -> Answer | None:
        """name: None for a list. None where there is nothing of that name. The SDK asks again by itself until an answer
        has begun; one that breaks off is asked for again here."""
        from botocore.exceptions import BotoCoreError, ClientError, IncompleteReadError, ResponseStreamingError
        from botocore.parsers import ResponseParserError

        for attempt in range(TRIES):
            try:
                return take(client())
            except ClientError as error:
                # Its text stays here, as do all of the SDK's: stores quote keys and signed texts.
                status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
                if error.operation_name.startswith("AssumeRole"):
                    raise unreachable(f"No keys for the artifact store were given: status {status}.") from None
                if status == 404 and verb != "take":
                    return None
                if status < 500:
                    what = name or "a list"
                    raise unreachable(f"The artifact store refused to {verb} {what}: status {status}.") from None
                break
            except (IncompleteReadError, ResponseStreamingError):
                if attempt + 1 < TRIES:
                    time.sleep(0.2 * 2**attempt)
            except (BotoCoreError, ResponseParserError) as error:
                raise unreachable(f"The artifact store doesn't answer ({type(error).__name__}).") from None
        raise unreachable("The artifact store doesn't answer.")


@cache
def client() -> BaseClient:
    """One for all threads. Keys are found as the SDK finds them (its variables, a profile, a web identity, a role of the container
    or the machine); where there are none, objects are read without a signature."""
    # Imported here: nodes with folders alone do without.
    from boto3.session import Session
    from botocore import UNSIGNED
    from botocore.config import Config

    # Their warnings come with what a service answered; what matters of it is said by S3Store.
    for name in ("boto3", "botocore", "s3transfer", "urllib3"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
    session = Session(region_name=region)
    unsigned = {} if session.get_credentials() else {"signature_version": UNSIGNED}
    return session.client(
        "s3",
        # What the service itself reads; else the SDK's own AWS_ENDPOINT_URL.
        endpoint_url=os.environ.get("HEDDLE_S3_ENDPOINT") or None,
        config=Config(
            # Every such store understands addresses by path; older ones refuse the checksums that AWS takes since 2025.
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            retries={"total_max_attempts": TRIES, "mode": "standard"},
            connect_timeout=TIMEOUT_SECONDS,
            read_timeout=TIMEOUT_SECONDS,
            **unsigned,
        ),
    )


def unreachable(message: str) -> NodeError:
    return NodeError("ADAPTER_UNREACHABLE", message)
