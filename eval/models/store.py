"""Every reply that was ever paid for, in append-only segments: one JSON line each, on disk before it is used."""

import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from eval.models.engine import Engine, Failure, Reply, Request


class RequestStore:
    """The replies of a folder; each writing process appends to a segment of its own, so several may write at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segment: BinaryIO | None = None
        self._replies: dict[str, Reply] = {}
        folder.mkdir(parents=True, exist_ok=True)
        # Names start with the time, so the oldest reply stands where two processes asked the same.
        for segment in sorted(folder.glob("*.jsonl")):
            for reply in _read(segment):
                self._replies.setdefault(reply.key, reply)

    def __len__(self) -> int:
        return len(self._replies)

    def get(self, key: str) -> Reply | None:
        """Return the stored reply to the request with this key."""
        return self._replies.get(key)

    def put(self, request: Request, reply: Reply) -> None:
        """Store a reply, on disk when this returns; one that is already there stays. Raises OSError (full disk)."""
        if reply.key != request.key:
            raise ValueError(f"reply {reply.key} does not belong to request {request.key}")
        if reply.key in self._replies:
            return
        line = json.dumps({"request": asdict(request), "reply": asdict(reply)}) + "\n"
        try:
            self._append(line.encode())
        except OSError:
            # The line may be torn: nothing more goes into this segment.
            self.close()
            raise
        self._replies[reply.key] = reply

    def close(self) -> None:
        """Close the segment; a later `put` starts another."""
        segment, self._segment = self._segment, None
        if segment is not None:
            segment.close()

    def _append(self, line: bytes) -> None:
        if self._segment is None:
            name = f"{time.time_ns():020d}-{os.getpid()}-{uuid.uuid4().hex[:8]}.jsonl"
            # Unbuffered, so that no part of a failed write can follow later.
            self._segment = (self._folder / name).open("xb", buffering=0)
            _sync_folder(self._folder)
        if self._segment.write(line) != len(line):
            raise OSError(f"{self._segment.name}: a reply was only written in part; is the disk full?")
        os.fsync(self._segment.fileno())


def _read(segment: Path) -> Iterator[Reply]:
    """Yield the replies of a segment; a line that a kill or a full disk tore is skipped."""
    with segment.open("rb") as lines:
        for line in lines:
            with suppress(ValueError, KeyError, TypeError):
                yield Reply(**json.loads(line)["reply"])


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def ask_all(
    engine: Engine,
    requests: Sequence[Request],
    store: RequestStore,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, Reply], list[Failure]]:
    """Return the replies by key, in the order of the requests, and the calls that failed; `progress` hears (done, all).

    Only what is not stored is asked, once each, and stored as it arrives: a kill loses the calls in flight at most.
    """
    wanted = {request.key: request for request in requests}
    missing = [request for key, request in wanted.items() if store.get(key) is None]
    if any(request.engine != engine.identity for request in missing):
        raise ValueError(f"a request is addressed to another engine than {engine.identity}")
    failures: list[Failure] = []
    for done, answer in enumerate(engine.ask(missing), len(wanted) - len(missing) + 1):
        if isinstance(answer, Failure):
            failures.append(answer)
        else:
            store.put(wanted[answer.key], answer)
        if progress:
            progress(done, len(wanted))
    return {key: reply for key in wanted if (reply := store.get(key))}, failures
