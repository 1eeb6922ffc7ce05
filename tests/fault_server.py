"""An OpenAI-style server on 127.0.0.1 that answers as the prompt says: well, or with one of the faults of faults.py.

    with FaultServer() as server:
        open_engine("openai:fake", EngineOptions(base_url=server.base_url))

`<<A B C>>` in a prompt names what happens the first, second and third time that it is asked, `*` behind the last name
from then on; afterwards, and without marks, it is answered: "Who? <<429 half>>" is refused, then cut off, then
answered with `echo(prompt)`. `server.asked` counts the calls by prompt, `server.calls` keeps them.
"""

import asyncio
import json
import re
from collections import Counter
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Self

from faults import FAULTS, HANGS_UP, SECONDS, Call, RateLimit, error, good, refused

_MARKS = re.compile(r"<<(.*?)>>")
_LENGTH = re.compile(r"^content-length: (\d+)", re.IGNORECASE | re.MULTILINE)


class FaultServer:
    """The server, in a thread of its own on a free port, or the given one.

    `seconds` is what every answer takes; whoever sends a parameter that it `refuses` hears so.
    """

    def __init__(
        self, seconds: float = 0.0, rate: RateLimit | None = None, refuses: tuple[str, ...] = (), port: int = 0
    ) -> None:
        self.asked: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.calls: list[Call] = []
        self.port = port
        self.most_at_once = 0
        self._at_once = 0
        self._seconds, self._rate, self._refuses = seconds, rate, refuses

    @property
    def base_url(self) -> str:
        """Where the API is, for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        started: Future[int] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        self.port = started.result(timeout=30)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self, started: "Future[int]") -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, backlog=1024)
        started.set_result(server.sockets[0].getsockname()[1])
        await self._stop.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while await self._exchange(reader, writer):
                pass
        writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection stays."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = _LENGTH.search(head)
        call = Call(head, json.loads(await reader.readexactly(int(length[1]) if length else 0)))
        fault, answer = self._answer(call)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await asyncio.sleep(SECONDS.get(fault, self._seconds))
        finally:
            self._at_once -= 1
        self.statuses[int(answer[9:12]) if answer[9:12].isdigit() else 0] += 1
        writer.write(answer)
        if fault == "twice-later":
            self._loop.call_later(0.02, writer.write, answer)
        await writer.drain()
        return fault not in HANGS_UP

    def _answer(self, call: Call) -> tuple[str, bytes]:
        """Return what goes wrong, and what is sent."""
        if self._rate:
            return self._limited(self._rate, call)
        for name in self._refuses:
            if name in call.body:
                return "refused", refused(call, name)
        self.calls.append(call)
        self.asked[call.prompt] += 1
        fault = _fault(call.prompt, self.asked[call.prompt])
        if fault not in FAULTS:
            return fault, error(call, int(fault))
        return fault, FAULTS[fault](call)

    def _limited(self, rate: RateLimit, call: Call) -> tuple[str, bytes]:
        """Answer well, or with 429; either way with the headers of the limit."""
        wait = {"Retry-After": "0.2"} if rate.retry_after else {}
        answer = good(call) if rate.admit() else error(call, 429, wait)
        fields = "".join(f"{name}: {value}\r\n" for name, value in rate.fields().items())
        return "rate", answer.replace(b"\r\n", f"\r\n{fields}".encode(), 1)


def _fault(prompt: str, time: int) -> str:
    """Return what happens the nth time that a prompt is asked."""
    marks = _MARKS.search(prompt)
    plan = marks[1].split() if marks else []
    if time <= len(plan):
        return plan[time - 1].removesuffix("*")
    return plan[-1].removesuffix("*") if plan and plan[-1].endswith("*") else "ok"
