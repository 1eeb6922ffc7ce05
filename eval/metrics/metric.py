"""The form of every figure that a run reports."""

from dataclasses import dataclass


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
