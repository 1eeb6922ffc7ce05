"""The SPARQL backend against the index and rdflib, question by question, and before endpoints that cut or vanish."""

import math
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from builders.eureqa.backend import IN, OUT, Behind, Edge, Group
from builders.eureqa.build import walker
from builders.eureqa.by_iri import walker_by_iri
from builders.eureqa.endpoint import Endpoint, TooMuchError
from builders.eureqa.index import IndexBackend
from builders.eureqa.rdflib_backend import RdflibBackend
from builders.eureqa.sparql import SparqlBackend, open_sparql
from builders.eureqa.walk import WalkSettings
from builders.sources.dbpedia import ONTOLOGY, RESOURCE
from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    from sparql_server import FaultyProxy

World = Any  # of conftest.py
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def proxy(oxigraph: str) -> "Iterator[FaultyProxy]":
    from sparql_server import FaultyProxy

    with FaultyProxy(oxigraph) as proxy:
        yield proxy


def backend(url: str, folder: Path, snapshot: str = "test") -> SparqlBackend:
    return open_sparql(Endpoint(url, snapshot, per_second=math.inf, tries=2), folder)


def test_every_answer_is_that_of_the_index(world: World, oxigraph: str, tmp_path: Path) -> None:
    snapshot, draw = world.snapshot, random.Random(5)
    names, kinds = snapshot.relations, [f"{ONTOLOGY}{name}" for name in snapshot.class_names]
    index = IndexBackend(snapshot.graph, snapshot.classes)
    entities = draw.sample(range(snapshot.graph.entities), 400)
    groups = [Group(e, d, r) for e in entities for d, r in snapshot.graph.relations(e)]
    # Patterns that hold of somebody: the way back to an entity from its neighbours.
    patterns = [Edge(1 - group.direction, group.relation, group.entity) for group in draw.sample(groups, 300)]
    pairs = [*zip(patterns[::2], patterns[1::2], strict=True), *((one, one) for one in patterns[:20])]
    shown = draw.choices(range(-1, len(kinds)), k=len(pairs))
    behind = [Behind(a, b.direction, b.relation, one) for (a, b), one in zip(pairs, shown, strict=True)]

    def iris(numbers: Iterable[int]) -> list[str]:
        return [snapshot.entities[int(number)] for number in numbers]

    def named(edge: Edge[int, int]) -> Edge[str, str]:
        return Edge(edge.direction, names[edge.relation], snapshot.entities[edge.other])

    named_groups = [Group(snapshot.entities[g.entity], g.direction, names[g.relation]) for g in groups]
    named_behind = [Behind(named(b.fact), b.direction, names[b.relation], ["", *kinds][b.shown + 1]) for b in behind]
    assert min(index.behind(behind)) == 0 < max(index.joint(pairs))
    for store in (backend(oxigraph, tmp_path), RdflibBackend(world.rdflib)):
        counts = [{(d, names[r]): n for (d, r), n in found.items()} for found in index.relations(entities)]
        assert store.relations(iris(entities)) == counts
        assert store.neighbours(named_groups) == [iris(found) for found in index.neighbours(groups)]
        assert store.count([named(one) for one in patterns]) == index.count(patterns)
        assert store.joint([(named(a), named(b)) for a, b in pairs]) == index.joint(pairs)
        assert [min(n, 2) for n in store.behind(named_behind)] == index.behind(behind)


def test_what_no_graph_should_hold_is_not_seen(world: World, oxigraph: str, tmp_path: Path) -> None:
    """Film_0 stars in the file: actors, and a list page, a blank node, a page of another Wikipedia, itself ..."""
    text = world.files[0].read_text()
    cast = set(re.findall(rf"<{RESOURCE}Film_0> <{ONTOLOGY}starring> <({RESOURCE}Actor_[^>]*)> \.", text))
    assert len(cast) > 3
    assert text.count(f"<{RESOURCE}Film_0> <{ONTOLOGY}starring>") > len(cast) + 5
    films = Group(f"{RESOURCE}Film_0", OUT, f"{ONTOLOGY}starring")
    for store in (backend(oxigraph, tmp_path), RdflibBackend(world.rdflib)):
        assert store.neighbours([films]) == [sorted(cast)]
        (found,) = store.relations([films.entity])
        assert found[OUT, films.relation] == len(cast)
        assert not any("wiki" in relation or "property" in relation for _, relation in found)


def test_nothing_is_asked_twice(world: World, proxy: "FaultyProxy", tmp_path: Path) -> None:
    film, city = f"{RESOURCE}Film_0", f"{RESOURCE}City_0"
    one = backend(proxy.url, tmp_path)
    first = one.relations([film, city, film])
    assert first[0] == first[2]
    assert len(proxy.queries) == 1
    assert proxy.queries[0].count(f"<{film}>") == 2  # as subject and as object
    assert one.relations([city, film]) == [first[1], first[0]]
    assert backend(proxy.url, tmp_path).relations([film, city, film]) == first
    assert len(proxy.queries) == 1
    assert backend(proxy.url, tmp_path, "of another day").relations([film]) == first[:1]
    assert len(proxy.queries) == 2


@pytest.mark.parametrize("fault", ["s1tat", "206", "half", "empty", "500"])
def test_a_batch_that_is_too_much_is_asked_in_halves(proxy: "FaultyProxy", tmp_path: Path, fault: str) -> None:
    films = [f"{RESOURCE}Film_{i}" for i in range(9)]
    expected = backend(proxy.url, tmp_path / "whole").relations(films)
    before = len(proxy.queries)
    # More than three questions in a query are too much for this endpoint; each row of VALUES begins so.
    proxy.fault = lambda query: fault if len(re.findall(r"\(\d+ <", query)) > 3 else ""
    assert backend(proxy.url, tmp_path / "halves").relations(films) == expected
    asked = proxy.queries[before:]
    assert len(asked) == len(set(asked)) > 6
    proxy.fault = lambda query: fault
    with pytest.raises(TooMuchError, match=r"http://127\.0\.0\.1:\d+/sparql: expected"):
        backend(proxy.url, tmp_path / "never").relations(films)
    assert len(set(proxy.queries[before + len(asked) :])) == 5  # of 18, 9, 4, 2, 1 questions


def test_rows_cut_at_a_limit_are_found_in_smaller_batches(proxy: "FaultyProxy", tmp_path: Path) -> None:
    films = [f"{RESOURCE}Film_{i}" for i in range(30)]
    groups = [Group(film, OUT, f"{ONTOLOGY}starring") for film in films]
    whole = backend(proxy.url, tmp_path / "whole")
    expected = whole.neighbours(groups)
    assert sum(map(len, expected)) > 60
    proxy.limit, proxy.fault = max(map(len, expected)) + 5, lambda query: "maxrows"
    assert backend(proxy.url, tmp_path / "cut").neighbours(groups) == expected


def test_rows_lost_without_a_word_are_missed(proxy: "FaultyProxy", tmp_path: Path) -> None:
    group = Group(f"{RESOURCE}Film_0", OUT, f"{ONTOLOGY}starring")
    one = backend(proxy.url, tmp_path)
    size = one.relations([group.entity])[0][OUT, group.relation]
    proxy.fault = lambda query: "silent"
    with pytest.raises(DecoyQAError, match=rf"expected {size} neighbours of .*, found {size - 1}; is it cut"):
        one.neighbours([group])
    proxy.fault = lambda query: ""
    assert len(one.neighbours([group])[0]) == size


def test_a_hub_is_counted_and_never_listed_in_part(tmp_path: Path) -> None:
    from sparql_server import FaultyProxy, Oxigraph

    hub, relation = f"{RESOURCE}Hub", f"{ONTOLOGY}birthPlace"
    lines = (f"<{RESOURCE}P{i}> <{relation}> <{hub}> .\n" for i in range(12_000))
    (tmp_path / "hub.nt").write_text("".join(lines))
    with Oxigraph([tmp_path / "hub.nt"], tmp_path) as url, FaultyProxy(url) as proxy:
        proxy.limit, proxy.fault = 10_000, lambda query: "maxrows"
        one = backend(proxy.url, tmp_path)
        assert one.relations([hub]) == [{(IN, relation): 12_000}]
        assert one.count([Edge(OUT, relation, hub), Edge(IN, relation, f"{RESOURCE}P7")]) == [12_000, 1]
        with pytest.raises(TooMuchError, match="found one cut off at 10,000 rows"):
            one.neighbours([Group(hub, IN, relation)])


def test_rows_of_another_kind_are_refused(proxy: "FaultyProxy", tmp_path: Path) -> None:
    one = backend(proxy.url, tmp_path)
    one.asker.select = lambda query: [{"x": "1"}]  # type: ignore[method-assign]
    with pytest.raises(DecoyQAError, match=r"expected rows of \?i and \?p \?n, found \{'x': '1'\}"):
        one.relations([f"{RESOURCE}Film_0"])


WALK = """
import math, sys
sys.path[:0] = [{root!r}]
from pathlib import Path
from builders.eureqa.by_iri import walker_by_iri
from builders.eureqa.endpoint import Endpoint
from builders.eureqa.relations import rules_for
from builders.eureqa.seeds import most_linked
from builders.eureqa.snapshot import open_snapshot
from builders.eureqa.sparql import open_sparql
from builders.eureqa.walk import WalkSettings
snapshot = open_snapshot(Path({graph!r}))
backend = open_sparql(Endpoint({url!r}, "test", per_second=math.inf, tries=2), Path({folder!r}))
seeds = [seed.entity for seed in most_linked(snapshot, 20, 10_000)]
walker_by_iri(snapshot, rules_for(snapshot), WalkSettings(), 3, backend)(seeds, 0)
"""


def test_a_killed_run_asks_nothing_twice(world: World, proxy: "FaultyProxy", tmp_path: Path) -> None:
    (graph,) = (path for path in (world.files[0].parent / "graphs").iterdir() if path.is_dir())
    words = WALK.format(root=str(ROOT), graph=str(graph), url=proxy.url, folder=str(tmp_path))
    killed: list[subprocess.Popen[bytes]] = [subprocess.Popen([sys.executable, "-c", words])]

    def kill(query: str) -> str:
        if len(proxy.queries) == 25:
            os.kill(killed[0].pid, signal.SIGKILL)
        return ""

    proxy.fault = kill
    assert killed[0].wait(120) == -signal.SIGKILL
    assert len(proxy.queries) == 25
    seeds = world.seeds(20)
    again = backend(proxy.url, tmp_path)
    chains = walker_by_iri(world.snapshot, world.rules, WalkSettings(), 3, again)(seeds, 0)
    assert list(chains) == list(walker(world.snapshot, world.rules, WalkSettings(), 3)(seeds, 0))
    # The 25th was in flight when the process died; all others were on disk.
    assert proxy.queries.count(proxy.queries[24]) == 2
    assert len(proxy.queries) == len(set(proxy.queries)) + 1
