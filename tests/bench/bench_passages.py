"""BM25 over growing collections: time, disk and memory a passage, questions a second, against the targets for 1 M.

Run as `python tests/bench/bench_passages.py [--sizes 50000,200000] [--engine tantivy]`; 1000000 takes some minutes.
Texts are 100 words drawn by Zipf's law, questions six words of the same law without the commonest. Each size is a
process of its own, so that its peak memory is its own; times are CPU seconds of all its threads.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

os.environ.update(OMP_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np

from builders.sources import bm25
from builders.sources.passages import open_passages

MAX_GB, MIN_QUESTIONS = 3.0, 50.0  # for 1 M passages
WHOLE = 21_015_324  # passages of psgs_w100.tsv
WORDS = 1_000_000
COMMON = 100  # words that no question holds, as stop words
QUESTIONS = 300
HEADS = ("passages", "engine", "read s", "index s", "disk MB", "peak MB", "questions/s")
LINE = "{:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>12}"


def words(count: int, seed: int, first: int = 0) -> Iterator[str]:
    """Yield words by Zipf's law, those of the lowest ranks left out."""
    weights = np.cumsum(1.0 / np.arange(first + 1, WORDS + 1))
    draw = np.random.default_rng(seed)
    for start in range(0, count, 100_000):
        ranks = np.searchsorted(weights, draw.random(min(100_000, count - start)) * weights[-1])
        yield from (f"w{rank + first:x}" for rank in ranks.tolist())


def write(path: Path, size: int) -> None:
    """Write a collection in the form of psgs_w100.tsv."""
    stream = words(size * 102, seed=0)
    with path.open("w") as file:
        file.write("id\ttext\ttitle\n")
        for number in range(1, size + 1):
            title = f"{next(stream)} {next(stream)}"
            file.write(f"{number}\t{' '.join(next(stream) for _ in range(100))}\t{title}\n")


def measure(size: int, engine: str) -> None:
    """Print one line of the table."""
    if engine:
        bm25.SMALL = size if engine == "bm25s" else 0

    def silent(count: int, found: bool) -> None:
        pass

    with TemporaryDirectory() as folder:
        write(Path(folder) / "passages.tsv", size)
        started = process_time()
        passages = open_passages(Path(folder) / "passages.tsv", Path(folder) / "cache", silent)
        read = process_time()
        index = bm25.open_index(passages, silent)
        indexed = process_time()
        stream = words(QUESTIONS * 6, seed=1, first=COMMON)
        questions = [" ".join(next(stream) for _ in range(6)) for _ in range(QUESTIONS)]
        asked = process_time()
        hits = [index.search(question, 10) for question in questions]
        assert sum(map(len, hits)) > QUESTIONS * 5
        rate = QUESTIONS / (process_time() - asked)
        disk = sum(file.stat().st_size for file in (Path(folder) / "cache").rglob("*") if file.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    name = index.name.partition("-")[0]
    numbers = (f"{read - started:.1f}", f"{indexed - read:.1f}", f"{disk / 1e6:.0f}", f"{peak:.0f}", f"{rate:.0f}")
    print(LINE.format(f"{size:,}", name, *numbers), flush=True)


def main() -> None:
    """Measure each size in a process of its own and hold 1 M against the targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,50000,200000,250000")
    parser.add_argument("--engine", default="", choices=["", "bm25s", "tantivy"], help="by size, if not given")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        measure(given.one, given.engine)
        return
    print(LINE.format(*HEADS))
    for size in given.sizes.split(","):
        command = [sys.executable, __file__, "--one", size, "--engine", given.engine]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip("\n")
        print(line, flush=True)
    last, peak, rate = int(size), float(line.split()[-2]), float(line.split()[-1])
    read, index, disk = (float(cell) for cell in line.split()[2:5])
    print(f"targets for 1,000,000: peak below {MAX_GB * 1000:.0f} MB, {MIN_QUESTIONS:.0f} questions/s or more")
    print(f"of the last line, per 1,000,000: {peak / last * 1e6:.0f} MB, {rate * last / 1e6:.0f} questions/s")
    times, hours = WHOLE / last, (read + index) / 3600
    print(f"in proportion, {WHOLE:,}: {hours * times:.1f} CPU hours to build, {disk * times / 1000:.0f} GB on disk")


if __name__ == "__main__":
    main()
