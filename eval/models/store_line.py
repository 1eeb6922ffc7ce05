"""A line of the request store: one call as JSON, led by its checksum and its key, so that an index needs no more."""

import json
import re
import zlib
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from eval.models.engine import Message, Reply, Request

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


def _values(record: Request | Message | Reply) -> dict[str, Any]:
    # A tenth of the time of `asdict`, which copies deeply; a request's cached key is no field.
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _known(kind: type, values: dict[str, Any]) -> Any:
    names = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in names})
