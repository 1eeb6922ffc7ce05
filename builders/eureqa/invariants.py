"""What holds in every EureQA artifact: chains that hang together, counts that prove one answer, paired depths."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders.assembly import paired_ids
from builders.eureqa.assemble import CONSTRUCTION, expected
from builders.steps import funnel
from eval.answers import holds_answer
from loaders.artifact import read_rows, shard_paths
from loaders.eureqa import SPLITS, ChainCandidate, EureQARow, Layer
from loaders.manifest import combined_id, read_manifest, rows_digest


def invariant_problems(folder: Path) -> Iterator[str]:
    """Yield a line for each thing that does not hold, the content id last."""
    manifest = read_manifest(folder)
    digests: dict[str, str] = {}
    for config in manifest["configs"]:
        name = config["name"]
        splits = {one: read_rows(folder, name, one, EureQARow) for one in SPLITS if one in config["rows"]}
        for split, rows in splits.items():
            digests[f"{name}/{split}"] = rows_digest(rows)
            found = ((row.id, fault) for row in rows for fault in faults(row, name, int(split[1:])))
            yield from (f"{name}/{split} {id}: {fault}" for id, fault in found)
        made_from = f"{name}_construction"
        walked = bool(shard_paths(folder, made_from, CONSTRUCTION))  # else no walk was complete
        candidates = read_rows(folder, made_from, CONSTRUCTION, ChainCandidate) if walked else []
        digests |= {f"{made_from}/{CONSTRUCTION}": rows_digest(candidates)} if walked else {}
        yield from (f"{name}: {problem}" for problem in _between(config, splits, candidates))
    if combined_id(digests) != manifest["content_id"]:
        yield "content id: the rows are not those that the manifest names"


def faults(row: EureQARow, config: str, depth: int) -> Iterator[str]:
    """Yield what is wrong with one row by itself."""
    if row.depth != depth or len(row.layers) != depth or row.id != f"{row.chain_id}-d{depth}":
        yield "the depth is not that of its split, its layers and its id"
    ends = [*(layer.entity for layer in row.layers[1:]), row.closing_entity]
    if [layer.next_entity for layer in row.layers] != ends:
        yield "a layer does not lead to the next one"
    named = [row.layers[0].entity, *(one for layer in row.layers for one in (layer.next_entity, layer.fact_entity))]
    if len(set(named)) != len(named):
        yield "an entity stands twice"
    for number, layer in enumerate(row.layers, 1):
        yield from (f"layer {number}: {fault}" for fault in _layer_faults(layer, config))
    statements = [text for layer in row.layers for text in (layer.relation_statement, layer.fact_statement)]
    if not row.question.endswith(" ".join([*statements, row.closing])):
        yield "the question is not its statements and its closing line"
    if holds_answer(row.question, (row.answer, *row.answer_aliases)):
        yield "the question shows its answer"
    if row.n_answers_without_closing < 1 or any(one.n_answers < 1 for one in row.n_answers_without):
        yield "with less to meet, not even the answer is left"
    golds = [*(layer.label for layer in row.layers), row.layers[-1].label]
    if any(gold not in one.names for gold, one in zip(golds, row.candidates, strict=True)):
        yield "the right entity is not among the candidates"


def _layer_faults(layer: Layer, config: str) -> Iterator[str]:
    if layer.n_joint != 1:
        yield f"{layer.n_joint} entities fit"
    if (layer.n_fact > 1) != (config == "hard"):
        yield f"the fact holds of {layer.n_fact} entities, which is not {config}"
    if layer.n_next < 2:
        yield "the relation has a single candidate"
    if layer.relation == layer.fact_relation:
        yield "fact and chain use one relation"


def _between(
    config: Mapping[str, Any], splits: Mapping[str, Sequence[EureQARow]], candidates: Sequence[ChainCandidate]
) -> Iterator[str]:
    """Yield what does not fit between the splits, the candidates and the manifest."""
    if {split: len(rows) for split, rows in splits.items()} != config["rows"]:
        yield "the counts are not those of the rows"
    ids = {split: [row.chain_id for row in rows] for split, rows in splits.items()}
    if any(len(set(found)) != len(found) for found in ids.values()):
        yield "a chain stands twice in a split"
    deepest = {row.chain_id: row for row in splits.get(SPLITS[-1], ())}
    for split, rows in splits.items():
        for row in rows:
            whole = deepest.get(row.chain_id)
            if whole is None or row.layers != whole.layers[: row.depth] or row.answer != whole.answer:
                yield f"{split} {row.id}: not the first layers of its chain"
    kept = [found.id.rpartition("-")[0] for found in candidates if found.status == "kept"]
    if kept != ids.get(SPLITS[-1], []):
        yield "the kept chains are not the rows"
    if [asdict(count) for count in funnel(found.verdicts for found in candidates)] != config["funnel"]["chain"]:
        yield "the funnel is not that of the chains"
    for step in config["funnel"]["chain"]:
        if step["entered"] != step["kept"] + step["pending"] + sum(step["rejected"].values()):
            yield f"{step['step']}: the counts do not add up"
    if config["walks"]["performed"] != len(candidates) + sum(config["walks"]["stopped"].values()):
        yield "the walks do not add up"
    if config["paired"] != paired_ids(ids, SPLITS[-1]):
        yield "the paired ids are not those of the rows"
    if config["left_out"] != [split for split in expected(config["name"]) if split not in splits]:
        yield "what is left out is not what is missing"
