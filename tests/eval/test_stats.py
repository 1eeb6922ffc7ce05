import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.stats import Interval, mean_interval, ratio_interval


def _ids(n):
    return [f"item-{i:04d}" for i in range(n)]


def test_a_mean_and_its_denominator():
    found = mean_interval([1, 0, 0, 1, 1], _ids(5))
    assert (found.value, found.n) == (0.6, 5)
    assert 0 <= found.low < 0.6 < found.high <= 1


def test_equal_values_leave_no_interval():
    assert mean_interval([1.0] * 7, _ids(7)) == Interval(1.0, 1.0, 1.0, 7)


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


def test_95_of_100_intervals_cover_the_truth():
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(400):
        shares = rng.beta(2, 3, size=120)  # items differ, and have two rows each
        values = (rng.random((120, 2)) < shares[:, None]).astype(float)
        found = mean_interval(values.ravel().tolist(), np.repeat(_ids(120), 2).tolist())
        covered += found.low <= 0.4 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_ratio_covers_its_truth_too():
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(400):
        below = rng.random(200) < 0.5
        above = below & (rng.random(200) < 0.8)
        found = ratio_interval(above.astype(float), below.astype(float), _ids(200))
        covered += found.low <= 0.8 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


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


@pytest.mark.parametrize("values", [np.arange(790) % 2, np.arange(790) / 790])
def test_790_items_take_less_than_a_second(values):
    start = time.perf_counter()
    mean_interval(values.astype(float).tolist(), _ids(790))
    assert time.perf_counter() - start < 1
