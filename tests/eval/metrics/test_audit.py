"""Figures worked out by hand from a table of verdicts."""

import random

import pytest

from eval.metrics.audit import audit_metrics, common_full
from loaders.records import AuditOutcome

# id, source id, Full, Drops, Controls, whether an answer stands elsewhere
ITEMS = [
    ("a", "a", 1, (0, 0), (1, 1), False),
    ("b", "b", 1, (0, 1), (1, 0), True),
    ("c", "b", 1, (1, 1, 0), (1, 1, 1), False),  # a variant of b's question
    ("d", "d", 0, (0, 1), (0, 0), False),
    ("e", "e", 1, (0, None), (1, 1), False),  # a Drop without a verdict
    ("f", "f", None, (0, 0), (1, 1), False),  # no Full verdict
    ("g", "g", 1, (0, 0, 0, 0), (1, None, 1, 1), False),  # a Control that cannot be made
]


def _outcome(item, condition, target, correct, config="mine", took=None):
    name, source, _, drops, _, elsewhere = item
    status = "scored" if correct is not None else "pending"
    verdict = "" if correct is None else "correct" if correct else "incorrect"
    hops = (len(drops), elsewhere, 9)
    return AuditOutcome(
        name, source, config, condition, target, "multihop", 0, *hops, "r", "", status, "", verdict, correct, took
    )


def _outcomes(items=ITEMS, config="mine"):
    for item in items:
        yield _outcome(item, "full", "", item[2], config)
        for condition, verdicts in (("drop_one", item[3]), ("control", item[4])):
            for number, correct in enumerate(verdicts, 1):
                yield _outcome(item, condition, str(number), correct, config)


def _figures(outcomes):
    return {(one.metric, one.config, one.condition, one.stratum): one for one in audit_metrics(outcomes)}


def _figure(outcomes, name, stratum="all", config="mine", condition="all"):
    one = _figures(outcomes)[name, config, condition, stratum]
    return one.value, one.n


def test_full_is_a_mean_over_all_verdicts():
    assert _figure(_outcomes(), "full") == (pytest.approx(5 / 6), 6)


def test_drop_one_gives_every_item_the_same_weight():
    # complete: a 0, b 1/2, c 2/3, d 1/2, f 0, g 0
    assert _figure(_outcomes(), "drop_one") == (pytest.approx((1 / 2 + 2 / 3 + 1 / 2) / 6), 6)


def test_control_rests_on_complete_items():
    # complete: a 1, b 1/2, c 1, d 0, e 1, f 1; g lacks one
    assert _figure(_outcomes(), "control") == (pytest.approx(4.5 / 6), 6)


def test_bnr_is_equation_1():
    # Full-correct with all Drops: a 1, b 1/2, c 1/3, g 1
    assert _figure(_outcomes(), "bnr") == (pytest.approx((1 + 1 / 2 + 1 / 3 + 1) / 4), 4)


def test_items_with_an_incomplete_set_of_drops_are_left_out_and_counted():
    assert _figure(_outcomes(), "drops_complete") == (pytest.approx(5 / 7), 7)


def test_longer_chains_weigh_no_more():
    items = [("a", "a", 1, (1, 1), (), False), ("b", "b", 1, (0, 0, 0, 0), (), False)]
    assert _figure(_outcomes(items), "bnr") == (0.5, 2)


def test_numbers_of_hops_are_strata():
    assert _figure(_outcomes(), "bnr", "2_hops") == (pytest.approx(0.75), 2)
    assert _figure(_outcomes(), "bnr", "3_hops") == (pytest.approx(1 / 3), 1)
    assert _figure(_outcomes(), "full", "4_hops") == (1, 1)


def test_items_whose_answer_stands_elsewhere_are_a_ceiling():
    assert _figure(_outcomes(), "answer_elsewhere") == (pytest.approx(1 / 7), 7)
    assert _figure(_outcomes(), "bnr_ceiling") == (pytest.approx(3 / 4), 4)
    assert _figure(_outcomes(), "bnr", "answer_elsewhere") == (0.5, 1)
    assert _figure(_outcomes(), "bnr", "answer_in_support_alone") == (pytest.approx((1 + 1 / 3 + 1) / 3), 3)


def test_survival_pairs_each_drop_with_its_control():
    # a 2, b 2, c 3, e 1 (its second Drop has none), g 3 (its second Control has none); survived Drops: b, c, c
    assert _figure(_outcomes(), "drop_survival") == (pytest.approx(3 / 11), 11)
    assert _figure(_outcomes(), "control_survival") == (pytest.approx(10 / 11), 11)


def test_intervals_draw_variants_of_one_question_together():
    together = [(f"{n}{m}", str(n), 1, (n % 2, n % 2), (), False) for n in range(20) for m in range(5)]
    apart = [(name, name, *rest) for name, _, *rest in together]
    widths = []
    for items in (together, apart):
        one = _figures(_outcomes(items))["bnr", "mine", "all", "all"]
        assert (one.value, one.n) == (0.5, 100)
        widths.append(one.high - one.low)
    assert widths[0] == pytest.approx(5**0.5 * widths[1], rel=0.15)


def test_the_order_of_outcomes_changes_nothing():
    outcomes = list(_outcomes())
    found = audit_metrics(outcomes)
    for seed in range(3):
        random.Random(seed).shuffle(outcomes)
        assert audit_metrics(outcomes) == found


def test_halves_bound_disconnected_reasoning():
    halves = {"a": (1, 0), "b": (0, 0), "c": (1, 1), "d": (None, 1)}
    outcomes = [
        _outcome(item, "half", name, correct)
        for item in ITEMS[:4]
        for name, correct in zip(("first", "second"), halves[item[0]], strict=True)
    ]
    assert _figure([*_outcomes(), *outcomes], "dire_upper") == (pytest.approx(2 / 3), 3)


MASKED = [("a", 1, (1, 1, 1)), ("b", 1, (1, 0, 0)), ("c", 0, (0, 1, 0)), ("d", 1, (1, None, 1)), ("e", 0, (0, 0, 0))]


@pytest.mark.parametrize("condition", ["window", "circular"])
def test_windows(condition):
    outcomes = []
    for name, full, trials in MASKED:
        item = (name, name, full, (), (), False)
        outcomes.append(_outcome(item, "full", "", full))
        outcomes += [_outcome(item, condition, str(number), correct) for number, correct in enumerate(trials, 1)]
    found = {name: one for (name, _, where, _), one in _figures(outcomes).items() if where == condition}
    values = {name: (pytest.approx(one.value), one.n) for name, one in found.items()}
    assert values == {  # d lacks a verdict
        "mask_accuracy": (5 / 12, 4),
        "mask_decrease": (2 / 4 - 5 / 12, 4),
        "mask_survival": (1 / 2, 2),
        "mask_loss_rate": (2 / 6, 2),
        "mask_lost": (2 / 12, 4),
        "mask_gained": (1 / 12, 4),
    }


def test_what_was_not_asked_has_no_figure():
    names = {one.metric for one in audit_metrics(_outcome(item, "full", "", item[2]) for item in ITEMS)}
    assert names == {"full", "answer_elsewhere"}


def test_endpoints():
    took = [0, 1, None, 1, 0, 1]
    full = [1, 0, 0, 0, 0, None]
    outcomes = [
        _outcome((str(n), str(n), f, (), (), False), "full", "", f, took=t)
        for n, (f, t) in enumerate(zip(full, took, strict=True))
    ]
    assert _figure(outcomes, "endpoint_match") == (pytest.approx(2 / 4), 4)
    assert _figure(outcomes, "endpoint_share_of_errors") == (pytest.approx(2 / 3), 3)


TWINS = [
    ("a", "a", 1, (1, 1), (), False),
    ("b", "b", 0, (1, 1), (), False),
    ("c", "b", 1, (1, 0, 1), (), False),
    ("d", "d", 1, (1, 0), (), False),
    ("e", "e", 1, (1, 1), (), False),
]


def test_paired_increase_over_own_and_common_full_items():
    outcomes = [*_outcomes(), *_outcomes(TWINS, "mine_twin")]
    # on both sides complete: a, b, c, d; own side: a, b, c against a, c, d; common: a, c
    own = (1 + 1 / 2 + 1 / 3) / 3 - (0 + 1 / 3 + 1 / 2) / 3
    common = (1 + 1 / 3) / 2 - (0 + 1 / 3) / 2
    assert _figure(outcomes, "paired_increase")[0] == pytest.approx(own)
    assert _figure(outcomes, "paired_increase", "common_full")[0] == pytest.approx(common)
    assert _figure(outcomes, "bnr", "common_full") == (pytest.approx((1 + 1 / 3) / 2), 2)
    assert _figure(outcomes, "bnr", "common_full", "mine_twin") == (pytest.approx((0 + 1 / 3) / 2), 2)


def test_models_are_compared_on_the_items_that_all_have_right():
    other = [("a", "a", 1, (1, 1), (), False), ("b", "b", 0, (0, 0), (), False), ("g", "g", 1, (0, 0, 0, 1), (), False)]
    first, second = common_full([_outcomes(), _outcomes(other)])  # a and g
    assert (first.value, first.n, first.stratum) == (1, 2, "common_full")
    assert (second.value, second.n) == (pytest.approx((0 + 3 / 4) / 2), 2)
