"""EureQA's figures: accuracy by depth, difficulty and category, self-consistency, accuracy by similarity.

Sections 3.3, 4 and 5.2, Tables 2 and 3, Figures 4 to 6. The condition is the depth, the config the difficulty.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import floor
from typing import Any

from eval.metrics.metric import ALL, Metric, Place, mean, score
from loaders.records import Outcome

SCORES = ("accuracy", "substring_accuracy", "em", "f1")
WIDTH = 0.1  # of a bin of similarity


def eureqa_metrics(outcomes: Sequence[Outcome], asks: Sequence[Any]) -> list[Metric]:
    """Return every figure that the outcomes allow; `asks` has the row of each, pending outcomes are in none.

    Several samples of a question are one cluster of an interval.
    """
    rows = {(ask.config, ask.row.id): ask.row for ask in asks}
    cells: defaultdict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        if one.status != "pending":
            cells[one.config, one.condition, one.prompt].append(one)
    return [figure for place, cell in sorted(cells.items()) for figure in _figures(Place(*place), cell, rows)]


def _figures(place: Place, cell: Sequence[Outcome], rows: Mapping[tuple[str, str], Any]) -> list[Metric]:
    category = _by(cell, lambda one: f"category {rows[one.config, one.id].category}")
    similarity = _by(cell, lambda one: similarity_bin(rows[one.config, one.id].similarity))
    found = [mean(name, place, ALL, cell, score(name)) for name in SCORES]
    if len({one.sample for one in cell}) > 1:
        found.append(mean("self_consistency", place, ALL, _voted(cell), score("accuracy")))
    strata = {**category, **similarity}
    return found + [mean("accuracy", place, name, strata[name], score("accuracy")) for name in sorted(strata)]


def _by(cell: Iterable[Outcome], name: Any) -> dict[str, list[Outcome]]:
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in cell:
        found[name(one)].append(one)
    return found


def similarity_bin(similarity: float | None) -> str:
    """Return the bin of an item, named by its bounds so that names sort: `similarity 0.2 to 0.3`."""
    if similarity is None:
        return "similarity unknown"
    low = floor(similarity / WIDTH + 1e-9)
    return f"similarity {low * WIDTH:.1f} to {(low + 1) * WIDTH:.1f}"


def _voted(cell: Sequence[Outcome]) -> list[Outcome]:
    """Return one outcome per question: right where more than half of its samples hold the answer (section 3.3)."""
    found = []
    for samples in _by(cell, lambda one: one.id).values():
        share = sum(one.accuracy or 0.0 for one in samples) / len(samples)
        found.append(replace(samples[0], accuracy=float(share > 0.5)))
    return found
