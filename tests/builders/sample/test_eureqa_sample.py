"""The sample graph: large and dense enough, named and typed throughout, every reading path used; and its tour."""

import re
from collections import Counter
from pathlib import Path

import pytest
from eureqa_small import SAMPLE, build_small
from rich.console import Console

from builders.eureqa.backend import OUT, Edge
from builders.eureqa.hypernyms import hypernym
from builders.eureqa.kinds import Kinds
from builders.eureqa.load import load_snapshot
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot
from builders.sample.eureqa_tour import item_panel, main
from builders.sources.dbpedia import Dump, read_edges
from builders.sources.graphs import GRAPHS
from loaders.artifact import read_rows
from loaders.eureqa import EureQARow
from loaders.manifest import read_manifest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return load_snapshot([SAMPLE], [], tmp_path_factory.mktemp("graphs"), lambda edges: None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make eureqa-sample` builds, but for the sentence model and the pictures."""
    return build_small([SAMPLE], tmp_path_factory.mktemp("sample"), limit=200)


def test_it_is_large_enough(snapshot: Snapshot) -> None:
    assert snapshot.graph.triples > 600
    relations = {local_name(iri) for iri in snapshot.relations}
    assert {"starring", "bandMember", "author", "river", "team"} <= relations  # films, music, books, places, sport
    assert relations <= set(table())


def test_its_size_is_what_the_pages_say(snapshot: Snapshot) -> None:
    told = f"about {round(snapshot.graph.triples, -2):,} facts"
    assert told in GRAPHS["sample"].note
    assert told in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_way_of_reading_is_taken() -> None:
    dump = Dump()
    edges = list(read_edges([SAMPLE], dump))
    assert dump.dropped == {
        "intermediate_node": 1,
        "label_in_another_language": 1,
        "list_page": 1,
        "literal": 1,
        "not_an_ontology_relation": dump.dropped["not_an_ontology_relation"],
    }
    assert len(dump.redirects) == 3
    assert dump.pages == {"http://dbpedia.org/resource/Nirvana"}
    assert dump.parents["Film"] == "Work"
    assert len(edges) > 2000


def test_redirects_lead_on_and_pages_are_dropped(snapshot: Snapshot) -> None:
    beatles = snapshot.entities.find("http://dbpedia.org/resource/The_Beatles")
    assert snapshot.aliases_of(beatles) == ("Beatles", "The Fab Four")
    assert snapshot.entities.find("http://dbpedia.org/resource/Beatles") == -1
    assert snapshot.facts["dropped"]["disambiguation_page"] == 1


def test_everything_has_a_label_and_nearly_everything_a_class(snapshot: Snapshot) -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    names = re.findall(r"^<([^>]+)> .*rdfs:label", text, re.MULTILINE)
    entities = {iri.rpartition("/")[2] for iri in snapshot.entities}
    assert entities - set(names) == set()
    untyped = [e for e in range(snapshot.graph.entities) if not snapshot.class_of(e)]
    assert 3 <= len(untyped) < 20
    assert {"actor", "publisher"} <= {hypernym(entity, snapshot) for entity in untyped}


def test_no_fact_is_stated_twice_and_none_joins_what_it_cannot(snapshot: Snapshot) -> None:
    assert snapshot.facts["dropped"]["duplicate"] == 0
    assert snapshot.facts["dropped"]["self_loop"] == 0
    kinds, graph = Kinds(snapshot), snapshot.graph
    for subject in range(graph.entities):
        for (direction, relation), _ in graph.relations(subject).items():
            for other in graph.neighbours(subject, direction, relation) if direction == OUT else ():
                assert kinds._fault(subject, Edge(OUT, relation, int(other))) == ""


def test_it_gives_enough_chains_of_many_kinds(folder: Path) -> None:
    hard, easy = read_manifest(folder)["configs"]
    assert hard["rows"]["d5"] >= 20
    assert easy["rows"]["d5"] >= 10
    assert len(hard["categories"]) >= 4
    first = Counter(row.layers[0].hypernym for row in read_rows(folder, "hard", "d5", EureQARow))
    assert len(first) > 6
    assert first.most_common(1)[0][1] < 0.4 * first.total()


def test_the_tour_shows_one_of_each_config_solved_from_the_end(folder: Path) -> None:
    console = Console(record=True, width=200, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115
    main(folder, console)
    text = console.export_text()
    for config in ("hard", "easy"):
        row = read_rows(folder, config, "d5", EureQARow)[0]
        assert f"{config}: {row.id}" in text
        assert f"Film A is {row.answer}" in text or f"A is {row.layers[0].label}" in text
    assert text.count("names in sight") == 2


def test_a_panel_names_layers_from_the_last_one(folder: Path) -> None:
    row = read_rows(folder, "hard", "d3", EureQARow)[0]
    lines = item_panel(row, "hard").renderable.plain.splitlines()  # type: ignore[union-attr]
    told = [line for line in lines if "by both" in line]
    assert [line.split("  (")[0] for line in told] == [
        f"{layer.placeholder} is {layer.label}" for layer in reversed(row.layers)
    ]
    assert f"{row.layers[2].n_relation} by the relation, {row.layers[2].n_fact} by the fact, 1 by both" in told[0]
    assert lines[0] == row.question
