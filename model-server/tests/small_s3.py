"""A small S3-compatible store in a process of its own: objects in memory, a listing in pages of three, uploads in parts.
Prints its port, and that of a small STS, which gives temporary keys for the web identity IDENTITY.

Puts fail with 507 while the object `full` is in the bucket `control`; `/control/asked` has a line for each request."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

PAGE = 3
IDENTITY = "identity-of-a-pod"
TEMPORARY = {"AccessKeyId": "ASIATEMPORARY", "SecretAccessKey": "temporary-secret", "SessionToken": "temporary-token"}


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    objects: dict[str, bytes] = {}
    uploads: dict[str, dict[int, bytes]] = {}
    asked: list[str] = []

    def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _allowed(self, content: bytes = b"") -> bool:
        self.asked.append(f"{self.command} {self.path}")
        given = self.headers.get("authorization", "")
        token = self.headers.get("x-amz-security-token")
        temporary = f"Credential={TEMPORARY['AccessKeyId']}/" in given and token == TEMPORARY["SessionToken"]
        signed = temporary or "Credential=me/" in given
        whole = self.headers.get("x-amz-content-sha256") == hashlib.sha256(content).hexdigest()
        if not (signed and whole):
            # As stores say no: with the caller's key and what was signed.
            quoted = f"<AWSAccessKeyId>{escape(given)}</AWSAccessKeyId><Token-0>{token}</Token-0>"
            text = f"<Error><Code>InvalidAccessKeyId</Code><Message>{escape(given)}</Message>{quoted}</Error>"
            self._send(403, text.encode())
        return signed and whole

    @property
    def _query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query, True).items()}

    @property
    def _key(self) -> str:
        return unquote(urlsplit(self.path).path)

    def do_GET(self):
        if not self._allowed():
            return
        query = self._query
        if self._key == "/control/asked":
            return self._send(200, "\n".join(self.asked).encode())
        if "list-type" in query:
            return self._list(query)
        content = self.objects.get(self._key)
        if content is None:
            return self._send(404)
        if wanted := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", "")):
            return self._send(206, content[int(wanted[1]) : int(wanted[2]) + 1])
        self._send(200, content)

    def _list(self, query: dict[str, str]) -> None:
        bucket = self._key.rstrip("/") + "/"
        after = query.get("continuation-token", "")
        keys = sorted(key.removeprefix(bucket) for key in self.objects if key.startswith(bucket))
        keys = [key for key in keys if key.startswith(query["prefix"]) and key > after]
        page = keys[:PAGE]
        more = len(keys) > PAGE
        contents = "".join(f"<Contents><Key>{escape(key)}</Key></Contents>" for key in page)
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
        text = f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{contents}"
        space = "http://s3.amazonaws.com/doc/2006-03-01/"
        self._send(200, f'<ListBucketResult xmlns="{space}">{text}</ListBucketResult>'.encode())

    def do_PUT(self):
        content = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not self._allowed(content):
            return
        if "/control/full" in self.objects and not self._key.startswith("/control/"):
            return self._send(507)
        if upload := self.uploads.get(self._query.get("uploadId", "")):
            upload[int(self._query["partNumber"])] = content
            return self._send(200, ETag=f'"{self._query["partNumber"]}"')
        self.objects[self._key] = content
        self._send(200)

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not self._allowed(content):
            return
        if "uploads" in self._query:
            # The part of number 0 is empty, and none of the content.
            name = str(len(self.asked))
            self.uploads[name] = {0: b""}
            return self._send(200, f"<R><UploadId>{name}</UploadId></R>".encode())
        upload = self.uploads.pop(self._query["uploadId"])
        self.objects[self._key] = b"".join(upload[number] for number in sorted(upload))
        self._send(200, b"<R></R>")

    def do_DELETE(self):
        if self._allowed():
            self.objects.pop(self._key, None)
            self._send(204)

    def log_message(self, *_):
        pass


class Sts(BaseHTTPRequestHandler):
    def do_POST(self):
        fields = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        right = fields["WebIdentityToken"] == [IDENTITY] and fields["RoleArn"] == [
            "arn:aws:iam::123456789012:role/heddle"
        ]
        keys = "".join(f"<{name}>{value}</{name}>" for name, value in TEMPORARY.items())
        given = f"<Credentials>{keys}<Expiration>2100-01-01T00:00:00Z</Expiration></Credentials>"
        name = "AssumeRoleWithWebIdentity"
        said = f"<Error><Code>InvalidIdentityToken</Code><Message>{fields['WebIdentityToken'][0]}</Message></Error>"
        text = f"<{name}Response><{name}Result>{given}</{name}Result></{name}Response>"
        body = (text if right else f"<ErrorResponse>{said}</ErrorResponse>").encode()
        self.send_response(200 if right else 400)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class SmallS3:
    """The process, as tests hold it."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
        self.endpoint = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.sts = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.environment = {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "me",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    server, sts = (ThreadingHTTPServer(("127.0.0.1", 0), handler) for handler in (Answer, Sts))
    threading.Thread(target=sts.serve_forever, daemon=True).start()
    print(server.server_port, sts.server_port, sep="\n", flush=True)
    server.serve_forever()
