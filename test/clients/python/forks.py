"""Runs programs of this folder, each in a fork of a process that has loaded the SDKs, which takes a second of a core.

Listens on the socket that is named. A caller sends one line of JSON, {"program": path, "env": {...}}, and gets the id of a
process group, what the program writes to standard output, and, as the last line, its exit code. Its errors are in the file
`stderr` of its home. Ends with its standard input.
"""

import guard  # noqa: F401, I001

import importlib.util
import json
import os
import runpy
import select
import signal
import socket
import sys

for name in ('langfuse' if importlib.util.find_spec('langfuse') else 'weave', 'openai'):
    if importlib.util.find_spec(name):
        importlib.import_module(name)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(64)
print('listening', flush=True)
while True:
    ready, _, _ = select.select([listener, sys.stdin], [], [])
    if sys.stdin in ready:
        sys.exit()
    caller, _ = listener.accept()
    if os.fork() == 0:
        break
    caller.close()

# A fork, which waits for the program: another fork, so that what it is killed by is seen.
listener.close()
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
os.setsid()
asked = json.loads(caller.makefile().readline())
os.dup2(caller.fileno(), 1)
caller.close()
os.dup2(os.open(os.path.join(asked['env']['HOME'], 'stderr'), os.O_WRONLY | os.O_CREAT), 2)
print(os.getpid(), flush=True)
program = os.fork()
if program != 0:
    _, status = os.waitpid(program, 0)
    print(f'\n{os.waitstatus_to_exitcode(status)}', flush=True)
    os._exit(0)
os.environ.clear()
os.environ.update(asked['env'])
sys.argv = [asked['program']]
runpy.run_path(asked['program'], run_name='__main__')
