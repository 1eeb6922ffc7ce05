"""A run's figures as tables for the terminal, in per cent with 95 % intervals."""

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from eval.metrics.metric import Metric
from eval.report_curve import draw_similarity

Columns = dict[str, tuple[str, str]]

ACCURACY: Columns = {
    "accuracy": ("accuracy", "all"),
    "substring (paper)": ("substring_accuracy", "all"),
    "EM": ("em", "all"),
    "F1": ("f1", "all"),
}
RAD: Columns = {
    "RAD": ("rad", "all"),
    "RAD substring (paper)": ("rad_substring", "all"),
    "RAD answerable": ("rad", "answerable"),
    "RAD unanswerable": ("rad", "unanswerable"),
}
ABSTAINING: Columns = {
    "answerable right": ("answerable_accuracy", "answerable"),
    "false abstention": ("false_abstention", "answerable"),
    "unanswerable right": ("unanswerable_accuracy", "unanswerable"),
    "right all the same": ("correct_despite", "unanswerable"),
    "hallucinated": ("hallucination", "unanswerable"),
}
CONFLICT: Columns = {
    "acc (C)": ("conflict_detection", "conflict"),
    "acc (NC)": ("conflict_detection", "non_conflict"),
    "acc": ("conflict_detection", "all"),
    "kept answer": ("kept_answer", "all"),
    "took conflict": ("took_conflict", "all"),
    "neither": ("neither", "all"),
}
CONSISTENCY: Columns = {"self-consistency": ("self_consistency", "all")}
PARAMETRIC: Columns = {"PAR": ("par", "unanswerable")}
TABLES: dict[str, Columns] = {
    "Accuracy by condition": ACCURACY,
    "RAD, right answers that survive one more document": RAD,
    "Abstaining (unans prompt)": ABSTAINING,
    "Conflicting documents": CONFLICT,
    "Right without a document that holds the answer": PARAMETRIC,
    "Right in more than half of the samples": CONSISTENCY,
}
# Strata with names of their own: by how near the answer is to the names in the question, and by kind of answer.
BY_STRATUM = {"Accuracy by similarity": "similarity ", "Accuracy by category": "category "}
# Wide enough for every table where there is no terminal to fit.
WIDTH = 140


def report_run(run: Path, metrics: Sequence[Metric]) -> None:
    """Print the tables of a run, and draw what its folder takes as a picture."""
    print_report(metrics)
    if picture := draw_similarity(metrics, run):
        print(picture)


def print_report(metrics: Sequence[Metric], console: Console | None = None) -> None:
    """Print the tables that the figures fill; each cell is the value (n) above its interval."""
    console = console or Console()
    if not console.is_terminal:
        console.width = WIDTH
    for title, columns in TABLES.items():
        if chosen := [one for one in metrics if (one.metric, one.stratum) in columns.values()]:
            console.print(f"{title}: per cent (n), 95 % interval")
            console.print(_table(columns, chosen))
    for title, prefix in BY_STRATUM.items():
        if chosen := [one for one in metrics if one.stratum.startswith(prefix)]:
            console.print(f"{title}: per cent (n), 95 % interval")
            strata = sorted({one.stratum for one in chosen})
            console.print(_table({name.removeprefix(prefix): ("accuracy", name) for name in strata}, chosen))
    if any(one.config == "all" for one in metrics):
        console.print("Config all: every item of every config counts once.")


def render_report(metrics: Sequence[Metric]) -> str:
    """Return the tables as plain text."""
    text = StringIO()
    print_report(metrics, Console(file=text, color_system=None, force_terminal=False))
    return text.getvalue()


def _table(columns: Columns, metrics: Iterable[Metric]) -> Table:
    rows: dict[tuple[str, ...], dict[tuple[str, str], Metric]] = {}
    for one in metrics:
        rows.setdefault((one.config, one.condition, one.prompt), {})[one.metric, one.stratum] = one
    cells = {place: [figures.get(wanted) for wanted in columns.values()] for place, figures in rows.items()}
    return grid(("config", "condition", "prompt"), tuple(columns), cells)


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
    return _cell(figure).replace("\n", " [", 1) + ("]" if figure.value is not None else "")


def _cell(figure: Metric | None) -> str:
    if figure is None:
        return ""
    if figure.value is None or figure.low is None or figure.high is None:
        return "- (0)"
    return f"{100 * figure.value:.1f} ({figure.n})\n{100 * figure.low:.1f}-{100 * figure.high:.1f}"
