"""Intervals for shares, ratios and their differences: percentile bootstrap that resamples whole items, as papers do.

An item's rows (samples, conditions) are drawn together, so repeated measurements of one item do not narrow an interval
(REALHOP, appendices C and I.5: 10,000 whole-question resamples, percentile endpoints, base seed 20260925).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from eval.stats_bootstrap import Contrast, Floats, Ratio, contrast

SEED = 20260925
COVERAGE = 0.95
# Shares of items that only one of two systems has right, for which a card says what its sizes can show.
DISCORDANCES = (0.1, 0.2, 0.3)


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval and its denominator; all three are null where the denominator is 0.

    For differences and interactions `n` counts the clusters that have a part in them.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


def mean_interval(values: Sequence[float], clusters: Sequence[str], seed: int = SEED) -> Interval:
    """Return the mean of values (shape `(rows,)`) whose rows belong to the items named in `clusters`."""
    return ratio_interval(values, np.ones(len(values)), clusters, seed)


def ratio_interval(
    numerators: Sequence[float] | Floats,
    denominators: Sequence[float] | Floats,
    clusters: Sequence[str],
    seed: int = SEED,
) -> Interval:
    """Return sum of numerators by sum of denominators (shapes `(rows,)`); `n` is the latter.

    Where every item scores 0, or every item 1, resamples never differ: the interval is Wilson's over the items.
    """
    ratio = Ratio(numerators, denominators, clusters)
    totals = contrast([ratio], [1]).totals
    found = _certain(totals) or contrast_interval([ratio], [1], seed=seed)
    return replace(found, n=round(totals[:, 1].sum()))


def contrast_interval(
    ratios: Sequence[Ratio], weights: Sequence[float], *, paired: bool = True, seed: int = SEED
) -> Interval:
    """Return the weighted sum of ratios, all measured on the same resample of clusters, or each on its own.

    Resamples in which a denominator is 0 say nothing of the sum and are left out.
    """
    parts = _parts(ratios, weights, paired)
    value = _value(parts)
    if value is None:
        return Interval(None, None, None, 0)
    drawn = np.sum([part.resampled(np.random.default_rng([seed, i])) for i, part in enumerate(parts)], axis=0)
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(drawn[np.isfinite(drawn)], [tail, 1 - tail])
    return Interval(value, float(low), float(high), sum(part.clusters for part in parts))


def difference_interval(first: Ratio, second: Ratio, *, paired: bool = True, seed: int = SEED) -> Interval:
    """Return first minus second; `paired` draws clusters of equal name together, else each side on its own."""
    return contrast_interval([first, second], [1, -1], paired=paired, seed=seed)


def interaction_interval(
    base: Ratio, one: Ratio, other: Ratio, both: Ratio, *, paired: bool = True, seed: int = SEED
) -> Interval:
    """Return (both - other) - (one - base): what two changes do beyond the sum of each (REALHOP, appendix F)."""
    return contrast_interval([base, one, other, both], [1, -1, -1, 1], paired=paired, seed=seed)


def normal_interval(ratios: Sequence[Ratio], weights: Sequence[float], *, paired: bool = True) -> Interval:
    """Return the weighted sum with its delta-method interval; a check on the bootstrap, null for fewer than 2 clusters.

    Not held within 0 and 1.
    """
    parts = _parts(ratios, weights, paired)
    value = _value(parts)
    if value is None:
        return Interval(None, None, None, 0)
    n = sum(part.clusters for part in parts)
    if min(len(part.totals) for part in parts) < 2:
        return Interval(value, None, None, n)
    half = NormalDist().inv_cdf((1 + COVERAGE) / 2) * sqrt(sum(part.variance() for part in parts))
    return Interval(value, value - half, value + half, n)


def wilson_interval(count: int, n: int) -> Interval:
    """Return count of n independent items with Wilson's score interval."""
    from scipy.stats import binomtest  # half a second that few runs need

    if n == 0:
        return Interval(None, None, None, 0)
    found = binomtest(count, n).proportion_ci(COVERAGE, method="wilson")
    return Interval(count / n, float(found.low), float(found.high), n)


@dataclass(frozen=True)
class MinimumEffect:
    """The smallest paired differences that a number of items shows, by discordance; null where it shows none."""

    alpha: float
    power: float
    differences: Mapping[float, float | None]


@cache
def minimum_effect(n: int) -> MinimumEffect:
    """Return what n items that two systems (or two conditions) share can show, by the two-sided exact McNemar test."""
    from eval.power import ALPHA, POWER, detectable_difference  # scipy, see above

    return MinimumEffect(ALPHA, POWER, {share: detectable_difference(share, n) for share in DISCORDANCES})


def _parts(ratios: Sequence[Ratio], weights: Sequence[float], paired: bool) -> list[Contrast]:
    if paired:
        return [contrast(ratios, weights)]
    return [contrast([ratio], [weight]) for ratio, weight in zip(ratios, weights, strict=True)]


def _value(parts: Sequence[Contrast]) -> float | None:
    values = [part.value for part in parts]
    return None if None in values else sum(value for value in values if value is not None)


def _certain(totals: Floats) -> Interval | None:
    above, below = totals[totals[:, 1] != 0].T
    if len(above) == 0 or not ((above == 0).all() or (above == below).all()):
        return None
    return wilson_interval(len(above) if above.any() else 0, len(above))
