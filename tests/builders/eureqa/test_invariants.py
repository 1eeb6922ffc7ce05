"""Each fault that an artifact may have is found by name."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from eureqa_small import SAMPLE, build_small

from builders.eureqa.invariants import faults, invariant_problems
from loaders.artifact import read_rows, write_rows
from loaders.eureqa import EureQARow, Layer, WithoutStatement


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small([SAMPLE], tmp_path_factory.mktemp("sample"), limit=60, shallow_chains=2, easy_chains=1)


@pytest.fixture(scope="module")
def row(folder: Path) -> EureQARow:
    return read_rows(folder, "hard", "d2", EureQARow)[0]


def with_layer(row: EureQARow, change: Callable[[Layer], Layer]) -> EureQARow:
    return replace(row, layers=(change(row.layers[0]), *row.layers[1:]))


def test_a_sound_artifact_has_no_problem(folder: Path, row: EureQARow) -> None:
    assert list(invariant_problems(folder)) == []
    assert list(faults(row, "hard", 2)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda row: replace(row, depth=3), "the depth is not that of its split, its layers and its id"),
        (lambda row: replace(row, id="x"), "the depth is not that of its split, its layers and its id"),
        (lambda row: replace(row, closing_entity="http://x"), "a layer does not lead to the next one"),
        (
            lambda row: with_layer(row, lambda layer: replace(layer, fact_entity=row.closing_entity)),
            "an entity stands twice",
        ),
        (lambda row: with_layer(row, lambda layer: replace(layer, n_joint=2)), "layer 1: 2 entities fit"),
        (
            lambda row: with_layer(row, lambda layer: replace(layer, n_fact=1)),
            "layer 1: the fact holds of 1 entities, which is not hard",
        ),
        (
            lambda row: with_layer(row, lambda layer: replace(layer, n_next=1)),
            "layer 1: the relation has a single candidate",
        ),
        (
            lambda row: with_layer(row, lambda layer: replace(layer, fact_relation=layer.relation)),
            "layer 1: fact and chain use one relation",
        ),
        (
            lambda row: replace(row, question=row.question.replace(row.closing, "")),
            "the question is not its statements and its closing line",
        ),
        (lambda row: replace(row, question=f"{row.answer}! {row.question}"), "the question shows its answer"),
        (
            lambda row: replace(row, answer_aliases=(row.closing.split(" is ")[1].rstrip("."),)),
            "the question shows its answer",
        ),
        (lambda row: replace(row, n_answers_without_closing=0), "with less to meet, not even the answer is left"),
        (
            lambda row: replace(row, n_answers_without=(WithoutStatement("fact 1", 0),)),
            "with less to meet, not even the answer is left",
        ),
        (
            lambda row: replace(row, candidates=(replace(row.candidates[0], names=("x",)), *row.candidates[1:])),
            "the right entity is not among the candidates",
        ),
    ],
)
def test_a_fault_of_a_row_is_named(row: EureQARow, change: Callable[[EureQARow], EureQARow], fault: str) -> None:
    assert fault in list(faults(change(row), "hard", 2))


def test_an_easy_fact_names_its_entity(folder: Path) -> None:
    (row,) = read_rows(folder, "easy", "d5", EureQARow)
    assert list(faults(row, "easy", 5)) == []
    assert "layer 1: the fact holds of 1 entities, which is not hard" in list(faults(row, "hard", 5))


def test_rows_that_do_not_belong_together_are_found(folder: Path, tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    rows = read_rows(copy, "hard", "d1", EureQARow)
    (copy / "hard" / "d1-00000-of-00001.parquet").unlink()
    write_rows(copy, "hard", "d1", EureQARow, [rows[0], replace(rows[0], category="other")])
    found = list(invariant_problems(copy))
    assert "hard: a chain stands twice in a split" in found
    assert found[-1] == "content id: the rows are not those that the manifest names"
    (copy / "hard" / "d1-00000-of-00001.parquet").unlink()
    write_rows(copy, "hard", "d1", EureQARow, rows[:1])
    found = list(invariant_problems(copy))
    assert "hard: the counts are not those of the rows" in found
    assert "hard: the paired ids are not those of the rows" in found
