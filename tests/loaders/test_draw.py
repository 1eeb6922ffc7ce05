"""Draws depend on seed, item and purpose alone, are pinned, and are uniform."""

import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

from scipy.stats import chisquare

from loaders.draw import generator

ROOT = Path(__file__).resolve().parents[2]


def test_the_draws_of_releases_are_pinned() -> None:
    """These values must never change: every released artifact rests on them."""
    draws = generator(0, "nq-1", "slot")
    assert [draws.randint(0, 5) for _ in range(8)] == [3, 2, 5, 2, 3, 0, 4, 3]
    assert generator(20260925, "Ünïcode 题", "random").random() == 0.7003233648235341


def test_another_process_draws_the_same() -> None:
    """No hash of the process enters, whatever PYTHONHASHSEED says."""
    code = "from loaders.draw import generator; print(generator(3, 'item', 'slot').getrandbits(64))"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert [int(run) for run in runs] == [generator(3, "item", "slot").getrandbits(64)] * 2


def test_seed_item_and_purpose_each_matter_and_are_kept_apart() -> None:
    words = [*product((0, 1), ("a", "ab"), ("b", "slot")), (0, "a", ""), (11, "", "b"), (1, "1", "b")]
    assert len({generator(*word).getrandbits(64) for word in words}) == len(words)


def test_one_items_draws_do_not_move_anothers() -> None:
    generator(0, "a", "slot").random()
    assert generator(0, "b", "slot").random() == generator(0, "b", "slot").random()


def test_slots_are_uniform_over_items() -> None:
    """6,000 items over 6 slots, and pairs of purposes independent of each other."""
    slots = Counter(generator(0, f"item-{i}", "slot").randint(0, 5) for i in range(6000))
    assert sorted(slots) == [0, 1, 2, 3, 4, 5]
    assert chisquare([slots[slot] for slot in range(6)]).pvalue > 0.01
    pairs = Counter(
        (generator(0, f"i{i}", "slot").randint(0, 2), generator(0, f"i{i}", "other").randint(0, 2)) for i in range(4500)
    )
    assert chisquare([pairs[pair] for pair in product(range(3), repeat=2)]).pvalue > 0.01
