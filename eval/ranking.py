"""Which systems a benchmark tells apart: ranks with their range, tie groups, and agreement of two rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import networkx as nx
from scipy.stats import spearmanr

from eval.paired import holm, paired_p
from eval.power import ALPHA
from eval.stats import SEED, Interval, mean_interval


@dataclass(frozen=True)
class Ranked:
    """A system's mean score, its ranks from best to worst possible, and its tie groups, numbered from the top.

    Two systems share a group if and only if their difference is not significant, so one may belong to several.
    """

    system: str
    score: Interval
    best: int
    worst: int
    groups: tuple[int, ...]


class Correlation(NamedTuple):
    """Spearman's rho over n systems and its two-sided p; null for fewer than 3 systems or where all score the same."""

    rho: float | None
    p: float | None
    n: int


def rank(
    scores: Mapping[str, Sequence[float]], clusters: Sequence[str], seed: int = SEED, alpha: float = ALPHA
) -> list[Ranked]:
    """Rank systems by mean score (shape `(rows,)` each, the same rows for all); equal means stand in order of name.

    Each pair is compared on its items, with Holm's correction over all pairs; a rank counts only significant
    differences.
    """
    means = {name: mean_interval(values, clusters, seed) for name, values in scores.items()}
    order = sorted(means, key=lambda name: (-(means[name].value or 0), name))
    above = _significant(order, scores, clusters, seed, alpha)
    groups = _tie_groups(order, above)
    return [
        Ranked(
            name,
            means[name],
            1 + sum(worse == name for _, worse in above),
            len(order) - sum(better == name for better, _ in above),
            tuple(number for number, group in enumerate(groups, 1) if name in group),
        )
        for name in order
    ]


def spearman(first: Mapping[str, float], second: Mapping[str, float]) -> Correlation:
    """Correlate the ranks of the same systems under two scores, equal scores sharing their mean rank (REALHOP, 6.3).

    The p rests on the t distribution. Raises ValueError where the systems differ.
    """
    if set(first) != set(second):
        raise ValueError("two rankings of different systems")
    names = sorted(first)
    if len(names) < 3 or min(len(set(first.values())), len(set(second.values()))) < 2:
        return Correlation(None, None, len(names))
    found = spearmanr([first[name] for name in names], [second[name] for name in names])
    return Correlation(float(found.statistic), float(found.pvalue), len(names))


def _significant(
    order: Sequence[str], scores: Mapping[str, Sequence[float]], clusters: Sequence[str], seed: int, alpha: float
) -> set[tuple[str, str]]:
    """Return the pairs (better, worse) that differ."""
    pairs = list(combinations(order, 2))
    ps = [paired_p(scores[one], scores[other], clusters, seed) for one, other in pairs]
    adjusted = holm([1.0 if p is None else p for p in ps])
    return {pair for pair, p in zip(pairs, adjusted, strict=True) if p <= alpha}


def _tie_groups(order: Sequence[str], above: set[tuple[str, str]]) -> list[set[str]]:
    """Return the largest sets of systems of which no two differ, those with the best systems first."""
    ties = nx.Graph()
    ties.add_nodes_from(order)
    ties.add_edges_from(pair for pair in combinations(order, 2) if pair not in above)
    groups = [set(group) for group in nx.find_cliques(ties)]
    return sorted(groups, key=lambda group: sorted(order.index(name) for name in group))
