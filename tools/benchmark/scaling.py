"""How the cost of starting a training grows with the corpus, measured on the `train` command itself."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from .workers import mebibytes

PAIRS = (10_000, 100_000, 250_000, 500_000, 1_000_000)
_STEP = re.compile(rb"step \d+/\d+")  # in a line of progress
_CHUNK = 10_000  # pairs made at a time, to stay small
_SYLLABLES = (
    [consonant + vowel for consonant in "bdfghjklmnprstvwz" for vowel in "aeiou"],
    [consonant + vowel for consonant in "कगचजटडतदनपबमयरलवशसह" for vowel in ("", "ा", "ि", "ी", "ु", "े", "ो")],
)


def measure_scaling(sizes):
    """Starts the `train` command on synthetic corpora of growing size, and stops it after its first step.

    Args:
        sizes: iterable of int, such as `PAIRS`. How many pairs the corpora have.

    Returns:
        List of dicts: "pairs"; "seconds" from the start of the process to the first line of progress, which comes when
        the first step has been done; "peak_memory" in MiB until then.

    Raises:
        OSError: on Windows, which has no pseudo-terminals.
        RuntimeError: training ended before its first step; the message has its last line.
    """
    if not hasattr(os, "openpty"):
        raise OSError("scaling: needs a pseudo-terminal, which Linux and macOS have")
    points = []
    for pairs in sizes:
        with tempfile.TemporaryDirectory() as directory:
            print(f"scaling: {pairs:,} pairs", file=sys.stderr)
            corpus = Path(directory) / "corpus.tsv"
            write_synthetic_pairs(corpus, pairs)
            seconds, peak = _time_to_first_step(corpus, Path(directory) / "run")
        points.append({"pairs": pairs, "seconds": seconds, "peak_memory": peak})
    return points


def _time_to_first_step(corpus, run):
    """Returns the seconds until training shows its progress, and the peak of its memory in MiB."""
    ours, theirs = os.openpty()  # on a terminal, progress is shown at once
    command = [sys.executable, "-m", "nmt_attention", "train", "--corpus", str(corpus), "--run", str(run)]
    started = time.perf_counter()
    with subprocess.Popen(command, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while not _STEP.search(shown):
            try:
                more = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side is closed
                more = b""
            if not more:
                break
            shown += more
        seconds = time.perf_counter() - started
        os.kill(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    os.close(ours)
    if not _STEP.search(shown):
        raise RuntimeError(f"training failed: {shown.decode(errors='replace').strip().rpartition(chr(10))[2]}")
    return seconds, mebibytes(usage)


def write_synthetic_pairs(path, pairs, seed=1):
    """Writes pairs of made-up sentences that cost a pipeline what real ones do.

    Words are made of syllables, their frequencies fall as Zipf's law has it, their number grows with the root of the
    text (Heaps' law), and sentences have 3 to 10 of them, the two of a pair about equally many.

    Args:
        path: file to write, UTF-8, two columns.
        pairs: int.
        seed: int. The same file for the same seed.
    """
    random = np.random.default_rng(seed)
    words = [_make_words(random, syllables, int(100 * pairs**0.5)) for syllables in _SYLLABLES]
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for start in range(0, pairs, _CHUNK):
            rows = min(_CHUNK, pairs - start)
            lengths = random.integers(3, 11, rows)
            sides = (_sentences(random, words[0], lengths), _sentences(random, words[1], lengths + (lengths % 3) - 1))
            file.writelines(f"{source}.\t{target}.\n" for source, target in zip(*sides, strict=True))


def _make_words(random, syllables, count):
    """Returns words of two to four syllables, all different, the shorter first as frequent words are."""
    words = dict.fromkeys(
        "".join(syllables[i] for i in random.integers(0, len(syllables), random.integers(2, 5)))
        for _ in range(2 * count)
    )
    return sorted(list(words)[:count], key=len)


def _sentences(random, words, lengths):
    """Yields sentences of these lengths; word r comes with probability about 1 / r."""
    ranks = (len(words) ** random.random(int(lengths.sum()))).astype(int) - 1
    for row in np.split(ranks, np.cumsum(lengths)[:-1]):
        yield " ".join(words[i] for i in row)


def to_table(points):
    """Returns the points as text, with what each 100,000 pairs more cost since the point before: linear is constant."""
    lines = [f"{'pairs':>9}  {'s to the first step':>19}  {'more':>8}  {'peak MiB':>8}  {'more':>8}"]
    for before, point in zip([None, *points], points, strict=False):
        time_more, memory_more = "", ""
        if before:
            steps = (point["pairs"] - before["pairs"]) / 100_000
            time_more, memory_more = (f"{(point[key] - before[key]) / steps:.1f}" for key in ("seconds", "peak_memory"))
        lines.append(
            f"{point['pairs']:>9,}  {point['seconds']:>19.1f}  {time_more:>8}  {point['peak_memory']:>8,.0f}  "
            f"{memory_more:>8}"
        )
    return "\n".join([*lines, "more: for each 100,000 pairs beyond the line before; the same in all lines is linear"])
