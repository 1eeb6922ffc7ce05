"""What a run spends, and the hard stop before it spends too much."""

from eval.models.engine import Failure, Reply, Request
from loaders.errors import DecoyQAError


class Ledger:
    """Money spent and in flight, in USD."""

    def __init__(self, max_usd: float | None = None) -> None:
        self.max_usd = max_usd
        self.spent = 0.0

    def admit(self, request: Request) -> bool:
        """Reserve the worst case of a call; false where the limit has no room for it."""
        return True

    def settle(self, request: Request, answer: Reply | Failure) -> None:
        """Put what a call cost in the place of its worst case."""


class BudgetReachedError(DecoyQAError):
    """Not one more call fits under `--max-usd`; everything that was answered is stored."""

    def __init__(self, ledger: Ledger, done: int, total: int) -> None:
        super().__init__(
            f"stopped at --max-usd {ledger.max_usd:g}: ${ledger.spent:.4f} spent, {done} of {total} calls are done "
            "and stored; the same command with a higher --max-usd goes on from there"
        )
