"""What a server that is not at its best sends: one whole HTTP response, or a part of one, for each name."""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Call:
    """What a client sent: the head of its HTTP request and the JSON of its body."""

    head: str
    body: Mapping[str, Any]

    @cached_property
    def prompt(self) -> str:
        """The content of the last message."""
        return str(self.body["messages"][-1]["content"])

    @cached_property
    def credentials(self) -> str:
        """Everything that opens the server, which a careless one repeats in its errors."""
        sent = re.search(r"^authorization: (.*?)\r?$", self.head, re.IGNORECASE | re.MULTILINE)
        return f"{sent[1] if sent else 'nobody'} at {self.head.split()[1]}"


def echo(prompt: str) -> str:
    """Return the text of a good answer, which no other prompt has."""
    return f"Answer to {prompt}"


def completion(text: str | None, **change: Any) -> dict[str, Any]:
    """Return a chat completion; `change` replaces parts of its one choice."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}} | change
    usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
    return {"id": "c1", "object": "chat.completion", "model": "fake", "choices": [choice], "usage": usage}


def response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a whole HTTP response."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body


def ok(value: Any) -> bytes:
    """Return a response that holds a JSON value."""
    return response(json.dumps(value).encode())


def error(call: Call, status: int, headers: Mapping[str, str] | None = None, **fields: Any) -> bytes:
    """Return an error of the usual form that tells the client's credentials."""
    body = {"message": f"as told, {call.credentials}", "type": "fault", "param": None, "code": None} | fields
    return response(json.dumps({"error": body}).encode(), status, headers)


def good(call: Call) -> bytes:
    """Return the answer that a request asks for."""
    return ok(completion(echo(call.prompt)))


def refused(call: Call, name: str) -> bytes:
    """Return how OpenAI refuses a parameter."""
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return error(call, 400, message=message, param=name, code="unsupported_parameter")


# By name; a name that is a number is an error of that status.
FAULTS: dict[str, Callable[[Call], bytes]] = {
    "ok": good,
    "429": lambda call: error(call, 429, {"Retry-After": "0.05"}),
    "429-ms": lambda call: error(call, 429, {"retry-after-ms": "50"}),
    "429-tomorrow": lambda call: error(call, 429, {"Retry-After": "86400"}),
    "quota": lambda call: error(call, 429, code="insufficient_quota"),
    "garbage": lambda call: response(b"\x00\xff not JSON {"),
    "empty": lambda call: response(b""),
    "html": lambda call: response(b"<html>Welcome</html>", headers={"Content-Type": "text/html"}),
    "list": lambda call: ok([1, 2]),
    "no-choices": lambda call: ok(completion("") | {"choices": []}),
    "null": lambda call: ok(completion(None)),
    "error-200": lambda call: ok({"error": {"message": f"upstream is gone, {call.credentials}", "code": 502}}),
    "aborted": lambda call: ok(completion("Answ", finish_reason="abort")),
    "filtered": lambda call: ok(completion("Answ", finish_reason="content_filter")),
    "cut": lambda call: ok(completion("Answ", finish_reason="length")),
    "wrong-model": lambda call: ok(completion("Wrong") | {"model": "other"}),
    "no-usage": lambda call: ok(completion(echo(call.prompt)) | {"usage": None}),
    "lying-schema": lambda call: ok(completion('{"unasked": true}')),
    "leaky": lambda call: ok(completion(f"You are {call.credentials}") | {"debug": call.head}),
    "half": lambda call: good(call)[:-40],
    "head": lambda call: b"HTTP/1.1 200 X\r\nContent-Le",
    "no-http": lambda call: b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
    "nothing": lambda call: b"",
    "twice": lambda call: good(call) * 2,
    "twice-later": good,  # and once more 20 ms later
    "slow": good,
    "stuck": good,
}
HANGS_UP = {"half", "head", "no-http", "nothing"}
SECONDS = {"slow": 0.3, "stuck": 30.0}  # how long these take


@dataclass
class RateLimit:
    """A bucket of `burst` requests that fills at `per_second`; who finds it empty gets 429."""

    per_second: float
    burst: int
    headers: bool = True
    retry_after: bool = True
    level: float = field(init=False)
    at: float = field(default_factory=time.monotonic, init=False)

    def __post_init__(self) -> None:
        self.level = float(self.burst)

    def admit(self) -> bool:
        """Take one request out of the bucket, if there is one."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.at) * self.per_second)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def fields(self) -> dict[str, str]:
        """Return the headers that tell a client where it stands."""
        if not self.headers:
            return {}
        reset = f"{(self.burst - self.level) / self.per_second * 1000:.0f}ms"
        told = {"limit": str(self.burst), "remaining": str(int(self.level)), "reset": reset}
        return {f"x-ratelimit-{name}-requests": value for name, value in told.items()}
