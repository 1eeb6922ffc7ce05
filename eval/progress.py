"""How far a long run is and what it has cost, on stderr: a bar on a terminal, else a plain line now and then."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

LINES = 10


@contextmanager
def counting(label: str, note: Callable[[], str] = str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that is told (done, all); `note` says what is shown beside the figures, such as the cost."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, total: _line(label, done, total, note())
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(label, total=None, note="")
        yield lambda done, total: bar.update(task, completed=done, total=total, note=note())


def _line(label: str, done: int, total: int, note: str) -> None:
    """Write about `LINES` lines in all: whenever another tenth is full."""
    if done * LINES // total > (done - 1) * LINES // total:
        print(f"{label}: {done} of {total}{note and f', {note}'}", file=sys.stderr, flush=True)
