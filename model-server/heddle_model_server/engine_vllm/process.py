"""The vLLM server process: starts it, waits until it is ready, ends it with all its children. Knows nothing of its
requests."""

from __future__ import annotations

import logging
import os
import secrets
import shlex
import signal
import socket
import subprocess
import time
from collections import deque
from dataclasses import dataclass
from threading import Thread

import httpx

log = logging.getLogger(__name__)

LOG_TAIL_LINES = 40
STOP_SECONDS = 20
ORPHAN_SECONDS = 8
# Terminates "$@" when the standard input ends, which happens when the node stops or dies, even by SIGKILL. After a delay it
# kills the whole process group: a short delay if the node died (no line announced the stop), so that the server is gone
# before the node's supervisor restarts it.
WATCHDOG = f"""exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 3<&- 2>&4 4>&- &
child=$!
{{ left={ORPHAN_SECONDS}; read -r asked <&3 && left=$asked
  trap '' TERM
  kill -TERM $child
  while [ $left -gt 0 ] && kill -0 $child; do sleep 1; left=$((left - 1)); done
  kill -KILL 0; }} >/dev/null &
watch=$!
exec 3<&- 4>&-
wait $child; code=$?
kill $watch
exit $code"""


@dataclass(frozen=True, slots=True)
class VllmSettings:
    """command: the program with its first arguments, split as a shell would. arguments: more arguments for `vllm
    serve`. start_seconds: how long it may take to start."""

    model: str
    command: str = "vllm"
    arguments: str = ""
    dtype: str = "auto"
    context: int = 0
    slots: int = 32
    queue_limit: int = 256
    priorities: bool = True
    prefix_cache: bool = True
    max_adapters: int = 8
    max_adapter_rank: int = 16
    start_seconds: float = 900.0


# The base model's name in the server.
BASE = "base"


class VllmServer:
    def __init__(self, settings: VllmSettings):
        self.port = free_port()
        self.key = secrets.token_hex(24)
        self.address = f"http://127.0.0.1:{self.port}"
        self._log_lines: deque[str] = deque(maxlen=LOG_TAIL_LINES)
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", WATCHDOG, "sh", *shlex.split(settings.command), *arguments(settings, self.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                # Without the node's settings and the artifact store's credentials: the node fetches adapters.
                **{k: v for k, v in os.environ.items() if not k.startswith(("HEDDLE_", "AWS_"))},
                "VLLM_API_KEY": self.key,
                # VllmAdapterCache loads and unloads adapters; the server listens on loopback and requires the key.
                "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
                "VLLM_NO_USAGE_STATS": "1",
                "DO_NOT_TRACK": "1",
            },
            start_new_session=True,
        )
        self._reader = Thread(target=self._read, name="vllm-log", daemon=True)
        self._reader.start()
        self._start_seconds = settings.start_seconds

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._log_lines.append(line.rstrip())
            log.debug("vllm: %s", line.rstrip())

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    @property
    def log_tail(self) -> str:
        """The last lines of its output."""
        return "\n".join(self._log_lines)

    def wait_until_ready(self) -> str:
        """Returns the server's version. Raises RuntimeError with the log's tail if the server ends or doesn't answer
        in time."""
        until = time.monotonic() + self._start_seconds
        with httpx.Client(base_url=self.address, timeout=5.0) as client:
            while time.monotonic() < until:
                if not self.alive:
                    raise RuntimeError("The vLLM server ended at its start:\n" + self.log_tail)
                try:
                    if client.get("/health").status_code == 200:
                        return str(client.get("/version").json().get("version", ""))
                except (httpx.HTTPError, ValueError):
                    pass
                time.sleep(0.2)
        self.stop()
        raise RuntimeError("The vLLM server did not answer in time:\n" + self.log_tail)

    def stop(self) -> None:
        """Asks the server to end, and kills it if it doesn't."""
        if self._process.stdin is not None:
            try:
                self._process.stdin.write(f"{STOP_SECONDS}\n")
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self._process.wait(STOP_SECONDS + 2)
        except subprocess.TimeoutExpired:
            log.warning("the vLLM server did not end in time; killing it")
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()


def arguments(settings: VllmSettings, port: int) -> list[str]:
    """The arguments of `vllm serve`. Limits that the node enforces itself are left open."""
    given = ["serve", settings.model, "--host", "127.0.0.1", "--port", str(port), "--served-model-name", BASE]
    given += ["--dtype", settings.dtype, "--max-num-seqs", str(settings.slots)]
    # Sampling defaults come from the node.
    given += ["--generation-config", "vllm", "--max-logprobs", "-1"]
    # The node writes its grammars for this library.
    given += ["--structured-outputs-config", '{"backend": "guidance"}']
    given += ["--enable-prompt-tokens-details", "--no-enable-log-requests", "--disable-uvicorn-access-log"]
    given += ["--enable-prefix-caching" if settings.prefix_cache else "--no-enable-prefix-caching"]
    given += ["--scheduling-policy", "priority" if settings.priorities else "fcfs"]
    if settings.context:
        given += ["--max-model-len", str(settings.context)]
    if settings.max_adapters:
        given += ["--enable-lora", "--max-loras", str(settings.max_adapters)]
        given += ["--max-lora-rank", str(vllm_rank(settings.max_adapter_rank))]
    return given + shlex.split(settings.arguments)


def vllm_rank(rank: int) -> int:
    """The smallest rank vLLM supports that is at least `rank`."""
    return next((one for one in (8, 16, 32, 64, 128, 256, 320) if one >= rank), 512)


def free_port() -> int:
    """A free port on loopback."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]
