"""Renders callers' templates in a child process with limited memory and time, so that one without an end harms nobody."""

import json
import os
import subprocess
import sys
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection

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
        self._pipe: Connection | None = None

    def render(self, source: str, variables: dict) -> str:
        """The rendered text. Raises BAD_TEMPLATE if the template fails or exceeds its time, memory or output."""
        request = json.dumps([source, variables]).encode()
        with self._lock:
            try:
                if self._child is None or self._child.poll() is not None:
                    self._start()
                self._pipe.send_bytes(request)
                ok, text = json.loads(self._answer())
            except (OSError, EOFError) as error:
                self.close()
                why = "The chat template was stopped: it exceeded the limit on time, memory or output."
                raise NodeError("BAD_TEMPLATE", why, "chat_template") from error
        if not ok:
            raise NodeError("BAD_TEMPLATE", f"The chat template failed: {text.rstrip('.')}.", "chat_template")
        return text

    def close(self) -> None:
        """Kills the child process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            self._pipe.close()

    def _start(self) -> None:
        self.close()
        self._pipe, theirs = Pipe()
        with theirs:
            self._child = subprocess.Popen(
                [sys.executable, "-c", "from heddle_model_server.chat.template_sandbox import serve; serve()"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "TZ")},
            )
        # Starting up doesn't count as the template's time.
        self._answer()

    def _answer(self) -> bytes:
        """What the child says next. Raises OSError or EOFError if that is nothing, late or too much."""
        if not self._pipe.poll(WAITING_SECONDS):
            raise TimeoutError
        return self._pipe.recv_bytes(MAX_ANSWER_BYTES)


def serve() -> None:
    """The child's main loop: takes a template with its variables, answers, until nobody asks."""
    import resource
    import signal

    from .template import compiled, render

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pipe = Connection(sys.stdin.fileno())
    pipe.send_bytes(b"ready")
    while True:
        source, variables = json.loads(pipe.recv_bytes())
        # Its signal ends this process.
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            text = render(source, variables)
            answer = [True, text] if len(text) <= MAX_ANSWER_BYTES // 8 else [False, "its output is too long"]
        except BaseException as error:
            answer = [False, f"{type(error).__name__}: {error}"[:300]]
        signal.setitimer(signal.ITIMER_PROF, 0)
        compiled.cache_clear()
        pipe.send_bytes(json.dumps(answer).encode())
