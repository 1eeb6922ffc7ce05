"""What holds in every REALHOP artifact: the proof of every item made again from its text, and both sides' conditions.

Nothing of the plan is used: facts are read back from the passages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders.assembly import paired_ids
from builders.realhop.assemble import described
from builders.realhop.part import CONSTRUCTION
from builders.realhop.prove import prove
from loaders.artifact import read_rows, shard_paths
from loaders.manifest import combined_id, read_manifest, rows_digest
from loaders.realhop import SPLITS, RealHopCandidate, RealHopRow
from loaders.realhop_conditions import controlled, dropped, recorded, without_insertions
from loaders.records import Reason

Splits = Mapping[str, Sequence[RealHopRow]]


def invariant_problems(folder: Path) -> Iterator[str]:
    """Yield a line for each thing that does not hold, the content id last."""
    manifest = read_manifest(folder)
    digests: dict[str, str] = {}
    for config in manifest["configs"]:
        name, made_from = config["name"], f"{config['name']}_construction"
        splits = {split: _read(folder, name, split, RealHopRow) for split in SPLITS}
        candidates = _read(folder, made_from, CONSTRUCTION, RealHopCandidate)
        digests |= {f"{name}/{split}": rows_digest(rows) for split, rows in splits.items() if rows}
        digests |= {f"{made_from}/{CONSTRUCTION}": rows_digest(candidates)} if candidates else {}
        yield from (f"{name}/{fault}" for fault in row_faults(splits, manifest["seed"]))
        yield from (f"{name}: {fault}" for fault in _between(config, splits, candidates))
    if combined_id(digests) != manifest["content_id"]:
        yield "content id: the rows are not those that the manifest names"


def _read(folder: Path, config: str, split: str, record: type) -> list[Any]:
    return read_rows(folder, config, split, record) if shard_paths(folder, config, split) else []


def row_faults(splits: Splits, seed: int) -> Iterator[str]:
    """Yield what is wrong with single rows, each with its split and id; `seed` is that of the Controls."""
    astray = [(split, row) for split, rows in splits.items() for row in rows if not _spans_lie_inside(row)]
    yield from (f"{split} {row.row_id}: a span lies outside of the passages" for split, row in astray)
    if astray:
        return  # what is said of spans below takes them to be there
    sources = {row.id: row for row in splits["source"]}
    full = {row.id: row for row in splits["full"]}
    for row in splits["source"]:
        yield from (f"source {row.row_id}: {fault}" for fault in source_faults(row))
    for row in splits["full"]:
        if row.id in sources:
            yield from (f"full {row.row_id}: {fault}" for fault in full_faults(row, sources[row.id]))
    for split in ("drop", "control"):
        for row in splits[split]:
            if row.id in full and row.id in sources:
                fault = _condition_fault(row, full[row.id], sources[row.id], split, seed)
                yield from (f"{split} {row.row_id}: {fault}" for _ in [0] if fault)


def _spans_lie_inside(row: RealHopRow) -> bool:
    lengths = dict(enumerate(len(passage.text) for passage in row.passages))
    return all(0 <= span.start < span.end <= lengths.get(span.passage, -1) for span in recorded(row))


def source_faults(row: RealHopRow) -> Iterator[str]:
    """Yield what is wrong with a source's question as it was."""
    units = [unit for hop in row.hops for unit in hop.units]
    if any(row.passages[unit.passage].text[unit.start : unit.end] != unit.fact for unit in units):
        yield "a span is not its text"
    if row.competitors or row.proof or row.writer or row.target_hop or row.row_id != row.id:
        yield "the source's question has something that only a rebuilt one has"
    if row.n_hops != len(row.hops) or any(not hop.units for hop in row.hops):
        yield "a hop is missing or has no support"


def full_faults(row: RealHopRow, source: RealHopRow) -> Iterator[str]:
    """Yield what is wrong with a rebuilt question beside its source; its proof is made again from the text."""
    found = prove(replace(row, proof=None), source)
    if isinstance(found, Reason):
        yield f"no proof: {found.code}: {found.detail}"
    elif found != row.proof:
        yield "the proof is not the one that the text gives"
    if without_insertions(row).passages != source.passages:
        yield "without what was inserted the passages are not the source's"
    if row.n_hops != len(row.hops) or [hop.hop_id for hop in row.hops] != [hop.hop_id for hop in source.hops]:
        yield "the hops are not those of the source"
    if row.target_hop or row.row_id != row.id or not row.writer or row.answer_aliases or row.choices:
        yield "the row is not one of the split `full`"
    if (row.source_id, row.source_license) != (source.source_id, source.source_license):
        yield "where it comes from is not what the source's question says"


def _condition_fault(row: RealHopRow, full: RealHopRow, source: RealHopRow, split: str, seed: int) -> str:
    hops = {hop.hop_id for hop in full.hops}
    if row.target_hop not in hops:
        return "no such hop"
    made = dropped(full, row.target_hop) if split == "drop" else controlled(full, source, row.target_hop, seed)
    return "" if made == row else f"not what the {split} of hop {row.target_hop} leaves of the full row"


def _between(config: Mapping[str, Any], splits: Splits, candidates: Sequence[RealHopCandidate]) -> Iterator[str]:
    """Yield what does not fit between the splits, the candidates and the manifest."""
    if {split: len(rows) for split, rows in splits.items() if rows} != config["rows"]:
        yield "the counts are not those of the rows"
    if any(len({row.row_id for row in rows}) != len(rows) for rows in splits.values()):
        yield "a row stands twice in a split"
    ids = {split: [row.id for row in rows] for split, rows in splits.items() if rows}
    kept = [one.id for one in candidates if one.status == "kept"]
    if not ids.get("full", []) == ids.get("source", []) == kept:
        yield "the kept items are not the rows"
    hops = [(row.id, hop.hop_id) for row in splits["full"] for hop in row.hops]
    if [(row.id, row.target_hop) for row in splits["drop"]] != hops:
        yield "not every hop has its Drop"
    if set(ids.get("control", [])) - set(ids.get("full", [])):
        yield "a Control is of no item"
    for step in config["funnel"]["item"]:
        if step["entered"] != step["kept"] + step["pending"] + sum(step["rejected"].values()):
            yield f"{step['step']}: the counts do not add up"
    for name, value in described(candidates, splits["full"]).items():
        if config[name] != value:
            yield f"{name} is not what the items say"
    if config["paired"] != paired_ids(ids, "full"):
        yield "the paired ids are not those of the rows"
    if config["left_out"] != [split for split in SPLITS if split not in ids]:
        yield "what is left out is not what is missing"
