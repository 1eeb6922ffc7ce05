import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.paired import Comparison, compare, flip_rate, holm, mcnemar, paired_p, sign_flips
from eval.stats import Interval


def _ids(n):
    return [f"item-{i:04d}" for i in range(n)]


# Twice the smaller tail of a fair coin: (1 + 7) / 2^7, 1 / 2^5, (1 + 10 + 45) / 2^10, nothing to decide.
@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(6, 1, 2 * 8 / 128), (1, 6, 2 * 8 / 128), (5, 0, 2 / 32), (8, 2, 2 * 56 / 1024), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_mcnemar_by_hand(first, second, p):
    assert mcnemar(first, second) == pytest.approx(p)


def test_holm_by_hand():
    # sorted 0.005 x 4, 0.01 x 3, 0.03 x 2, 0.04 x 1 -> 0.06 by the step before it
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([0.02, 0.02, 0.02]) == pytest.approx([0.06] * 3)
    assert holm([]) == []


def test_sign_flips_by_hand():
    # Of the eight signs of gaps 1, 2, 3 only +++ reaches 6, and only two reach 4 or more.
    assert sign_flips([1, 2, 3], [0, 0, 0], _ids(3)) == pytest.approx(2 / 8)
    assert sign_flips([0, 2, 3], [1, 0, 0], _ids(3)) == pytest.approx(4 / 8)
    assert sign_flips([1, 1], [1, 1], _ids(2)) == 1.0
    assert sign_flips([1, 0.4], [1, 0.9], _ids(2)) == 1.0
    assert sign_flips([], [], []) is None


@pytest.mark.parametrize(("first", "second"), [(6, 1), (9, 4), (2, 0)])
def test_sign_flips_of_single_binary_rows_are_mcnemar(first, second):
    scores = [1.0] * first + [0.0] * second + [1.0] * 20
    others = [0.0] * first + [1.0] * second + [1.0] * 20
    assert sign_flips(scores, others, _ids(len(scores))) == pytest.approx(mcnemar(first, second))


def test_many_sign_flips_are_drawn_and_close_to_the_exact_test():
    scores, others = [1.0] * 60 + [0.0] * 40, [0.0] * 60 + [1.0] * 40
    assert sign_flips(scores, others, _ids(100)) == pytest.approx(mcnemar(60, 40), abs=0.007)


def test_rows_of_one_item_flip_together():
    # Nine equal rows of each of 4 items are 4 signs: p = 2 / 2^4, not 2 / 2^36.
    assert paired_p([1.0] * 36, [0.0] * 36, [f"{i // 9}" for i in range(36)]) == pytest.approx(2 / 16)


def test_a_comparison():
    found = compare([1, 1, 1, 0], [0, 0, 1, 1], _ids(4))
    assert (found.difference.value, found.difference.n) == (0.25, 4)
    assert (found.first_ahead, found.second_ahead, found.test, found.p) == (2, 1, "mcnemar", 1.0)


def test_scores_between_0_and_1_are_compared_by_sign_flips():
    found = compare([0.5, 1.0], [0.0, 0.5], _ids(2))
    assert (found.test, found.p) == ("sign_flips", pytest.approx(2 / 4))
    assert found.difference == Interval(0.5, 0.5, 0.5, 2)


def test_no_items_compare_to_nothing():
    assert compare([], [], []) == Comparison(Interval(None, None, None, 0), 0, 0, "mcnemar", None)


def test_flip_rate_by_hand():
    # Three runs: all alike 0 of 3 pairs differ, one apart 2 of 3, so (0 + 2/3 + 2/3 + 0) / 4.
    runs = [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]]
    found = flip_rate(runs, _ids(4))
    assert (found.value, found.n) == (pytest.approx(1 / 3), 4)
    assert all(flip_rate(other, _ids(4)) == found for other in itertools.permutations(runs))
    with pytest.raises(ValueError, match="two runs"):
        flip_rate(runs[:1], _ids(4))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefghijklmnopqrst"), *[st.sampled_from([0.0, 0.1, 1 / 3, 1.0])] * 2), max_size=40
    ).flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows)))
)
@settings(max_examples=30, deadline=None)
def test_neither_the_order_of_rows_nor_of_systems_changes_p(pair):
    (ids, one, other), (same_ids, same_one, same_other) = (list(zip(*rows, strict=True)) or [[]] * 3 for rows in pair)
    p = paired_p(one, other, ids)
    assert paired_p(same_one, same_other, same_ids) == p
    assert p is None or paired_p(other, one, ids) == pytest.approx(p, abs=0.03)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_and_keeps_the_order(ps):
    adjusted = holm(ps)
    assert all(p <= a <= 1 for p, a in zip(ps, adjusted, strict=True))
    assert [a for _, a in sorted(zip(ps, adjusted, strict=True))] == sorted(adjusted)


def test_coverage_of_sign_flips_without_a_difference():
    rng = np.random.default_rng(17)
    samples = [(rng.random((2, 60, 2)) < rng.random((60, 1))).astype(float).reshape(2, -1) for _ in range(150)]
    ids = np.repeat(_ids(60), 2).tolist()
    found = [paired_p(one.tolist(), other.tolist(), ids) for one, other in samples]
    assert 0.01 <= np.mean([p <= 0.05 for p in found]) <= 0.09
