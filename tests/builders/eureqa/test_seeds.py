"""Where walks start: files of names, the most linked entities, and categories in turn."""

from pathlib import Path

import pytest
from eureqa_small import entity, small

from builders.eureqa.seeds import Seed, category_of, find_entity, most_linked, seeds_from_file, spread
from builders.eureqa.snapshot import Snapshot
from loaders.errors import InputError

GRAPH = """Alien director Ridley_Scott
    Alien starring Sigourney_Weaver
    Aliens starring Sigourney_Weaver
    Sigourney_Weaver birthPlace New_York_City
    Nobody birthPlace New_York_City
    Somebody birthPlace New_York_City
"""
TYPES = {"Film": "Alien Aliens", "Person": "Ridley_Scott Sigourney_Weaver", "City": "New_York_City"}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH, TYPES)


def written(folder: Path, text: str) -> Path:
    path = folder / "seeds.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_names_entities_in_any_form_with_a_category_or_without(snapshot: Snapshot, tmp_path: Path) -> None:
    path = written(
        tmp_path, "Ridley Scott\tdirectors\n\n<http://dbpedia.org/resource/Alien>\nNew_York_City\n Aliens \t films \n"
    )
    assert seeds_from_file(path, snapshot) == [
        Seed(entity("Ridley_Scott", snapshot), "directors"),
        Seed(entity("Alien", snapshot), "Work"),
        Seed(entity("New_York_City", snapshot), "Place"),
        Seed(entity("Aliens", snapshot), "films"),
    ]


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("Alien\nNo such film\n", 2, "expected an entity of the graph, found 'No such film'"),
        ("Alien\n\nalien\n", 3, "expected an entity of the graph, found 'alien'"),
        ("Alien\tfilms\nhttp://dbpedia.org/resource/Alien\n", 2, "expected every entity once"),
        ("Alien\n\tfilms\n", 2, "expected an entity of the graph, found ''"),
        ("\n \n", None, "expected entities, one a line; found none"),
    ],
)
def test_a_seed_that_is_not_in_the_graph_is_refused_with_its_line(
    snapshot: Snapshot, tmp_path: Path, text: str, row: int | None, expected: str
) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        seeds_from_file(written(tmp_path, text), snapshot)
    assert caught.value.row == row


def test_entities_are_found_by_name(snapshot: Snapshot) -> None:
    assert find_entity("New York City", snapshot) == find_entity("New_York_City", snapshot) >= 0
    assert find_entity("Ne", snapshot) == -1
    assert find_entity("", snapshot) == -1


def test_a_category_is_the_class_below_the_root(snapshot: Snapshot) -> None:
    found = {name: category_of(entity(name, snapshot), snapshot) for name in ("Alien", "Ridley_Scott", "Nobody")}
    assert found == {"Alien": "Work", "Ridley_Scott": "Agent", "Nobody": "other"}


def test_the_most_linked_of_a_known_class_come_first(snapshot: Snapshot) -> None:
    # Weaver and New York have three edges each, Alien two; Nobody and Somebody have no class.
    names = ["New_York_City", "Sigourney_Weaver", "Alien", "Aliens", "Ridley_Scott"]
    assert [snapshot.labels[seed.entity].replace(" ", "_") for seed in most_linked(snapshot, 9, 9)] == names
    assert [snapshot.labels[seed.entity] for seed in most_linked(snapshot, 2, 2)] == ["Alien", "Aliens"]


def test_categories_take_turns() -> None:
    seeds = [Seed(1, "a"), Seed(2, "a"), Seed(3, "b"), Seed(4, "a"), Seed(5, "c")]
    assert [seed.entity for seed in spread(seeds)] == [1, 3, 5, 2, 4]
    assert list(spread([])) == []
