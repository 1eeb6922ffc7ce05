"""Millions of texts in two memory-mapped arrays: a text by its number and, where they are sorted, its number by it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from builders.eureqa.graph import Ints


@dataclass(frozen=True)
class Names:
    """Text i stands in UTF-8 at `bytes[starts[i]:starts[i + 1]]`."""

    starts: Ints
    bytes: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> str:
        return bytes(self._raw(number)).decode()

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, text: str) -> int:
        """Return the number of a text among sorted ones, -1 where it is none of them."""
        wanted, low, high = text.encode(), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if bytes(self._raw(middle)) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and bytes(self._raw(low)) == wanted else -1

    def _raw(self, number: int) -> Ints:
        return self.bytes[int(self.starts[number]) : int(self.starts[number + 1])]

    def save(self, folder: Path, name: str) -> None:
        """Write both arrays."""
        np.save(folder / f"{name}.starts.npy", self.starts)
        np.save(folder / f"{name}.bytes.npy", self.bytes)


def pack(texts: Iterable[str]) -> Names:
    """Put texts into arrays, in their order; sort them by code point first where `find` is to be used."""
    encoded = [text.encode() for text in texts]
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=starts[1:])
    return Names(starts, np.frombuffer(b"".join(encoded), dtype=np.uint8))


def open_names(folder: Path, name: str) -> Names:
    """Map both arrays of saved names into memory."""
    parts = (np.load(folder / f"{name}.{part}.npy", mmap_mode="r") for part in ("starts", "bytes"))
    return Names(*(part.view(np.ndarray) for part in parts))
