"""What of a dump becomes the graph, and by which name the rest is dropped."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builders.eureqa.load import load_snapshot, make_snapshot
from builders.sources.dbpedia import Dump, Edge, encoded, no_entity, plain_name, read_edges, read_types
from loaders.errors import InputError

R, O = "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"  # noqa: E741
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
DUMP = f"""
<{R}Heat_(film)> <{O}starring> <{R}Al_Pacino> .
<{R}Heat_(film)> <{O}starring> <{R}Al_Pacino> .
<{R}Heat_(film)> <{O}starring> <{R}Robert_De_Niro> .
<{R}Heat_(1995_film)> <{O}starring> <{R}Val_Kilmer> .
<{R}Heat_(film)> <{O}director> <{R}Mann> .
<{R}Heat_(film)> <{O}director> <{R}Michael_Mann> .
<{R}Heat_(film)> <{O}related> <{R}Heat_(1995_film)> .
<{R}Heat_(film)> <{O}related> <{R}Heat_(film)> .
<{R}Heat_(film)> <{O}list> <{R}List_of_films> .
<{R}Heat_(film)> <{O}list> <{R}Category:Films> .
<{R}Heat_(film)> <{O}list> <{R}Al_Pacino__1> .
<{R}Heat_(film)> <{O}list> <http://www.wikidata.org/entity/Q1> .
<{R}Heat_(film)> <{O}runtime> "170" .
<{R}Heat_(film)> <{O}wikiPageWikiLink> <{R}Al_Pacino> .
<{R}Heat_(film)> <http://dbpedia.org/property/starring> <{R}Amy_Brenneman> .
<{R}Heat_(film)> <http://www.w3.org/2002/07/owl#sameAs> <{R}Al_Pacino> .
<{R}Heat_(film)> <{O}link> _:x .
<{R}Heat_(film)> {TYPE} <{O}Work> .
<{R}Heat_(film)> {TYPE} <{O}Film> .
<{R}Heat_(film)> {TYPE} <{R}Economist> .
<{R}Heat_(film)> {LABEL} "Heat"@en .
<{R}Heat_(film)> {LABEL} "Hitze"@de .
<{R}Heat_(1995_film)> <{O}wikiPageRedirects> <{R}Heat_95> .
<{R}Heat_95> <{O}wikiPageRedirects> <{R}Heat_(film)> .
<{R}Mann> <{O}wikiPageDisambiguates> <{R}Michael_Mann> .
"""
TABLE = "Type\tDepth\tParent\ndbo:Film\t2\tdbo:Work\ndbo:Work\t1\towl:Thing\ndbo:AmericanFootballPlayer\t1\towl:Thing\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, list[Path]]:
    (tmp_path / "dump.nt").write_text(DUMP)
    (tmp_path / "types.tsv").write_text(TABLE)
    (tmp_path / "instances.txt").write_text(
        "Al_Pacino\ttype\tamerican_footbal_lplayer\nVal_Kilmer\ttype\tstage_actor\n"
    )
    return tmp_path / "dump.nt", [tmp_path / "types.tsv", tmp_path / "instances.txt"]


def test_every_line_becomes_an_edge_or_a_counted_drop(files: tuple[Path, list[Path]]) -> None:
    dump = Dump()
    found = make_snapshot(read_edges([files[0]], dump), dump, files[1], {})
    assert [iri.removeprefix(R) for iri in found.entities] == [
        "Al_Pacino",
        "Heat_(film)",
        "Michael_Mann",
        "Robert_De_Niro",
        "Val_Kilmer",
    ]
    heat = found.entities.find(f"{R}Heat_(film)")
    relations = [iri.removeprefix(O) for iri in found.relations]
    assert {(relations[r], d): n for (d, r), n in found.graph.relations(heat).items()} == {
        ("director", 0): 1,
        ("starring", 0): 3,  # the redirected film's actor among them
    }
    assert +dump.dropped == {
        "not_an_ontology_class": 1,
        "label_in_another_language": 1,
        "not_an_ontology_relation": 3,  # wikiPageWikiLink, dbp:starring, sameAs
        "literal": 1,
        "blank_node": 1,
        "not_a_dbpedia_resource": 1,
        "list_page": 1,
        "no_article": 1,
        "intermediate_node": 1,
        "self_loop": 2,  # one of them by a redirect
        "disambiguation_page": 1,
        "duplicate": 1,
    }


def test_labels_classes_and_other_names(files: tuple[Path, list[Path]]) -> None:
    dump = Dump()
    found = make_snapshot(read_edges([files[0]], dump), dump, files[1], {})
    names = {iri.removeprefix(R): i for i, iri in enumerate(found.entities)}
    heat, pacino = names["Heat_(film)"], names["Al_Pacino"]
    assert (found.labels[heat], found.labels[pacino]) == ("Heat", "Al Pacino")
    # The deepest class, by the ontology's own spelling; one that the ontology does not know stands alone.
    assert [found.class_of(names[n]) for n in ("Heat_(film)", "Al_Pacino", "Val_Kilmer", "Michael_Mann")] == [
        "Film",
        "AmericanFootballPlayer",
        "StageActor",
        "",
    ]
    assert found.aliases_of(heat) == ("Heat (1995 film)", "Heat 95")


def test_raw_properties_can_be_kept(files: tuple[Path, list[Path]]) -> None:
    edges = list(read_edges([files[0]], Dump(), with_properties=True))
    wanted = Edge(f"{R}Heat_(film)", "http://dbpedia.org/property/starring", f"{R}Amy_Brenneman")
    assert [edge for edge in edges if "property" in edge.relation] == [wanted]


def test_a_snapshot_is_made_once_and_named_after_all_files(files: tuple[Path, list[Path]], tmp_path: Path) -> None:
    first = load_snapshot([files[0]], files[1], tmp_path / "graphs", lambda done: None)
    (folder,) = (tmp_path / "graphs").iterdir()
    made = folder.stat().st_mtime_ns
    again = load_snapshot([files[0]], files[1], tmp_path / "graphs", lambda done: None)
    assert list(again.entities) == list(first.entities)
    assert folder.stat().st_mtime_ns == made
    load_snapshot([files[0]], files[1][:1], tmp_path / "graphs", lambda done: None)
    assert len(list((tmp_path / "graphs").iterdir())) == 2


def test_a_dump_without_edges_stops(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text("<http://a/x> <http://a/p> <http://a/y> .\n")
    with pytest.raises(InputError, match=r"a\.nt: expected edges between DBpedia entities, found none"):
        load_snapshot([tmp_path / "a.nt"], [], tmp_path / "graphs", lambda done: None)
    assert not (tmp_path / "graphs").exists()


@pytest.mark.parametrize(
    ("text", "row"),
    [("A\ttype\tfilm\nB film\n", 2), ("A\tkind\tfilm\n", 1), (f"{TABLE}dbo:X\t1\n", 5), ("\ttype\tfilm\n", 1)],
)
def test_a_bad_table_of_types_is_named(tmp_path: Path, text: str, row: int) -> None:
    (tmp_path / "types.txt").write_text(text)
    with pytest.raises(InputError) as caught:
        read_types([tmp_path / "types.txt"], Dump())
    assert caught.value.row == row


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Lists_of_films", "list_page"),
        ("List_(surname)", ""),
        ("File:A.png", "no_article"),
        ("Star_Trek:_Picard", ""),
        ("Ann__2", "intermediate_node"),
        ("Ann__CareerStation__2", "intermediate_node"),
        ("B__Tribute", ""),
    ],
)
def test_pages_that_are_no_entity(name: str, reason: str) -> None:
    assert no_entity(f"{R}{name}") == reason


def test_names_and_iris() -> None:
    assert plain_name(f"{R}AC/DC") == "AC/DC"
    assert plain_name(f"{R}Beyonc%C3%A9") == "Beyoncé"
    assert encoded(f'{R}"Weird_Al" x') == f"{R}%22Weird_Al%22%20x"


def test_db15k_is_read_whole(shared_data: Callable[[str], Path]) -> None:
    dump = Dump()
    edges = list(read_edges([shared_data("dbpedia/db15k.nt.gz")], dump))
    assert len(edges) + sum(dump.dropped.values()) == 99_028
    assert dump.dropped["not_an_ontology_class"] == 13_039  # its types are wrong: Germany, an economist
    assert dump.broken["db15k.nt.gz"].count == 0
    assert edges[0] == Edge(f"{R}The_Longest_Yard_(2005_film)", f"{O}editing", f"{R}Dean_Semler")
