"""What a training of many pairs costs until its first steps: seconds, processor seconds and memory, message by message.

python -m tools.measure.start [PAIRS]     a million, unless another number is given
"""

import logging
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nmt_attention.cli.main import main
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs, write_pairs

LONGEST = 28  # letters of an English sentence that is joined to another
RARE = 0.1  # of the pairs get a word of their own, because many words of a large corpus occur once
LATIN = "ka", "ga", "ta", "da", "na", "pa", "ba", "ma", "ra", "la", "sa", "ha"
MARATHI = "का", "गा", "ता", "दा", "ना", "पा", "बा", "मा", "रा", "ला", "सा", "हा"


def write_corpus(path: Path, pairs: int) -> None:
    """Writes different pairs of about eight words, each of two short ones that are joined by a comma."""
    files = find_corpus(), DATA_DIRECTORY / "phrasebook.tsv", DATA_DIRECTORY / "talk.tsv"
    pairs_of_all = [pair[:2] for file in files for pair in read_pairs(file) if len(pair.source) <= LONGEST]
    short = [pair for pair in pairs_of_all if pair[0][-1] in ".?!" and '"' not in pair[0] + pair[1]]
    draw, made = random.Random(1), set[tuple[str, str]]()
    while len(made) < pairs:
        (source, target), (more, and_more) = draw.choice(short), draw.choice(short)
        syllables = [draw.randrange(len(LATIN)) for _ in range(6)] if draw.random() < RARE else []
        word, written = (" " * bool(syllables) + "".join(side[i] for i in syllables) for side in (LATIN, MARATHI))
        made.add((f"{source[:-1]},{word} {more}", f"{target[:-1]},{written} {and_more}"))
    write_pairs(path, sorted(made))


class Clock(logging.Handler):
    """Prints what a command has cost whenever it says something, and ends it when it tells of its steps."""

    began = time.perf_counter()

    def emit(self, record: logging.LogRecord) -> None:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        seconds, busy = time.perf_counter() - self.began, sum(each.ru_utime + each.ru_stime for each in used)
        line = f"{seconds:6.1f} s  {busy:6.1f} s of processors  {used[0].ru_maxrss / 2**20:5.2f} GiB"
        print(f"{line}  {record.getMessage()}", flush=True)
        if "tokens/s" in record.getMessage():
            raise KeyboardInterrupt


if __name__ == "__main__":
    if len(sys.argv) < 3:
        with tempfile.TemporaryDirectory() as directory:
            write_corpus(corpus := Path(directory) / "pairs.tsv", int(sys.argv[1] if sys.argv[1:] else 1_000_000))
            subprocess.run([sys.executable, "-m", "tools.measure.start", corpus, directory], check=False)
    else:
        logging.getLogger("nmt_attention").addHandler(Clock())
        main(["train", "--corpus", sys.argv[1], "--run", f"{sys.argv[2]}/run"])
