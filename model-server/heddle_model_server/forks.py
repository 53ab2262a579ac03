"""Forks processes from one that has loaded the libraries: loading them takes seconds, a fork takes none. That one is itself a
fork of this process, made before this has threads or uses a GPU: neither would work in a fork. On Linux they are all killed
with this process; elsewhere they have to end with their input."""

import ctypes
import gc
import importlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from types import ModuleType
from typing import NoReturn


@dataclass(frozen=True, slots=True)
class Fork:
    """stdin, stdout: of the process; our ends of its pipes."""

    pid: int
    stdin: int
    stdout: int


class Forks:
    def __init__(self, module: str):
        """module: it is loaded before the forks. To be called before anything starts a thread."""
        self._asking = threading.Lock()
        self._pipe, theirs = Pipe()
        if os.fork() == 0:
            self._pipe.close()
            run_alone(fork_when_asked, theirs, module)
        theirs.close()

    def start(self, main: Callable, *arguments) -> Fork:
        """Calls main in a process of its own, which leads a group. Takes longer while the module is loaded. Raises OSError
        or EOFError if the process that forks is gone."""
        asked = pickle.dumps((main, arguments))
        their_stdin, stdin = os.pipe()
        stdout, their_stdout = os.pipe()
        try:
            with self._asking:
                self._pipe.send(asked)
                send_handle(self._pipe, their_stdin, None)
                send_handle(self._pipe, their_stdout, None)
                return Fork(self._pipe.recv(), stdin, stdout)
        finally:
            os.close(their_stdin)
            os.close(their_stdout)

    def exit_status(self, pid: int) -> int | None:
        """What the process returned, or minus the signal that killed it, which is told once; None while it runs."""
        try:
            with self._asking:
                self._pipe.send(pid)
                return self._pipe.recv()
        except (OSError, EOFError):
            # The process that forks is gone, and has taken them with it.
            return -signal.SIGKILL


def load(module: str) -> ModuleType:
    """Imports a module, without looking for garbage: a sixth of the time, for 600,000 objects of torch and transformers that stay."""
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def fork_when_asked(pipe: Connection, module: str) -> None:
    """The main loop of the process that forks; returns when nobody can ask any more."""
    # Ctrl-C in a terminal is for the process that asks.
    os.setsid()
    load(module)
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        if isinstance(asked, int):
            ended, status = os.waitpid(asked, os.WNOHANG)
            pipe.send(os.waitstatus_to_exitcode(status) if ended else None)
            continue
        stdin, stdout = recv_handle(pipe), recv_handle(pipe)
        pid = os.fork()
        if pid == 0:
            pipe.close()
            run_alone(begin, stdin, stdout, asked)
        os.close(stdin)
        os.close(stdout)
        pipe.send(pid)


def begin(stdin: int, stdout: int, asked: bytes) -> int | None:
    """Runs what was asked for with these for its input and output, at the head of a group."""
    os.setsid()
    for given, usual in ((stdin, 0), (stdout, 1)):
        os.dup2(given, usual)
        os.close(given)
    main, arguments = pickle.loads(asked)
    return main(*arguments)


def run_alone(main: Callable, *arguments) -> NoReturn:
    """Ends this process, which was just forked, with what main returns: nothing of what its parent had begun goes on here."""
    status = 1
    try:
        die_with_parent()
        status = main(*arguments) or 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def die_with_parent() -> None:
    """Linux: this process is killed when its parent dies."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except AttributeError:
        pass
