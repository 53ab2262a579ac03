"""Renders templates sent by callers in a child process with limited memory and time: an endless or memory-hungry
template harms nobody. Knows nothing of a template's content."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import threading

from ..errors import NodeError

# Of the processor; where there is much to do a template may wait for it.
SECONDS = 2.0
WAITING_SECONDS = 30.0
MEMORY_BYTES = 512 * 2**20
MAX_ANSWER_BYTES = 4 * 2**20


class TemplateSandbox:
    """Keeps one child process for the next template, and kills it when it is late. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._child: subprocess.Popen | None = None

    def render(self, source: str, variables: dict) -> str:
        """The rendered text. Raises BAD_TEMPLATE if the template fails or exceeds its time, memory or output."""
        request = json.dumps([source, variables]).encode() + b"\n"
        with self._lock:
            try:
                child = self._running_child()
                answer = self._exchange(child, request)
            except (OSError, ValueError):
                answer = None
            if answer is None:
                self.close()
                raise NodeError(
                    "BAD_TEMPLATE",
                    "The chat template was stopped: it exceeded the limit on time, memory or output.",
                    "chat_template",
                )
        ok, text = json.loads(answer)
        if not ok:
            raise NodeError("BAD_TEMPLATE", f"The chat template failed: {text.rstrip('.')}.", "chat_template")
        return text

    def close(self) -> None:
        """Kills the child process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            child.stdin.close()
            child.stdout.close()

    def _running_child(self) -> subprocess.Popen:
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = subprocess.Popen(
                [sys.executable, "-c", "from heddle_model_server.chat.template_sandbox import serve; serve()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "TZ")},
            )
            # Starting up doesn't count as the template's time.
            if self._answer(self._child) is None:
                raise OSError("the process for templates did not start")
        return self._child

    def _exchange(self, child: subprocess.Popen, request: bytes) -> bytes | None:
        writer = threading.Thread(target=write, args=(child, request), daemon=True)
        writer.start()
        return self._answer(child)

    @staticmethod
    def _answer(child: subprocess.Popen) -> bytes | None:
        """The next line of the child's output; None if it doesn't come in time."""
        pieces = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while selector.select(WAITING_SECONDS):
                piece = os.read(child.stdout.fileno(), 2**16)
                pieces += piece
                if not piece or len(pieces) > MAX_ANSWER_BYTES:
                    return None
                if pieces.endswith(b"\n"):
                    return bytes(pieces)
        return None


def write(child: subprocess.Popen, request: bytes) -> None:
    """Writes a request to the child. Runs on a thread of its own, since the pipe may fill up."""
    try:
        child.stdin.write(request)
        child.stdin.flush()
    except (OSError, ValueError):
        # The child was killed meanwhile; the reader of the answer notices.
        pass


def serve() -> None:
    """The child's main loop: reads one JSON line, writes one, until its input ends."""
    import resource
    import signal

    from .template import compiled, render

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    for line in sys.stdin.buffer:
        source, variables = json.loads(line)
        # Its signal ends this process.
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            text = render(source, variables)
            answer = [True, text] if len(text) <= MAX_ANSWER_BYTES // 8 else [False, "its output is too long"]
        except BaseException as error:
            answer = [False, f"{type(error).__name__}: {error}"[:300]]
        signal.setitimer(signal.ITIMER_PROF, 0)
        compiled.cache_clear()
        out.write(json.dumps(answer).encode() + b"\n")
        out.flush()
