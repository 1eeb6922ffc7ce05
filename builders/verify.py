"""`decoyqa verify`: every byte, the schema, the family's invariants, and a rebuild compared byte by byte."""

import filecmp
import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from builders.genadv.build import Input, Options, build
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.seeds import document_text
from eval.answers import Matcher
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.manifest import UNHASHED, changed_files, combined_id, read_manifest, rows_digest
from loaders.schema import arrow_schema


def problems(folder: Path) -> list[str]:
    """Return one line per changed, missing or extra file; if there is none, per wrong schema or broken invariant."""
    return changed_files(folder) or [*schema_problems(folder), *invariant_problems(folder)]


def schema_problems(folder: Path) -> Iterator[str]:
    """Yield the Parquet files whose schema is not that of their record class."""
    for path in sorted(folder.rglob("*.parquet")):
        record = Candidate if path.parent.name.endswith("_construction") else GenADVRow
        if not pq.read_schema(path).equals(arrow_schema(record)):
            yield f"{path.relative_to(folder)}: not the schema of {record.__name__}"


def invariant_problems(folder: Path) -> Iterator[str]:
    """Yield what does not hold: counts, unique and paired ids, the slot, the answers in documents, the content id."""
    manifest = read_manifest(folder)
    digests: dict[str, str] = {}
    for config in manifest["configs"]:
        name = config["name"]
        retrieved: dict[str, GenADVRow] = {}
        for split, count in ((split, config["rows"][split]) for split in SPLITS if split in config["rows"]):
            rows = read_rows(folder, name, split, GenADVRow)
            retrieved = retrieved or {row.id: row for row in rows}
            digests[f"{name}/{split}"] = rows_digest(rows)
            if len(rows) != count or len({row.id for row in rows}) != count:
                yield f"{name}/{split}: {len(rows)} rows, {count} different ids expected"
            yield from (f"{name}/{split} {row.id}: {fault}" for row in rows for fault in faults(row, retrieved, split))
        candidates = read_rows(folder, f"{name}_construction", "candidates", Candidate)
        digests[f"{name}_construction/candidates"] = rows_digest(candidates)
        yield from _count_problems(config, candidates)
    if combined_id(digests) != manifest["content_id"]:
        yield "content id: the rows are not those that the manifest names"


def faults(row: GenADVRow, retrieved: dict[str, GenADVRow], split: str) -> Iterator[str]:
    """Yield what is wrong with one row of a split."""
    base = retrieved.get(row.id)
    if base is None:
        yield "no such id in retrieved"
        return
    matcher = Matcher(row.answers)
    if any(document.holds_answer != matcher.holds(document_text(document)) for document in row.documents):
        yield "holds_answer does not agree with the documents"
    if row.answerable != any(document.holds_answer for document in base.documents):
        yield "answerable does not agree with the retrieved documents"
    if split == "retrieved":
        if row.inserted_at != -1:
            yield "something is inserted"
        return
    without = row.documents[: row.inserted_at] + row.documents[row.inserted_at + 1 :]
    if not 0 <= row.inserted_at < len(row.documents) or without != base.documents:
        yield "the documents without the inserted one are not the retrieved ones"
    elif row.documents[row.inserted_at].kind != split:
        yield "the inserted document is of another kind"
    elif split != "topk" and row.documents[row.inserted_at].holds_answer:
        yield "the inserted document holds an answer"


def _count_problems(config: dict[str, Any], candidates: list[Candidate]) -> Iterator[str]:
    for condition, steps in config["funnel"].items():
        for step in steps:
            if step["entered"] != step["kept"] + step["pending"] + sum(step["rejected"].values()):
                yield f"{config['name']} {condition} {step['step']}: the counts do not add up"
        kept = sum(found.condition == condition and found.status == "kept" for found in candidates)
        if condition != "retrieved" and kept != config["rows"].get(condition, 0):
            yield f"{config['name']} {condition}: {kept} kept candidates, {config['rows'].get(condition, 0)} rows"


def rebuild_problems(folder: Path, home: Path) -> list[str]:
    """Build the artifact again from the inputs that build.json names, in a new folder, and compare every byte.

    Raises DecoyQAError where the inputs are gone or are no longer those of the manifest.
    """
    manifest = read_manifest(folder)
    with TemporaryDirectory(dir=home if home.is_dir() else None) as temporary:
        again = build(_options(folder, manifest, Path(temporary)), _Silent())
        names = {file["path"] for file in manifest["files"]} | {"manifest.json"}
        made = {path.relative_to(again).as_posix() for path in again.rglob("*") if path.is_file()} - UNHASHED
        extra = [f"{name}: made again only" for name in sorted(made - names)]
        _, differing, missing = filecmp.cmpfiles(folder, again, sorted(names), shallow=False)
        return [
            *extra,
            *(f"{n}: differs when made again" for n in differing),
            *(f"{n}: not made again" for n in missing),
        ]


def _options(folder: Path, manifest: dict[str, Any], scratch: Path) -> Options:
    facts = json.loads((folder / "build.json").read_text(encoding="utf-8"))["rebuild"]
    inputs = tuple(Input(given["source"], given["config"], Path(given["path"])) for given in facts["inputs"])
    if gone := [str(given.path) for given in inputs if not given.path.is_file()]:
        raise DecoyQAError(f"cannot rebuild: {', '.join(gone)} is not there any more")
    recipe = GenADVRecipe(**{field.name: manifest["recipe"][field.name] for field in fields(GenADVRecipe)})
    return Options(
        inputs=inputs,
        out=scratch,
        home=scratch / "home",
        version=manifest["version"],
        seed=manifest["seed"],
        limit=manifest["limit"],
        pool=Path(facts["pool"]),
        ner=facts["ner"],
        sentence_similarity=facts["sentence_similarity"],
        entity_similarity=facts["entity_similarity"],
        recipe=recipe,
    )


class _Silent:
    """Hears of progress and says nothing."""

    def start(self, config: str, cases: int) -> Any:
        """Return a listener that does nothing."""
        return lambda count, found: None
