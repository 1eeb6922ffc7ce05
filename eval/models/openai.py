"""Any OpenAI-compatible endpoint, through the package openai: many calls at a time, each tried until it is answered.

`openai:NAME` asks for the model NAME; `@REVISION` behind it is part of the identity and of every key, and not sent.
A reply whose `finish_reason` is `length` is a reply. One that the endpoint's own filter cut is a failure, not a data
point: it is not what the model says.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future, wait
from importlib.metadata import version
from queue import SimpleQueue
from threading import Thread
from typing import Self

from eval.models.engine import EngineOptions, Failure, Reply, Request
from eval.models.openai_endpoint import HidingFilter, find_endpoint
from loaders.errors import DecoyQAError

Call = Future[Reply | Failure]


class OpenAIEngine:
    """One model of one endpoint; calls run in an event loop in a thread of its own, so that no reader holds them up."""

    def __init__(self, name: str, options: EngineOptions) -> None:
        from eval.models.openai_call import Caller

        model, _, revision = name.rpartition("@")
        self.identity = f"openai:{name}"
        self._slots = options.concurrency
        self._endpoint = find_endpoint(options.base_url)
        self._caller = Caller(model if model and revision else name, self._endpoint, options)
        self._hiding = HidingFilter(self._endpoint)
        logging.getLogger("httpx2").addFilter(self._hiding)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name=self.identity, daemon=True)
        self._thread.start()

    @property
    def runtime(self) -> str:
        """Version, calls in flight and host, and what the endpoint turned out not to take."""
        without = "".join(f", without {name}" for name in sorted(self._caller.left_out - {"max_tokens"}))
        return f"openai {version('openai')}, {self._slots} in flight, {self._endpoint.host}{without}"

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Ask as many as there are slots; raises DecoyQAError where the key is refused, when all in flight are back."""
        finished: SimpleQueue[Call] = SimpleQueue()
        upcoming, flying = iter(requests), set[Call]()
        try:
            while True:
                while len(flying) < self._slots and not self._caller.shut:
                    if (request := next(upcoming, None)) is None:
                        break
                    call = asyncio.run_coroutine_threadsafe(self._caller.ask(request), self._loop)
                    flying.add(call)
                    call.add_done_callback(finished.put)
                if not flying:
                    break
                call = finished.get()
                flying.discard(call)
                yield call.result()
        except KeyboardInterrupt:
            yield from [call.result() for call in flying if call.done()]  # they are paid for
            raise
        finally:
            _cancel(flying)
        if self._caller.shut:
            raise DecoyQAError(f"{self.identity}: {self._endpoint.host} lets nobody in: {self._caller.shut.error}")

    def close(self) -> None:
        """Let go of the connections; calls in flight are cancelled."""
        if self._loop.is_closed():
            return
        logging.getLogger("httpx2").removeFilter(self._hiding)
        asyncio.run_coroutine_threadsafe(self._caller.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_model(name: str, options: EngineOptions) -> OpenAIEngine:
    """Reach for `NAME[@REVISION]`; nothing is sent yet. Raises DecoyQAError for a missing key or a bad address."""
    return OpenAIEngine(name, options)


def _cancel(calls: Collection[Call]) -> None:
    for call in calls:
        call.cancel()
    wait(calls)
