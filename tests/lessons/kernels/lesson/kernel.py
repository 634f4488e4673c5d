"""The kernel that runs notebooks as tests: a copy of a process that has imported TensorFlow.

python kernel.py CONNECTION_FILE    asks that process for a copy, if there is one, and lives as long as the copy
python kernel.py serve DESCRIPTOR   is that process, until its standard input ends
"""

import json
import os
import selectors
import shutil
import signal
import socket
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


def run_kernel(connection_file):
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    np.random.seed()  # copies of a process would all draw the same
    IPKernelApp.launch_instance(["-f", connection_file])


def ask_for_kernel(address, connection_file):
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        server.sendall(json.dumps([connection_file, os.getcwd(), dict(os.environ)]).encode() + b"\n")
        server.recv(1)  # comes never: the copy has ended


def serve(listener):
    import gc

    import ipykernel.kernelapp  # noqa: F401
    import keras  # noqa: F401
    import matplotlib.figure  # noqa: F401

    import nmt_attention.runs.run  # noqa: F401

    gc.freeze()  # what has been imported stays
    signal.signal(signal.SIGCHLD, lambda *_: os.waitpid(-1, os.WNOHANG))
    selector = selectors.DefaultSelector()
    for source in (listener, sys.stdin):
        selector.register(source, selectors.EVENT_READ)
    while all(key.fileobj is listener for key, _ in selector.select()):
        asking, _ = listener.accept()
        if os.fork() == 0:
            become_kernel(asking)
        asking.close()
    shutil.rmtree(Path(listener.getsockname()).parent)


def become_kernel(asking):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection_file, directory, environment = json.loads(asking.makefile().readline())
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)

    def end_with_who_asked():
        asking.recv(1)
        os._exit(0)

    threading.Thread(target=end_with_who_asked, daemon=True).start()
    run_kernel(connection_file)
    os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    if sys.argv[1] == "serve":
        serve(socket.socket(fileno=int(sys.argv[2])))
    elif address := os.environ.get("LESSON_KERNELS"):
        ask_for_kernel(address, sys.argv[1])
    else:
        run_kernel(sys.argv[1])
