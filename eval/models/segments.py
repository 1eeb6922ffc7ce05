"""A segment of the request store: JSON Lines that one process appends to, each with a checksum."""

import errno
import json
import os
import re
import time
import uuid
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval.models.engine import Message, Reply, Request

SUFFIX = ".jsonl"
UNFINISHED = ".tmp"

_HEAD = re.compile(rb'\{"crc32": "([0-9a-f]{8})", "key": "([0-9a-f]{64})", ')
_KEY = re.compile(r"[0-9a-f]{64}")
_AFTER_SUM = len('{"crc32": "00000000", ')


@dataclass(frozen=True)
class Entry:
    """One stored call; `time` is when its reply was stored, in UTC as ISO 8601, empty where the line does not say."""

    time: str
    request: Request
    reply: Reply


def encode(request: Request, reply: Reply, stored: str = "") -> bytes:
    """Return the line of a call; it begins with its checksum and its key, so that an index needs no more of it."""
    stored = stored or datetime.now(UTC).isoformat(timespec="microseconds")
    call = {"request": {**_values(request), "messages": list(map(_values, request.messages))}, "reply": _values(reply)}
    body = json.dumps({"key": reply.key, "time": stored, **call})[1:]
    return f'{{"crc32": "{zlib.crc32(body.encode()):08x}", {body}\n'.encode()


def decode(line: bytes) -> Entry:
    """Return the call of a whole line; fields that this version does not know are left out. Raises ValueError."""
    try:
        found = json.loads(line)
        messages = tuple(_known(Message, message) for message in found["request"]["messages"])
        request = _known(Request, found["request"] | {"messages": messages})
        return Entry(found.get("time") or "", request, _known(Reply, found["reply"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a stored call") from error


def key_of(line: bytes) -> bytes | None:
    """Return the key of a line as 32 bytes; None if a kill or a full disk tore it, or if it is none of ours."""
    if head := _HEAD.match(line):
        body = memoryview(line)[_AFTER_SUM : -1 if line.endswith(b"\n") else None]
        whole = zlib.crc32(body) == int(head[1], 16)
        return bytes.fromhex(head[2].decode()) if whole else None
    try:  # a line without a checksum
        key = decode(line).reply.key
    except ValueError:
        return None
    return bytes.fromhex(key) if _KEY.fullmatch(key) else None


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


def _values(record: Request | Message | Reply) -> dict[str, Any]:
    # A tenth of the time of `asdict`, which copies deeply; a request's cached key is no field.
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _known(kind: type, values: dict[str, Any]) -> Any:
    names = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in names})
