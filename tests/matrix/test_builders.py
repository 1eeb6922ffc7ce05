"""Our builders derive the same rows in every version of `datasets`, and no cache serves those of other settings."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from loaders.artifact import read_rows, write_rows
from loaders.conditions import rearranged
from loaders.genadv import GenADVRow, load
from loaders.manifest import list_files, manifest_text, read_manifest, rows_digest
from loaders.schema import to_row

if TYPE_CHECKING:
    from conftest import Published

Run = Callable[..., Any]
SCRIPT = "derive_with_datasets.py"


@pytest.fixture
def derive(run: Run, tmp_path: Path) -> Run:
    """Derive with a cache that lasts for the test."""
    return lambda folder, *wanted: run(SCRIPT, folder, *wanted, home=tmp_path, ours=True)


def expected(folder: Path, config: str, k: int, slot: int | None) -> dict[str, list[dict[str, Any]]]:
    loaded = load(folder)
    found = {
        split: [rearranged(row, loaded.manifest["seed"], k, slot) for row in loaded.rows(config, split)]
        for split in loaded.splits(config)
    }
    rows = {split: [to_row(row) for row in rows if isinstance(row, GenADVRow)] for split, rows in found.items()}
    return {split: kept for split, kept in rows.items() if kept}


def test_every_split_is_derived(derive: Run, published: "Published") -> None:
    folder = published.folders["v1.0.0"]
    cases = {"nq,,": ("nq", 5, None), "webq,2,0": ("webq", 2, 0), "popqa,1,1": ("popqa", 1, 1)}
    found = derive(folder, *cases)
    for (config, k, slot), read in zip(cases.values(), found, strict=True):
        assert read["rows"] == read["streamed"] == expected(folder, config, k, slot)
        assert (read["settings"], read["version"]) == ([config, k, slot], "1.0.0")
    released = {split: [to_row(row) for row in load(folder).rows("nq", split)] for split in load(folder).splits("nq")}
    assert found[0]["rows"] == released
    assert {row["inserted_at"] for row in found[1]["rows"]["random"]} == {0}
    assert {len(row["documents"]) for row in found[2]["rows"]["topk"]} == {2}


def test_a_split_of_which_nothing_is_left_is_left_out(derive: Run, published: "Published", tmp_path: Path) -> None:
    """With k = 1 no conflict is left where every answer stands further down."""
    folder = changed(published.folders["v1.2.3"], tmp_path / "unanswerable", last_holds)
    (read,) = derive(folder, "nq,1,")
    assert list(read["rows"]) == list(read["streamed"]) == ["retrieved", "adversarial", "random", "topk"]
    assert not any(row["answerable"] for rows in read["rows"].values() for row in rows)


def test_the_cache_tells_settings_and_contents_apart(derive: Run, published: "Published", tmp_path: Path) -> None:
    """Another release of the same version in the same place, as while a benchmark is made, is not served old rows."""
    folder = changed(published.folders["v1.2.3"], tmp_path / "artifact", lambda row: row)
    settings = ["nq,3,0", "nq,3,1", "nq,3,", "nq,2,0", "popqa,3,0"]
    found = derive(folder, *settings, *settings)
    assert found[5:] == found[:5]
    assert len({read["cache"] for read in found}) == len({read["fingerprint"] for read in found}) == 5
    changed(folder, folder, lambda row: replace(row, question=f"{row.question} now"))
    (other,) = derive(folder, "nq,3,0")
    assert other["rows"]["random"][0]["question"] == f"{found[0]['rows']['random'][0]['question']} now"
    assert other["cache"] != found[0]["cache"]
    assert other["fingerprint"] != found[0]["fingerprint"]


def last_holds(row: GenADVRow) -> GenADVRow:
    """Return the row with the answer in its last document alone."""
    last = len(row.documents) - 1
    return replace(row, documents=tuple(replace(d, holds_answer=i == last) for i, d in enumerate(row.documents)))


def changed(source: Path, target: Path, change: Callable[[GenADVRow], GenADVRow]) -> Path:
    """Write an artifact with the rows of nq changed, and a manifest and content id that follow them."""
    if target != source:
        shutil.copytree(source, target)
    body = read_manifest(source)
    for split in body["configs"][0]["rows"]:
        rows = [change(row) for row in read_rows(source, "nq", split, GenADVRow)]
        write_rows(target, "nq", split, GenADVRow, rows)
    files = [vars(file) for file in list_files(target)]
    content = rows_digest(read_rows(target, "nq", "retrieved", GenADVRow))
    (target / "manifest.json").write_text(manifest_text({**body, "files": files, "content_id": content}))
    return target
