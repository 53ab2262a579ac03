"""A vLLM server as a process beside the node: started, waited for, ended with everything it started. Knows nothing of
what it is asked."""

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
# Ends "$@" when the standard input ends: that is when the node stops or died, even by a signal that nobody catches. After
# a while with everything that it has started: soon where the node died (no line says that it stops), as it should be gone
# before the node's own parent gives up on the node.
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
    """command: what runs vLLM; a shell's words. arguments: more of its own. start_seconds: until it answers."""

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


# The name of the base model in the server's own interface.
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
                # The node's, without its settings and the artifact store's credentials: the node fetches adapters itself.
                **{k: v for k, v in os.environ.items() if not k.startswith(("HEDDLE_", "AWS_"))},
                "VLLM_API_KEY": self.key,
                # The shelf loads and unloads adapters; the server listens on loopback alone, and asks for a key.
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
        return self._process.poll() is None

    @property
    def log_tail(self) -> str:
        return "\n".join(self._log_lines)

    def wait_until_ready(self) -> str:
        """Its version. Raises RuntimeError with its last words if it ends, or does not answer in time."""
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
        """Asks it to end, and makes it end when it doesn't."""
        if self._process.stdin is not None:
            try:
                self._process.stdin.write(f"{STOP_SECONDS}\n")
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self._process.wait(STOP_SECONDS + 2)
        except subprocess.TimeoutExpired:
            log.warning("the vLLM server did not end in time and is killed")
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()


def arguments(settings: VllmSettings, port: int) -> list[str]:
    """Of `vllm serve`. What the node checks and decides itself is left open here."""
    given = ["serve", settings.model, "--host", "127.0.0.1", "--port", str(port), "--served-model-name", BASE]
    given += ["--dtype", settings.dtype, "--max-num-seqs", str(settings.slots)]
    # Every default of sampling comes from the node.
    given += ["--generation-config", "vllm", "--max-logprobs", "-1"]
    # The node's own grammars are written for this library.
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
    """The smallest rank that vLLM knows and that is not below."""
    return next((one for one in (8, 16, 32, 64, 128, 256, 320) if one >= rank), 512)


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]
