"""Accuracy by similarity as a picture: by depth, how similarities are spread, hard against easy (Figures 4 to 6)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval.metrics.metric import Metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# (similarity at the middle of a bin, its figure) in order.
Curve = list[tuple[float, Metric]]

NAME = "similarity.png"
PREFIX = "similarity "
# By depth, from light to dark; those of Okabe and Ito for hard and easy, which colour-blind readers can tell apart.
DEPTHS = ("#FDB42F", "#ED7953", "#C03A83", "#7E03A8", "#0D0887")
CONFIGS = {"hard": "#0072B2", "easy": "#D55E00"}
DEEPEST = "d5"
NOTE = "The larger a mark, the more answers it stands for; bands are 95 % intervals."
_SETTINGS = {"font.family": "DejaVu Sans", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
_PANEL, _DPI = (4.2, 3.2), 110  # inches, dots an inch


def draw_similarity(metrics: Sequence[Metric], folder: Path) -> Path | None:
    """Write `similarity.png` with a row of panels for each prompt, and return its path; None where no figure has bins.

    The same figures give the same bytes in one environment.
    """
    found = {prompt: curves(metrics, prompt) for prompt in sorted({one.prompt for one in metrics})}
    if not any(found.values()):
        return None
    from matplotlib import style
    from matplotlib.figure import Figure

    rows = {prompt: own for prompt, own in found.items() if own}
    with style.context(["default", _SETTINGS]):
        figure = Figure(figsize=(3 * _PANEL[0], len(rows) * _PANEL[1]), layout="constrained")
        panels = figure.subplots(len(rows), 3, squeeze=False, sharex=True)
        for axes, (prompt, own) in zip(panels, rows.items(), strict=True):
            _draw_prompt(axes, prompt, own)
        figure.supxlabel(NOTE, fontsize=8, color="#555555")
        path = folder / NAME
        figure.savefig(path, dpi=_DPI, metadata={"Software": None})
    return path


def curves(metrics: Sequence[Metric], prompt: str) -> dict[tuple[str, str], Curve]:
    """Return the accuracy in each bin of similarity, by config and depth; bins without an answer are left out."""
    found: dict[tuple[str, str], Curve] = {}
    for one in metrics:
        if one.prompt == prompt and one.metric == "accuracy" and (middle := _middle(one.stratum)) is not None and one.n:
            found.setdefault((one.config, one.condition), []).append((middle, one))
    return {place: sorted(curve, key=lambda point: point[0]) for place, curve in sorted(found.items())}


def _middle(stratum: str) -> float | None:
    """Return the middle of the bin that a stratum names, None where it names none."""
    low, _, high = stratum.removeprefix(PREFIX).partition(" to ")
    return (float(low) + float(high)) / 2 if stratum.startswith(PREFIX) and high else None


def _draw_prompt(panels: Sequence["Axes"], prompt: str, found: Mapping[tuple[str, str], Curve]) -> None:
    by_depth, spread, by_config = panels
    hard = {depth: curve for (config, depth), curve in found.items() if config == "hard"}
    for depth, curve in hard.items():
        colour = DEPTHS[int(depth[1:]) - 1]
        _line(by_depth, curve, depth, colour)
        answers = sum(one.n for _, one in curve)
        shares = [100 * one.n / answers for _, one in curve]
        spread.plot([x for x, _ in curve], shares, marker="o", markersize=3, color=colour, label=depth)
    for config, colour in CONFIGS.items():
        if deepest := found.get((config, DEEPEST)):
            _line(by_config, deepest, config, colour, interval=True)
    titles = (f"{prompt}: accuracy, hard", "answers by similarity, hard", f"{prompt}: accuracy at {DEEPEST}")
    for axes, title in zip(panels, titles, strict=True):
        axes.set_title(title, loc="left", fontsize=9, fontweight="bold")
        axes.set_xlabel("similarity of the answer to the names in the question")
        axes.tick_params(labelbottom=True)
        axes.set_ylabel("per cent")
        axes.set_ylim(bottom=0, top=None if axes is spread else 102)
    for axes in panels[1:]:
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize=8)


def _line(axes: "Axes", curve: Curve, label: str, colour: str, *, interval: bool = False) -> None:
    """Draw accuracy in per cent, a mark the larger the more answers a bin has, with its interval where asked for."""
    places = [x for x, _ in curve]
    values, lows, highs = ([100 * (getattr(one, name) or 0.0) for _, one in curve] for name in ("value", "low", "high"))
    axes.plot(places, values, color=colour, label=label, linewidth=1.5)
    most = max(one.n for _, one in curve)
    axes.scatter(places, values, s=[6 + 34 * one.n / most for _, one in curve], color=colour)
    if interval:
        axes.fill_between(places, lows, highs, color=colour, alpha=0.15, linewidth=0)
