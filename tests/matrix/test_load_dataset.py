"""A stranger with `datasets` alone loads every config and split and gets every row as it was written."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from realhop_small import build_small, few

from loaders import artifact
from loaders.artifact import read_rows, shard_paths, write_rows
from loaders.genadv import Candidate, GenADVRow
from loaders.manifest import read_manifest
from loaders.realhop import RealHopCandidate, RealHopRow
from loaders.schema import arrow_schema, to_row

if TYPE_CHECKING:
    from conftest import Published

pytestmark = pytest.mark.model  # the sample is built with the real ones

Run = Callable[..., Any]


# Of each family the record classes of rows and of what they were chosen from, and the split of the latter.
RECORDS: dict[str, tuple[type, type, str]] = {
    "genadv": (GenADVRow, Candidate, "candidates"),
    "realhop": (RealHopRow, RealHopCandidate, "items"),
}


def check(folder: Path, found: dict[str, Any]) -> None:
    """Compare what was read with the Parquet files and the record classes."""
    manifest = read_manifest(folder)
    rows, candidates, construction = RECORDS[manifest["family"]]
    names = manifest["splits"]
    splits = {config["name"]: [split for split in names if split in config["rows"]] for config in manifest["configs"]}
    splits |= {f"{config}_construction": [construction] for config in splits}
    assert {config: list(read["rows"]) for config, read in found["configs"].items()} == splits
    for config, read in found["configs"].items():
        record = candidates if config.endswith("_construction") else rows
        schema = [[field.name, str(field.type)] for field in arrow_schema(record)]
        assert (read["version"], read["config"]) == (manifest["version"], config)
        for split in splits[config]:
            written = [row for path in shard_paths(folder, config, split) for row in pq.read_table(path).to_pylist()]
            assert [to_row(row) for row in read_rows(folder, config, split, record)] == written
            assert len(written) > 0
            assert read["rows"][split] == written
            assert read["streamed"][split] == written
            assert read["schema"][split] == schema
            assert read["streamed_schema"][split] == schema
    first = found["configs"][manifest["configs"][0]["name"]]
    ids = {split: [row["id"] for row in rows] for split, rows in first["rows"].items()}
    assert found["default"] == found["alone"] == ids
    assert "nothing" in found["refusal"]


@pytest.fixture
def sharded(_small_artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the small artifact whose nq/retrieved is three shards."""
    folder = Path(shutil.copytree(_small_artifact, tmp_path / "sharded"))
    rows = read_rows(folder, "nq", "retrieved", GenADVRow)
    (old,) = shard_paths(folder, "nq", "retrieved")
    old.unlink()
    monkeypatch.setattr(artifact, "ROWS_PER_SHARD", 2)
    assert len(write_rows(folder, "nq", "retrieved", GenADVRow, rows)) == 3
    return folder


def test_every_config_and_split_is_loaded_as_it_was_written(
    run: Run, version: str, published: "Published", sharded: Path
) -> None:
    """From folders, and from the Hub at a tag that main has left."""
    sample = published.folders["v1.0.0"]
    places = {str(sharded): sharded, str(sample): sample, f"{published.repo}@v1.0.0": sample}
    found = run("read_with_datasets.py", *places)
    assert [read["datasets"] for read in found] == [version] * 3
    for read, folder in zip(found, places.values(), strict=True):
        check(folder, read)
    assert found[0]["default"]["retrieved"] == ["q0", "q1", "q2", "q3", "q4"]


def test_realhop_is_loaded_as_it_was_written(run: Run, tmp_path: Path) -> None:
    """Rows with lists of records in lists of records, and a proof that is null in most of them."""
    folder = build_small(few(tmp_path), tmp_path, limit=2, version="1.0.0")
    (found,) = run("read_with_datasets.py", str(folder))
    check(folder, found)
