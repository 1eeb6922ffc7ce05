"""What a number of items can show: the smallest effect that the exact tests find with a given power."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import binom

ALPHA = 0.05
POWER = 0.8

Ints = npt.NDArray[np.int64]


class Detectable(NamedTuple):
    """The smallest fall and rise that are found (fractions of 1); null where even the end of the scale is not."""

    fall: float | None
    rise: float | None


def detectable_change(share: float, n: int, alpha: float = ALPHA, power: float = POWER) -> Detectable:
    """Return how far the true share must lie from a known one for the exact binomial test on n items to see it."""
    low, high = _critical(np.array([n]), share, alpha)

    def reached(other: float) -> float:
        return float(binom.cdf(low, n, other)[0] + binom.sf(high - 1, n, other)[0]) - power

    return Detectable(
        _smallest(lambda fall: reached(share - fall), share), _smallest(lambda rise: reached(share + rise), 1 - share)
    )


def paired_power(effect: float, discordance: float, n: int, alpha: float = ALPHA) -> float:
    """Return the power of the exact McNemar test on n items.

    `effect` is the difference of the two shares, `discordance` the share of items that only one system has right.
    """
    pairs = np.arange(n + 1)
    return _power_given(pairs, *_critical(pairs, 0.5, alpha), effect, discordance)


def detectable_difference(discordance: float, n: int, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """Return the smallest paired difference that the exact McNemar test on n items finds.

    Null where it does not even when all discordant items favour the same system.
    """
    pairs = np.arange(n + 1)
    low, high = _critical(pairs, 0.5, alpha)
    return _smallest(lambda effect: _power_given(pairs, low, high, effect, discordance) - power, discordance)


def _critical(n: Ints, share: float, alpha: float) -> tuple[Ints, Ints]:
    """Return the largest count in the lower tail and the smallest in the upper one, alpha / 2 each."""
    low, high = binom.ppf(alpha / 2, n, share), binom.isf(alpha / 2, n, share) + 1
    low -= binom.cdf(low, n, share) > alpha / 2
    return low.astype(np.int64), high.astype(np.int64)


def _power_given(pairs: Ints, low: Ints, high: Ints, effect: float, discordance: float) -> float:
    if discordance == 0:
        return 0.0
    ahead = min(1.0, (discordance + effect) / (2 * discordance))
    found = binom.cdf(low, pairs, ahead) + binom.sf(high - 1, pairs, ahead)
    return float(binom.pmf(pairs, pairs[-1], discordance) @ found)


def _smallest(excess: Callable[[float], float], largest: float) -> float | None:
    """Return the effect from 0 to the largest where power exceeds what is asked by 0; it grows with the effect."""
    return float(brentq(excess, 0, largest)) if excess(largest) >= 0 else None
