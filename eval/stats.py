"""Intervals for shares and ratios: percentile bootstrap that resamples whole items, as the papers do.

An item's rows (samples, conditions) are drawn together, so repeated measurements of one item do not narrow an interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SEED = 20260925
RESAMPLES = 10_000
COVERAGE = 0.95
_CELLS_AT_ONCE = 4_000_000
_FEW = 100

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval and its denominator; all three are null where the denominator is 0."""

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

    Resamples in which the denominator is 0 say nothing of the ratio and are left out.
    """
    totals = _totals_by_cluster(np.asarray(numerators, float), np.asarray(denominators, float), clusters)
    above, below = totals.sum(axis=0)
    if below == 0:
        return Interval(None, None, None, 0)
    sums = _resampled_sums(totals, np.random.default_rng(seed))
    sums = sums[sums[:, 1] > 0]
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [tail, 1 - tail])
    return Interval(float(above / below), float(low), float(high), round(below))


def _totals_by_cluster(numerators: Floats, denominators: Floats, clusters: Sequence[str]) -> Floats:
    """Return sums of shape `(clusters, 2)` in the order of cluster ids, the same whatever the order of the rows."""
    numbers = {name: number for number, name in enumerate(sorted(set(clusters)))}
    members = np.fromiter((numbers[name] for name in clusters), np.int64, len(clusters))
    order = np.lexsort((denominators, numerators, members))
    return np.stack([np.bincount(members[order], part[order]) for part in (numerators, denominators)], axis=1)


def _resampled_sums(totals: Floats, rng: np.random.Generator) -> Floats:
    """Return sums of shape `(RESAMPLES, 2)` over as many clusters as there are, drawn with replacement.

    Clusters with equal totals are interchangeable: where scores are 0 or 1, one multinomial draw over the few distinct
    totals stands for a draw over all clusters, with the same distribution.
    """
    distinct, counts = np.unique(totals, axis=0, return_counts=True)
    few = len(distinct) <= _FEW
    rows = max(1, _CELLS_AT_ONCE // (len(distinct) if few else len(totals)))
    sizes = [min(rows, RESAMPLES - start) for start in range(0, RESAMPLES, rows)]
    if few:
        return np.concatenate([rng.multinomial(len(totals), counts / len(totals), size) @ distinct for size in sizes])
    return np.concatenate([_sums_of_drawn(totals, rng.integers(len(totals), size=(n, len(totals)))) for n in sizes])


def _sums_of_drawn(totals: Floats, drawn: npt.NDArray[np.int64]) -> Floats:
    # A column at a time: gathering pairs takes five times as long.
    return np.stack([column[drawn].sum(axis=1) for column in totals.T.copy()], axis=1)
