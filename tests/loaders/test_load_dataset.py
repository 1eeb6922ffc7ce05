"""A stranger with `datasets` alone loads every config and split and gets every row as it was written."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from loaders import artifact
from loaders.artifact import read_rows, shard_paths, write_rows
from loaders.genadv import Candidate, GenADVRow
from loaders.schema import arrow_schema, to_row

SCRIPT = Path(__file__).with_name("read_with_datasets.py")
SPLITS = {
    "nq": ["retrieved", "adversarial", "conflict", "random", "topk"],
    "popqa": ["retrieved", "adversarial", "conflict", "random"],
    "nq_construction": ["candidates"],
    "popqa_construction": ["candidates"],
}


def read_with_datasets(folder: Path, cache: Path, python: str = sys.executable) -> dict[str, Any]:
    """Run the script in a fresh process with a fresh cache, far from this checkout, without network."""
    cache.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "PYTHON"))}
    offline = {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    run = subprocess.run(
        [python, str(SCRIPT), str(folder)],
        cwd=cache,
        env={**kept, **offline},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def into_shards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write nq/retrieved again as three shards."""
    rows = read_rows(folder, "nq", "retrieved", GenADVRow)
    (old,) = shard_paths(folder, "nq", "retrieved")
    old.unlink()
    monkeypatch.setattr(artifact, "ROWS_PER_SHARD", 2)
    assert len(write_rows(folder, "nq", "retrieved", GenADVRow, rows)) == 3


def record_of(config: str) -> type:
    return Candidate if config.endswith("_construction") else GenADVRow


def check(folder: Path, found: dict[str, Any]) -> None:
    """Compare what was read with the Parquet files and the record classes."""
    assert {config: list(read["rows"]) for config, read in found["configs"].items()} == SPLITS
    for config, read in found["configs"].items():
        record = record_of(config)
        schema = [[field.name, str(field.type)] for field in arrow_schema(record)]
        assert (read["version"], read["config"]) == ("1.2.3", config)
        for split in SPLITS[config]:
            written = [row for path in shard_paths(folder, config, split) for row in pq.read_table(path).to_pylist()]
            assert [to_row(row) for row in read_rows(folder, config, split, record)] == written
            assert len(written) > 0
            assert read["rows"][split] == written
            assert read["streamed"][split] == written
            assert read["alone"][split] == len(written)
            assert read["schema"][split] == schema
            assert read["streamed_schema"][split] == schema
    ids = {split: [row["id"] for row in rows] for split, rows in found["configs"]["nq"]["rows"].items()}
    assert found["default"] == ids
    assert ids["retrieved"] == ["q0", "q1", "q2", "q3", "q4"]
    assert "topk" in found["refusal"]


def test_every_config_and_split_is_loaded_as_it_was_written(
    small_artifact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into_shards(small_artifact, monkeypatch)
    check(small_artifact, read_with_datasets(small_artifact, tmp_path / "cache"))
