"""A node in a process of its own, reached as workers reach it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import grpc
from wire import Result, read, wire

from heddle.node.v1 import node_pb2_grpc
from heddle_model_server.__main__ import main
from heddle_model_server.forks import Forks


# Seconds until something that has to happen counts as not happening: far more than it takes on a busy machine.
PATIENCE = 120.0


def run_node(flags: list[str], environment: dict[str, str], log: str) -> int:
    """The node's command, in a fork."""
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), 2)
    # Not pytest's.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", 1) for number in (1, 2))
    sys.argv = ["heddle_model_server", "serve", *flags]
    return main()


class ForkedProcess:
    """What subprocess.Popen is of a process that is started by its command."""

    def __init__(self, *main):
        fork = FORKS.start(*main)
        self.pid = fork.pid
        self.stdout = os.fdopen(fork.stdout)
        self._stdin = fork.stdin
        self._status: int | None = None

    def poll(self) -> int | None:
        if self._status is None:
            self._status = FORKS.exit_status(self.pid)
        return self._status

    def wait(self, timeout: float) -> int:
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(0.01)
        return self._status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def close(self) -> None:
        self.stdout.close()
        os.close(self._stdin)


class ServedNode:
    """A node in a process of its own, reached as workers reach it."""

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None):
        # Not a pipe, which would fill up; open until close().
        self._log = tempfile.NamedTemporaryFile("r")  # noqa: SIM115
        flags = ["--model", str(folder), "--listen", "127.0.0.1:0", *map(str, flags)]
        self.process = ForkedProcess(run_node, flags, {**os.environ, **(environment or {})}, self._log.name)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the node did not start: {line}{self._log.read()}")
        self.address = line.split()[2]
        self._channel = grpc.insecure_channel(self.address)
        self.stub = node_pb2_grpc.NodeServiceStub(self._channel)

    def ask(self, **fields) -> Result:
        return read(list(self.stub.Generate(wire(fields), timeout=PATIENCE)))

    def close(self) -> None:
        self._channel.close()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except TimeoutError:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE)
        self.process.close()
        self._log.close()


def until(true, seconds: float = PATIENCE) -> None:
    """Waits for something that another thread brings about."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for it")
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


# Of nodes and trainers: each is a process of its own, and what takes seconds of its start, loading the libraries, is done once.
# test/models starts nodes by their command.
FORKS = Forks("heddle_model_server.node.serve")
