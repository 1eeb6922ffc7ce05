"""Two artifacts side by side: what came, went and changed, and the number that must rise for it."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from builders.cli import main
from builders.release.diff import diff, diff_lines
from loaders.artifact import read_rows, write_rows
from loaders.errors import DecoyQAError
from loaders.genadv import GenADVRow
from loaders.manifest import read_manifest, write_manifest

Change = Callable[[list[GenADVRow]], Sequence[GenADVRow]]


@pytest.fixture
def old(small_artifact: Path, tmp_path: Path) -> Path:
    """The small artifact: nq with q0 to q4 under `retrieved`, popqa without `topk`."""
    return Path(shutil.copytree(small_artifact, tmp_path / "old"))


def rewritten(folder: Path, change: Change, split: str = "retrieved", **facts: Any) -> Path:
    """Return the folder with one split of nq changed and other facts in its manifest."""
    manifest = read_manifest(folder) | facts
    rows = change(read_rows(folder, "nq", split, GenADVRow))
    shutil.rmtree(folder / "nq" / "unused", ignore_errors=True)
    (folder / "nq" / f"{split}-00000-of-00001.parquet").unlink()
    write_rows(folder, "nq", split, GenADVRow, rows)
    write_manifest(folder, {key: value for key, value in manifest.items() if key not in ("files", "manifest_sha256")})
    return folder


def first_changed(**fields: Any) -> Change:
    return lambda rows: [replace(rows[0], **fields), *rows[1:]]


def test_an_artifact_against_itself(old: Path, small_artifact: Path) -> None:
    found = diff(old, small_artifact)
    assert (found.change, found.same_content) == ("patch", True)
    lines = diff_lines(found)
    assert lines[0] == "nq/retrieved: 5 rows, none added, removed or changed"
    assert lines[-2:] == [
        "the rows are the same, construction records included",
        "1.2.3 -> 1.2.3: a patch change",
    ]
    assert not [line for line in lines if line.startswith(("setting", "source"))]


@pytest.mark.parametrize(
    ("change", "due"),
    [
        (lambda rows: rows[::-1], "patch"),
        (first_changed(source_license="MIT"), "patch"),
        (lambda rows: [*rows, replace(rows[0], id="new")], "minor"),
        (lambda rows: rows[1:], "major"),
        (first_changed(question="Who?"), "major"),
        (lambda rows: [replace(rows[0], question="Who?"), *rows[1:], replace(rows[0], id="new")], "major"),
    ],
)
def test_what_a_change_of_rows_makes_due(old: Path, small_artifact: Path, change: Change, due: str) -> None:
    assert diff(old, rewritten(small_artifact, change)).change == due


def test_every_difference_has_its_line(old: Path, small_artifact: Path) -> None:
    def change(rows: list[GenADVRow]) -> list[GenADVRow]:
        return [replace(rows[1], answers=("x",), question="Who?"), *rows[2:], replace(rows[0], id="new")]

    facts = {"seed": 8, "version": "2.0.0", "content_id": "another"}
    recipe = {**read_manifest(old)["recipe"], "k": 4}
    sources = [{**source, "rows": source["rows"] + 1} for source in read_manifest(old)["sources"][:1]]
    new = rewritten(small_artifact, change, recipe=recipe, sources=sources, **facts)
    gone = [row.id for row in read_rows(old, "nq", "retrieved", GenADVRow)]
    lines = diff_lines(diff(old, new))
    assert lines[:4] == [
        "nq/retrieved: 5 -> 5 rows, 1 added, 1 removed, 1 changed",
        "  added new",
        f"  removed {gone[0]}",
        f"  changed in answers, question: {gone[1]}",
    ]
    assert [line for line in lines if not line.startswith(("nq/", "popqa/", "  "))] == [
        "setting recipe.k: 5 -> 4",
        "setting seed: 7 -> 8",
        "source popqa: gone",
        "source nq: rows 6 -> 7",
        "1.2.3 -> 2.0.0: a major change",
    ]


def test_a_split_that_came_is_minor_and_one_that_went_is_major(old: Path, small_artifact: Path) -> None:
    configs = [{**config, "rows": {**config["rows"]}} for config in read_manifest(old)["configs"]]
    del configs[0]["rows"]["topk"]
    less = rewritten(small_artifact, list, configs=configs)
    assert diff(old, less).change == "major"
    assert diff(less, old).change == "minor"


def test_long_lists_of_ids_are_cut(old: Path, small_artifact: Path) -> None:
    new = rewritten(small_artifact, lambda rows: [*rows, *(replace(rows[0], id=f"n{i}") for i in range(7))])
    assert "  added n0, n1, n2, n3, n4 and 2 more" in diff_lines(diff(old, new))


def test_other_families_and_folders_are_refused(old: Path, small_artifact: Path, tmp_path: Path) -> None:
    with pytest.raises(DecoyQAError, match="nothing to compare"):
        diff(old, rewritten(small_artifact, list, family="eureqa"))
    result = CliRunner().invoke(main, ["diff", str(old), str(tmp_path / "missing")])
    assert (result.exit_code, "no artifact" in result.output) == (2, True)


def test_the_command_prints_the_lines(old: Path, small_artifact: Path) -> None:
    result = CliRunner().invoke(main, ["diff", str(old), str(small_artifact)])
    assert result.exit_code == 0
    assert result.output.splitlines() == diff_lines(diff(old, small_artifact))
