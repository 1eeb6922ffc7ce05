"""One query to a SPARQL endpoint: the whole answer or an error, politely and with patience."""

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPException
from math import ceil
from time import monotonic
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception_type

from builders.eureqa.endpoint import BusyError, Endpoint, SlowError, TooMuchError, words
from eval.models.openai_retry import LONGEST_WAIT
from loaders.errors import DecoyQAError

Row = Mapping[str, str]
SLOW_TRIES = 2  # a question that timed out twice is too much
FIRST_WAIT, LONGEST_BACKOFF = 1.0, 60.0  # seconds


class Asker:
    """Asks an endpoint one query after the other; `told` hears how many were sent, which `requests` counts."""

    def __init__(
        self,
        endpoint: Endpoint,
        told: Callable[[int], None] = lambda requests: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.requests = 0
        self._told, self._sleep, self._next = told, sleep, 0.0

    def select(self, query: str) -> list[Row]:
        """Return the rows of a SELECT query as texts by variable.

        Raises TooMuchError where only a part came, BusyError where no answer does, DecoyQAError where something else
        answers, or nothing may be sent.
        """
        if self.endpoint.stored:
            raise DecoyQAError(self.endpoint.problem("answers that were kept", f"none to {words(query.encode())}"))
        again = retry_if_exception_type((BusyError, SlowError))
        tries = Retrying(stop=self._is_over, wait=_wait, retry=again, sleep=self._sleep, reraise=True)
        rows: list[Row] = tries(self._once, query)
        return rows

    def _is_over(self, state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, BusyError) and (error.wait or 0) > LONGEST_WAIT:
            return True
        return state.attempt_number >= (SLOW_TRIES if isinstance(error, SlowError) else self.endpoint.tries)

    def _once(self, query: str) -> list[Row]:
        from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

        self._pace()
        try:
            response = self._wrapper(query).query().response
            body = self._read(response)
        except (OSError, HTTPException, SPARQLWrapperException) as error:
            raise self.endpoint.trouble(error) from None
        # What the wrapper would not show: servers tell in a header that they sent a part.
        if response.status == 206 or response.headers.get("X-SQL-State") == "S1TAT":
            raise TooMuchError(self.endpoint.problem("a whole answer", "the part that was ready at a time limit"))
        rows = self._rows(body, response.headers.get("Content-Type") or "no type")
        most = (response.headers.get("X-SPARQL-MaxRows") or "").strip()
        if most.isdigit() and len(rows) >= int(most):
            raise TooMuchError(self.endpoint.problem("a whole answer", f"one cut off at {int(most):,} rows"))
        return rows

    def _pace(self) -> None:
        if (wait := self._next - monotonic()) > 0:
            self._sleep(wait)
        self._next = monotonic() + 1 / self.endpoint.per_second
        self.requests += 1
        self._told(self.requests)

    def _wrapper(self, query: str) -> Any:
        from SPARQLWrapper import JSON, POST, SPARQLWrapper

        wrapper = SPARQLWrapper(self.endpoint.bare_url, agent="decoyqa")
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        wrapper.setTimeout(ceil(self.endpoint.timeout))  # it drops fractions, and takes 0 for no limit
        if any(self.endpoint.account):
            wrapper.setCredentials(*self.endpoint.account)
        if self.endpoint.graph:
            wrapper.addDefaultGraph(self.endpoint.graph)
        wrapper.setQuery(query)
        return wrapper

    def _read(self, response: Any) -> bytes:
        """Read to the end, in time as a whole: the socket's own limit is for each piece."""
        end, pieces = monotonic() + self.endpoint.timeout, []
        while piece := response.read1(1 << 16):
            pieces.append(piece)
            if monotonic() > end:
                raise TimeoutError
        return b"".join(pieces)

    def _rows(self, body: bytes, kind: str) -> list[Row]:
        problem = self.endpoint.problem
        if not body.strip():
            raise TooMuchError(problem("SPARQL results as JSON", "nothing"))
        if "json" not in kind:
            raise DecoyQAError(problem("SPARQL results as JSON", f"{kind}: {words(body)}"))
        try:
            found = json.loads(body)["results"]["bindings"]
            return [{name: cell["value"] for name, cell in row.items()} for row in found]
        except ValueError:
            raise TooMuchError(problem("JSON to its end", f"it cut off after {len(body):,} bytes")) from None
        except (KeyError, TypeError, AttributeError):
            raise DecoyQAError(problem("SPARQL results as JSON", f"other JSON: {words(body)}")) from None


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, BusyError) else None
    return asked if asked is not None else min(LONGEST_BACKOFF, FIRST_WAIT * 2.0 ** (state.attempt_number - 1))
