"""What holds in every GenADV artifact: counts, unique and paired ids, one slot per id, answers in documents."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from builders.assembly import paired_ids
from builders.genadv.checker import opinion_counts
from builders.genadv.part import CONSTRUCTION
from builders.genadv.seeds import document_text
from builders.steps import funnel
from eval.answers import Matcher, clean_answers, holds_answer
from loaders.artifact import read_rows
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.manifest import combined_id, read_manifest, rows_digest


def invariant_problems(folder: Path) -> Iterator[str]:
    """Yield a line for each thing that does not hold, the content id last."""
    manifest = read_manifest(folder)
    digests: dict[str, str] = {}
    for config in manifest["configs"]:
        name = config["name"]
        base: dict[str, GenADVRow] = {}
        slots: dict[str, int] = {}
        ids: dict[str, list[str]] = {}
        for split in (split for split in SPLITS if split in config["rows"]):
            rows = read_rows(folder, name, split, GenADVRow)
            base = base or {row.id: row for row in rows}
            digests[f"{name}/{split}"], ids[split] = rows_digest(rows), [row.id for row in rows]
            if len(rows) != config["rows"][split] or len(set(ids[split])) != len(rows):
                yield f"{name}/{split}: {len(rows)} rows, {config['rows'][split]} different ids expected"
            found = ((row.id, fault) for row in rows for fault in faults(row, base.get(row.id), slots, split))
            yield from (f"{name}/{split} {id}: {fault}" for id, fault in found)
        candidates = read_rows(folder, f"{name}_construction", CONSTRUCTION, Candidate)
        digests[f"{name}_construction/{CONSTRUCTION}"] = rows_digest(candidates)
        yield from (f"{name}: {problem}" for problem in _count_problems(config, ids, base.values(), candidates))
    if combined_id(digests) != manifest["content_id"]:
        yield "content id: the rows are not those that the manifest names"


def faults(row: GenADVRow, base: GenADVRow | None, slots: dict[str, int], split: str) -> Iterator[str]:
    """Yield what is wrong with one row; `base` is its row in `retrieved`, `slots` remembers each id's first slot."""
    if base is None:
        yield "no such id in retrieved"
        return
    matcher = Matcher(row.answers)
    if clean_answers(row.answers).kept != row.answers or not row.answers:
        yield "an answer is missing, empty after normalising or doubled"
    if any(document.holds_answer != matcher.holds(document_text(document)) for document in row.documents):
        yield "holds_answer does not agree with the documents"
    if row.answerable != any(document.holds_answer for document in base.documents):
        yield "answerable does not agree with the retrieved documents"
    if split == "retrieved":
        yield from _retrieved_faults(row)
        return
    without = row.documents[: row.inserted_at] + row.documents[row.inserted_at + 1 :]
    if not 0 <= row.inserted_at < len(row.documents) or without != base.documents:
        yield "the documents without the inserted one are not the retrieved ones"
        return
    yield from _inserted_faults(row, split)
    if slots.setdefault(row.id, row.inserted_at) != row.inserted_at:
        yield "the slot is not that of the id's other conditions"
    if replace(base, documents=(), writer="") != replace(
        row, documents=(), writer="", inserted_at=-1, conflict_answer=""
    ):
        yield "differs from retrieved in more than the inserted document"


def _retrieved_faults(row: GenADVRow) -> Iterator[str]:
    if row.inserted_at != -1:
        yield "something is inserted"
    if any(document.kind != "retrieved" for document in row.documents) or not row.documents:
        yield "a document is of another kind, or there is none"
    if row.conflict_answer:
        yield "a conflicting answer without a conflict"


def _inserted_faults(row: GenADVRow, split: str) -> Iterator[str]:
    inserted = row.documents[row.inserted_at]
    if inserted.kind != split:
        yield "the inserted document is of another kind"
    if split != "topk" and inserted.holds_answer:
        yield "the inserted document holds an answer"
    if split != "conflict" and row.conflict_answer:
        yield "a conflicting answer without a conflict"
    if split == "conflict" and not holds_answer(document_text(inserted), [row.conflict_answer]):
        yield "the inserted document does not give the conflicting answer"


def _count_problems(
    config: Mapping[str, Any],
    ids: Mapping[str, list[str]],
    retrieved: Collection[GenADVRow],
    candidates: Sequence[Candidate],
) -> Iterator[str]:
    for condition, steps in config["funnel"].items():
        for step in steps:
            if step["entered"] != step["kept"] + step["pending"] + sum(step["rejected"].values()):
                yield f"{condition} {step['step']}: the counts do not add up"
        tried = [found for found in candidates if found.condition == condition]
        if condition != "retrieved":
            kept = [found.id for found in tried if found.status == "kept"]
            if kept != ids.get(condition, []):
                yield f"{condition}: the kept candidates are not the rows"
            if [asdict(count) for count in funnel(found.verdicts for found in tried)] != steps:
                yield f"{condition}: the funnel is not that of the candidates"
    if config["pending"] != sum(found.status == "pending" for found in candidates):
        yield "the pending candidates are not as many as the manifest says"
    if config["opinions"] != opinion_counts(candidates):
        yield "the checker's opinions are not those of the candidates"
    if config["paired"] != paired_ids(ids, "retrieved"):
        yield "the paired ids are not those of the rows"
    answerable = sum(row.answerable for row in retrieved) / len(retrieved) if retrieved else 1.0
    if config["unanswerable_share"] != 1 - answerable:
        yield "the unanswerable share is not that of the rows"
