"""Processes that are forked from one that has loaded the libraries."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from served import PATIENCE, ForkedProcess


def tell_and(act: str) -> int | None:
    sys.stdout = os.fdopen(1, "w", 1)
    print(os.getpid(), os.getpgrp(), "torch" in sys.modules)
    if act == "wait":
        os.read(0, 1)
    if act == "raise":
        raise ValueError
    if act == "exit":
        sys.exit(4)
    return 3 if act == "return" else None


@pytest.mark.parametrize(
    ("act", "status"), [("end", 0), ("return", 3), ("exit", 4), ("raise", 1), ("wait", -signal.SIGKILL)]
)
def test_a_fork_leads_a_group_finds_the_libraries_and_its_end_is_told(act, status):
    process = ForkedProcess(tell_and, act)
    assert process.stdout.readline().split() == [str(process.pid), str(process.pid), "True"]
    if act == "wait":
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert process.wait(PATIENCE) == status
    process.close()


def test_a_fork_that_is_not_found_harms_no_other():
    def unknown():
        pass

    with pytest.raises((AttributeError, TypeError)):
        ForkedProcess(unknown)
    process = ForkedProcess(tell_and, "end")
    assert process.wait(PATIENCE) == 0
    process.close()


def test_input_ends_with_its_writer():
    process = ForkedProcess(tell_and, "wait")
    process.stdout.readline()
    process.close()
    assert process.wait(PATIENCE) == 0
