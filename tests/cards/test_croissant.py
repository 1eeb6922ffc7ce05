"""croissant.json: valid for mlcroissant, read by it row by row, and held against the files by our own check."""

import json
import logging
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import mlcroissant
import pytest

from cards.croissant import CONFORMS_TO, croissant
from cards.croissant_check import croissant_problems
from cards.header import Config
from cards.history import History, Release
from cards.prose import read_prose
from loaders import artifact
from loaders.artifact import read_rows, shard_paths, write_rows
from loaders.genadv import CANARY, Candidate, GenADVRow
from loaders.manifest import json_text, read_manifest, sha256_of
from loaders.schema import to_row

# Of mlcroissant's own code.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
]

Find = Callable[[Path], tuple[list[Config], list[Config]]]
Croissant = dict[str, Any]


def written(folder: Path) -> Croissant:
    found: Croissant = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    return found


def write(folder: Path, value: Croissant) -> None:
    (folder / "croissant.json").write_text(json_text(value), encoding="utf-8")


def made_again(folder: Path, find: Find, history: History | None = None, **changes: Any) -> Croissant:
    rows, made = find(folder)
    manifest = {**read_manifest(folder), **changes}
    return croissant(folder, read_prose("genadv"), manifest, [*rows, *made], history or History())


def plain(value: Any, name: str = "") -> Any:
    """Return a record of mlcroissant as a row: bytes are text, keys lose the name of their field's parent."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {key.rpartition("/")[2]: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


def records(folder: Path, name: str) -> list[dict[str, Any]]:
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    return [plain(record) for record in dataset.records(name)]


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[Path], list[str]]:
    """Return what mlcroissant warns of; it raises on errors."""

    def validate(folder: Path) -> list[str]:
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
        return [
            line for record in caplog.records for line in record.getMessage().splitlines() if line.startswith("  -")
        ]

    return validate


def test_it_is_valid_and_lacks_only_the_day_of_a_release(
    small_artifact: Path, configs_of: Find, warnings: Callable[[Path], list[str]]
) -> None:
    (line,) = warnings(small_artifact)
    assert line.endswith('Property "https://schema.org/datePublished" is recommended, but does not exist.')
    history = History([Release("1.2.3", date(2026, 12, 1), ["First release."])], [])
    released = made_again(small_artifact, configs_of, history)
    assert released["datePublished"] == "2026-12-01"
    write(small_artifact, released)
    assert warnings(small_artifact) == []


def test_a_development_version_is_a_semantic_one(
    small_artifact: Path, configs_of: Find, warnings: Callable[[Path], list[str]]
) -> None:
    found = made_again(small_artifact, configs_of, version="0.0.0.dev0")
    assert found["version"] == "0.0.0-dev0"
    write(small_artifact, found)
    assert [line for line in warnings(small_artifact) if "ersion" in line] == []


def test_it_says_what_it_conforms_to_and_answers_the_questions_of_responsible_ai(small_artifact: Path) -> None:
    found = written(small_artifact)
    assert found["conformsTo"] == list(CONFORMS_TO)
    assert found["license"] == ["https://spdx.org/licenses/MIT.html"]
    assert "url" not in found
    assert CANARY in found["rai:dataReleaseMaintenancePlan"]
    read = mlcroissant.Dataset(jsonld=str(small_artifact / "croissant.json")).metadata
    prose = read_prose("genadv")
    assert read.name == "DecoyQA GenADV"
    assert read.cite_as == prose.paper.citation
    assert read.data_collection == prose.collection
    assert read.data_biases == prose.biases
    assert read.data_limitations == prose.all_limits({"writer": "rules"})
    assert read.data_use_cases[-1] == f"Not for: {prose.misuses[-1]}"
    assert read.personal_sensitive_information == prose.personal
    assert read.machine_annotation_tools[0] == "entity_similarity: minilm 1"
    assert found["rai:dataManipulationProtocol"].startswith("Synthetic text: A set of deterministic rules")


def test_every_parquet_file_has_its_hash_and_every_split_its_records(small_artifact: Path) -> None:
    found = written(small_artifact)
    hashes = {one["contentUrl"]: one["sha256"] for one in found["distribution"]}
    paths = {path.relative_to(small_artifact).as_posix(): path for path in small_artifact.rglob("*.parquet")}
    assert hashes == {name: sha256_of(path) for name, path in paths.items()}
    names = ["nq/retrieved", "nq/adversarial", "nq/conflict", "nq/random", "nq/topk"]
    names += ["popqa/retrieved", "popqa/adversarial", "popqa/conflict", "popqa/random"]
    names += ["nq_construction/candidates", "popqa_construction/candidates"]
    assert [one["@id"] for one in found["recordSet"]] == names


@pytest.mark.parametrize(
    ("config", "split", "record"), [("nq", "conflict", GenADVRow), ("popqa_construction", "candidates", Candidate)]
)
def test_mlcroissant_reads_every_row_as_it_was_written(
    small_artifact: Path, config: str, split: str, record: type
) -> None:
    rows = [to_row(row) for row in read_rows(small_artifact, config, split, record)]
    assert len(rows) > 0
    assert records(small_artifact, f"{config}/{split}") == rows


def test_a_split_of_several_files_is_read_whole(
    small_artifact: Path, configs_of: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = read_rows(small_artifact, "nq", "retrieved", GenADVRow)
    (old,) = shard_paths(small_artifact, "nq", "retrieved")
    old.unlink()
    monkeypatch.setattr(artifact, "ROWS_PER_SHARD", 2)
    assert len(write_rows(small_artifact, "nq", "retrieved", GenADVRow, rows)) == 3
    write(small_artifact, made_again(small_artifact, configs_of))
    assert records(small_artifact, "nq/retrieved") == [to_row(row) for row in rows]
    assert croissant_problems(small_artifact) == []


def test_the_same_artifact_gives_the_same_text(small_artifact: Path, configs_of: Find) -> None:
    assert json_text(made_again(small_artifact, configs_of)) == (small_artifact / "croissant.json").read_text()


def field_of(found: Croissant, record_set: str, *names: str) -> dict[str, Any]:
    """Return a field, or a sub-field within it."""
    (place,) = (one for one in found["recordSet"] if one["@id"] == record_set)
    fields = place["field"]
    for name in names:
        (place,) = (one for one in fields if one["name"] == name)
        fields = place.get("subField", [])
    return place


def test_what_fits_the_files_is_no_problem(small_artifact: Path) -> None:
    assert croissant_problems(small_artifact) == []


def test_a_wrong_column_name_passes_mlcroissant_and_not_our_check(
    small_artifact: Path, warnings: Callable[[Path], list[str]]
) -> None:
    found = written(small_artifact)
    field_of(found, "nq/topk", "question")["source"]["extract"]["column"] = "questions"
    field_of(found, "nq/random", "documents", "text")["source"]["transform"]["jsonPath"] = "body"
    write(small_artifact, found)
    assert len(warnings(small_artifact)) == 1  # the day of release, as ever
    assert croissant_problems(small_artifact) == [
        "nq/random: column documents.text is not described",
        "nq/random: there is no column documents.body",
        "nq/topk: column question is not described",
        "nq/topk: there is no column questions",
    ]


def test_a_wrong_type_or_list_is_found(small_artifact: Path) -> None:
    found = written(small_artifact)
    field_of(found, "nq/conflict", "inserted_at")["dataType"] = "sc:Float"
    del field_of(found, "nq/conflict", "answers")["isArray"]
    field_of(found, "popqa_construction/candidates", "verdicts", "version")["dataType"] = "sc:Text"
    write(small_artifact, found)
    assert croissant_problems(small_artifact) == [
        "nq/conflict: column answers is a list of sc:Text, sc:Text described",
        "nq/conflict: column inserted_at is sc:Integer, sc:Float described",
        "popqa_construction/candidates: column verdicts.version is sc:Integer, sc:Text described",
    ]


def test_a_changed_missing_or_extra_file_and_a_key_without_a_field_are_found(small_artifact: Path) -> None:
    found = written(small_artifact)
    found["recordSet"][0]["key"] = [{"@id": "nq/retrieved/row"}]
    write(small_artifact, found)
    (changed,) = shard_paths(small_artifact, "nq", "random")
    (gone,) = shard_paths(small_artifact, "nq", "topk")
    (other,) = shard_paths(small_artifact, "nq", "conflict")
    changed.write_bytes(other.read_bytes())
    gone.rename(gone.with_name("more-00000-of-00001.parquet"))
    assert croissant_problems(small_artifact) == [
        "nq/more-00000-of-00001.parquet: not described",
        "nq/topk-00000-of-00001.parquet: described, and not there",
        "nq/random-00000-of-00001.parquet: another sha256",
        "nq/retrieved: no field for the key nq/retrieved/row",
        "nq/topk: no file nq/topk-00000-of-00001.parquet",
    ]
