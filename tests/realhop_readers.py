"""What scripted readers make of both sides of REALHOP, from the prompt text alone: BNR of ours beside the source's.

python tests/realhop_readers.py FOLDER        prints the table of a built artifact
"""

import sys
from collections.abc import Iterator, Sequence

from builders.realhop.text_readers import rebuilt_readers, source_readers
from eval.metrics.audit import audit_metrics
from eval.metrics.metric import Metric
from eval.models.engine import Reply
from eval.tasks.audit import Case, plan, score
from loaders.realhop import RealHopRow, load
from loaders.realhop_conditions import UNIT, as_item
from loaders.records import AuditOutcome

COLUMNS = ("full", "drop_one", "control", "bnr")


def figures(full: Sequence[RealHopRow], source: Sequence[RealHopRow]) -> dict[tuple[str, str], dict[str, Metric]]:
    """Return the figures of each reader by (reader, side)."""
    twins = {row.id: as_item(row) for row in (*source,)}
    ours = {row.id: as_item(row) for row in full}
    sides = {
        "source": ([Case("source", twins[key], ours[key]) for key in ours], source_readers(source)),
        "ours": ([Case("ours", ours[key], twins[key]) for key in ours], rebuilt_readers(full, source)),
    }
    found: dict[tuple[str, str], list[AuditOutcome]] = {}
    for side, (cases, known) in sides.items():
        # A prompt goes to all readers before the next, so that it is taken apart once.
        for ask in plan(cases, ("full", "drop_one", "control"), "multihop", UNIT, 0):
            for name, read in known.items():
                reply = Reply("", read(ask.messages[0].content), "stop", 0, 0, "{}") if ask.messages else None
                found.setdefault((name, side), []).append(score(ask, "", reply))
    return {key: _over_all(outcomes) for key, outcomes in found.items()}


def _over_all(outcomes: list[AuditOutcome]) -> dict[str, Metric]:
    return {one.metric: one for one in audit_metrics(outcomes) if one.stratum == "all"}


def table(full: Sequence[RealHopRow], source: Sequence[RealHopRow]) -> Iterator[str]:
    """Yield the lines of the table, in per cent with 95 % intervals."""
    yield "| reader | side | items | Full | Drop-one | Control | BNR |"
    yield "| --- | --- | ---: |" + " ---: |" * len(COLUMNS)
    found = figures(full, source)
    for name, side in sorted(found, key=lambda key: [name for name, _ in found].index(key[0])):
        one = found[name, side]
        yield f"| {' | '.join((name, side, str(one['full'].n), *(_cell(one[column]) for column in COLUMNS)))} |"


def _cell(one: Metric) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "-"
    return f"{100 * one.value:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"


if __name__ == "__main__":
    built = load(sys.argv[1])
    config = sys.argv[2] if sys.argv[2:] else "musique"
    print("\n".join(table(built.rows(config, "full"), built.rows(config, "source"))))
