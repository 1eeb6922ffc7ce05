import numpy as np
import pytest

from eval.paired import mcnemar
from eval.power import detectable_change, detectable_difference, paired_power


def test_from_nothing_one_success_is_enough():
    # 1 - (1 - p)^100 = 0.8
    found = detectable_change(0.0, 100)
    assert found.fall is None
    assert found.rise == pytest.approx(1 - 0.2**0.01)
    assert detectable_change(1.0, 100) == (pytest.approx(found.rise), None)


def test_the_change_that_a_fair_coin_shows():
    # 61 of 100 are needed; normal tail: (0.605 - p) / sqrt(p (1 - p) / 100) = -0.8416 at p = 0.6452
    found = detectable_change(0.5, 100)
    assert found.rise == pytest.approx(0.1452, abs=0.001)
    assert found.fall == pytest.approx(found.rise)


def test_many_items_have_the_normal_effect():
    # (1.96 + 0.84) sqrt(p (1 - p) / n)
    assert detectable_change(0.3, 20_000).rise == pytest.approx(2.8016 * (0.21 / 20_000) ** 0.5, rel=0.02)


def test_three_items_show_nothing():
    # Three heads have p = 2 / 2^3.
    assert detectable_change(0.5, 3) == (None, None)


def test_the_power_of_six_discordant_items_by_hand():
    # All six must favour the same system; with 5/6 in favour that has (5/6)^6 + (1/6)^6.
    assert paired_power(2 / 3, 1.0, 6) == pytest.approx((5**6 + 1) / 6**6)
    assert paired_power(1.0, 1.0, 5) == 0.0
    assert paired_power(0.0, 0.0, 100) == 0.0


def test_the_difference_that_six_items_show():
    # a^6 + (1 - a)^6 = 0.8 at a = 0.96350, and the effect is 2a - 1
    found = detectable_difference(1.0, 6)
    share = (1 + found) / 2
    assert share**6 + (1 - share) ** 6 == pytest.approx(0.8)
    assert detectable_difference(1.0, 5) is None


def test_a_small_discordance_may_show_nothing():
    # Power needs six discordant items, of which 100 have 1 on average.
    assert detectable_difference(0.01, 100) is None
    assert detectable_difference(0.0, 100) is None


@pytest.mark.parametrize(("discordance", "n"), [(0.2, 2000), (0.5, 1000)])
def test_the_detectable_difference_is_near_miettinens(discordance, n):
    # n d² = (z_a sqrt(q) + z_b sqrt(q - d²))² solved for d; the exact test needs a little more
    a, b = 1.959964, 0.841621
    normal = discordance**0.5 * (a * n**0.5 + b * (n + b * b - a * a) ** 0.5) / (n + b * b)
    found = detectable_difference(discordance, n)
    assert normal < found < 1.06 * normal


@pytest.mark.parametrize(("discordance", "n"), [(0.15, 300), (0.4, 100)])
def test_power_is_reached_in_simulated_comparisons(discordance, n):
    rng = np.random.default_rng(23)
    effect = detectable_difference(discordance, n)
    shares = [(discordance + effect) / 2, (discordance - effect) / 2, 1 - discordance]
    drawn = rng.multinomial(n, shares, 1000)[:, :2].tolist()
    found = np.mean([mcnemar(*counts) <= 0.05 for counts in drawn])
    assert found == pytest.approx(0.8, abs=0.04)
