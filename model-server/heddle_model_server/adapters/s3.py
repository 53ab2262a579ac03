"""Objects of an S3-compatible store: one signed request each. Knows nothing of adapters or checkpoints."""

from __future__ import annotations

import hashlib
import hmac
import os
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as xml
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit

from ..errors import NodeError

EMPTY = hashlib.sha256(b"").hexdigest()
TRIES = 3
PIECE = 2**20
# What S3 takes in one request.
LARGEST_OBJECT = 5 * 2**30

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class S3Access:
    """endpoint: empty for the usual one of the region. Keys empty: objects are read without a signature."""

    endpoint: str = ""
    region: str = "us-east-1"
    key_id: str = ""
    secret: str = ""
    session_token: str = ""
    timeout: float = 60.0

    @staticmethod
    def of_environment() -> S3Access:
        get = lambda name, other="": os.environ.get(name, other)
        return S3Access(
            # The first is what the service itself reads; a node that it starts gets its environment.
            endpoint=get("HEDDLE_S3_ENDPOINT") or get("AWS_ENDPOINT_URL_S3") or get("AWS_ENDPOINT_URL"),
            region=get("AWS_REGION") or get("AWS_DEFAULT_REGION") or "us-east-1",
            key_id=get("AWS_ACCESS_KEY_ID"),
            secret=get("AWS_SECRET_ACCESS_KEY"),
            session_token=get("AWS_SESSION_TOKEN"),
        )


class S3Store:
    """Objects below a prefix. Every method raises ADAPTER_UNREACHABLE where the store doesn't do it."""

    def __init__(self, bucket: str, prefix: str, access: S3Access):
        self._endpoint = access.endpoint.rstrip("/") or f"https://s3.{access.region}.amazonaws.com"
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._access = access

    def read(self, name: str, at_most: int) -> bytes | None:
        """An object's content; None if there is none. Raises ValueError if it is larger."""

        def whole(answer: HTTPResponse) -> bytes:
            content = answer.read(at_most + 1)
            if len(content) > at_most:
                raise ValueError(f"{name} is larger than expected")
            wanted = answer.headers.get("content-length")
            if wanted is not None and int(wanted) != len(content):
                raise OSError("the connection broke off")
            return content

        return self._ask("GET", name, whole)

    def save(self, name: str, path: Path) -> bool:
        """Brings an object into a file, piece by piece; false if there is none."""

        def pieces(answer: HTTPResponse) -> bool:
            with path.open("wb") as file:
                while piece := answer.read(PIECE):
                    file.write(piece)
                wanted = answer.headers.get("content-length")
                if wanted is not None and int(wanted) != file.tell():
                    raise OSError("the connection broke off")
            return True

        return self._ask("GET", name, pieces) is not None

    def write(self, name: str, content: bytes) -> None:
        if len(content) > LARGEST_OBJECT:
            raise NodeError("ADAPTER_UNREACHABLE", f"{name} is larger than the artifact store takes in one request.")
        self._ask("PUT", name, lambda answer: answer.read(PIECE), content)

    def delete(self, name: str) -> None:
        """Nothing happens if there is none."""
        self._ask("DELETE", name, lambda answer: answer.read(PIECE))

    def names(self, beginning: str) -> list[str]:
        """Of all objects that begin so."""
        found: list[str] = []
        token = ""
        while True:
            query = {"list-type": "2", "prefix": self._prefix + beginning}
            if token:
                query["continuation-token"] = token
            page = self._ask("GET", None, lambda answer: xml.fromstring(answer.read()), query=query)
            if page is None:
                return found
            space = page.tag.removesuffix("ListBucketResult")
            keys = [item.findtext(f"{space}Key") or "" for item in page.findall(f"{space}Contents")]
            found += [key.removeprefix(self._prefix) for key in keys]
            token = page.findtext(f"{space}NextContinuationToken") or ""
            if page.findtext(f"{space}IsTruncated") != "true" or not token:
                return found

    def _ask(
        self,
        method: str,
        name: str | None,
        take: Callable[[HTTPResponse], Answer],
        content: bytes = b"",
        query: dict[str, str] | None = None,
    ) -> Answer | None:
        """name: None for the bucket itself. None where there is nothing of that name."""
        path = self._bucket if name is None else f"{self._bucket}/{self._prefix}{name}"
        url = f"{self._endpoint}/{quote(path, safe='/~-._')}{query_text(query or {})}"
        for attempt in range(TRIES):
            try:
                sha256 = hashlib.sha256(content).hexdigest()
                now = datetime.now(UTC)
                headers = signed(url, self._access, now, method, sha256) if self._access.key_id else {}
                if method == "PUT":
                    headers["content-type"] = "application/octet-stream"
                request = urllib.request.Request(
                    url, headers=headers, method=method, data=content if method == "PUT" else None
                )
                with urllib.request.urlopen(request, timeout=self._access.timeout) as answer:
                    return take(answer)
            except urllib.error.HTTPError as error:
                if error.code == 404 and method != "PUT":
                    return None
                if error.code < 500:
                    asked = {"GET": "give", "PUT": "take", "DELETE": "remove"}[method]
                    raise NodeError(
                        "ADAPTER_UNREACHABLE",
                        f"The artifact store refused to {asked} {name or 'a list'}: status {error.code}.",
                    ) from error
                problem: Exception = error
            except (OSError, HTTPException, xml.ParseError) as error:
                problem = error
            if attempt + 1 < TRIES:
                time.sleep(0.2 * 2**attempt)
        raise NodeError("ADAPTER_UNREACHABLE", "The artifact store doesn't answer.") from problem


def query_text(query: dict[str, str]) -> str:
    """In the one order and spelling that a signature is made of."""
    pairs = [f"{quote(name, safe='-._~')}={quote(value, safe='-._~')}" for name, value in sorted(query.items())]
    return "?" + "&".join(pairs) if pairs else ""


def signed(url: str, access: S3Access, at: datetime, method: str = "GET", sha256: str = EMPTY) -> dict[str, str]:
    """Headers of a request, signed as AWS Signature Version 4 asks. url: its query as query_text writes it. sha256: of
    the content that is sent."""
    parts = urlsplit(url)
    moment = at.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{access.region}/s3/aws4_request"
    headers = {"host": parts.netloc, "x-amz-content-sha256": sha256, "x-amz-date": moment}
    if access.session_token:
        headers["x-amz-security-token"] = access.session_token
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    canonical = f"{method}\n{parts.path}\n{parts.query}\n{lines}\n{names}\n{sha256}"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = f"AWS4{access.secret}".encode()
    for part in (moment[:8], access.region, "s3", "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, text.encode(), "sha256").hexdigest()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={access.key_id}/{scope},SignedHeaders={names},Signature={signature}"
    )
    del headers["host"]
    return headers
