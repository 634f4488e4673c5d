"""Token ids: the four special tokens of every vocabulary, and many id lists in two arrays."""

from typing import NamedTuple

import numpy as np

PAD_ID, START_ID, END_ID, UNKNOWN_ID = 0, 1, 2, 3
SPECIAL_TOKENS = ("<pad>", "<start>", "<end>", "<unknown>")


class RaggedIds(NamedTuple):
    """Many id lists in two arrays: a list per sentence would cost a million Python objects and ten times the memory.

    Row i is `values[splits[i]:splits[i + 1]]`.
    """

    values: np.ndarray
    splits: np.ndarray

    @classmethod
    def of(cls, rows):
        """Packs an iterable of id lists."""
        lengths, chunks, chunk = [], [], []
        for row in rows:
            lengths.append(len(row))
            chunk.extend(row)
            if len(chunk) > 1_000_000:  # the plain Python list stays short
                chunks.append(np.array(chunk, np.int32))
                chunk = []
        chunks.append(np.array(chunk, np.int32))
        return cls(np.concatenate(chunks), np.cumsum([0, *lengths], dtype=np.int64))

    def __len__(self):
        return len(self.splits) - 1

    @property
    def lengths(self):
        return np.diff(self.splits)

    def truncate(self, max_length):
        """Returns the same rows, each without what comes after its first `max_length` ids."""
        position = np.arange(len(self.values)) - np.repeat(self.splits[:-1], self.lengths)
        return RaggedIds(
            self.values[position < max_length], np.cumsum([0, *np.minimum(self.lengths, max_length)], dtype=np.int64)
        )
