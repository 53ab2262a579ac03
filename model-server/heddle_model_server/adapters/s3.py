"""Reads objects of an S3-compatible store: one signed GET each. Knows nothing of adapters."""

from __future__ import annotations

import hashlib
import hmac
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

from ..errors import NodeError

EMPTY = hashlib.sha256(b"").hexdigest()
TRIES = 3


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
            endpoint=get("AWS_ENDPOINT_URL_S3") or get("AWS_ENDPOINT_URL"),
            region=get("AWS_REGION") or get("AWS_DEFAULT_REGION") or "us-east-1",
            key_id=get("AWS_ACCESS_KEY_ID"),
            secret=get("AWS_SECRET_ACCESS_KEY"),
            session_token=get("AWS_SESSION_TOKEN"),
        )


class S3Store:
    def __init__(self, bucket: str, prefix: str, access: S3Access):
        endpoint = access.endpoint.rstrip("/") or f"https://s3.{access.region}.amazonaws.com"
        self._base = f"{endpoint}/{bucket}/{prefix + '/' if prefix else ''}"
        self._access = access

    def read(self, name: str, at_most: int) -> bytes | None:
        scheme, rest = self._base.split("://", 1)
        url = f"{scheme}://{quote(rest + name, safe='/:~-._')}"
        for attempt in range(TRIES):
            try:
                return self._get(url, at_most)
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None
                if error.code < 500:
                    raise NodeError(
                        "ADAPTER_UNREACHABLE", f"The artifact store refused to give {name}: status {error.code}."
                    ) from error
                problem: Exception = error
            except OSError as error:
                problem = error
            if attempt + 1 < TRIES:
                time.sleep(0.2 * 2**attempt)
        raise NodeError("ADAPTER_UNREACHABLE", "The artifact store doesn't answer.") from problem

    def _get(self, url: str, at_most: int) -> bytes:
        headers = signed(url, self._access, datetime.now(UTC)) if self._access.key_id else {}
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=self._access.timeout) as answer:
            content = answer.read(at_most + 1)
            if len(content) > at_most:
                raise ValueError(f"{url.rsplit('/', 1)[1]} is larger than expected")
            wanted = answer.headers.get("content-length")
            if wanted is not None and int(wanted) != len(content):
                raise OSError("the connection broke off")
            return content


def signed(url: str, access: S3Access, at: datetime) -> dict[str, str]:
    """Headers of a GET without a query, signed as AWS Signature Version 4 asks."""
    parts = urlsplit(url)
    moment = at.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{access.region}/s3/aws4_request"
    headers = {"host": parts.netloc, "x-amz-content-sha256": EMPTY, "x-amz-date": moment}
    if access.session_token:
        headers["x-amz-security-token"] = access.session_token
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    canonical = f"GET\n{parts.path}\n\n{lines}\n{names}\n{EMPTY}"
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
