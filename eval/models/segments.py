"""A segment of the request store: a file of lines that one process appends to and all may read."""

import errno
import os
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

SUFFIX = ".jsonl"
UNFINISHED = ".tmp"


def read_lines(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield (offset in bytes, line) from an offset on; the last line may lack its end."""
    with path.open("rb") as lines:
        lines.seek(start)
        for line in lines:
            yield start, line
            start += len(line)


class Segment:
    """The segment that this process writes; nobody else ever does, so that no lock and no O_APPEND is needed.

    One thread brings what was written to the disk while more is written: on a slow disk many lines share an fsync.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / new_name()
        self.size = 0
        # Unbuffered, so that no part of a failed write can follow later.
        self._file = self.path.open("xb", buffering=0)
        sync_folder(folder)
        self._syncer = ThreadPoolExecutor(1)
        self._syncs: deque[Future[None]] = deque()

    def append(self, line: bytes) -> int:
        """Hand a line to the system, which keeps it if this process is killed; return its offset.

        After an OSError the segment is of no more use. Its errno is ESTALE if the segment was compacted away: the line
        has to go into another.
        """
        start = self.size
        if self._file.write(line) != len(line):
            raise OSError(f"{self.path}: a reply was only written in part; is the disk full?")
        if not self.path.exists():
            raise OSError(errno.ESTALE, "the segment was compacted away", str(self.path))
        self.size += len(line)
        self._sync_soon()
        return start

    def sync(self) -> None:
        """Return when every line is on disk; raises OSError if one cannot be brought there."""
        while self._syncs:
            self._syncs.popleft().result()

    def close(self) -> None:
        """Close the file, when every line is on disk."""
        try:
            self.sync()
        finally:
            self._syncer.shutdown()
            self._file.close()

    def _sync_soon(self) -> None:
        while self._syncs and self._syncs[0].done():
            self._syncs.popleft().result()
        # One that has not begun will bring this line along.
        if not self._syncs or self._syncs[-1].running():
            self._syncs.append(self._syncer.submit(os.fsync, self._file.fileno()))


def write_segment(folder: Path, lines: Iterable[bytes]) -> Path:
    """Write a whole segment, which is there when all of it is on disk; raises OSError and leaves nothing behind."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / new_name()
    unfinished = path.with_suffix(UNFINISHED)
    try:
        with unfinished.open("xb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(folder)
    return path


def new_name() -> str:
    """Return a file name that no other process chooses; names sort by time."""
    return f"{time.time_ns():020d}-{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
