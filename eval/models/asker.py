"""The one way to ask: an engine with the store that keeps its replies, the ledger that counts them, a progress line."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from eval.models.engine import Engine, Failure, Reply, Request
from eval.models.ledger import BudgetReachedError, Ledger
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

# Half of the last calls failed, once there are enough to tell: the server or the key is at fault, not the questions.
FAILED_SHARE = 0.5
ENOUGH_CALLS = 20
LAST_CALLS = 100


class TooManyFailuresError(DecoyQAError):
    """So many calls failed that asking on would only cost time; what was answered is stored."""


@dataclass(frozen=True)
class Answers:
    """Replies and failures by the request's key; replies in the order of the requests."""

    replies: Mapping[str, Reply]
    failures: Mapping[str, Failure]


class Asker:
    """Asks what is not stored, once each, and stores it as it arrives; a context that closes its store's segment."""

    def __init__(
        self,
        engine: Engine,
        store: RequestStore,
        ledger: Ledger | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._engine, self._store = engine, store
        self._ledger = ledger or Ledger()
        self._progress = progress
        self.identity = engine.identity

    def ask(self, requests: Sequence[Request]) -> Answers:
        """Return what is stored or answered now; `progress` hears (done, all). A kill loses calls in flight at most.

        Raises BudgetReachedError or TooManyFailuresError once every call in flight is stored; ValueError for a request to
        another engine.
        """
        wanted = {request.key: request for request in requests}
        waiting = deque(request for key, request in wanted.items() if self._store.get(key) is None)
        if any(request.engine != self.identity for request in waiting):
            raise ValueError(f"a request is addressed to another engine than {self.identity}")
        calls = _Calls(self.identity, len(wanted) - len(waiting), len(wanted))
        while waiting:
            before = len(waiting)
            for answer in self._engine.ask(self._feed(waiting, calls)):
                self._keep(wanted[answer.key], answer)
                calls.hear(answer)
                if self._progress:
                    self._progress(calls.done, calls.total)
            calls.raise_if_failing()
            if len(waiting) == before:
                raise BudgetReachedError(self._ledger, calls.done, calls.total)
        return Answers({key: reply for key in wanted if (reply := self._store.get(key))}, calls.failures)

    def _feed(self, waiting: deque[Request], calls: "_Calls") -> Iterator[Request]:
        # Where the budget has no room for another worst case, calls in flight are waited for: they mostly cost less.
        while waiting and not calls.failing and self._ledger.admit(waiting[0]):
            yield waiting.popleft()

    def _keep(self, request: Request, answer: Reply | Failure) -> None:
        self._ledger.settle(request, answer)
        if isinstance(answer, Reply):
            self._store.put(request, answer)

    def close(self) -> None:
        """Close the store's segment; the engine belongs to whoever opened it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Calls:
    """The finished calls of one round of asking: how many, which failed, and whether too many of the last did."""

    def __init__(self, engine: str, done: int, total: int) -> None:
        self.done, self.total = done, total
        self.failures: dict[str, Failure] = {}
        self._engine = engine
        self._last: deque[bool] = deque(maxlen=LAST_CALLS)
        self.failing = False

    def hear(self, answer: Reply | Failure) -> None:
        """Count a finished call."""
        self.done += 1
        if isinstance(answer, Failure):
            self.failures[answer.key] = answer
        self._last.append(isinstance(answer, Failure))
        self.failing |= len(self._last) >= ENOUGH_CALLS and sum(self._last) >= FAILED_SHARE * len(self._last)

    def raise_if_failing(self) -> None:
        """Raise TooManyFailuresError with the commonest error."""
        if not self.failing:
            return
        ((error, _),) = Counter(failure.error for failure in self.failures.values()).most_common(1)
        share = f"{sum(self._last)} of the last {len(self._last)} calls"
        which = "every call" if all(self._last) else share
        raise TooManyFailuresError(f"{which} to {self._engine} failed: {error} (stopped; what was answered is stored)")
