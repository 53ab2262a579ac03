"""A node in a process of its own, reached as workers reach it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import grpc
from wire import Result, read, wire

from heddle.node.v1 import node_pb2_grpc


# Seconds until something that has to happen counts as not happening: far more than it takes on a busy machine.
PATIENCE = 120.0


class ServedNode:
    """A node in a process of its own, reached as workers reach it."""

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None):
        # Not a pipe, which would fill up; open until close().
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "heddle_model_server",
                "serve",
                "--model",
                str(folder),
                "--listen",
                "127.0.0.1:0",
                *flags,
            ],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self._log.seek(0)
            raise RuntimeError(f"the node did not start: {line}{self._log.read()}")
        self.address = line.split()[2]
        self._channel = grpc.insecure_channel(self.address)
        self.stub = node_pb2_grpc.NodeServiceStub(self._channel)

    def ask(self, **fields) -> Result:
        return read(list(self.stub.Generate(wire(fields), timeout=PATIENCE)))

    def close(self) -> None:
        self._channel.close()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self._log.close()


def until(true, seconds: float = PATIENCE) -> None:
    """Waits for something that another thread brings about."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


class AdapterStore(ThreadingHTTPServer):
    """Gives objects from memory to signed requests; fails the first time for names in `flaky`."""

    def __init__(self):
        self.objects: dict[str, bytes] = {}
        self.flaky: set[str] = set()
        super().__init__(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def environment(self) -> dict[str, str]:
        """Of a node that reads from it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.server_port}",
            "AWS_ACCESS_KEY_ID": "me",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }


class Answer(BaseHTTPRequestHandler):
    server: AdapterStore

    def do_GET(self):
        content = self.server.objects.get(self.path)
        status = 404 if content is None else 200
        if "Credential=me/" not in self.headers.get("authorization", ""):
            status = 403
        if self.path in self.server.flaky:
            self.server.flaky.discard(self.path)
            status = 500
        self.send_response(status)
        body = content if status == 200 else b""
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
