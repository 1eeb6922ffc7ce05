"""Two systems, or two conditions, on the same items: exact McNemar, sign flips, paired bootstrap; Holm; flip rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from scipy.stats import binomtest, permutation_test

from eval.stats import SEED, Interval, difference_interval, mean_interval
from eval.stats_bootstrap import RESAMPLES, Floats, Ratio, contrast

Test = Literal["mcnemar", "sign_flips"]
_BATCH = 500


@dataclass(frozen=True)
class Comparison:
    """First minus second with its paired bootstrap interval; items where either is ahead; p, null without items."""

    difference: Interval
    first_ahead: int
    second_ahead: int
    test: Test
    p: float | None


def compare(first: Sequence[float], second: Sequence[float], clusters: Sequence[str], seed: int = SEED) -> Comparison:
    """Compare scores row by row (shapes `(rows,)`); `clusters` names the item of each row."""
    ones = np.ones(len(first))
    difference = difference_interval(Ratio(first, ones, clusters), Ratio(second, ones, clusters), seed=seed)
    gaps = _gaps(first, second, clusters)
    test: Test = "mcnemar" if _is_binary(first, second, clusters) else "sign_flips"
    p = paired_p(first, second, clusters, seed)
    return Comparison(difference, int((gaps > 0).sum()), int((gaps < 0).sum()), test, p)


def paired_p(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[str], seed: int = SEED
) -> float | None:
    """Return McNemar's p where every item has one row that is 0 or 1, that of sign flips of whole items elsewhere."""
    if not _is_binary(first, second, clusters):
        return sign_flips(first, second, clusters, seed)
    gaps = _gaps(first, second, clusters)
    return mcnemar(int((gaps > 0).sum()), int((gaps < 0).sum())) if len(gaps) else None


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of the items that only one of two systems has right; 1 where there are none."""
    discordant = only_first + only_second
    return float(binomtest(only_first, discordant).pvalue) if discordant else 1.0


def sign_flips(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[str], seed: int = SEED
) -> float | None:
    """Return the two-sided p of the mean difference when the signs of whole items are flipped; null without items.

    Exact where items that differ allow at most 10,000 patterns of signs, else from 9,999 random ones.
    """
    gaps = _gaps(first, second, clusters)
    return _flipped(gaps, seed) if len(gaps) else None


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number, in the order given: significant where at most alpha."""
    found = np.asarray(ps, float)
    order = np.argsort(found, kind="stable")
    stepped = np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1))
    adjusted = np.empty(len(found))
    adjusted[order] = np.minimum(stepped, 1)
    return [float(p) for p in adjusted]


def flip_rate(runs: Sequence[Sequence[float]], clusters: Sequence[str], seed: int = SEED) -> Interval:
    """Return how often two runs (shape `(runs, rows)`) of one row score it differently, averaged over pairs of runs.

    Raises ValueError for fewer than two runs.
    """
    pairs = list(combinations([np.asarray(run, float) for run in runs], 2))
    if not pairs:
        raise ValueError("a flip rate needs two runs")
    return mean_interval((sum(one != other for one, other in pairs) / len(pairs)).tolist(), clusters, seed)


def _is_binary(first: Sequence[float], second: Sequence[float], clusters: Sequence[str]) -> bool:
    return len(set(clusters)) == len(clusters) and set(first) | set(second) <= {0, 1}


def _gaps(first: Sequence[float], second: Sequence[float], clusters: Sequence[str]) -> Floats:
    """Return first minus second, added up by cluster."""
    gaps = np.asarray(first, float) - np.asarray(second, float)
    return contrast([Ratio(gaps, np.ones(len(gaps)), clusters)], [1]).totals[:, 0]


def _flipped(gaps: Floats, seed: int) -> float:
    # Items without a difference have no sign; turning all signs leaves a two-sided p the same.
    moved = np.sort(gaps[gaps != 0] * (1 if gaps.sum() > 0 else -1))
    if len(moved) < 2:  # either sign of one item is as far from 0
        return 1.0
    found = permutation_test(
        (moved,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES - 1,
        batch=_BATCH,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)
