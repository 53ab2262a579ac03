"""Ends what vLLM started when this process ends, in whatever way, while vLLM loads, too. Linux only, as vLLM's GPUs are. Knows
nothing of what those processes do.

They are found by a variable of their environment, which each has from its start and hands on. A list of their numbers would
come too late for those that have just started, and name others by the time that it is used."""

import os
import secrets
import subprocess

VARIABLE = "HEDDLE_NODE_PROCESS"
# The mark is its $0; its input ends with this process. What is killed may take a while to be gone.
SCRIPT = """
read -r _
while found=$(grep -lzsxF -e "$0" /proc/[0-9]*/environ); [ -n "$found" ]; do
  for file in $found; do file=${file%/environ}; kill -KILL "${file#/proc/}" 2>/dev/null; done
  sleep 0.1
done
"""


class Reaper:
    def __init__(self):
        """Every process that this one starts from now on is ended with it, or by `close`; forks without an exec are not."""
        self.mark = secrets.token_hex(16)
        command = ["/bin/sh", "-c", SCRIPT, f"{VARIABLE}={self.mark}"]
        outside = {name: value for name, value in os.environ.items() if name != VARIABLE}
        self._shell = subprocess.Popen(command, stdin=subprocess.PIPE, env=outside, start_new_session=True)
        # vLLM gives its processes titles, which else would be written over their environment.
        os.environ |= {VARIABLE: self.mark, "SPT_NOENV": "1"}

    def close(self) -> None:
        """Ends those that are left; returns when they are gone."""
        self._shell.stdin.close()
        self._shell.wait()
