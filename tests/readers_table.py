"""What scripted readers make of the four benchmarks: the table in tests/README.md.

python tests/readers_table.py            writes it
python tests/readers_table.py --check    exit code 1 if it is not current
"""

import sys
from pathlib import Path

from builders.audit import AUDITABLE, read_cases
from eval.metrics.audit import audit_metrics
from eval.metrics.metric import Metric
from eval.models.engine import Reply
from eval.models.readers import readers
from eval.tasks.audit import plan, score
from loaders.records import AuditOutcome

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
README = Path(__file__).with_name("README.md")
START, END = "<!-- readers: start -->", "<!-- readers: end -->"
SOURCES = {
    "musique": ("musique/musique_ans_dev_sample.jsonl.gz",),
    "hotpotqa": ("hotpotqa/hotpot_dev_distractor_sample.json.gz",),
    "2wiki": ("2wikimultihopqa/2wiki_dev_sample.json.gz",),
    "plausible_distractors": (
        "plausible_distractors/named_True_2.json.gz",
        "plausible_distractors/no_changes_named_True_2.json.gz",
    ),
}
COLUMNS = {
    "Full": "full",
    "Drop-one": "drop_one",
    "Control": "control",
    "BNR": "bnr",
    "DiRe-like bound": "dire_upper",
}
INTRO = """\
Per cent with 95 % intervals; variants of one question are drawn together. All items of each file, exact match in
place of a judge, seed 0. Readers see the prompt text alone (`eval/models/readers.py`): *graph lookup* answers where
all evidence is there, *last hop only* where the last hop's is, *closed book* always; the others know nothing of the
items. Units differ between the sources, so their figures are not comparable. By construction *graph lookup* has BNR 100
and *last hop only* the mean of 1/hops; it is less where an item's evidence stands in another passage too (one item of
HotpotQA, one of Plausible Distractors). *Answer elsewhere* is the share of items with an answer outside of every
support. `make readers` writes this table."""


def figures(source: str) -> dict[str, dict[str, Metric]]:
    """Return each reader's figures over all items of a source."""
    cases, _ = read_cases(source, [DATA / name for name in SOURCES[source]], False, None, 0)
    known = readers([case.item for case in cases])
    found: dict[str, list[AuditOutcome]] = {name: [] for name in known}
    # A prompt goes to all readers before the next, so that it is taken apart once.
    for ask in plan(cases, ("full", "drop_one", "control", "half"), "multihop", AUDITABLE[source].unit, 0):
        for name, read in known.items():
            reply = Reply("", read(ask.messages[0].content), "stop", 0, 0, "{}") if ask.messages else None
            found[name].append(score(ask, "", reply))
    return {name: over_all(outcomes) for name, outcomes in found.items()}


def over_all(outcomes: list[AuditOutcome]) -> dict[str, Metric]:
    """Return the figures that are not of a stratum, by name."""
    return {one.metric: one for one in audit_metrics(outcomes) if one.stratum == "all"}


def rows(source: str) -> list[str]:
    """Return a source's lines of the table, one a reader."""
    lines = []
    for reader, found in figures(source).items():
        words = (source, AUDITABLE[source].unit, str(found["full"].n), cell(found["answer_elsewhere"]), reader)
        cells = (*words, *(cell(found[name]) for name in COLUMNS.values()))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def table() -> str:
    """Return the whole table."""
    names = ["source", "unit", "items", "answer elsewhere", "reader", *COLUMNS]
    head = [f"| {' | '.join(names)} |", "| --- | --- | ---: | ---: | --- |" + " ---: |" * len(COLUMNS)]
    return "\n".join([*head, *(line for source in SOURCES for line in rows(source))])


def cell(one: Metric) -> str:
    """Return a figure with its interval; a dash where no item is right under Full."""
    if one.value is None or one.low is None or one.high is None:
        return "-"
    return f"{100 * one.value:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"


def current(text: str) -> str:
    """Return a README with the table in it, made anew."""
    head, _, rest = text.partition(START)
    return f"{head}{START}\n{INTRO}\n\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    there = README.read_text(encoding="utf-8")
    wanted = current(there)
    if "--check" in sys.argv[1:]:
        sys.exit(int(there != wanted))
    README.write_text(wanted, encoding="utf-8")
