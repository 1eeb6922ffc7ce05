"""When to stop asking because the calls fail."""

from collections import Counter, deque

from eval.models.engine import Failure, Reply
from loaders.errors import DecoyQAError

# Half of the last calls failed, once there are enough to tell: the server or the key is at fault, not the questions.
FAILED_SHARE = 0.5
ENOUGH_CALLS = 20
LAST_CALLS = 100


class TooManyFailuresError(DecoyQAError):
    """So many calls failed that asking on would only cost time; what was answered is stored."""


class Health:
    """Whether too many of the last calls failed, over everything that an asker asks."""

    def __init__(self, engine: str) -> None:
        self._engine = engine
        self._errors: deque[str | None] = deque(maxlen=LAST_CALLS)
        self.failing = False

    def hear(self, answer: Reply | Failure) -> None:
        """Count a finished call."""
        self._errors.append(answer.error if isinstance(answer, Failure) else None)
        finished = len(self._errors)
        failed = finished - self._errors.count(None)
        self.failing = self.failing or (finished >= ENOUGH_CALLS and failed >= FAILED_SHARE * finished)

    def check(self) -> None:
        """Raise TooManyFailuresError with the commonest error."""
        if not self.failing:
            return
        errors = Counter(error for error in self._errors if error is not None)
        calls = f"{errors.total()} of the last {len(self._errors)} calls"
        which = "every call" if errors.total() == len(self._errors) else calls
        why = errors.most_common(1)[0][0]
        raise TooManyFailuresError(f"{which} to {self._engine} failed: {why} (stopped; what was answered is stored)")
