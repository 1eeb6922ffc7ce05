"""What random 20 % windows change (REALHOP, appendix H): retained accuracy, all-mask survival, flips both ways."""

from collections.abc import Sequence

from eval.metrics.metric import ALL, Metric, Place, figure
from eval.metrics.tested import Tested


def mask_figures(place: Place, items: Sequence[Tested], condition: str) -> list[Metric]:
    """Return the figures of items with a Full verdict and one for every mask; none if the condition was not asked.

    `mask_lost` and `mask_gained` are shares of all trials: their difference is `mask_decrease`. `mask_loss_rate` is the
    share of trials that become incorrect where Full is correct.
    """
    chosen = [(one, one.full, one.complete(condition)) for one in items if one.full is not None]
    cases = [(one.source_id, full, trials) for one, full, trials in chosen if trials]
    if not any(condition in one.verdicts for one in items):
        return []
    lost = [(who, full * _share(trials, 0.0), full) for who, full, trials in cases]
    gained = [(who, (1 - full) * _share(trials, 1.0), 1.0) for who, full, trials in cases]
    terms = {
        "mask_accuracy": [(who, _share(trials, 1.0), 1.0) for who, _, trials in cases],
        "mask_decrease": [(who, full - _share(trials, 1.0), 1.0) for who, full, trials in cases],
        "mask_survival": [(who, full * float(all(trials)), full) for who, full, trials in cases],
        "mask_loss_rate": lost,
        "mask_lost": [(who, above, 1.0) for who, above, _ in lost],
        "mask_gained": gained,
    }
    return [figure(name, place._replace(condition=condition), ALL, rows) for name, rows in terms.items()]


def _share(trials: Sequence[float], verdict: float) -> float:
    return trials.count(verdict) / len(trials)
