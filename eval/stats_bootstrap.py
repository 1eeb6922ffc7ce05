"""Weighted sums of ratios over rows that belong to clusters, their values in resamples of clusters, their errors.

Shares, RAD and BNR are one ratio; a difference has two, an interaction four. Nothing depends on the order of rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 10_000
_CELLS_AT_ONCE = 40_000  # what a processor's cache holds
_FEW = 100

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ratio:
    """Sum of numerators by sum of denominators (shapes `(rows,)`); `clusters` names the source item of each row.

    BNR (REALHOP, Equation 1) has one row per item: F times the mean of 1 - D over the hops above, F below.
    Raises ValueError where the lengths differ.
    """

    numerators: Sequence[float] | Floats
    denominators: Sequence[float] | Floats
    clusters: Sequence[str]

    def __post_init__(self) -> None:
        if not len(self.numerators) == len(self.denominators) == len(self.clusters):
            raise ValueError("numerators, denominators and clusters differ in length")


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of ratios; `totals` of shape `(clusters, 2 * ratios)` holds numerators and denominators in turn.

    Clusters that ratios have in common are drawn together; a cluster that a ratio lacks adds 0 to it.
    """

    totals: Floats
    weights: Floats

    @property
    def sums(self) -> Floats:
        """Sums over all clusters, shape `(2 * ratios,)`."""
        return np.asarray(self.totals.sum(axis=0))

    @property
    def value(self) -> float | None:
        """The weighted sum itself; null where a denominator is 0."""
        return float(_combine(self.sums, self.weights)) if self.sums[1::2].all() else None

    @property
    def clusters(self) -> int:
        """The number of clusters with a denominator other than 0."""
        return int((self.totals[:, 1::2] != 0).any(axis=1).sum())

    def resampled(self, rng: np.random.Generator) -> Floats:
        """Return values of shape `(RESAMPLES,)`; those without a finite value had a denominator of 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return _combine(_resampled_sums(self.totals, rng), self.weights)

    def variance(self) -> float:
        """Return the delta-method variance with whole clusters as units (sandwich, times C / (C - 1))."""
        above, below = self.sums[0::2], self.sums[1::2]
        residuals = (self.totals[:, 0::2] - above / below * self.totals[:, 1::2]) / below @ self.weights
        return float(residuals @ residuals * len(residuals) / (len(residuals) - 1))


def contrast(ratios: Sequence[Ratio], weights: Sequence[float]) -> Contrast:
    """Add up the rows of each cluster; raise ValueError where there are more or fewer weights than ratios."""
    if len(ratios) != len(weights):
        raise ValueError("one weight per ratio")
    names = sorted(set().union(*(ratio.clusters for ratio in ratios)))
    numbers = {name: number for number, name in enumerate(names)}
    totals = np.concatenate([_totals(ratio, numbers) for ratio in ratios], axis=1)
    return Contrast(totals[np.lexsort(totals.T)], np.asarray(weights, float))


def _combine(sums: Floats, weights: Floats) -> Floats:
    return np.asarray((sums[..., 0::2] / sums[..., 1::2]) @ weights)


def _totals(ratio: Ratio, numbers: dict[str, int]) -> Floats:
    """Return sums of shape `(clusters, 2)`; rows of a cluster are added by size, as floats depend on the order."""
    above, below = np.asarray(ratio.numerators, float), np.asarray(ratio.denominators, float)
    members = np.fromiter((numbers[name] for name in ratio.clusters), np.int64, len(above))
    order = np.lexsort((below, above, members))
    return np.stack([np.bincount(members[order], part[order], len(numbers)) for part in (above, below)], axis=1)


def _resampled_sums(totals: Floats, rng: np.random.Generator) -> Floats:
    """Return sums of shape `(RESAMPLES, columns)` over as many clusters as there are, drawn with replacement.

    Clusters with equal totals are interchangeable: where scores are 0 or 1, one multinomial draw over the few distinct
    totals stands for a draw over all clusters, with the same distribution.
    """
    distinct, counts = np.unique(totals, axis=0, return_counts=True)
    few = len(distinct) <= _FEW
    rows = max(1, _CELLS_AT_ONCE // (len(distinct) if few else len(totals)))
    sizes = [min(rows, RESAMPLES - start) for start in range(0, RESAMPLES, rows)]
    if few:
        return np.concatenate([rng.multinomial(len(totals), counts / len(totals), size) @ distinct for size in sizes])
    return np.concatenate([_sums_of_drawn(totals, size, rng) for size in sizes])


def _sums_of_drawn(totals: Floats, size: int, rng: np.random.Generator) -> Floats:
    # Narrow integers are drawn faster, and a column at a time is gathered faster than rows.
    clusters = len(totals)
    drawn = rng.integers(clusters, size=(size, clusters), dtype=np.min_scalar_type(clusters - 1)).astype(np.intp)
    return np.stack([column[drawn].sum(axis=1) for column in totals.T.copy()], axis=1)
