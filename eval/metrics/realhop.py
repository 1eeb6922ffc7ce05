"""REALHOP's figures: both sides as audits have them, and the ablation of competing paths (sections 6.1, 7, B to F).

An arm is one version of the items, asked whole and with each hop's evidence gone; in figures it is the condition.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from eval.metrics.audit import bnr_ratio, is_complete, paired, side_figures
from eval.metrics.metric import ALL, Metric, Place, labelled
from eval.metrics.tested import Tested, tested
from eval.stats import Interval, difference_interval, interaction_interval
from eval.stats_bootstrap import Ratio
from loaders.records import AuditOutcome


@dataclass(frozen=True)
class Arm:
    """The conditions of one version of the items: whole, without each hop, without as much background."""

    full: str
    drop: str
    control: str = ""

    @property
    def conditions(self) -> tuple[str, ...]:
        """All of them, by the names that outcomes have."""
        return tuple(filter(None, (self.full, self.drop, self.control)))

    @property
    def audited(self) -> dict[str, str]:
        """What an audit calls each of them."""
        return {self.full: "full", self.drop: "drop_one", self.control: "control"}


# `no_orphans` is the paper's Full, `full` has our orphans too.
ARMS: Mapping[str, Arm] = {
    "full": Arm("full", "drop", "control"),
    "source": Arm("source", "source_drop", "source_control"),
    **{name: Arm(name, f"{name}_drop") for name in ("gold_only", "flexible", "strict", "no_orphans")},
}
BASE = "gold_only"
# Base, each family alone, both: what both do beyond the sum of each.
INTERACTION = (BASE, "flexible", "strict", "no_orphans")
CHANGES = (
    *((arm, BASE) for arm in ("source", "flexible", "strict", "no_orphans", "full")),
    ("full", "no_orphans"),
)

Sides = Mapping[str, Mapping[str, Tested]]


def realhop_metrics(outcomes: Iterable[AuditOutcome]) -> list[Metric]:
    """Return every figure that the outcomes allow; those without a verdict are in none of them.

    Several samples of an item count as items of one cluster, each scored by itself (appendix I.4).
    """
    places: defaultdict[tuple[str, str], list[AuditOutcome]] = defaultdict(list)
    for one in outcomes:
        places[one.config, one.prompt].append(one)
    return [
        figure
        for (config, prompt), found in sorted(places.items())
        for figure in _figures(Place(config, ALL, prompt), found)
    ]


def _figures(place: Place, outcomes: Sequence[AuditOutcome]) -> Iterator[Metric]:
    sides = {name: found for name in ARMS if (found := _side(name, outcomes))}
    for name, items in sides.items():
        yield from side_figures(place._replace(condition=name), list(items.values()))
    if {"full", "source"} <= sides.keys():
        full, source = (place._replace(condition=name) for name in ("full", "source"))
        yield from paired(full, list(sides["full"].values()), source, list(sides["source"].values()))
    for arm, base in CHANGES:
        if {arm, base} <= sides.keys():
            yield from _changes(place._replace(condition=arm), sides, arm, base)
    if set(INTERACTION) <= sides.keys():
        yield from _interactions(place._replace(condition="no_orphans"), sides)


def _side(name: str, outcomes: Iterable[AuditOutcome]) -> dict[str, Tested]:
    """Return the items of an arm that have a Full verdict or wait for one, in an audit's words."""
    words = ARMS[name].audited
    own = [
        replace(one, condition=words[one.condition], id=f"{one.id}\x1f{one.sample}")
        for one in outcomes
        if one.condition in words
    ]
    return {one.id: _filled(one) for one in tested(own)} if any(one.condition == "full" for one in own) else {}


def _filled(one: Tested) -> Tested:
    """Mark deletions that were not asked: a Control that cannot be made leaves its item incomplete."""
    deletions = {condition: found for condition, found in one.verdicts.items() if condition != "full"}
    hops = dict.fromkeys(hop for found in deletions.values() for hop in found)
    filled = {condition: dict.fromkeys(hops, None) | dict(found) for condition, found in deletions.items()}
    return replace(one, verdicts=dict(one.verdicts) | filled)


def _changes(place: Place, sides: Sides, arm: str, base: str) -> Iterator[Metric]:
    """Table 3 and appendix F: an arm's accuracy and BNR above another's, on the items that both have a verdict of.

    Accuracy comes with the p of the exact McNemar test (of sign flips where items have several samples); BNR is each
    arm's on its own Full-correct items.
    """
    from eval.paired import compare  # scipy, which few runs need

    stratum = f"above {base}"
    rows = _together(sides, (arm, base), lambda one: one.full is not None)
    if rows:
        clusters = [pair[0].source_id for pair in rows]
        found = compare([pair[0].full or 0.0 for pair in rows], [pair[1].full or 0.0 for pair in rows], clusters)
        yield labelled("accuracy_change", place, stratum, found.difference)
        yield labelled("accuracy_change_p", place, stratum, Interval(found.p, None, None, len(rows)))
    if both := _together(sides, (arm, base), is_complete):
        ratios = [bnr_ratio(pair[side] for pair in both) for side in (0, 1)]
        yield labelled("bnr_change", place, stratum, difference_interval(*ratios))


def _interactions(place: Place, sides: Sides) -> Iterator[Metric]:
    """Appendix F: a positive term of accuracy says that the two families fail the same items."""
    if rows := _together(sides, INTERACTION, lambda one: one.full is not None):
        ratios = [_accuracy([row[arm] for row in rows]) for arm in range(len(INTERACTION))]
        yield labelled("accuracy_interaction", place, ALL, interaction_interval(*ratios))
    if rows := _together(sides, INTERACTION, is_complete):
        ratios = [bnr_ratio(row[arm] for row in rows) for arm in range(len(INTERACTION))]
        yield labelled("bnr_interaction", place, ALL, interaction_interval(*ratios))


def _together(sides: Sides, arms: Sequence[str], fits: Callable[[Tested], bool]) -> list[tuple[Tested, ...]]:
    """Return the items of which every arm fits, each as a tuple in the order of the arms."""
    ids = [id for id in sides[arms[0]] if all(id in sides[arm] for arm in arms)]
    rows = [tuple(sides[arm][id] for arm in arms) for id in ids]
    return [row for row in rows if all(map(fits, row))]


def _accuracy(items: Sequence[Tested]) -> Ratio:
    return Ratio([one.full or 0.0 for one in items], [1.0] * len(items), [one.source_id for one in items])
