"""Any OpenAI-compatible endpoint, through the package openai: many calls at a time, each tried until it is answered.

`openai:NAME` asks for the model NAME; `@REVISION` behind it is part of the identity and of every key, and not sent.
A reply whose `finish_reason` is `length` is a reply. One that the endpoint's own filter cut is a failure, not a data
point: it is not what the model says.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import replace
from importlib.metadata import version
from itertools import cycle
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Self

from eval.models.engine import EngineOptions, Failure, Reply, Request
from eval.models.openai_body import body, estimated_tokens, refused_parameter
from eval.models.openai_endpoint import Endpoint, HidingFilter, find_endpoint
from eval.models.openai_limits import Limits, Ticket
from eval.models.openai_reply import GarbageError, read_reply, same_model
from eval.models.openai_retry import LONGEST_WAIT, Trouble, backoff, headers_of, trouble_of
from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import AsyncOpenAI

CONNECT_SECONDS = 20.0
# The client searches a whole pool of connections at every call: several small pools save a third of its time.
POOL = 32

Call = Future[Reply | Failure]


class OpenAIEngine:
    """One model of one endpoint; calls run in an event loop in a thread of its own, so that no reader holds them up."""

    def __init__(self, name: str, options: EngineOptions) -> None:
        model, _, revision = name.rpartition("@")
        self._model = model if model and revision else name
        self.identity = f"openai:{name}"
        self._endpoint, self._options = find_endpoint(options.base_url), options
        self._all_clients = [_client(self._endpoint) for _ in range(0, options.concurrency, POOL)]
        self._clients = cycle(self._all_clients)
        self._limits = Limits(options.concurrency)
        self._left_out: frozenset[str] = frozenset()
        self._answering = ""  # what the endpoint calls the model, where that is another name
        self._shut: Trouble | None = None
        self._hiding = HidingFilter(self._endpoint)
        logging.getLogger("httpx2").addFilter(self._hiding)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name=self.identity, daemon=True)
        self._thread.start()

    @property
    def runtime(self) -> str:
        """Version, calls in flight and host, and what the endpoint turned out not to take."""
        without = "".join(f", without {name}" for name in sorted(self._left_out - {"max_tokens"}))
        return f"openai {version('openai')}, {self._options.concurrency} in flight, {self._endpoint.host}{without}"

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Ask as many as there are slots; raises DecoyQAError where the key is refused, when all in flight are back."""
        finished: SimpleQueue[Call] = SimpleQueue()
        upcoming, flying = iter(requests), set[Call]()
        try:
            while True:
                while len(flying) < self._options.concurrency and not self._shut:
                    if (request := next(upcoming, None)) is None:
                        break
                    call = asyncio.run_coroutine_threadsafe(self._call(request), self._loop)
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
        if self._shut:
            raise DecoyQAError(f"{self.identity}: {self._endpoint.host} lets nobody in: {self._shut.error}")

    async def _call(self, request: Request) -> Reply | Failure:
        attempt = 1
        while isinstance(outcome := await self._try(request, attempt), Trouble):
            if attempt >= outcome.tries or _too_long(outcome) or self._shut:
                tried = f" (tried {attempt} times)" if attempt > 1 else ""
                return Failure(request.key, f"{outcome.error}{tried}")
            if not outcome.busy:
                await self._limits.rest(backoff(outcome, attempt))
            attempt += 1
        return outcome

    async def _try(self, request: Request, attempt: int) -> Reply | Trouble:
        ticket = await self._limits.enter(estimated_tokens(request))
        try:
            if self._shut:
                return self._shut
            async with asyncio.timeout(self._options.timeout):
                answer = await self._post(request)
            self._limits.learn(ticket, answer.headers)
            reply = self._checked(read_reply(request.key, answer.content))
            self._limits.widen()
            return reply
        except Exception as error:
            return self._explain(error, ticket, attempt)
        finally:
            self._limits.leave()

    async def _post(self, request: Request) -> "Response":
        """Send a request, without what the endpoint does not take."""
        from httpx2 import Response
        from openai import BadRequestError, UnprocessableEntityError

        while True:
            sent = body(self._model, request, self._left_out)
            try:
                return await next(self._clients).post("/chat/completions", body=sent, cast_to=Response)
            except (BadRequestError, UnprocessableEntityError) as error:
                name = refused_parameter(error.message, sent)
                if not name:
                    raise
                self._left_out |= {name}

    def _checked(self, reply: Reply) -> Reply:
        """Return a reply without secrets; raises GarbageError where another model spoke than before."""
        if not same_model(self._model, reply.model):
            self._answering = self._answering or reply.model
            if reply.model != self._answering:
                raise GarbageError(f"{reply.model} answered in place of {self._answering or self._model}")
        hide = self._endpoint.hide_in_reply
        return replace(reply, text=hide(reply.text), raw=hide(reply.raw), reasoning=hide(reply.reasoning))

    def _explain(self, error: Exception, ticket: Ticket, attempt: int) -> Trouble:
        """Return what went wrong, and tell the limits; raises what is no trouble with an endpoint but a defect."""
        trouble = trouble_of(error)
        trouble = replace(trouble, error=self._endpoint.hide(trouble.error))
        self._limits.learn(ticket, headers_of(error))
        if trouble.busy and not _too_long(trouble):
            self._limits.pause(ticket, backoff(trouble, attempt))
        if trouble.shut:
            self._shut = trouble
            self._limits.release()
        return trouble

    def close(self) -> None:
        """Let go of the connections; calls in flight are cancelled."""
        if self._loop.is_closed():
            return
        logging.getLogger("httpx2").removeFilter(self._hiding)
        asyncio.run_coroutine_threadsafe(_end(self._all_clients), self._loop).result()
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


def _too_long(trouble: Trouble) -> bool:
    return trouble.wait is not None and trouble.wait > LONGEST_WAIT


def _client(endpoint: Endpoint) -> "AsyncOpenAI":
    """Return a client that neither tries again nor limits connections: both are done here."""
    from httpx2 import Limits as Connections
    from httpx2 import Timeout
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    timeout = Timeout(None, connect=CONNECT_SECONDS)
    everything = Connections(max_connections=None, max_keepalive_connections=None)
    return AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key,
        default_headers=endpoint.headers,
        default_query=endpoint.query,
        timeout=timeout,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(limits=everything, timeout=timeout),
    )


def _cancel(calls: Collection[Call]) -> None:
    for call in calls:
        call.cancel()
    wait(calls)


async def _end(clients: "Iterable[AsyncOpenAI]") -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for client in clients:
        await client.close()
