"""A run's figures as tables for the terminal, in per cent with 95 % intervals."""

from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.table import Table

from eval.metrics.metric import Metric
from eval.report_audit import render_audit
from eval.report_curve import draw_similarity
from eval.tables import WIDTH, grid

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


def report_run(run: Path, metrics: Sequence[Metric]) -> None:
    """Print the tables of a run, and draw what its folder takes as a picture."""
    print_report(metrics)
    if necessity := render_audit(metrics):
        print(necessity)
    if picture := draw_similarity(metrics, run):
        print(picture)
    if not metrics:
        print("no figure: a Drop or a Control counts beside its whole condition, asked in the same run")


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
