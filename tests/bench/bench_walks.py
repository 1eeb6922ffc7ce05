"""How fast chains are walked through a graph as large as DBpedia, against our aims and against SPARQL.

Run: python tests/bench/bench_walks.py [TRIPLES]; 24 million by default, which takes two minutes and 2 GB. Seconds are
of processor time, but for opening; of three runs the best counts, since whoever shares the machine shares its caches.
Aims: 24 million object triples indexed in 60 s, 24 bytes a triple, opened in 1 s, 35,000 valid chains of five layers a
second with numba and 700 without, growth from 1 million close to linear.
"""

import math
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "builders" / "eureqa"))

import numpy as np
from synthetic_graph import as_snapshot, linked, make_columns, plain_rules, write_lines

from builders.eureqa.build import walker
from builders.eureqa.by_iri import walker_by_iri
from builders.eureqa.endpoint import Endpoint
from builders.eureqa.fast import has_numba, walk_arrays
from builders.eureqa.graph import build_graph
from builders.eureqa.index import IndexBackend
from builders.eureqa.load import load_snapshot
from builders.eureqa.snapshot import Snapshot, open_snapshot, save_snapshot
from builders.eureqa.sparql import SparqlBackend, open_sparql
from builders.eureqa.walk import Draws, Rules, WalkSettings, first_state, run_walks, walk

TRIPLES, SMALL, WITH_SPARQL = 24_000_000, 1_000_000, 100_000
WALKS, PLAIN_WALKS, SPARQL_WALKS, BATCH, RUNS = 40_000, 1000, 40, 100, 3
BUILD_SECONDS, BYTES, OPEN_SECONDS, FAST, PLAIN, GROWTH = 60.0, 24.0, 1.0, 35_000, 700, 2.0
CRITERIA = {"easy": WalkSettings(hard=False), "hard": WalkSettings(), "strict": WalkSettings(strict=True)}


class Report:
    """Prints figures beside their aims, and remembers whether one was missed."""

    def __init__(self) -> None:
        self.missed = False

    def line(self, what: str, value: float, unit: str, aim: float | None = None, *, least: bool = False) -> None:
        told = ""
        if aim is not None:
            good = value >= aim if least else value <= aim
            self.missed |= not good
            told = f"  (aim: {'at least' if least else 'at most'} {aim:,g}{'' if good else ', MISSED'})"
        print(f"  {what}: {float(f'{value:.3g}'):,} {unit}{told}", flush=True)


def index(triples: int, folder: Path, report: Report, *, judged: bool) -> tuple[Snapshot, float]:
    """Make, save and map a graph; return it with the seconds that a million triples took."""
    columns = make_columns(triples)
    started = process_time()
    graph = build_graph(*columns[:3], len(columns.classes))
    seconds = process_time() - started
    size = sum(array.nbytes for array in (graph.groups, graph.kinds, graph.starts, graph.others, graph.shared))
    print(f"{graph.triples:,} triples, {graph.entities:,} entities:")
    report.line("index built", seconds, "s", BUILD_SECONDS if judged else None)
    report.line("index", size / graph.triples, "bytes a triple", BYTES)
    save_snapshot(folder / f"{triples}", as_snapshot(columns, graph))
    started = perf_counter()
    snapshot = open_snapshot(folder / f"{triples}")
    report.line("opened, by the clock", perf_counter() - started, "s", OPEN_SECONDS)
    return snapshot, seconds / graph.triples * 1e6


def per_second(walks: Callable[[], Sequence[Any]], layers: int) -> float:
    """Return complete chains per second of processor time."""
    best = 0.0
    for _ in range(RUNS):
        started = process_time()
        found = walks()
        seconds = process_time() - started
        best = max(best, sum(len(chain) == layers for chain in found) / seconds)
    return best


def fast_rate(snapshot: Snapshot, settings: WalkSettings) -> tuple[float, float]:
    """Return valid chains per second in machine code, and the share of walks that are complete."""
    rules, seeds = plain_rules(snapshot), linked(snapshot.graph, WALKS)
    states = np.random.default_rng(2).integers(0, 1 << 63, len(seeds)).astype(np.uint64)
    given = snapshot.graph, snapshot.classes, rules, settings
    walk_arrays(seeds[:100], states[:100], *given)
    best, complete = 0.0, 0
    for _ in range(RUNS):
        started = process_time()
        lengths = walk_arrays(seeds, states, *given)[1]
        seconds = process_time() - started
        complete = int((lengths == settings.layers).sum())
        best = max(best, complete / seconds)
    return best, complete / len(seeds)


def plain_rate(snapshot: Snapshot, rules: Rules[int, int], settings: WalkSettings) -> float:
    """Return valid chains per second in plain Python."""
    backend, seeds = IndexBackend(snapshot.graph, snapshot.classes), linked(snapshot.graph, PLAIN_WALKS).tolist()
    states = [first_state(0, str(seed), 0) for seed in seeds]

    def walks() -> Sequence[Any]:
        pairs = zip(seeds, states, strict=True)
        return run_walks([walk(seed, Draws(state), rules, settings) for seed, state in pairs], backend)

    return per_second(walks, settings.layers)


def whole_rate(snapshot: Snapshot, settings: WalkSettings) -> float:
    """Return valid chains per second as a build gets them: the draws' beginnings from names, layers as records."""
    once, seeds = walker(snapshot, plain_rules(snapshot), settings, 0), linked(snapshot.graph, WALKS).tolist()
    return per_second(lambda: once(seeds, 0), settings.layers)


def rates(snapshot: Snapshot, report: Report, *, judged: bool) -> dict[str, float]:
    """Print and return the rates of every criterion."""
    found = {}
    for name, settings in CRITERIA.items():
        aims = (FAST, PLAIN) if judged and name != "strict" else (None, None)
        if has_numba():
            found[name], share = fast_rate(snapshot, settings)
            report.line(f"{name}, numba", found[name], "chains/s", aims[0], least=True)
            print(f"    {100 * share:.0f} % of walks are complete")
            report.line("  the same with records for a build", whole_rate(snapshot, settings), "chains/s")
        found[f"{name}, plain"] = plain_rate(snapshot, plain_rules(snapshot), settings)
        report.line(f"{name}, plain Python", found[f"{name}, plain"], "chains/s", aims[1], least=True)
    return found


def cpu_of(process: int) -> float:
    """Return the seconds of processor time that another process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def against_sparql(folder: Path, report: Report) -> None:
    """Import a small graph as text, and walk the same chains through a local server and through the index."""
    from sparql_server import Oxigraph

    path = folder / "small.nt"
    lines = write_lines(make_columns(WITH_SPARQL), path)
    started = process_time()
    snapshot = load_snapshot([path], [], folder / "graphs", lambda edges: None)
    print(f"{snapshot.graph.triples:,} triples as text, and in a local oxigraph:")
    report.line("text import", lines / (process_time() - started), "lines/s")
    rules, settings = plain_rules(snapshot), CRITERIA["hard"]
    seeds = linked(snapshot.graph, SPARQL_WALKS).tolist()
    expected = list(walker(snapshot, rules, settings, 0)(seeds, 0))
    complete = sum(len(chain) == settings.layers for chain in expected)
    in_index = {"plain Python": plain_rate(snapshot, rules, settings)}
    if has_numba():
        in_index["numba"] = fast_rate(snapshot, settings)[0]
    for how, rate in in_index.items():
        report.line(f"index, {how}", rate, "chains/s")
    server = Oxigraph([path], folder)
    with server as url:
        for batch in (BATCH, 1):
            stored = open_sparql(Endpoint(url, f"batches of {batch}", per_second=math.inf), folder)
            backend = SparqlBackend(stored.asker, stored.replies, batch)
            before = process_time() + cpu_of(server.process.pid)
            assert list(walker_by_iri(snapshot, rules, settings, 0, backend)(seeds, 0)) == expected
            rate = complete / (process_time() + cpu_of(server.process.pid) - before)
            name = "one SPARQL query per step" if batch == 1 else f"SPARQL, up to {batch} questions a query"
            report.line(f"{name} ({backend.asker.requests:,} queries), the server's time too", rate, "chains/s")
            for how, faster in in_index.items():
                report.line(f"  the index is faster, {how}", faster / rate, "times")


def main(triples: int) -> None:
    """Print figures and aims; exit 1 where one is missed."""
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        against_sparql(folder, report)
        small, seconds = index(min(SMALL, triples), folder, report, judged=False)
        before = rates(small, report, judged=False)
        large, large_seconds = index(triples, folder, report, judged=triples >= TRIPLES)
        after = rates(large, report, judged=triples >= TRIPLES)
        print(f"growth from {small.graph.triples:,} to {large.graph.triples:,} triples:")
        report.line("to index a million triples takes", large_seconds / seconds, "times as long", GROWTH)
        for kind, rate in after.items():
            report.line(f"a chain takes ({kind})", before[kind] / rate, "times as long")
    sys.exit(report.missed)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIPLES)
