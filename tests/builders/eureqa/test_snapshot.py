"""A snapshot written and mapped again, its names, and its classes in order."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.eureqa.graph import build_graph
from builders.eureqa.index import Classes
from builders.eureqa.names import pack
from builders.eureqa.snapshot import Snapshot, number_classes, open_snapshot, save_snapshot
from loaders.errors import DecoyQAError

PARENTS = {"Film": "Work", "Album": "Work", "Work": "Thing", "Person": "Thing", "Actor": "Person"}


def snapshot() -> Snapshot:
    names, last = number_classes(PARENTS, ["Actor", "Island"])
    of = np.array([names.index("Actor"), -1, names.index("Film")], dtype=np.int16)
    graph = build_graph(np.array([2, 2]), np.array([0, 1]), np.array([0, 1]), 3)
    entities, labels = pack(["http://a/Ann", "http://a/Bern", "http://a/Čas"]), pack(["Ann", "Bern", "Čas"])
    facts = {"inputs": {"a.nt": "00"}}
    return Snapshot(graph, Classes(of, last), entities, labels, pack(["Annie\nA.", "", ""]), ("r", "s"), names, facts)


def test_a_snapshot_comes_back_as_it_was_written(tmp_path: Path) -> None:
    save_snapshot(tmp_path / "g", snapshot())
    found = open_snapshot(tmp_path / "g")
    assert found.graph.neighbours(2, 0, 1).tolist() == [1]
    assert isinstance(found.graph.others.base, np.memmap)
    assert list(found.entities) == ["http://a/Ann", "http://a/Bern", "http://a/Čas"]
    assert [found.labels[i] for i in range(3)] == ["Ann", "Bern", "Čas"]
    assert [found.aliases_of(i) for i in range(3)] == [("Annie", "A."), (), ()]
    assert [found.class_of(i) for i in range(3)] == ["Actor", "", "Film"]
    assert (found.relations, found.facts) == (("r", "s"), {"inputs": {"a.nt": "00"}})


def test_classes_below_a_class_follow_it() -> None:
    names, last = number_classes(PARENTS, ["Actor", "Island"])
    assert names == ("Island", "Thing", "Person", "Actor", "Work", "Album", "Film")
    assert dict(zip(names, last.tolist(), strict=True)) == {
        "Island": 1,
        "Thing": 7,
        "Person": 4,
        "Actor": 4,
        "Work": 7,
        "Album": 6,
        "Film": 7,
    }
    of = Classes(np.array([3, 6, -1], dtype=np.int16), last)
    assert of.contains(names.index("Person"), np.array([0, 1, 2])).tolist() == [True, False, False]
    assert of.contains(names.index("Thing"), np.array([0, 1, 2])).tolist() == [True, True, False]
    assert of.contains(-1, np.array([0, 1, 2])).tolist() == [True, True, True]


def test_a_circle_of_classes_is_refused() -> None:
    with pytest.raises(DecoyQAError, match="circle: A"):
        number_classes({"A": "B", "B": "A", "C": "D"}, [])


@given(st.sets(st.text(max_size=8)), st.text(max_size=8))
def test_names_are_found_by_text_and_by_number(texts: set[str], other: str) -> None:
    in_order = sorted(texts, key=str.encode)
    names = pack(in_order)
    assert list(names) == in_order
    assert [names.find(text) for text in in_order] == list(range(len(names)))
    assert names.find(other) == (in_order.index(other) if other in texts else -1)


def test_no_snapshot_and_another_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match="holds no graph of format 2"):
        open_snapshot(tmp_path)
    save_snapshot(tmp_path / "g", snapshot())
    (tmp_path / "g" / "snapshot.json").write_text('{"format":0}')
    with pytest.raises(DecoyQAError, match="holds no graph of format 2"):
        open_snapshot(tmp_path / "g")
