"""Seeds that a model names: read from its lines, found under any name, one entity once, the unknown kept by name."""

import pytest

from builders.eureqa.load import load_snapshot
from builders.eureqa.seeds_model import find_names, read_names
from builders.eureqa.snapshot import Snapshot
from builders.sources.dbpedia import ONTOLOGY, RDF_TYPE, REDIRECT, RESOURCE, SUBCLASS
from eval.models.engine import Reply

EDGES = [
    ("Heat_(1995_film)", "director", "Michael_Mann"),
    ("Heat", "related", "Physics"),
    ("Heat", "related", "Energy"),
    ("Heat", "related", "Light"),
    ("Jaws_(film)", "director", "Steven_Spielberg"),
    ("Jaws_(novel)", "author", "Peter_Benchley"),
    ("Jaws_(novel)", "publisher", "Doubleday"),
    ("Beyoncé", "spouse", "Jay-Z"),
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("named")
    lines = [f"<{RESOURCE}{s}> <{ONTOLOGY}{r}> <{RESOURCE}{o}> ." for s, r, o in EDGES]
    lines.append(f"<{RESOURCE}Shawn_Carter> <{REDIRECT}> <{RESOURCE}Jay-Z> .")
    films = ("Heat_(1995_film)", "Jaws_(film)")
    types = [f"<{RESOURCE}{film}> <{RDF_TYPE}> <{ONTOLOGY}Film> ." for film in films]
    types.append(f"<{ONTOLOGY}Film> <{SUBCLASS}> <{ONTOLOGY}Work> .")
    for name, own in (("edges.nt", lines), ("types.nt", types)):
        (folder / name).write_text("\n".join(own) + "\n", encoding="utf-8")
    return load_snapshot([folder / "edges.nt"], [folder / "types.nt"], folder / "graphs", lambda edges: None)


def found(snapshot: Snapshot, **named: list[str]) -> tuple[list[tuple[str, str]], dict[str, list[str]]]:
    seeds, unknown = find_names(named, snapshot)
    return [(snapshot.entities[seed.entity].removeprefix(RESOURCE), seed.category) for seed in seeds], unknown


def test_the_categorys_class_goes_before_the_most_linked(snapshot: Snapshot) -> None:
    assert found(snapshot, films=["Heat", "Jaws"])[0] == [("Heat_(1995_film)", "films"), ("Jaws_(film)", "films")]
    # No class is known for these: the one with the most triples.
    assert found(snapshot, things=["Heat", "jaws"])[0] == [("Heat", "things"), ("Jaws_(novel)", "things")]


def test_other_names_and_unknown_ones(snapshot: Snapshot) -> None:
    seeds, unknown = found(snapshot, musicians=["Shawn Carter", "Beyoncé", "JAY-Z", "Nas"], films=["Heat", "Alien"])
    assert seeds == [("Jay-Z", "musicians"), ("Beyoncé", "musicians"), ("Heat_(1995_film)", "films")]
    assert unknown == {"musicians": ["Nas"], "films": ["Alien"]}


@pytest.mark.parametrize(
    ("text", "finish", "names"),
    [
        ("Heat\nJaws", "stop", ["Heat", "Jaws"]),
        ("1. Heat\n2) Jaws\n\n3. Heat", "stop", ["Heat", "Jaws"]),
        ("- *Heat*\n• \"Jaws\"\n* **2001: A Space Odyssey**", "stop", ["Heat", "Jaws", "2001: A Space Odyssey"]),
        ("<think>Films?\nMany</think>Heat", "stop", ["Heat"]),
        ("1917\n2001: A Space Odyssey\n3:10 to Yuma", "stop", ["1917", "2001: A Space Odyssey", "3:10 to Yuma"]),
        ("Heat\nJaws\nJa", "length", []),
        ("", "stop", []),
        ("...", "stop", []),
    ],
)  # fmt: skip
def test_names_are_read_line_by_line(text: str, finish: str, names: list[str]) -> None:
    assert read_names(Reply("k", text, finish, 9, 7, "{}")) == names
