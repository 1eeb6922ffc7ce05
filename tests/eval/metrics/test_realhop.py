"""Figures of REALHOP worked out by hand from a table of verdicts."""

from collections.abc import Iterator, Sequence

import pytest

from eval.metrics.metric import Metric
from eval.metrics.realhop import ARMS, realhop_metrics
from loaders.records import AuditOutcome

Verdict = float | None
# id: by arm the Full verdict, the Drops', the Controls'.
Row = tuple[Verdict, tuple[Verdict, ...], tuple[Verdict, ...]]
SOURCE: dict[str, Row] = {
    "a": (1, (1, 0), (1, 1)),
    "b": (1, (1, 1), (1, 1)),
    "c": (1, (1, 1, 0), (1, 1, 0)),
    "d": (0, (0, 0), (0, 0)),
}
FULL: dict[str, Row] = {
    "a": (1, (0, 0), (1, 1)),
    "b": (1, (0, 1), (1, 0)),
    "c": (0, (0, 0, 0), (0, 0, 0)),
    "d": (1, (0, 0), (1, 1)),
}
GOLD: dict[str, Row] = {
    "a": (1, (1, 0), ()),
    "b": (1, (1, 1), ()),
    "c": (1, (0, 0, 0), ()),
    "d": (1, (0, 1), ()),
}
FLEXIBLE: dict[str, Row] = {
    "a": (1, (0, 0), ()),
    "b": (1, (0, 1), ()),
    "c": (0, (0, 0, 0), ()),
    "d": (1, (0, 0), ()),
}
STRICT: dict[str, Row] = {
    "a": (1, (0, 0), ()),
    "b": (0, (0, 0), ()),
    "c": (0, (0, 0, 0), ()),
    "d": (1, (0, 1), ()),
}
BOTH: dict[str, Row] = {
    "a": (1, (0, 0), ()),
    "b": (0, (0, 0), ()),
    "c": (0, (0, 0, 0), ()),
    "d": (0, (0, 0), ()),
}
TOOK = {"c": 1.0}  # the wrong Full reply of the rebuilt side is a competitor's end


def outcome(
    id: str, arm: str, condition: str, target: str, correct: Verdict, hops: int, sample: int = 0
) -> AuditOutcome:
    took = TOOK.get(id, 0.0) if condition == "full" else None
    status = "pending" if correct is None else "scored"
    verdict = "" if correct is None else "correct" if correct else "incorrect"
    place = (id, id, "musique", condition, target, "multihop", sample, hops, False, 9)
    return AuditOutcome(*place, "r", "", status, "", verdict, correct, took)


def outcomes(arms: dict[str, dict[str, Row]], sample: int = 0) -> Iterator[AuditOutcome]:
    for arm, rows in arms.items():
        words = ARMS[arm]
        for id, (full, drops, controls) in rows.items():
            yield outcome(id, arm, words.full, "", full, len(drops), sample)
            for condition, verdicts in ((words.drop, drops), (words.control, controls)):
                for hop, correct in enumerate(verdicts, 1):
                    yield outcome(id, arm, condition, str(hop), correct, len(drops), sample)


SIDES = {"full": FULL, "source": SOURCE}
ABLATION = {"gold_only": GOLD, "flexible": FLEXIBLE, "strict": STRICT, "no_orphans": BOTH}


def figure(found: Sequence[Metric], metric: str, condition: str, stratum: str = "all") -> tuple[float | None, int]:
    (one,) = [one for one in found if (one.metric, one.condition, one.stratum) == (metric, condition, stratum)]
    return one.value, one.n


@pytest.fixture(scope="module")
def found() -> list[Metric]:
    return realhop_metrics(outcomes(SIDES | ABLATION))


@pytest.mark.parametrize(
    ("metric", "condition", "stratum", "value", "n"),
    [
        ("full", "source", "all", 3 / 4, 4),
        ("full", "full", "all", 3 / 4, 4),
        # Equation 1: a 1/2, b 0, c 1/3 of the source; a 1, b 1/2, d 1 of the rebuilt side.
        ("bnr", "source", "all", (1 / 2 + 0 + 1 / 3) / 3, 3),
        ("bnr", "full", "all", (1 + 1 / 2 + 1) / 3, 3),
        ("bnr", "full", "2_hops", (1 + 1 / 2 + 1) / 3, 3),
        ("full", "full", "3_hops", 0, 1),
        ("bnr", "source", "3_hops", 1 / 3, 1),
        ("paired_increase", "full", "all", 5 / 6 - 5 / 18, 4),
        # Right on both sides: a and b.
        ("bnr", "source", "common_full", 1 / 4, 2),
        ("bnr", "full", "common_full", 3 / 4, 2),
        ("paired_increase", "full", "common_full", 1 / 2, 2),
        ("increase_change", "full", "common_full", 1 / 2 - (5 / 6 - 5 / 18), 4),
        # Appendix B: deletions of Full-correct items, each once.
        ("drop_survival", "full", "all", 1 / 6, 6),
        ("control_survival", "full", "all", 5 / 6, 6),
        ("drop_survival", "source", "all", 5 / 7, 7),
        ("control_survival", "source", "all", 6 / 7, 7),
        # Appendix D: of four Full replies one is wrong, and it is a competitor's end.
        ("endpoint_match", "full", "all", 1 / 4, 4),
        ("endpoint_share_of_errors", "full", "all", 1, 1),
        # Table 3
        ("full", "gold_only", "all", 1, 4),
        ("bnr", "gold_only", "all", (1 / 2 + 0 + 1 + 1 / 2) / 4, 4),
        ("bnr", "strict", "all", (1 + 1 / 2) / 2, 2),
        ("accuracy_change", "flexible", "above gold_only", -1 / 4, 4),
        ("accuracy_change_p", "flexible", "above gold_only", 1, 4),
        ("accuracy_change", "no_orphans", "above gold_only", -3 / 4, 4),
        ("accuracy_change_p", "no_orphans", "above gold_only", 1 / 4, 4),  # three of three: 2 * (1 / 2) ** 3
        ("accuracy_change", "full", "above no_orphans", 1 / 2, 4),
        ("bnr_change", "strict", "above gold_only", 3 / 4 - 1 / 2, 4),
        ("accuracy_interaction", "no_orphans", "all", (1 / 4 - 2 / 4) - (3 / 4 - 1), 4),
        ("bnr_interaction", "no_orphans", "all", (1 - 3 / 4) - (5 / 6 - 1 / 2), 4),
    ],
)
def test_figures(found: list[Metric], metric: str, condition: str, stratum: str, value: float, n: int) -> None:
    assert figure(found, metric, condition, stratum) == (pytest.approx(value), n)


def test_what_was_not_asked_has_no_figure() -> None:
    found = realhop_metrics(outcomes({"full": FULL}))
    assert {one.condition for one in found} == {"full"}
    assert not {"paired_increase", "accuracy_change", "bnr_interaction"} & {one.metric for one in found}


def test_an_item_with_a_drop_without_verdict_is_in_no_bnr() -> None:
    found = realhop_metrics(outcomes({"full": FULL | {"b": (1, (0, None), (1, 1))}, "source": SOURCE}))
    assert figure(found, "bnr", "full") == (1, 2)
    assert figure(found, "bnr", "full", "common_full") == (1, 1)


def test_a_control_that_cannot_be_made_leaves_its_item_out_of_control_alone() -> None:
    asked = [one for one in outcomes({"full": FULL}) if (one.id, one.condition, one.target) != ("b", "control", "2")]
    found = realhop_metrics(asked)
    assert figure(found, "control", "full") == (pytest.approx(2 / 3), 3)
    assert figure(found, "bnr", "full") == (pytest.approx(5 / 6), 3)
    assert figure(found, "control_survival", "full") == (1, 5)


def test_samples_are_scored_one_by_one_and_belong_to_one_item() -> None:
    twice = [*outcomes({"full": FULL}), *outcomes({"full": FULL | {"a": (0, (0, 0), (0, 0))}}, sample=1)]
    found = realhop_metrics(twice)
    assert figure(found, "full", "full") == (5 / 8, 8)
    assert figure(found, "bnr", "full") == (pytest.approx((1 + 1 / 2 + 1 + 1 / 2 + 1) / 5), 5)
    # Four items with means 1/2, 1, 0, 1: of 256 draws 5 sum to 1/2 at most (2 %), and more than 2.5 % to 1 at most.
    (one,) = [one for one in found if (one.metric, one.stratum) == ("full", "all")]
    assert (one.low, one.high) == (0.25, 1.0)
