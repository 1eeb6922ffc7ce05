"""How much faster the bootstrap of `ratio_interval` is than a plain Python loop over resamples and their items.

Run: python tests/bench/bench_stats.py. Both take 10,000 resamples of 790 items with 2 to 4 hops for BNR (few distinct
scores, as every share has), and must find ends of the interval that differ by less than its width by 20. For 790
distinct scores the aim is one second alone: drawing 7.9 million items sets the pace of both.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from eval.stats import SEED, ratio_interval
from eval.stats_bootstrap import RESAMPLES
from loaders.draw import generator

ITEMS, REPETITIONS, AIM, SECONDS = 790, 5, 30, 1.0
Rows = list[tuple[float, float]]
Ends = tuple[float, float]


def necessity() -> Rows:
    """Full correctness below, times the mean of 1 - Drop correctness over the hops above."""
    draw = generator(0, "items", "bench stats")
    rows = []
    for item in range(ITEMS):
        hops, full = 2 + item % 3, draw.random() < 0.87
        rows.append((full * sum(draw.random() < 0.3 for _ in range(hops)) / hops, float(full)))
    return rows


def distinct() -> Rows:
    draw = generator(0, "scores", "bench stats")
    return [(draw.random(), 1.0) for _ in range(ITEMS)]


def by_loop(rows: Rows) -> Ends:
    """The reference: draw items, add up both columns, divide, sort, take the percentiles."""
    draw = random.Random(SEED)
    found = []
    for _ in range(RESAMPLES):
        above = below = 0.0
        for numerator, denominator in draw.choices(rows, k=len(rows)):
            above += numerator
            below += denominator
        found.append(above / below)
    found.sort()
    return found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]


def by_arrays(rows: Rows) -> Ends:
    found = ratio_interval([row[0] for row in rows], [row[1] for row in rows], [str(i) for i in range(len(rows))])
    return found.low or 0.0, found.high or 0.0


def timed(run: Callable[[Rows], Ends], rows: Rows, repetitions: int) -> tuple[float, Ends]:
    """Return the least seconds of processor time, and what was found."""
    times = []
    for _ in range(repetitions):
        start = process_time()
        ends = run(rows)
        times.append(process_time() - start)
    return min(times), ends


def main() -> None:
    """Print seconds and their ratio for both kinds of scores; exit 1 where the aims are not met."""
    missed = False
    print(f"{ITEMS} items, {RESAMPLES} resamples, seconds of processor time:")
    for name, rows, aim in (("BNR", necessity(), AIM), ("distinct scores", distinct(), 1)):
        slow, expected = timed(by_loop, rows, 2)
        fast, found = timed(by_arrays, rows, REPETITIONS)
        width = expected[1] - expected[0]
        if any(abs(one - other) > width / 20 for one, other in zip(expected, found, strict=True)):
            sys.exit("the ways found different intervals")
        print(f"  {name}: loop {slow:.2f}, ratio_interval {fast:.4f}, ratio {slow / fast:.0f} (aim {aim})")
        missed |= slow / fast < aim or fast > SECONDS
    sys.exit(missed)


if __name__ == "__main__":
    main()
