"""Every reply that was ever paid for, in append-only segments: one JSON line each, on disk before it is used.

The folder may lie on a network file system: no locks, no memory maps, one writer a segment. The index in memory holds
places, no texts. Where two processes asked the same, the reply that was stored first stands.
"""

import errno
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Self

from eval.models.engine import Reply, Request
from eval.models.segments import SUFFIX, Entry, Segment, decode, encode, key_of, read_lines
from loaders.errors import DecoyQAError

OPEN_FILES = 64
ATTEMPTS, PAUSE = 5, 0.5  # readings of a folder whose segments vanish meanwhile, and seconds between them
_SPAN = 1 << 44  # bytes that a segment may have; a place is one number, because millions of them are held


Told = Callable[[int, int], None]  # hears (done, all)


def untold(done: int, total: int) -> None:
    """Nobody listens."""


class RequestStore:
    """The replies of a folder; each writing process appends to a segment of its own, so several may write at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._segment: Segment | None = None
        self._files: dict[Path, BinaryIO] = {}
        self._reading = threading.RLock()  # an engine's thread may ask what is stored while the index is made anew
        self._forget()
        self.refresh()

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, key: str) -> bool:
        with self._reading:
            return bytes.fromhex(key) in self._index

    def sorted_keys(self) -> list[str]:
        """Return the keys of all replies, sorted."""
        return [key.hex() for key in sorted(self._index)]

    def get(self, key: str) -> Reply | None:
        """Return the stored reply to the request with this key."""
        found = self.entry(key)
        return found.reply if found else None

    def entry(self, key: str) -> Entry | None:
        """Return the stored call with this key."""
        digest = bytes.fromhex(key)
        try:
            return self._read(digest)
        except (OSError, ValueError):
            # Another process compacted the folder: what stood in this segment stands in another now.
            with self._reading:
                self._forget()
                self.refresh()
            return self._read(digest)

    def segments(self) -> list[Path]:
        """Return the segments as they were last read, in the order of their names."""
        return sorted(self._numbers)

    def place(self, key: bytes) -> tuple[Path, int] | None:
        """Return segment and offset of the line that stands for a key, which is given as its 32 bytes."""
        if key not in self._index:
            return None
        number, start = divmod(self._index[key], _SPAN)
        return self._paths[number], start

    def put(self, request: Request, reply: Reply) -> None:
        """Store a reply, on disk when this returns; one that is already there stays. Raises OSError (full disk)."""
        self.add(request, reply)
        self.sync()

    def add(self, request: Request, reply: Reply) -> bool:
        """Store a reply that no kill of this process takes any more, and that is on disk when `sync` returns.

        Returns whether it is new; one that is already there stays. Raises OSError (full disk).
        """
        if reply.key != request.key:
            raise ValueError(f"reply {reply.key} does not belong to request {request.key}")
        if reply.key in self:
            return False
        line = encode(request, reply)
        try:
            place = self._append(line)
        except OSError as error:
            # The line may be torn: nothing more goes into this segment.
            self._end_segment()
            if error.errno != errno.ESTALE:
                raise
            place = self._append(line)
        self._index[bytes.fromhex(reply.key)] = place
        return True

    def sync(self) -> None:
        """Return when every reply that was added is on disk; raises OSError if one cannot be brought there."""
        try:
            if self._segment is not None:
                self._segment.sync()
        except OSError:
            self._end_segment()
            raise

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
        raise DecoyQAError(f"{self.folder}: its segments vanish while they are read; try again when that has ended")

    def close(self) -> None:
        """Close the segment, when it is on disk; a later `put` starts another."""
        self._close_files()
        self._end_segment()

    def _end_segment(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget(self) -> None:
        self._index: dict[bytes, int] = {}
        self._numbers: dict[Path, int] = {}
        self._paths: list[Path] = []
        self._sizes: list[int] = []  # what was read of each segment, in bytes
        self._close_files()

    def _read_new(self) -> bool:
        paths, known = sorted(self.folder.glob(f"*{SUFFIX}")), bool(self._index)
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
                self._index[key] = number * _SPAN + start
        return replaced

    def _append(self, line: bytes) -> int:
        self._segment = self._segment or Segment(self.folder)
        start = self._segment.append(line)
        number = self._number(self._segment.path)
        self._sizes[number] = self._segment.size
        return number * _SPAN + start

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
                self._close_files()
            self._files[path] = path.open("rb")
        return self._files[path]

    def _close_files(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()
