"""Loads the page of `python -m nmt_attention serve` with many clients at once, and says what became of it."""

import argparse
import http.client
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

import numpy as np
from check_page import serving

LINES = Path(__file__).parent.parent.joinpath("data/demo.tsv").read_text(encoding="utf-8").splitlines()
SENTENCES = [line.partition("\t")[0] for line in LINES]


def visit(host, number, end, seconds, lost):
    """Asks for one sentence after another until `end`; notes how long each answer took, or what went wrong."""
    connection = http.client.HTTPConnection(host, timeout=60)
    for i in range(number, sys.maxsize):
        start = time.monotonic()
        if start > end:
            break
        sentence = SENTENCES[i % len(SENTENCES)]
        try:
            connection.request("GET", "/?" + urllib.parse.urlencode({"sentence": sentence}))
            answer = connection.getresponse()
            text = answer.read().decode()
            value = sentence.replace("'", "&#39;")
            if answer.status != 200 or f'value="{value}"' not in text or 'class="translation"' not in text:
                lost.append(f"status {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            lost.append(repr(error))
            connection.close()
        seconds.append(time.monotonic() - start)
    connection.close()


def resident(process):
    """Returns the memory of a process in MiB."""
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(process.pid)])) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="directory of a trained run")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    with serving(options.run) as (address, process):
        host = urllib.parse.urlsplit(address).netloc
        visit(host, 0, time.monotonic() + 2, [], [])
        memory, seconds, lost = [resident(process)], [], []
        end = time.monotonic() + options.seconds
        clients = [
            threading.Thread(target=visit, args=(host, number, end, seconds, lost)) for number in range(options.clients)
        ]
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            time.sleep(min(10, options.seconds / 10))
            memory.append(resident(process))
    print(
        f"{options.clients} clients for {options.seconds:g} s: {len(seconds):,} requests, {len(lost)} lost", *set(lost)
    )
    shares = ", ".join(f"{share} % {np.percentile(seconds, share):.2f}" for share in (50, 90, 99, 100))
    print(f"seconds to the answer, in order: {shares}")
    print(f"memory of the server in MiB: first {memory[0]:.0f}, last {memory[-1]:.0f}, most {max(memory):.0f}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
