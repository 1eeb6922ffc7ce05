"""The form of every figure that a run reports, and the one way in which a figure is made from outcomes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eval.stats import Interval, ratio_interval
from loaders.records import Outcome

ALL = "all"
Score = Callable[[Outcome], float]


@dataclass(frozen=True)
class Metric:
    """A share as a fraction of 1 with its 95 % interval; null with n = 0 where its denominator is empty."""

    metric: str
    config: str
    condition: str
    stratum: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    prompt: str


class Place(NamedTuple):
    """Where a figure was measured; config `all` holds the items of every config, each once."""

    config: str
    condition: str
    prompt: str


def score(name: str) -> Score:
    """Return the reader of one score of an outcome."""
    return lambda outcome: float(getattr(outcome, name))


def mean(metric: str, place: Place, stratum: str, outcomes: Iterable[Outcome], value: Score) -> Metric:
    """Return the mean of a score over outcomes."""
    terms = [(_item(outcome), value(outcome), 1.0) for outcome in outcomes]
    return figure(metric, place, stratum, terms)


def kept(
    metric: str, place: Place, stratum: str, pairs: Iterable[tuple[Outcome, Outcome]], before: Score, after: Score
) -> Metric:
    """Return, of the pairs whose first outcome scores 1, the share whose second one does."""
    terms = [(_item(first), before(first) * after(second), before(first)) for first, second in pairs]
    return figure(metric, place, stratum, terms)


def _item(outcome: Outcome) -> str:
    return f"{outcome.config}\x1f{outcome.id}"


def figure(metric: str, place: Place, stratum: str, terms: Sequence[tuple[str, float, float]]) -> Metric:
    """Return a ratio of sums over rows of (cluster, numerator, denominator)."""
    found = ratio_interval([term[1] for term in terms], [term[2] for term in terms], [term[0] for term in terms])
    return labelled(metric, place, stratum, found)


def labelled(metric: str, place: Place, stratum: str, found: Interval) -> Metric:
    """Return an interval under its name and place."""
    figures = (found.value, found.low, found.high, found.n)
    return Metric(metric, place.config, place.condition, stratum, *figures, place.prompt)
