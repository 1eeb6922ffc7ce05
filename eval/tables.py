"""Figures as tables of plain text: per cent with 95 % intervals."""

from collections.abc import Mapping, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from eval.metrics.metric import Metric

# Wide enough for every table where there is no terminal to fit.
WIDTH = 140


def grid(key: Sequence[str], columns: Sequence[str], rows: Mapping[tuple[str, ...], Sequence[Metric | None]]) -> Table:
    """Return a table whose rows are named by a key of several words; a cell is a figure above its interval."""
    table = Table(box=SIMPLE_HEAD)
    for name in key:
        table.add_column(name)
    for name in columns:
        table.add_column(name, justify="right")
    for place, figures in rows.items():
        table.add_row(*place, *map(_cell, figures))
    return table


def as_text(table: Table) -> str:
    """Return a table as plain text."""
    text = StringIO()
    Console(file=text, color_system=None, force_terminal=False, width=WIDTH).print(table)
    return text.getvalue()


def as_words(figure: Metric) -> str:
    """Return a figure on one line."""
    cell = _cell(figure)
    return cell.replace("\n", " [", 1) + "]" * ("\n" in cell)


def _cell(figure: Metric | None) -> str:
    if figure is None:
        return ""
    if figure.metric.endswith("_p") and figure.value is not None:
        return f"{figure.value:.2g} ({figure.n})"
    if figure.value is None or figure.low is None or figure.high is None:
        return "- (0)"
    low, high = (f"{100 * end:.1f}" for end in (figure.low, figure.high))
    to = " to " if low.startswith("-") else "-"  # a hyphen beside a minus cannot be read
    return f"{100 * figure.value:.1f} ({figure.n})\n{low}{to}{high}"
