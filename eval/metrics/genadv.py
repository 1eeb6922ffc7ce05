"""GenADV's figures: accuracy by condition, RAD, abstaining, conflicts (paper sections 4.2, 5 and appendix B).

Paired figures rest on the items that were scored under both conditions. Where a run has several configs, the config
`all` counts every item once more (a micro average), so that large configs weigh more.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from eval.metrics.metric import ALL, Metric, Place, Score, kept, mean, score
from loaders.genadv import SPLITS
from loaders.records import Outcome

SCORES = ("accuracy", "substring_accuracy", "em", "f1")
RADS = {"rad": "accuracy", "rad_substring": "substring_accuracy"}

Key = tuple[str, str, int]
Cell = Mapping[Key, Outcome]


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


def _scores(place: Place, outcomes: Iterable[Outcome]) -> list[Metric]:
    """Mean scores by stratum (section 4.2, Tables 11 and 12)."""
    return [
        mean(name, place, stratum, filter(belongs, outcomes), score(name))
        for name in SCORES
        for stratum, belongs in STRATA.items()
    ]


def _abstaining(place: Place, outcomes: Iterable[Outcome]) -> list[Metric]:
    """Figure 2 and Table 4; an unanswerable item is abstained from, answered right all the same, or hallucinated."""
    answerable, unanswerable = list(filter(_is_answerable, outcomes)), list(filter(_is_unanswerable, outcomes))
    return [
        mean("answerable_accuracy", place, "answerable", answerable, score("accuracy")),
        mean("false_abstention", place, "answerable", answerable, score("abstained")),
        mean("unanswerable_accuracy", place, "unanswerable", unanswerable, score("abstained")),
        mean("correct_despite", place, "unanswerable", unanswerable, score("held_gold")),
        mean("hallucination", place, "unanswerable", unanswerable, _hallucinated),
    ]


def _hallucinated(outcome: Outcome) -> float:
    return float(not outcome.abstained and not outcome.held_gold)


def _pairs(before: Cell, after: Cell) -> list[tuple[Outcome, Outcome]]:
    return [(before[key], after[key]) for key in sorted(before.keys() & after.keys())]


def _rad(place: Place, retrieved: Cell, added: Cell) -> list[Metric]:
    """Equation 2: of the items that are right with retrieved documents (ARA), the share that stays right (ARA-Add)."""
    pairs = _pairs(retrieved, added)
    return [
        kept(name, place, stratum, [pair for pair in pairs if all(map(belongs, pair))], score(field), score(field))
        for name, field in RADS.items()
        for stratum, belongs in STRATA.items()
    ]


def _par(place: Place, outcomes: Iterable[Outcome]) -> Metric:
    """Parametric answer rate (Table 13): right although no retrieved document holds an answer."""
    return mean("par", place, "unanswerable", filter(_is_unanswerable, outcomes), score("accuracy"))


def _stubbornness(place: Place, retrieved: Cell, conflict: Cell) -> list[Metric]:
    """Table 8: what an item of the ARA becomes beside a conflicting document (A to A, A to C, A to U)."""
    pairs = _pairs(retrieved, conflict)
    kinds: dict[str, Score] = {
        "kept_answer": score("accuracy"),
        "took_conflict": score("took_decoy"),
        "neither": lambda outcome: float(not outcome.accuracy and not outcome.took_decoy),
    }
    return [kept(name, place, ALL, pairs, score("accuracy"), kind) for name, kind in kinds.items()]


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
            figures.append(mean("conflict_detection", place, stratum, chosen.values(), score("accuracy")))
            together |= chosen
    if conflict is not None and retrieved is not None:
        place = Place(config, "conflict", "conflict")
        figures.append(mean("conflict_detection", place, ALL, together.values(), score("accuracy")))
    return figures
