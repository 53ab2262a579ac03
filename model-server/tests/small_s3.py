"""A small S3-compatible store in a process of its own: objects in memory, a listing in pages of three. Prints its port.

Puts fail with 507 while the object `full` is in the bucket `control`."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

PAGE = 3


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    objects: dict[str, bytes] = {}

    def _send(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _allowed(self, content: bytes = b"") -> bool:
        signed = "Credential=me/" in self.headers.get("authorization", "")
        whole = self.headers.get("x-amz-content-sha256") == hashlib.sha256(content).hexdigest()
        if not (signed and whole):
            self._send(403)
        return signed and whole

    @property
    def _key(self) -> str:
        return unquote(urlsplit(self.path).path)

    def do_GET(self):
        if not self._allowed():
            return
        query = parse_qs(urlsplit(self.path).query)
        if "list-type" in query:
            return self._list(query)
        content = self.objects.get(self._key)
        if content is None:
            return self._send(404)
        if wanted := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", "")):
            return self._send(206, content[int(wanted[1]) : int(wanted[2]) + 1])
        self._send(200, content)

    def _list(self, query: dict[str, list[str]]) -> None:
        bucket = self._key.rstrip("/") + "/"
        after = query.get("continuation-token", [""])[0]
        keys = sorted(key.removeprefix(bucket) for key in self.objects if key.startswith(bucket))
        keys = [key for key in keys if key.startswith(query["prefix"][0]) and key > after]
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
        self.objects[self._key] = content
        self._send(200)

    def do_DELETE(self):
        if self._allowed():
            self.objects.pop(self._key, None)
            self._send(204)

    def log_message(self, *_):
        pass


class SmallS3:
    """The process, as tests hold it."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
        self.endpoint = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
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
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    print(server.server_port, flush=True)
    server.serve_forever()
