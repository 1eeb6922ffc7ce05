"""Every reply that was ever paid for, in append-only segments: one JSON line each, on disk before it is used.

The folder may lie on a network file system: no locks, no memory maps, one writer a segment, an index made from them.
"""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Self

from eval.models.engine import Reply, Request
from eval.models.segments import Segment
from eval.models.store_index import Index
from eval.models.store_line import Entry, encode

Told = Callable[[int, int], None]  # hears (done, all)


def untold(done: int, total: int) -> None:
    """Nobody listens."""


class RequestStore:
    """The replies of a folder; each writing process appends to a segment of its own, so several may write at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = Index(folder)
        self._segment: Segment | None = None

    def __len__(self) -> int:
        return len(self.index)

    def __contains__(self, key: str) -> bool:
        return bytes.fromhex(key) in self.index

    def get(self, key: str) -> Reply | None:
        """Return the stored reply to the request with this key."""
        found = self.entry(key)
        return found.reply if found else None

    def entry(self, key: str) -> Entry | None:
        """Return the stored call with this key."""
        return self.index.entry(bytes.fromhex(key))

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
        key, line = bytes.fromhex(reply.key), encode(request, reply)
        try:
            self._append(key, line)
        except OSError as error:
            # The line may be torn: nothing more goes into this segment.
            self._end_segment()
            if error.errno != errno.ESTALE:
                raise
            self._append(key, line)
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
        return self.index.refresh()

    def close(self) -> None:
        """Close the segment, when it is on disk; a later `put` starts another."""
        self.index.close()
        self._end_segment()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, key: bytes, line: bytes) -> None:
        self._segment = self._segment or Segment(self.folder)
        start = self._segment.append(line)
        self.index.add(key, self._segment.path, start, self._segment.size)

    def _end_segment(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()
