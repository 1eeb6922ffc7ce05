"""How a build goes on, on stderr: a bar per config and one for calls on a terminal, lines elsewhere."""

from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn, TimeRemainingColumn

LINES = 10


class Reporter(Protocol):
    """Who hears how a build goes on."""

    def start(self, config: str, questions: int | None, /) -> Callable[[int, bool], None]:
        """Announce work and its size, if known; the result hears (how many, whether they were found in the cache)."""
        ...

    def asked(self, what: str, done: int, total: int, cost: str, /) -> None:
        """Hear how many calls of one step are done, and what all calls of the run have cost."""
        ...


class Silent:
    """Hears of progress and says nothing."""

    def start(self, config: str, questions: int | None) -> Callable[[int, bool], None]:
        """Return a listener that does nothing."""
        return lambda count, found: None

    def asked(self, what: str, done: int, total: int, cost: str) -> None:
        """Do nothing."""


class ProgressReporter:
    """Shows finished questions; a context, so that the terminal is left as it was whatever happens."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        extra = (MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._bars = Progress(*Progress.get_default_columns()[:2], *extra, console=self._console)
        self._calls: TaskID | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._console.is_terminal:
            self._bars.stop()

    def start(self, config: str, questions: int | None) -> Callable[[int, bool], None]:
        """Return the function that hears of (questions, whether an earlier run had made them); None: nobody knows."""
        if not self._console.is_terminal:
            return self._lines(config, questions)
        task = self._bars.add_task(config, total=questions)
        return lambda count, found: self._bars.advance(task, count)

    def asked(self, what: str, done: int, total: int, cost: str) -> None:
        """Show how many calls of a step are done and what the run has cost: on lines, at every tenth."""
        label = f"{what} ({cost})" if cost else what
        if not self._console.is_terminal:
            if done * LINES // total > (done - 1) * LINES // total:
                self._console.print(f"  {label}: {done:,} of {total:,}", highlight=False)
            return
        if self._calls is None:
            self._calls = self._bars.add_task(label)
        self._bars.update(self._calls, description=label, completed=done, total=total)

    def _lines(self, config: str, questions: int | None) -> Callable[[int, bool], None]:
        total = 0
        of = "" if questions is None else f" of {questions:,}"

        def done(count: int, found: bool) -> None:
            nonlocal total
            total += count
            made = " (already made)" if found else ""
            self._console.print(f"{config}: {total:,}{of}{made}", highlight=False)

        return done
