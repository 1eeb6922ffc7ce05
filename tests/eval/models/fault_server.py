"""An OpenAI-style server on 127.0.0.1 that answers as the prompt says: well, or with one of the faults below.

    with FaultServer() as server:
        AsyncOpenAI(base_url=server.base_url, ...)   # "Who? <<429 half>>": refused, then cut off, then answered

`<<A B C>>` in the prompt names what happens the first, second and third time that it is asked, `*` behind a name from
then on; afterwards, and without marks, it is answered. A good answer is `echo(prompt)`. `server.asked` counts the
calls by prompt, `server.bodies` keeps what was sent.
"""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Self

_MARKS = re.compile(r"<<(.*?)>>")
Send = Callable[[bytes], Awaitable[None]]


def echo(prompt: str) -> str:
    """Return the text of a good answer, which no other prompt has."""
    return f"Answer to {prompt}"


def completion(text: str | None, **change: Any) -> dict[str, Any]:
    """Return a whole chat completion; `change` replaces parts of its one choice."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}} | change
    usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
    return {"id": "c1", "object": "chat.completion", "model": "fake", "choices": [choice], "usage": usage}


def response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a whole HTTP response."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body


def error(status: int, message: str = "as the prompt says", headers: Mapping[str, str] | None = None) -> bytes:
    """Return a response with an error of the usual form."""
    body = {"error": {"message": message, "type": "fault", "param": None, "code": None}}
    return response(json.dumps(body).encode(), status, headers)


def good(body: Mapping[str, Any]) -> bytes:
    """Return the answer that a request asks for."""
    return response(json.dumps(completion(echo(prompt_of(body)))).encode())


def prompt_of(body: Mapping[str, Any]) -> str:
    """Return the content of a request's last message."""
    return str(body["messages"][-1]["content"])


def _json(value: Any) -> bytes:
    return response(json.dumps(value).encode())


# Whole responses by name; a number is an error of that status. What cannot be written as one is in `Faults`.
RESPONSES: dict[str, Callable[[Mapping[str, Any]], bytes]] = {
    "ok": good,
    "429": lambda body: error(429, headers={"Retry-After": "0.05"}),
    "429-ms": lambda body: error(429, headers={"retry-after-ms": "50"}),
    "429-tomorrow": lambda body: error(429, headers={"Retry-After": "86400"}),
    "garbage": lambda body: response(b"\x00\xff not JSON {"),
    "empty": lambda body: response(b""),
    "html": lambda body: response(b"<html>Welcome</html>", headers={"Content-Type": "text/html"}),
    "list": lambda body: _json([1, 2]),
    "no-choices": lambda body: _json(completion("") | {"choices": []}),
    "null": lambda body: _json(completion(None)),
    "error-200": lambda body: _json({"error": {"message": "upstream is gone", "code": 502}}),
    "aborted": lambda body: _json(completion("Answ", finish_reason="abort")),
    "filtered": lambda body: _json(completion("Answ", finish_reason="content_filter")),
    "cut": lambda body: _json(completion("Answ", finish_reason="length")),
    "wrong-model": lambda body: _json(completion("Wrong") | {"model": "other"}),
    "no-usage": lambda body: _json({**completion(echo(prompt_of(body))), "usage": None}),
    "lying-schema": lambda body: _json(completion('{"unasked": true}')),
    "half": lambda body: good(body)[:-40],
    "head": lambda body: b"HTTP/1.1 200 X\r\nContent-Le",
    "nothing": lambda body: b"",
    "twice": lambda body: good(body) * 2,
}
HANGS_UP = {"half", "head", "nothing"}
SECONDS = {"slow": 0.3, "stuck": 30.0}  # how long these take before they answer well


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
        names = {"limit": str(self.burst), "remaining": str(int(self.level)), "reset": reset}
        return {f"x-ratelimit-{name}-requests": value for name, value in names.items()}


class FaultServer:
    """The server, on a free port, in a thread of its own; `seconds` is what every answer takes."""

    def __init__(self, seconds: float = 0.0, rate: RateLimit | None = None, port: int = 0) -> None:
        self.asked: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        self._seconds, self._rate, self._port = seconds, rate, port

    @property
    def base_url(self) -> str:
        """Where the API is, for a client."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        started: Future[int] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        self._port = started.result()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self, started: "Future[int]") -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", self._port, backlog=1024)
        started.set_result(server.sockets[0].getsockname()[1])
        await self._stop.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection stays."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = json.loads(await reader.readexactly(int(length[1]) if length else 0) or b"{}")
        self.heads.append(head)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            fault = self._next_fault(body)
            await asyncio.sleep(SECONDS.get(fault, self._seconds))
            answer = self._answer(fault, body)
        finally:
            self._at_once -= 1
        self.statuses[int(answer[9:12] or 0)] += 1
        writer.write(answer)
        await writer.drain()
        return fault not in HANGS_UP

    def _next_fault(self, body: dict[str, Any]) -> str:
        if self._rate and not self._rate.admit():
            return "rate"
        self.bodies.append(body)
        prompt = prompt_of(body)
        self.asked[prompt] += 1
        marks = _MARKS.search(prompt)
        plan = marks[1].split() if marks else []
        nth = min(self.asked[prompt], len(plan)) - 1 if plan else -1
        if nth < 0 or (self.asked[prompt] > len(plan) and not plan[-1].endswith("*")):
            return "ok"
        return plan[nth].removesuffix("*")

    def _answer(self, fault: str, body: dict[str, Any]) -> bytes:
        limits = self._rate.fields() if self._rate else {}
        if fault == "rate":
            wait = {"Retry-After": "0.2"} if self._rate and self._rate.retry_after else {}
            return error(429, "too many requests", {**limits, **wait})
        answer = error(int(fault)) if fault.isdigit() and fault not in RESPONSES else RESPONSES.get(fault, good)(body)
        fields = "".join(f"{name}: {value}\r\n" for name, value in limits.items())
        return answer.replace(b"\r\n", b"\r\n" + fields.encode(), 1) if fields else answer
