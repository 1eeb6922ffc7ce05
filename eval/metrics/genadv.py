"""GenADV's figures: accuracy by condition, RAD, abstaining, conflicts (paper sections 4.2, 5 and appendix B).

Paired figures rest on the items that were scored under both conditions. Where a run has several configs, the config
`all` counts every item once more (a micro average), so that large configs weigh more.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from eval.metrics.metric import Metric
from eval.stats import ratio_interval
from loaders.genadv import SPLITS
from loaders.records import Outcome

ALL = "all"
SCORES = ("accuracy", "substring_accuracy", "em", "f1")
RADS = {"rad": "accuracy", "rad_substring": "substring_accuracy"}

Key = tuple[str, str, int]
Cell = Mapping[Key, Outcome]
Score = Callable[[Outcome], float]


class Place(NamedTuple):
    """Where a figure was measured."""

    config: str
    condition: str
    prompt: str


class Term(NamedTuple):
    """What one outcome, or one pair, adds to a figure's numerator and denominator."""

    item: str
    above: float
    below: float = 1.0


def _is_answerable(outcome: Outcome) -> bool:
    return outcome.answerable


def _is_unanswerable(outcome: Outcome) -> bool:
    """Not answerable; under `unans` not where a next-ranked document brought the answer, which makes it neither."""
    return not outcome.answerable and (outcome.abstention_due or outcome.prompt != "unans")


STRATA: Mapping[str, Callable[[Outcome], bool]] = {
    ALL: lambda outcome: True,
    "answerable": _is_answerable,
    "unanswerable": _is_unanswerable,
}


def genadv_metrics(outcomes: Iterable[Outcome]) -> list[Metric]:
    """Return every figure that the outcomes allow; pending outcomes are in none of them."""
    scored = [outcome for outcome in outcomes if outcome.status != "pending"]
    configs = sorted({outcome.config for outcome in scored})
    figures = [figure for config in configs for figure in _figures(config, [o for o in scored if o.config == config])]
    return figures + (_figures(ALL, scored) if len(configs) > 1 else [])


def _figures(config: str, outcomes: Sequence[Outcome]) -> list[Metric]:
    cells: defaultdict[tuple[str, str], dict[Key, Outcome]] = defaultdict(dict)
    for one in outcomes:
        cells[one.condition, one.prompt][one.config, one.id, one.sample] = one
    figures = []
    for (condition, prompt), cell in sorted(cells.items()):
        place = Place(config, condition, prompt)
        figures += _scores(place, cell.values())
        if prompt == "unans":
            figures += _abstaining(place, cell.values())
        if prompt in ("normal", "unans") and condition in SPLITS[1:] and ("retrieved", prompt) in cells:
            figures += _rad(place, cells["retrieved", prompt], cell)
    if parametric := cells.get(("retrieved", "normal")):
        figures.append(_par(Place(config, "retrieved", "normal"), parametric.values()))
        if misled := cells.get(("conflict", "normal")):
            figures += _stubbornness(Place(config, "conflict", "normal"), parametric, misled)
    return figures + _conflict_detection(
        config, cells.get(("conflict", "conflict")), cells.get(("retrieved", "conflict"))
    )


def _figure(metric: str, place: Place, stratum: str, terms: Iterable[Term]) -> Metric:
    listed = list(terms)
    found = ratio_interval(
        [term.above for term in listed], [term.below for term in listed], [term.item for term in listed]
    )
    return Metric(
        metric,
        place.config,
        place.condition,
        stratum,
        found.value,
        found.low,
        found.high,
        found.n,
        place.prompt,
    )


def _mean(metric: str, place: Place, stratum: str, outcomes: Iterable[Outcome], score: Score) -> Metric:
    return _figure(metric, place, stratum, (Term(_item(outcome), score(outcome)) for outcome in outcomes))


def _item(outcome: Outcome) -> str:
    return f"{outcome.config}\x1f{outcome.id}"


def _score(name: str) -> Score:
    return lambda outcome: float(getattr(outcome, name))


def _scores(place: Place, outcomes: Iterable[Outcome]) -> list[Metric]:
    """Mean scores by stratum (section 4.2, Tables 11 and 12)."""
    return [
        _mean(name, place, stratum, filter(belongs, outcomes), _score(name))
        for name in SCORES
        for stratum, belongs in STRATA.items()
    ]


def _abstaining(place: Place, outcomes: Iterable[Outcome]) -> list[Metric]:
    """Figure 2 and Table 4; an unanswerable item is abstained from, answered right all the same, or hallucinated."""
    answerable, unanswerable = list(filter(_is_answerable, outcomes)), list(filter(_is_unanswerable, outcomes))
    return [
        _mean("answerable_accuracy", place, "answerable", answerable, _score("accuracy")),
        _mean("false_abstention", place, "answerable", answerable, _score("abstained")),
        _mean("unanswerable_accuracy", place, "unanswerable", unanswerable, _score("abstained")),
        _mean("correct_despite", place, "unanswerable", unanswerable, _score("held_gold")),
        _mean("hallucination", place, "unanswerable", unanswerable, _hallucinated),
    ]


def _hallucinated(outcome: Outcome) -> float:
    return float(not outcome.abstained and not outcome.held_gold)


def _pairs(before: Cell, after: Cell) -> list[tuple[Outcome, Outcome]]:
    return [(before[key], after[key]) for key in sorted(before.keys() & after.keys())]


def _rad(place: Place, retrieved: Cell, added: Cell) -> list[Metric]:
    """Equation 2: of the items that are right with retrieved documents (ARA), the share that stays right (ARA-Add)."""
    pairs = _pairs(retrieved, added)
    return [
        _figure(
            name,
            place,
            stratum,
            (
                Term(_item(before), score(before) * score(after), score(before))
                for before, after in pairs
                if belongs(before) and belongs(after)
            ),
        )
        for name, score in ((name, _score(field)) for name, field in RADS.items())
        for stratum, belongs in STRATA.items()
    ]


def _par(place: Place, outcomes: Iterable[Outcome]) -> Metric:
    """Parametric answer rate (Table 13): right although no retrieved document holds an answer."""
    return _mean("par", place, "unanswerable", filter(_is_unanswerable, outcomes), _score("accuracy"))


def _stubbornness(place: Place, retrieved: Cell, conflict: Cell) -> list[Metric]:
    """Table 8: what an item of the ARA becomes beside a conflicting document (A to A, A to C, A to U)."""
    pairs = _pairs(retrieved, conflict)
    kinds: dict[str, Score] = {
        "kept_answer": _score("accuracy"),
        "took_conflict": _score("took_decoy"),
        "neither": lambda outcome: float(not outcome.accuracy and not outcome.took_decoy),
    }
    return [
        _figure(
            name, place, ALL, (Term(_item(a), _score("accuracy")(a) * kind(b), _score("accuracy")(a)) for a, b in pairs)
        )
        for name, kind in kinds.items()
    ]


def _conflict_detection(config: str, conflict: Cell | None, retrieved: Cell | None) -> list[Metric]:
    """Table 7, answerable items: Acc (C) beside a conflicting document, Acc (NC) with retrieved ones alone, and Acc.

    Acc counts each item once, with its conflicting document where it has one. It must: in the table more than half of
    NQ's examples are conflicting ones.
    """
    figures, together = [], dict[Key, Outcome]()
    for condition, stratum, cell in (("retrieved", "non_conflict", retrieved), ("conflict", "conflict", conflict)):
        if cell is not None:
            chosen = {key: outcome for key, outcome in cell.items() if outcome.answerable}
            place = Place(config, condition, "conflict")
            figures.append(_mean("conflict_detection", place, stratum, chosen.values(), _score("accuracy")))
            together |= chosen
    if conflict is not None and retrieved is not None:
        place = Place(config, "conflict", "conflict")
        figures.append(_mean("conflict_detection", place, ALL, together.values(), _score("accuracy")))
    return figures
