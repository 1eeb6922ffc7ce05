"""Figures of an audit: accuracy by condition, BNR and what stands beside it (REALHOP, section 3.2, appendices A to H).

Every figure rests on complete cases, an item counts once however many hops it has (except where a line says so), and
intervals draw variants of one question together.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from eval.metrics.masks import mask_figures
from eval.metrics.metric import ALL, Metric, Place, figure, labelled
from eval.metrics.tested import Tested, tested
from eval.stats import contrast_interval, difference_interval
from eval.stats_bootstrap import Ratio
from eval.tasks.audit import TWIN
from loaders.records import AuditOutcome

Terms = list[tuple[str, float, float]]
Belongs = Callable[[Tested], bool]


def audit_metrics(outcomes: Iterable[AuditOutcome]) -> list[Metric]:
    """Return every figure that the outcomes allow; those without a verdict are in none of them."""
    sides: defaultdict[str, list[Tested]] = defaultdict(list)
    prompt = ""
    for one in tested(outcomes):
        sides[one.config].append(one)
        prompt = one.prompt
    figures = []
    for config, items in sorted(sides.items()):
        place = Place(config, ALL, prompt)
        figures += side_figures(place, items)
        if items_twin := sides.get(config + TWIN):
            figures += paired(place, items, place._replace(config=config + TWIN), items_twin)
    return figures


def common_full(runs: Sequence[Iterable[AuditOutcome]]) -> list[Metric]:
    """Return the BNR of each run over the items that all of them answer under Full, with all Drops judged.

    Full correctness is each model's own, so that models are compared on the same items here alone.
    """
    by_run = [{(one.config, one.id): one for one in tested(run)} for run in runs]
    right = [{key for key, one in run.items() if one.full == 1 and is_complete(one)} for run in by_run]
    common = sorted(set.intersection(*right))
    figures = []
    for run in by_run:
        config, prompt = next((one.config, one.prompt) for one in run.values())
        rows = bnr_terms(run[key] for key in common)
        figures.append(figure("bnr", Place(config, ALL, prompt), "common_full", rows))
    return figures


def side_figures(place: Place, items: Sequence[Tested]) -> list[Metric]:
    """Return every figure of the items of one side that their verdicts allow."""
    strata: dict[str, Belongs] = {ALL: lambda one: True}
    for hops in sorted({one.n_hops for one in items}):
        strata[f"{hops}_hops"] = lambda one, hops=hops: one.n_hops == hops  # type: ignore[misc]
    strata["answer_elsewhere"] = lambda one: one.answer_elsewhere
    strata["answer_in_support_alone"] = lambda one: not one.answer_elsewhere
    figures = []
    for stratum, belongs in strata.items():
        figures += _necessity(place, stratum, [one for one in items if belongs(one)])
    return [
        *figures,
        *_ceiling(place, items),
        *_specificity(place, items),
        *_endpoints(place, items),
        *(one for condition in ("window", "circular") for one in mask_figures(place, items, condition)),
    ]


def _necessity(place: Place, stratum: str, items: Sequence[Tested]) -> list[Metric]:
    """Tables 1 and 4: accuracies over all items, and Equation 1 over the Full-correct ones with all their Drops.

    `drops_complete` is the share of items with a Full verdict and all Drops: the others are left out of BNR.
    """
    terms: dict[str, Terms] = {
        "full": [(one.source_id, one.full, 1.0) for one in items if one.full is not None],
        "drop_one": _rates(items, "drop_one"),
        "control": _rates(items, "control"),
        "bnr": bnr_terms(items),
        "drops_complete": [(one.source_id, float(is_complete(one)), 1.0) for one in items],
        "dire_upper": [(one.source_id, float(any(one.complete("half"))), 1.0) for one in items if one.complete("half")],
    }
    asked = {name for one in items for name in one.verdicts}
    wanted = {"drop_one": "drop_one", "control": "control", "bnr": "drop_one", "drops_complete": "drop_one"}
    wanted["dire_upper"] = "half"
    return [figure(name, place, stratum, rows) for name, rows in terms.items() if wanted.get(name, "full") in asked]


def _rates(items: Iterable[Tested], condition: str) -> Terms:
    return [(one.source_id, one.rate(condition), 1.0) for one in items if one.complete(condition)]


def is_complete(one: Tested) -> bool:
    """Whether an item has a Full verdict and one for every Drop."""
    return one.full is not None and bool(one.complete("drop_one"))


def bnr_terms(items: Iterable[Tested]) -> Terms:
    """Equation 1, a row an item: cluster, F times the mean over hops of 1 - D, and F."""
    return [
        (one.source_id, one.full * (1 - one.rate("drop_one")), one.full)
        for one in items
        if one.full is not None and is_complete(one)
    ]


def _ceiling(place: Place, items: Sequence[Tested]) -> list[Metric]:
    """How many items hold an answer outside of every support, and the BNR of a reader who always finds it there.

    `bnr_ceiling` is the share of the items behind BNR that hold none: what BNR can reach if no Drop of the others
    prevents recovery.
    """
    everywhere = [(one.source_id, float(one.answer_elsewhere), 1.0) for one in items]
    figures = [figure("answer_elsewhere", place, ALL, everywhere)]
    if any("drop_one" in one.verdicts for one in items):
        counted = [one for one in items if one.full == 1 and is_complete(one)]
        rows = [(one.source_id, float(not one.answer_elsewhere), 1.0) for one in counted]
        figures.append(figure("bnr_ceiling", place, ALL, rows))
    return figures


def _specificity(place: Place, items: Sequence[Tested]) -> list[Metric]:
    """Table 5: of the Full-correct items, the deletions that are survived where both Drop and Control have a verdict.

    Here each deletion counts once, so that longer chains weigh more.
    """
    pairs = [
        (one.source_id, drop, control)
        for one in items
        if one.full == 1
        for target, drop in sorted(one.verdicts.get("drop_one", {}).items())
        if (control := one.verdicts.get("control", {}).get(target)) is not None and drop is not None
    ]
    if not any("control" in one.verdicts for one in items):
        return []
    return [
        figure("drop_survival", place, ALL, [(who, drop, 1.0) for who, drop, _ in pairs]),
        figure("control_survival", place, ALL, [(who, control, 1.0) for who, _, control in pairs]),
    ]


def _endpoints(place: Place, items: Sequence[Tested]) -> list[Metric]:
    """Table 7: Full replies that equal the end of a planned competing path, of all and of the wrong ones."""
    known = [one for one in items if one.took_endpoint is not None and one.full is not None]
    if not known:
        return []
    hits = [(one.source_id, one.took_endpoint or 0.0, 1 - (one.full or 0.0)) for one in known]
    return [
        figure("endpoint_match", place, ALL, [(who, hit, 1.0) for who, hit, _ in hits]),
        figure("endpoint_share_of_errors", place, ALL, hits),
    ]


def paired(place: Place, items: Sequence[Tested], base: Place, twins: Sequence[Tested]) -> list[Metric]:
    """Section 6.1 and Table 6: BNR above the twin's, each on its own Full-correct items and on those of both sides.

    Items of both sides are drawn together, and who is Full-correct is decided anew in every resample.
    `increase_change` is what the second increase has above the first (appendix C).
    """
    others = {one.id: one for one in twins}
    pairs = [(others[one.id], one) for one in items if one.id in others]
    both = [(twin, one) for twin, one in pairs if is_complete(twin) and is_complete(one)]
    common = [(twin, one) for twin, one in both if twin.full == one.full == 1]
    own_sides = [bnr_ratio([pair[side] for pair in both]) for side in (1, 0)]
    common_sides = [bnr_ratio([pair[side] for pair in common]) for side in (1, 0)]
    change = contrast_interval([*common_sides, *own_sides], [1, -1, -1, 1])
    figures = [labelled("paired_increase", place, ALL, difference_interval(*own_sides))]
    figures.append(labelled("paired_increase", place, "common_full", difference_interval(*common_sides)))
    figures.append(labelled("increase_change", place, "common_full", change))
    for where, side in ((place, 1), (base, 0)):
        rows = bnr_terms(pair[side] for pair in common)
        figures.append(figure("bnr", where, "common_full", rows))
    return figures


def bnr_ratio(items: Iterable[Tested]) -> Ratio:
    """Return Equation 1 as a ratio, for differences."""
    rows = bnr_terms(items)
    return Ratio([row[1] for row in rows], [row[2] for row in rows], [row[0] for row in rows])
