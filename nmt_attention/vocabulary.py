"""Token ids: the four special tokens of every vocabulary, and many id lists in two arrays."""

import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

PAD_ID, START_ID, END_ID, UNKNOWN_ID = 0, 1, 2, 3
SPECIAL_TOKENS = ("<pad>", "<start>", "<end>", "<unknown>")


class RaggedIds(NamedTuple):
    """Many id lists in two arrays, because lists would cost a million Python objects and ten times the memory.

    Row i is `values[splits[i]:splits[i + 1]]`.
    """

    values: np.ndarray
    splits: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]]) -> "RaggedIds":
        """Packs id lists."""
        lengths, values = [0], array.array("i")  # four bytes a number, where a list has a Python object
        for row in rows:
            lengths.append(len(row))
            values.extend(row)
        return cls(np.array(values, np.int32), np.cumsum(lengths, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.splits) - 1

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.splits)

    def truncate(self, max_length: int) -> "RaggedIds":
        """Returns the rows, each cut after its first `max_length` ids."""
        position = np.arange(len(self.values)) - np.repeat(self.splits[:-1], self.lengths)
        splits = np.cumsum([0, *np.minimum(self.lengths, max_length)], dtype=np.int64)
        return RaggedIds(self.values[position < max_length], splits)

    def padded(
        self, rows: slice | np.ndarray = slice(None), before: Sequence[int] = (), after: Sequence[int] = ()
    ) -> np.ndarray:
        """Returns rows as one array, int32, padded on the right, with ids added before and after each."""
        places = zip(self.splits[:-1][rows], self.splits[1:][rows], strict=True)
        lists = [[*before, *self.values[start:end], *after] for start, end in places]
        ids = np.full((len(lists), max(map(len, lists))), PAD_ID, np.int32)
        for row, values in zip(ids, lists, strict=True):
            row[: len(values)] = values
        return ids
