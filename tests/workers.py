"""Starts processes of a script, alone or as two workers of one training."""

import json
import os
import socket
import subprocess
import sys


def run(script, *arguments, tf_config=None):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((os.getcwd(), "tests"))}
    if tf_config:
        environment["TF_CONFIG"] = json.dumps(tf_config)
    return subprocess.Popen(
        [sys.executable, *(["-c", script] if script else []), *map(str, arguments)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_workers(script, *arguments, extra=((), ())):
    """Starts two workers on free ports of this machine, each with its own extra arguments."""
    sockets = [socket.socket() for _ in extra]
    for free in sockets:
        free.bind(("127.0.0.1", 0))
    cluster = {"worker": [f"127.0.0.1:{free.getsockname()[1]}" for free in sockets]}
    for free in sockets:
        free.close()
    return [
        run(script, *arguments, *own, tf_config={"cluster": cluster, "task": {"type": "worker", "index": index}})
        for index, own in enumerate(extra)
    ]


def finish(*processes, seconds=900):
    """Waits for processes; returns their exit status, standard output and standard error."""
    try:
        texts = [process.communicate(timeout=seconds) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    return [(process.returncode, *text) for process, text in zip(processes, texts, strict=True)]
