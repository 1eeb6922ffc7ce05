"""The two plots of a card, sizes and funnel, as PNG files; the same manifest gives the same bytes in one environment.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; fonts come with matplotlib.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cards.funnel import totals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURES = ("sizes", "funnel")
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
KEPT, PENDING, REJECTED = "#0072B2", "#999999", "#E69F00"
_WIDTH, _ROW, _DPI = 9.0, 0.22, 110  # inches, inches a bar, dots an inch
_SETTINGS = {"font.family": "DejaVu Sans", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False}


def draw_figures(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write `figures/sizes.png` and `figures/funnel.png`, which hold the canary as a comment."""
    from matplotlib import style

    (folder / "figures").mkdir()
    with style.context(["default", _SETTINGS]):
        for name, draw in zip(FIGURES, (_sizes, _funnel), strict=True):
            metadata = {"Software": None, "Comment": manifest["canary"]}
            draw(manifest).savefig(folder / "figures" / f"{name}.png", dpi=_DPI, metadata=metadata)


def _sizes(manifest: Mapping[str, Any]) -> "Figure":
    """Rows by config and split."""
    splits, configs = manifest["splits"], manifest["configs"]
    figure = _figure(len(configs) * (len(splits) + 1) + 2)
    axes = figure.subplots()
    for number, split in enumerate(splits):
        places = [i * (len(splits) + 1) + number for i in range(len(configs))]
        counts = [config["rows"].get(split, 0) for config in configs]
        bars = axes.barh(places, counts, height=0.85, color=COLOURS[number % len(COLOURS)], label=split)
        axes.bar_label(bars, [f"{count:,}" for count in counts], padding=3, fontsize=9)
    middle = (len(splits) - 1) / 2
    groups = [i * (len(splits) + 1) + middle for i in range(len(configs))]
    _name_bars(axes, groups, [config["name"] for config in configs], len(configs) * (len(splits) + 1) - 1)
    axes.margins(x=0.1)
    _count(axes, "rows")
    figure.legend(ncols=len(splits), loc="outside upper center", frameon=False)
    return figure


def _funnel(manifest: Mapping[str, Any]) -> "Figure":
    """What each step keeps, a panel for each condition."""
    found = totals(manifest)
    heights = [len(steps) for steps in found.values()]
    figure = _figure(sum(heights) + 2 * len(found))
    panels = figure.subplots(len(found), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, (condition, steps) in zip(panels, found.items(), strict=True):
        _panel(axes, steps)
        axes.set_title(condition, loc="left", fontsize=10, fontweight="bold")
    _count(panels[-1], "candidates that enter the step, all configs together")
    widest = max(counts.total() for steps in found.values() for counts in steps.values())
    panels[-1].set_xlim(0, 1.18 * widest)
    figure.legend(*panels[0].get_legend_handles_labels(), ncols=3, loc="outside upper center", frameon=False)
    return figure


def _panel(axes: "Axes", steps: Mapping[str, Counter[str]]) -> None:
    places, left = range(len(steps)), [0] * len(steps)
    for kind, colour in (("kept", KEPT), ("pending", PENDING), ("rejected", REJECTED)):
        widths = [counts[kind] for counts in steps.values()]
        bars = axes.barh(places, widths, left=left, height=0.75, color=colour, label=kind)
        left = [before + width for before, width in zip(left, widths, strict=True)]
    kept = [f"{counts['kept']:,} of {counts.total():,}" for counts in steps.values()]
    axes.bar_label(bars, kept, padding=3, fontsize=9)
    _name_bars(axes, places, list(steps), len(steps))


def _name_bars(axes: "Axes", places: Sequence[float], names: Sequence[str], bars: int) -> None:
    """Name bars or groups of them; the first of all bars is at the top."""
    axes.set_yticks(places, names)
    axes.set_ylim(bars - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _count(axes: "Axes", what: str) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.set_xlabel(what)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _figure(rows: int) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, rows * _ROW + 0.6), layout="constrained")
