"""One request to an OpenAI-compatible endpoint, tried until it is answered or no further try is worth it."""

import asyncio
from dataclasses import replace

from httpx2 import Response
from openai import BadRequestError, UnprocessableEntityError

from eval.models.engine import EngineOptions, Failure, Reply, Request
from eval.models.openai_body import body, estimated_tokens, refused_parameter
from eval.models.openai_endpoint import Endpoint
from eval.models.openai_limits import Limits, Ticket
from eval.models.openai_reply import GarbageError, read_reply, same_model
from eval.models.openai_retry import FIRST_TRIES, Trouble, backoff, headers_of, trouble_of
from eval.models.openai_transport import open_client


class Caller:
    """What all calls to one model share: the client, the limits, and what was learnt of the endpoint.

    `left_out` names the parameters that it does not take; once `shut` is set, nothing is sent any more.
    """

    def __init__(self, model: str, endpoint: Endpoint, options: EngineOptions) -> None:
        self.left_out: frozenset[str] = frozenset()
        self.shut: Trouble | None = None
        self._model, self._endpoint, self._timeout = model, endpoint, options.timeout
        self._client = open_client(endpoint)
        self._limits = Limits(options.concurrency)
        self._speaker = ""  # what the endpoint calls the model
        self._reached = False  # anything came back, ever

    async def ask(self, request: Request) -> Reply | Failure:
        """Return the reply, or why there is none; raises what is no trouble with an endpoint but a defect."""
        attempt = 1
        while isinstance(outcome := await self._try(request, attempt), Trouble):
            if attempt >= outcome.tries or self.shut:
                tried = f" (tried {attempt} times)" if attempt > 1 else ""
                return Failure(request.key, f"{outcome.error}{tried}")
            if not outcome.busy:
                await self._limits.rest(backoff(outcome, attempt))
            attempt += 1
        return outcome

    async def _try(self, request: Request, attempt: int) -> Reply | Trouble:
        ticket = await self._limits.enter(estimated_tokens(request))
        try:
            if self.shut:
                return self.shut
            async with asyncio.timeout(self._timeout):
                answer = await self._post(request)
            self._reached = True
            self._limits.learn(ticket, answer.headers)
            reply = self._checked(read_reply(request.key, answer.content))
            self._limits.widen()
            return reply
        except Exception as error:
            return self._explain(error, ticket, attempt)
        finally:
            self._limits.leave()

    async def _post(self, request: Request) -> Response:
        """Send a request, without what the endpoint does not take."""
        while True:
            sent = body(self._model, request, self.left_out)
            try:
                return await self._client.post("/chat/completions", body=sent, cast_to=Response)
            except (BadRequestError, UnprocessableEntityError) as error:
                name = refused_parameter(error.message, sent)
                if not name:
                    raise
                self.left_out |= {name}

    def _checked(self, reply: Reply) -> Reply:
        """Return a reply without secrets; raises GarbageError where another model answered.

        An endpoint may have its own name for the model: another name than the one asked for must come twice, before
        that one has come.
        """
        if same_model(self._model, reply.model):
            self._speaker = self._model
        elif reply.model != self._speaker:
            self._speaker = self._speaker or reply.model
            raise GarbageError(f"{reply.model} answered in place of {self._model}")
        hide = self._endpoint.hide_in_reply
        return replace(reply, text=hide(reply.text), raw=hide(reply.raw), reasoning=hide(reply.reasoning))

    def _explain(self, error: Exception, ticket: Ticket, attempt: int) -> Trouble:
        """Return what went wrong, and tell the limits."""
        trouble = trouble_of(error)
        self._reached = self._reached or trouble.status > 0
        tries = trouble.tries if self._reached else min(trouble.tries, FIRST_TRIES)
        trouble = replace(trouble, error=self._endpoint.hide(trouble.error), tries=tries)
        self._limits.learn(ticket, headers_of(error))
        if trouble.busy:
            self._limits.pause(ticket, backoff(trouble, attempt))
        if trouble.shut and not (trouble.status == 403 and self._speaker):  # a key that was let in is not refused
            self.shut = trouble
            self._limits.release()
        return trouble

    async def close(self) -> None:
        """Cancel what is in flight, and let go of the connections."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()
