"""The corpus of a million pairs that TensorFlow must not copy."""

import subprocess
import sys

MILLION = """
import re, resource
from pathlib import Path
from nmt_attention.batches import make_dataset
from nmt_attention.vocabulary import RaggedIds

def used():
    # Linux counts the parent's memory in ru_maxrss; its own account of a process does not
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(re.search("VmHWM: *([0-9]+)", status.read_text().replace(chr(9), " "))[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

few = RaggedIds.of([4, 5, 6] for _ in range(100))
next(iter(make_dataset(few, few, 10, seed=1)))
before = used()
many = [RaggedIds.of(list(range(1000, 1010)) for _ in range(1_000_000)) for _ in "st"]
next(iter(make_dataset(*many, 128, seed=1)))
print(used() - before)
"""


def test_a_million_pairs_cost_less_than_500_mb():
    done = subprocess.run([sys.executable, "-c", MILLION], capture_output=True, text=True, check=True)
    assert 50e6 < int(done.stdout) < 500e6
