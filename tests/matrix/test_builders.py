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

pytestmark = pytest.mark.model  # the sample is built with the real ones

Run = Callable[..., Any]


def expected(folder: Path, config: str, k: int, slot: int | None) -> dict[str, list[dict[str, Any]]]:
    loaded = load(folder)
    found = {
        split: [rearranged(row, loaded.manifest["seed"], k, slot) for row in loaded.rows(config, split)]
        for split in loaded.splits(config)
    }
    rows = {split: [to_row(row) for row in rows if isinstance(row, GenADVRow)] for split, rows in found.items()}
    return {split: kept for split, kept in rows.items() if kept}


def test_every_split_is_derived_and_the_cache_tells_settings_and_contents_apart(
    run: Run, published: "Published", tmp_path: Path
) -> None:
    sample, small = published.folders["v1.0.0"], published.folders["v1.2.3"]
    cases = {"nq,,": ("nq", 5, None), "webq,2,0": ("webq", 2, 0), "popqa,1,1": ("popqa", 1, 1)}
    settings = ["nq,3,0", "nq,3,1", "nq,3,", "nq,2,0", "popqa,3,0"]
    later = changed(small, tmp_path / "later", lambda row: replace(row, question=f"{row.question} now"))
    unanswerable = changed(small, tmp_path / "unanswerable", last_holds)
    asked = [(sample, case) for case in cases]
    asked += [(small, words) for words in (*settings, *settings)] + [(later, "nq,3,0"), (unanswerable, "nq,1,")]
    found = run("derive_with_datasets.py", *(word for pair in asked for word in pair), ours=True)

    for (config, k, slot), read in zip(cases.values(), found[:3], strict=True):
        assert read["rows"] == read["streamed"] == expected(sample, config, k, slot)
        assert (read["settings"], read["version"]) == ([config, k, slot], "1.0.0")
    loaded = load(sample)
    assert found[0]["rows"] == {split: list(map(to_row, loaded.rows("nq", split))) for split in loaded.splits("nq")}
    assert {row["inserted_at"] for row in found[1]["rows"]["random"]} == {0}
    assert {len(row["documents"]) for row in found[2]["rows"]["topk"]} == {2}

    assert found[3:8] == found[8:13]  # prepared once, then read from the cache
    for key in ("cache", "fingerprint"):
        assert len({read[key] for read in found[3:]}) == 7
    assert found[13]["version"] == found[3]["version"]  # as while a benchmark is made again and again
    assert [row["question"] for row in found[13]["rows"]["random"]] == [
        f"{row['question']} now" for row in found[3]["rows"]["random"]
    ]
    # With k = 1 nothing is left of a split of conflicts whose answers all stand further down.
    assert list(found[14]["rows"]) == list(found[14]["streamed"]) == ["retrieved", "adversarial", "random", "topk"]
    assert not any(row["answerable"] for rows in found[14]["rows"].values() for row in rows)


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
