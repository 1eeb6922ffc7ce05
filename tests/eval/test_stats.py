import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.stats import (
    Interval,
    contrast_interval,
    difference_interval,
    interaction_interval,
    mean_interval,
    minimum_effect,
    normal_interval,
    ratio_interval,
    wilson_interval,
)
from eval.stats_bootstrap import Ratio


def _ids(n):
    return [f"item-{i:04d}" for i in range(n)]


def test_a_mean_and_its_denominator():
    found = mean_interval([1, 0, 0, 1, 1], _ids(5))
    assert (found.value, found.n) == (0.6, 5)
    assert 0 <= found.low < 0.6 < found.high <= 1


def _mean(values, prefix="item"):
    return Ratio(values, [1.0] * len(values), [f"{prefix}-{i:04d}" for i in range(len(values))])


# By hand: with z = 1.95996 and all of n right, Wilson's lower end is n / (n + z²), his upper end 1.
@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 7 / 10.841459, 1.0), (0.0, 0.0, 3.841459 / 10.841459)])
def test_seven_items_alike_are_not_certain(value, low, high):
    for rows in (1, 3):  # three rows of one item tell no more than one
        found = mean_interval([value] * 7 * rows, _ids(7) * rows)
        assert (found.value, found.n) == (value, 7 * rows)
        assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_items_outside_the_denominator_do_not_count_as_alike():
    assert ratio_interval([1, 1, 0, 0], [1, 1, 0, 0], _ids(4)).low == pytest.approx(2 / 5.841459)


def test_equal_values_that_are_no_counts_leave_no_interval():
    assert mean_interval([0.5] * 7, _ids(7)) == Interval(0.5, 0.5, 0.5, 7)


def test_wilson_by_hand():
    # 8 of 10: centre (0.8 + z²/20) / (1 + z²/10) = 0.71674, half z sqrt(0.16/10 + z²/400) / (1 + z²/10) = 0.22659
    found = wilson_interval(8, 10)
    assert (found.value, found.n) == (0.8, 10)
    assert (found.low, found.high) == (pytest.approx(0.49016, abs=1e-5), pytest.approx(0.94332, abs=1e-5))
    assert wilson_interval(0, 0) == Interval(None, None, None, 0)


def test_a_ratio_of_two_sums():
    # 1 + 0 + 1 + 0 above, 1 + 1 + 1 + 0 below
    found = ratio_interval([1, 0, 1, 0], [1, 1, 1, 0], _ids(4))
    assert found.value == pytest.approx(2 / 3)
    assert found.n == 3


@pytest.mark.parametrize(("above", "below"), [([], []), ([0, 0], [0, 0])])
def test_an_empty_denominator_is_null_and_never_zero(above, below):
    assert ratio_interval(above, below, _ids(len(above))) == Interval(None, None, None, 0)


def test_two_items_have_the_interval_of_their_three_resamples():
    # Means 0, 1/2 and 1 come with 1/4, 1/2 and 1/4: the tails of 2.5 % are 0 and 1.
    assert mean_interval([0, 1], ["a", "b"]) == Interval(0.5, 0.0, 1.0, 2)


@pytest.mark.parametrize(("share", "n"), [(0.3, 1000), (0.5, 400), (0.9, 2000)])
def test_a_bernoulli_mean_has_the_normal_interval(share, n):
    values = [1.0] * round(share * n) + [0.0] * round((1 - share) * n)
    half = 1.96 * math.sqrt(share * (1 - share) / n)
    found = mean_interval(values, _ids(n))
    assert found.low == pytest.approx(share - half, abs=0.06 * half + 1 / n)
    assert found.high == pytest.approx(share + half, abs=0.06 * half + 1 / n)


def test_many_distinct_values_have_the_normal_interval_too():
    # 0, 1/1000 ... 1 evenly: standard deviation 1 / sqrt(12)
    half = 1.96 / math.sqrt(12) / math.sqrt(1001)
    found = mean_interval([i / 1000 for i in range(1001)], _ids(1001))
    assert found.value == pytest.approx(0.5)
    assert found.low == pytest.approx(0.5 - half, abs=0.06 * half)
    assert found.high == pytest.approx(0.5 + half, abs=0.06 * half)


def test_rows_of_one_item_are_drawn_together():
    # 100 items with 9 equal rows each are worth 100 observations, not 900.
    values = ([1.0] * 9 + [0.0] * 9) * 50
    clustered = mean_interval(values, [f"{i // 9:03d}" for i in range(900)])
    single = mean_interval(values[::9], _ids(100))
    assert (clustered.value, clustered.low, clustered.high) == (single.value, single.low, single.high)
    assert clustered.n == 900


def test_a_paired_difference_by_hand():
    # Gaps 1 and 0 over two items: means 1, 1/2 and 0 come with 1/4, 1/2 and 1/4.
    assert difference_interval(_mean([1, 1]), _mean([0, 1])) == Interval(0.5, 0.0, 1.0, 2)


def test_equal_rows_have_no_paired_difference_but_an_unpaired_one():
    values = [1.0, 0.0] * 50
    assert difference_interval(_mean(values), _mean(values)) == Interval(0.0, 0.0, 0.0, 100)
    # two independent means of variance 1 / 400 each
    half = 1.96 * math.sqrt(2 / 400)
    found = difference_interval(_mean(values), _mean(values, "other"), paired=False)
    assert (found.value, found.n) == (0.0, 200)
    assert (found.low, found.high) == (pytest.approx(-half, abs=0.02), pytest.approx(half, abs=0.02))


def test_an_interaction_is_a_difference_of_differences():
    # (0 - 1/4) - (1/2 - 1) = 1/4; item by item 0, 0, 0 and 1
    found = interaction_interval(_mean([1, 1, 1, 1]), _mean([1, 1, 0, 0]), _mean([0, 0, 1, 0]), _mean([0, 0, 0, 0]))
    assert (found.value, found.n) == (0.25, 4)
    assert (found.low, found.high) == (0.0, 0.75)  # P(mean 1) = 4^-4 and P(0) = 0.316: binomial(4, 1/4) by four


def test_ratios_over_different_items_of_one_sample():
    # BNR of two sides: items 0 to 2 and 1 to 3 are right; (1 + 1/2 + 0) / 3 and (1 + 1 + 1/2) / 3
    first = Ratio([1, 0.5, 0, 0], [1, 1, 1, 0], _ids(4))
    second = Ratio([0, 1, 1, 0.5], [0, 1, 1, 1], _ids(4))
    found = difference_interval(second, first)
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 4


def test_the_mean_of_three_trials():
    trials = [_mean([1, 1, 1, 0]), _mean([1, 1, 0, 0]), _mean([1, 0, 0, 0])]
    assert contrast_interval(trials, [1 / 3] * 3).value == pytest.approx(0.5)


@pytest.mark.parametrize("paired", [True, False])
def test_one_empty_denominator_empties_the_difference(paired):
    nothing = Ratio([0, 0], [0, 0], _ids(2))
    assert difference_interval(_mean([1, 0]), nothing, paired=paired) == Interval(None, None, None, 0)
    assert normal_interval([_mean([1, 0]), nothing], [1, -1], paired=paired) == Interval(None, None, None, 0)


@pytest.mark.parametrize("lengths", [(2, 3, 3), (3, 2, 3), (3, 3, 2)])
def test_columns_of_different_length_are_refused(lengths):
    above, below, clusters = lengths
    with pytest.raises(ValueError, match="differ in length"):
        Ratio([1.0] * above, [1.0] * below, _ids(clusters))


def test_one_weight_per_ratio():
    with pytest.raises(ValueError, match="one weight per ratio"):
        contrast_interval([_mean([1, 0])], [1, -1])


def test_the_analytic_error_of_a_mean_by_hand():
    # 0, 0, 1, 1: variance 1/4 of the items, 1/16 of their mean, by 4/3 for one degree of freedom
    found = normal_interval([_mean([0, 0, 1, 1])], [1])
    assert found.high - 0.5 == pytest.approx(1.959964 * math.sqrt(1 / 12))
    assert normal_interval([_mean([1])], [1]) == Interval(1.0, None, None, 1)


def test_the_analytic_error_of_a_ratio_by_hand():
    # 2 / 3 with residuals 1/3, 1/3, -2/3 and 0: (1 + 1 + 4) / 9 / 3² * 4 / 3 = 8 / 81
    found = normal_interval([Ratio([1, 1, 0, 0], [1, 1, 1, 0], _ids(4))], [1])
    assert (found.value, found.high - found.value) == (
        pytest.approx(2 / 3),
        pytest.approx(1.959964 * math.sqrt(8 / 81)),
    )


def _sides(rng, n):
    """Full and mean necessity of three hops on two sides of the same items, the second side harder and stricter."""
    full = rng.random((2, n)) < [[0.85], [0.7]]
    necessity = (rng.random((2, n, 3)) < [[[0.3]], [[0.9]]]).mean(axis=2)
    return [Ratio(f * v, f.astype(float), _ids(n)) for f, v in zip(full, necessity, strict=True)]


@pytest.mark.parametrize("paired", [True, False])
def test_bootstrap_and_analytic_errors_agree(paired):
    sides = _sides(np.random.default_rng(3), 600)
    drawn = difference_interval(sides[1], sides[0], paired=paired)
    normal = normal_interval([sides[1], sides[0]], [1, -1], paired=paired)
    assert drawn.value == pytest.approx(normal.value)
    assert drawn.n == normal.n
    assert drawn.high - drawn.low == pytest.approx(normal.high - normal.low, rel=0.05)


def test_coverage_of_a_mean():
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        shares = rng.beta(2, 3, size=120)  # items differ, and have two rows each
        values = (rng.random((120, 2)) < shares[:, None]).astype(float)
        found = mean_interval(values.ravel().tolist(), np.repeat(_ids(120), 2).tolist())
        covered += found.low <= 0.4 <= found.high
    assert 0.91 < covered / 200 < 0.99


def test_coverage_of_a_ratio():
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(200):
        below = rng.random(200) < 0.5
        above = below & (rng.random(200) < 0.8)
        found = ratio_interval(above.astype(float), below.astype(float), _ids(200))
        covered += found.low <= 0.8 <= found.high
    assert 0.91 < covered / 200 < 0.99


# Bootstrap and analytic intervals of the same samples: 200 have a standard error of 1.5 points.
@pytest.mark.parametrize("paired", [True, False])
def test_coverage_of_a_difference_of_ratios(paired):
    rng = np.random.default_rng(5)
    covered = np.zeros(2)
    for _ in range(200):
        sides = _sides(rng, 150)
        drawn = difference_interval(sides[1], sides[0], paired=paired)
        normal = normal_interval([sides[1], sides[0]], [1, -1], paired=paired)
        covered += [found.low <= 0.6 <= found.high for found in (drawn, normal)]
    assert (covered / 200 > 0.91).all()
    assert (covered / 200 < 0.99).all()


def test_coverage_of_an_interaction():
    rng = np.random.default_rng(13)
    covered = 0
    for _ in range(200):
        ease = rng.random(150)  # one item's four conditions hang together
        cells = [_mean((ease < share).astype(float)) for share in (0.9, 0.6, 0.5, 0.4)]
        found = interaction_interval(*cells)
        covered += found.low <= 0.4 - 0.5 - (0.6 - 0.9) <= found.high
    assert 0.91 < covered / 200 < 0.99


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", "d"]), st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 1.0]), st.booleans()),
        min_size=1,
        max_size=12,
    ).flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows)))
)
def test_the_order_of_rows_changes_nothing(pair):
    first, second = ([[row[1] for row in rows], [float(row[2]) for row in rows], [r[0] for r in rows]] for rows in pair)
    assert ratio_interval(*first) == ratio_interval(*second)


@given(
    st.lists(st.tuples(st.sampled_from("abcde"), *[st.sampled_from([0.0, 0.1, 1 / 3, 0.7])] * 2), min_size=1).flatmap(
        lambda rows: st.tuples(st.just(rows), st.permutations(rows))
    )
)
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_changes_no_difference(pair):
    first, second = (list(zip(*rows, strict=True)) for rows in pair)
    intervals = [
        difference_interval(Ratio(a, [1.0] * len(a), ids), Ratio(b, [1.0] * len(b), ids))
        for ids, a, b in (first, second)
    ]
    assert intervals[0] == intervals[1]


def test_names_of_clusters_change_nothing():
    values = np.random.default_rng(1).random(150).tolist()  # more distinct values than one multinomial draw takes
    assert mean_interval(values, _ids(150)) == mean_interval(values, _ids(150)[::-1])


def test_what_a_number_of_items_can_show():
    # Three discordant items of 30 prove nothing, neither do six; of nine a clear majority does.
    assert [value is None for value in minimum_effect(30).differences.values()] == [True, True, False]
    assert set(minimum_effect(5).differences.values()) == {None}
    found = minimum_effect(2000)
    assert (found.alpha, found.power, list(found.differences)) == (0.05, 0.8, [0.1, 0.2, 0.3])
    # (1.96 + 0.84) sqrt(share / n), to which the exact test adds a little
    for share, difference in found.differences.items():
        assert difference == pytest.approx(2.8016 * (share / 2000) ** 0.5, rel=0.06)


@pytest.mark.parametrize("values", [np.arange(790) % 2, np.arange(790) / 790])
def test_790_items_take_less_than_a_second(values):
    start = time.process_time()
    mean_interval(values.astype(float).tolist(), _ids(790))
    assert time.process_time() - start < 1
