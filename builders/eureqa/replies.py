"""What an endpoint answered, kept for good: append-only segments, on disk before an answer is used."""

import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.models.segments import SUFFIX, Segment, read_lines

_KEY, _ANSWER = 9, 74  # where they begin in a line: 8 digits of checksum, blank, 64 of the key, blank, JSON


class Replies:
    """The answers of one endpoint's snapshot, by the key of their question.

    A folder may be written by several processes, each into a segment of its own; a torn last line is left out.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._segment: Segment | None = None
        self._places: dict[bytes, tuple[Path, int]] = {}
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            for start, line in read_lines(path):
                if _is_whole(line):
                    self._places.setdefault(bytes.fromhex(line[_KEY : _ANSWER - 1].decode()), (path, start))

    def __len__(self) -> int:
        return len(self._places)

    def get(self, key: str) -> Any:
        """Return the answer kept under a key of 64 hex digits, None where there is none."""
        place = self._places.get(bytes.fromhex(key))
        if place is None:
            return None
        with place[0].open("rb") as lines:
            lines.seek(place[1])
            return json.loads(lines.readline()[_ANSWER:])

    def put(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Keep answers, given with their keys; they are on disk when this returns."""
        self._segment = self._segment or Segment(self.folder)
        for key, answer in answers:
            start = self._segment.append(_line(key, answer))
            self._places[bytes.fromhex(key)] = (self._segment.path, start)
        self._segment.sync()

    def close(self) -> None:
        """Close the segment."""
        if self._segment is not None:
            self._segment.close()
            self._segment = None


def _line(key: str, answer: Any) -> bytes:
    body = f"{key} {json.dumps(answer)}".encode()
    return b"%08x %b\n" % (zlib.crc32(body), body)


def _is_whole(line: bytes) -> bool:
    """Whether no kill or full disk tore a line."""
    return line.endswith(b"\n") and line[:_KEY] == b"%08x " % zlib.crc32(line[_KEY:-1])
