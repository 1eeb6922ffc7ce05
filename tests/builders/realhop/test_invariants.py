"""Each fault that an artifact may have is found by name, with all hashes written anew."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from realhop_small import FEW, build_small, few

from builders.realhop.invariants import full_faults, invariant_problems, source_faults
from loaders.artifact import read_rows, write_rows
from loaders.manifest import read_manifest, write_manifest
from loaders.realhop import DropProof, RealHopCandidate, RealHopRow

pytestmark = pytest.mark.model
Change = Callable[[RealHopRow], RealHopRow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("few")
    return build_small(few(place), place, limit=2)  # a chain of two and a join of three


@pytest.fixture(scope="module")
def sides(folder: Path) -> tuple[RealHopRow, RealHopRow]:
    full, source = (read_rows(folder, "musique", split, RealHopRow)[0] for split in ("full", "source"))
    return full, source


def test_a_sound_artifact_has_no_problem(folder: Path, sides: tuple[RealHopRow, RealHopRow]) -> None:
    full, source = sides
    assert list(invariant_problems(folder)) == []
    assert list(full_faults(full, source)) == []
    assert list(source_faults(source)) == []


def with_text(row: RealHopRow, passage: int, change: Callable[[str], str]) -> RealHopRow:
    changed = replace(row.passages[passage], text=change(row.passages[passage].text))
    return replace(row, passages=(*row.passages[:passage], changed, *row.passages[passage + 1 :]))


def moved(row: RealHopRow) -> RealHopRow:
    """Shift the first unit's span by one."""
    hop = row.hops[0]
    unit = replace(hop.units[0], start=hop.units[0].start + 1)
    return replace(row, hops=(replace(hop, units=(unit, *hop.units[1:])), *row.hops[1:]))


def other_drop(row: RealHopRow) -> RealHopRow:
    assert row.proof
    first: DropProof = replace(row.proof.drops[0], any_relation=("Nobody", "Somebody"))
    return replace(row, proof=replace(row.proof, drops=(first, *row.proof.drops[1:])))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (other_drop, "the proof is not the one that the text gives"),
        (lambda row: replace(row, proof=None), "the proof is not the one that the text gives"),
        (moved, "no proof: span_not_its_sentence"),
        (lambda row: replace(row, answer="Somebody Else"), "no proof: "),
        (lambda row: with_text(row, 0, lambda text: f"{text} More."), "no proof: text_changed"),
        (lambda row: replace(row, competitors=()), "no proof: "),
        (lambda row: replace(row, n_hops=5), "the hops are not those of the source"),
        (lambda row: replace(row, writer=""), "the row is not one of the split `full`"),
        (lambda row: replace(row, row_id="x"), "the row is not one of the split `full`"),
        (lambda row: replace(row, answer_aliases=("Nowhere",)), "the row is not one of the split `full`"),
        (lambda row: replace(row, source_id="x"), "where it comes from is not what the source's question says"),
        (lambda row: replace(row, source_license="MIT"), "where it comes from is not what the source's question says"),
    ],
)
def test_a_fault_of_a_rebuilt_row_is_named(sides: tuple[RealHopRow, RealHopRow], change: Change, fault: str) -> None:
    assert any(found.startswith(fault) for found in full_faults(change(sides[0]), sides[1]))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (moved, "a span is not its text"),
        (lambda row: replace(row, writer="rules"), "the source's question has something that only a rebuilt one has"),
        (lambda row: replace(row, n_hops=1), "a hop is missing or has no support"),
        (
            lambda row: replace(row, hops=(replace(row.hops[0], units=()), *row.hops[1:])),
            "a hop is missing or has no support",
        ),
    ],
)
def test_a_fault_of_a_source_row_is_named(sides: tuple[RealHopRow, RealHopRow], change: Change, fault: str) -> None:
    assert fault in list(source_faults(change(sides[1])))


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def edit(folder: Path, split: str, change: Callable[[list[RealHopRow]], list[RealHopRow]]) -> list[str]:
    """Change a split's rows and return what is found."""
    rows = read_rows(folder, "musique", split, RealHopRow)
    write_rows(folder, "musique", split, RealHopRow, change(rows))
    return list(invariant_problems(folder))


def test_a_drop_that_leaves_something_else_is_named(copy: Path) -> None:
    found = edit(copy, "drop", lambda rows: [replace(rows[0], question="Who?"), *rows[1:]])
    assert f"musique/drop {FEW[0]}/1: not what the drop of hop 1 leaves of the full row" in found
    assert found[-1] == "content id: the rows are not those that the manifest names"


def test_a_drop_of_no_hop_is_named(copy: Path) -> None:
    found = edit(copy, "drop", lambda rows: [replace(rows[0], target_hop="9"), *rows[1:]])
    assert f"musique/drop {FEW[0]}/1: no such hop" in found
    assert "musique: not every hop has its Drop" in found


def test_a_span_without_a_passage_is_named_and_nothing_is_read_after_it(copy: Path) -> None:
    found = edit(copy, "full", lambda rows: [replace(rows[0], passages=rows[0].passages[:1]), *rows[1:]])
    assert f"musique/full {FEW[0]}: a span lies outside of the passages" in found
    assert not any("no proof" in line for line in found)


def test_a_control_with_less_gone_is_named(copy: Path) -> None:
    full = read_rows(copy, "musique", "full", RealHopRow)[0]
    found = edit(copy, "control", lambda rows: [replace(rows[0], passages=full.passages), *rows[1:]])
    assert any("leaves of the full row" in line and "/control " in line for line in found)


def test_rows_that_do_not_belong_together_are_found(copy: Path) -> None:
    found = edit(copy, "source", lambda rows: rows[:1])
    assert "musique: the kept items are not the rows" in found
    assert "musique: the counts are not those of the rows" in found
    assert "musique: the paired ids are not those of the rows" in found
    assert "musique: a row stands twice in a split" in edit(copy, "source", lambda rows: [rows[0], rows[0]])


def rewritten(folder: Path, **changes: Any) -> list[str]:
    """Change the manifest's only config and return what is found."""
    facts = {key: value for key, value in read_manifest(folder).items() if key not in ("files", "manifest_sha256")}
    facts["configs"][0] |= changes
    write_manifest(folder, facts)
    return list(invariant_problems(folder))


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({"pending": 1}, ["musique: pending is not what the items say"]),
        ({"proof": {}}, ["musique: proof is not what the items say"]),
        ({"hops": {"2": 9}}, ["musique: hops is not what the items say"]),
        ({"left_out": ["drop"]}, ["musique: what is left out is not what is missing"]),
        (
            {"funnel": {"item": [{"step": "plan", "entered": 3, "kept": 1, "pending": 0, "rejected": {}}]}},
            ["musique: plan: the counts do not add up", "musique: funnel is not what the items say"],
        ),
    ],
)
def test_a_wrong_figure_of_the_manifest_is_named(copy: Path, changes: dict[str, Any], lines: list[str]) -> None:
    assert rewritten(copy, **changes) == lines


def test_candidates_of_another_build_are_named(copy: Path) -> None:
    rows = read_rows(copy, "musique_construction", "items", RealHopCandidate)
    write_rows(copy, "musique_construction", "items", RealHopCandidate, [replace(rows[0], status="rejected"), rows[1]])
    assert "musique: the kept items are not the rows" in list(invariant_problems(copy))
