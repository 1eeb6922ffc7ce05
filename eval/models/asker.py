"""The one way to ask: an engine with the store that keeps its replies, the ledger that counts them, a progress line."""

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from eval.models.engine import Engine, Failure, Reply, Request
from eval.models.health import Health
from eval.models.ledger import BudgetReachedError, Ledger
from eval.models.store import RequestStore, Told, untold
from loaders.errors import DecoyQAError

# Seconds after which replies that another process stored are looked for, so that they are not asked here.
REFRESH = 30.0


@dataclass(frozen=True)
class Answers:
    """Replies and failures by the request's key, in the order of the requests."""

    replies: Mapping[str, Reply]
    failures: Mapping[str, Failure]


class Asker:
    """Asks what is not stored, once each, and stores it as it arrives; a context that closes its store."""

    def __init__(
        self,
        engine: Engine,
        store: RequestStore,
        ledger: Ledger | None = None,
        progress: Told | None = None,
    ) -> None:
        self._engine, self._store = engine, store
        self._ledger = ledger or Ledger()
        self._progress = progress or untold
        self._health = Health(engine.identity)
        self._new: dict[str, Reply] = {}  # as they stand in the store, so that they need not be read back
        self.identity = engine.identity
        self._ledger.require_price(self.identity)

    def ask(self, requests: Sequence[Request]) -> Answers:
        """Return what is stored or answered now; `progress` hears (done, all). A kill loses calls in flight at most.

        Raises BudgetReachedError or TooManyFailuresError once every call in flight is stored, DecoyQAError where the
        store cannot be written, and ValueError for a request to another engine.
        """
        wanted = {request.key: request for request in requests}
        if any(request.engine != self.identity for request in wanted.values()):
            raise ValueError(f"a request is addressed to another engine than {self.identity}")
        self._refresh()
        waiting = deque(one for key, one in wanted.items() if key not in self._store)
        try:
            failed = self._ask_missing(wanted, waiting)
        finally:
            with _writing(self._store):
                self._store.sync()
        self._refresh()  # where another process was first, its reply stands
        replies = {key: reply for key in wanted if (reply := self._new.get(key) or self._store.get(key))}
        self._new.clear()
        lost = (key for key in wanted if key not in replies)
        return Answers(replies, {key: failed.get(key, Failure(key, "the engine gave no answer")) for key in lost})

    def _ask_missing(self, wanted: Mapping[str, Request], waiting: deque[Request]) -> dict[str, Failure]:
        failed: dict[str, Failure] = {}
        flying: set[str] = set()
        while waiting:
            before = len(waiting)
            for answer in self._engine.ask(self._feed(waiting, flying)):
                self._keep(wanted[answer.key], answer)
                if isinstance(answer, Failure):
                    failed[answer.key] = answer
                flying.discard(answer.key)
                self._progress(len(wanted) - len(waiting) - len(flying), len(wanted))
            self._health.check()
            if len(waiting) == before:
                raise BudgetReachedError(self._ledger, len(wanted) - len(waiting) - len(failed), len(wanted))
        return failed

    def _feed(self, waiting: deque[Request], flying: set[str]) -> Iterator[Request]:
        """Yield what is not stored while the calls go well; an engine may take it from a thread of its own."""
        while waiting and not self._health.failing:
            if waiting[0].key in self._store:
                waiting.popleft()  # another process was first
            elif self._ledger.admit(waiting[0]):
                flying.add(waiting[0].key)
                yield waiting.popleft()
            else:
                return  # those in flight are waited for: most cost less than their worst case

    def _keep(self, request: Request, answer: Reply | Failure) -> None:
        self._ledger.settle(request, answer)
        self._health.hear(answer)
        if time.monotonic() - self._refreshed > REFRESH:
            self._refresh()
        if isinstance(answer, Reply):
            with _writing(self._store):
                if self._store.add(request, answer):
                    self._new[answer.key] = answer

    def _refresh(self) -> None:
        if self._store.refresh():
            self._new.clear()
        self._refreshed = time.monotonic()

    def close(self) -> None:
        """Close the store; the engine belongs to whoever opened it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _writing(store: RequestStore) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DecoyQAError(
            f"a reply could not be stored ({error}): make room in {store.folder} and run the same command again; what "
            "was stored before is safe"
        ) from error
