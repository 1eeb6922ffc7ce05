"""The same walks through the index, a SPARQL server and rdflib: the same chains, layer by layer, count by count.

DECOYQA_SLOW_TESTS=1 adds the strict criterion on the real extract.
"""

import math
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from builders.eureqa.backend import Backend
from builders.eureqa.build import walker
from builders.eureqa.by_iri import chain_by_iri, map_chain, recount, rules_by_iri, walker_by_iri
from builders.eureqa.endpoint import Endpoint
from builders.eureqa.rdflib_backend import RdflibBackend
from builders.eureqa.sparql import open_sparql
from builders.eureqa.sparql_http import Asker
from builders.eureqa.sparql_queries import UNWRITABLE
from builders.eureqa.sparql_text import layer_query
from builders.eureqa.walk import WalkSettings
from loaders.errors import DecoyQAError

World = Any  # of conftest.py
SEEDS = 50
CRITERIA = {"hard": WalkSettings(), "easy": WalkSettings(hard=False), "strict": WalkSettings(strict=True)}
slow = pytest.mark.skipif("DECOYQA_SLOW_TESTS" not in os.environ, reason="takes a minute; set DECOYQA_SLOW_TESTS=1")


def check_walks(world: World, criterion: str, backends: list[Backend[str, str]], whole: int) -> None:
    """Walk from every seed; `whole` chains at least are complete."""
    settings, seeds = CRITERIA[criterion], world.seeds(SEEDS)
    assert len(seeds) == SEEDS
    chains = list(walker(world.snapshot, world.rules, settings, 3)(seeds, 0))
    assert sum(len(chain) == settings.layers for chain in chains) >= whole
    for backend in backends:
        assert list(walker_by_iri(world.snapshot, world.rules, settings, 3, backend)(seeds, 0)) == chains


@pytest.mark.parametrize(("criterion", "whole"), [("hard", 10), ("easy", 3), ("strict", 10)])
def test_walks_through_three_stores(world: World, oxigraph: str, criterion: str, whole: int, tmp_path: Path) -> None:
    sparql = open_sparql(Endpoint(oxigraph, per_second=math.inf), tmp_path)
    check_walks(world, criterion, [sparql, RdflibBackend(world.rdflib)], whole)


@pytest.mark.parametrize("criterion", ["hard", pytest.param("easy", marks=slow), pytest.param("strict", marks=slow)])
def test_walks_through_a_real_extract(db15k: World, criterion: str, tmp_path: Path) -> None:
    from sparql_server import Oxigraph

    with Oxigraph(db15k.files, tmp_path) as url:
        sparql = open_sparql(Endpoint(url, per_second=math.inf), tmp_path)
        check_walks(db15k, criterion, [sparql, RdflibBackend(db15k.rdflib)], 5)


def check_published_queries(world: World, url: str) -> None:
    """Every layer's own query gives the layer's counts, whatever else the store holds."""
    names = ("n_relation", "n_fact", "n_joint", "n_next")
    asker, layers = Asker(Endpoint(url, per_second=math.inf)), []
    for criterion in ("hard", "easy"):
        found = walker(world.snapshot, world.rules, CRITERIA[criterion], 3)(world.seeds(SEEDS), 0)
        layers += [layer for chain in found for layer in chain_by_iri(chain, world.snapshot)]
    odd = [one for one in layers if any(UNWRITABLE.search(end) for end in (one.entity, *one.edge[1:], *one.fact[1:]))]
    assert odd
    for layer in [*odd, *layers[:60]]:
        (row,) = asker.select(layer_query(layer.entity, layer.edge, layer.fact))
        assert [int(row[name]) for name in names] == [getattr(layer, name) for name in names]


def test_a_published_query_gives_the_published_counts(world: World, oxigraph: str) -> None:
    check_published_queries(world, oxigraph)


@pytest.mark.skipif(shutil.which("virtuoso-t") is None, reason="needs Debian's virtuoso-opensource")
def test_walks_through_virtuoso(world: World, tmp_path: Path) -> None:
    from sparql_server import Virtuoso

    with Virtuoso(world.files, tmp_path) as url:
        sparql = open_sparql(Endpoint(url, per_second=math.inf), tmp_path)
        for criterion in CRITERIA:
            check_walks(world, criterion, [sparql], 3)
        check_published_queries(world, url)


def chains(world: World, settings: WalkSettings) -> list[Any]:
    return list(walker(world.snapshot, world.rules, settings, 1)(world.seeds(SEEDS), 0))


def test_a_chain_goes_to_names_and_back(world: World) -> None:
    found = chains(world, CRITERIA["hard"])
    named = [chain_by_iri(chain, world.snapshot) for chain in found]
    assert [map_chain(chain, world.snapshot) for chain in named] == found
    layer = next(chain[0] for chain in named if chain)
    assert layer.entity.startswith("http://dbpedia.org/resource/")
    assert layer.edge.relation.startswith("http://dbpedia.org/ontology/")
    with pytest.raises(DecoyQAError, match="the store has <http://a/b>, which the snapshot does not have"):
        map_chain((layer._replace(entity="http://a/b"),), world.snapshot)
    with pytest.raises(DecoyQAError, match="the store has <r>, which"):
        map_chain((layer._replace(edge=layer.edge._replace(relation="r")),), world.snapshot)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_recount_finds_the_same_until_the_store_changes(world: World, criterion: str) -> None:
    from rdflib import Graph, URIRef

    rules = rules_by_iri(world.rules, world.snapshot)
    named = [chain_by_iri(chain, world.snapshot) for chain in chains(world, CRITERIA[criterion]) if chain]
    backend = RdflibBackend(world.rdflib)
    assert [recount(chain, rules, backend) for chain in named] == named

    layer = named[0][0]
    grown = Graph()
    grown += world.rdflib
    newcomer = URIRef("http://dbpedia.org/resource/Newcomer")
    for edge in (layer.edge, layer.fact):
        ends = (newcomer, URIRef(edge.other))[:: -1 if edge.direction else 1]
        grown.add((ends[0], URIRef(edge.relation), ends[1]))
    found = recount(named[0], rules, RdflibBackend(grown))[0]
    assert (found.n_relation, found.n_fact) == (layer.n_relation + 1, layer.n_fact + 1)
    assert found.n_joint == 2
