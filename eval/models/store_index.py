"""Where every reply of a request store stands: made from the segments, in memory, places and no texts.

Where two processes asked the same, the reply that was stored first stands, whoever reads and in whatever order.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from eval.models.segments import SUFFIX, read_lines
from eval.models.store_line import Entry, decode, key_of
from loaders.errors import DecoyQAError

OPEN_FILES = 64
ATTEMPTS, PAUSE = 5, 0.5  # readings of a folder whose segments vanish meanwhile, and seconds between them
_SPAN = 1 << 44  # bytes that a segment may have; a place is one number, because millions of them are held


class Index:
    """The places of a folder's replies; keys are the 32 bytes of a sha256, and come in their order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[Path, BinaryIO] = {}
        self._reading = threading.RLock()  # an engine's thread may look something up while all is made anew
        self._forget()
        self.refresh()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: bytes) -> bool:
        with self._reading:
            return key in self._places

    def __iter__(self) -> Iterator[bytes]:
        return iter(sorted(self._places))

    def segments(self) -> list[Path]:
        """Return the segments as they were last read, in the order of their names."""
        return sorted(self._numbers)

    def place(self, key: bytes) -> tuple[Path, int] | None:
        """Return segment and offset of the line that stands for a key."""
        if key not in self._places:
            return None
        number, start = divmod(self._places[key], _SPAN)
        return self._paths[number], start

    def entry(self, key: bytes) -> Entry | None:
        """Return the call that stands for a key, read from its segment."""
        try:
            return self._read(key)
        except (OSError, ValueError):
            # Another process compacted the folder: what stood in this segment stands in another now.
            with self._reading:
                self._forget()
                self.refresh()
            return self._read(key)

    def add(self, key: bytes, path: Path, start: int, end: int) -> None:
        """Learn a line that this process wrote to a segment of its own."""
        number = self._number(path)
        self._sizes[number] = end
        self._places[key] = number * _SPAN + start

    def refresh(self) -> bool:
        """Learn what other processes stored; return whether a reply that was known gave way to an older one.

        Raises DecoyQAError if the folder does not keep still.
        """
        with self._reading:
            for _ in range(ATTEMPTS):
                try:
                    return self._read_new()
                except FileNotFoundError:
                    self._forget()
                    time.sleep(PAUSE)
        raise DecoyQAError(f"{self._folder}: its segments vanish while they are read; try again when that has ended")

    def close(self) -> None:
        """Close all files; they are opened again when they are needed."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _forget(self) -> None:
        self._places: dict[bytes, int] = {}
        self._numbers: dict[Path, int] = {}
        self._paths: list[Path] = []
        self._sizes: list[int] = []  # what was read of each segment, in bytes
        self.close()

    def _read_new(self) -> bool:
        paths, known = sorted(self._folder.glob(f"*{SUFFIX}")), bool(self._places)
        if gone := not self._numbers.keys() <= set(paths):
            self._forget()
        replaced = gone and known
        for path in paths:
            number = self._number(path)
            if path.stat().st_size > self._sizes[number]:
                replaced |= self._read_segment(path, number)
        return replaced

    def _read_segment(self, path: Path, number: int) -> bool:
        replaced = False
        for start, line in read_lines(path, self._sizes[number]):
            key = key_of(line)
            if key is None and not line.endswith(b"\n"):
                break  # torn, or not yet written to its end
            self._sizes[number] = start + len(line)
            if key is None:
                continue
            known = self._read(key)
            if known is None or decode(line).time < known.time:
                replaced |= known is not None
                self._places[key] = number * _SPAN + start
        return replaced

    def _number(self, path: Path) -> int:
        if path not in self._numbers:
            self._numbers[path] = len(self._paths)
            self._paths.append(path)
            self._sizes.append(0)
        return self._numbers[path]

    def _read(self, key: bytes) -> Entry | None:
        place = self.place(key)
        if place is None:
            return None
        file = self._open(place[0])
        file.seek(place[1])
        return decode(file.readline())

    def _open(self, path: Path) -> BinaryIO:
        if path not in self._files:
            if len(self._files) == OPEN_FILES:
                self.close()
            self._files[path] = path.open("rb")
        return self._files[path]
