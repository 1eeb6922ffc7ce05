"""Assemble the EureQA artifact: rows by depth, every chain that was tried, manifest, card, in one rename."""

import platform
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders.assembly import config_of, paired_ids, write_split
from builders.eureqa.answers import CAP
from builders.eureqa.draft import Draft
from builders.eureqa.knowledge import opinion_counts
from builders.eureqa.material import FAMILY, Material, Options
from builders.eureqa.plan import Walks
from builders.eureqa.relations import table_identity
from builders.eureqa.rows import Origin, chain_id, layers_of, row
from builders.eureqa.similar import with_similarity
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import ChainVoices
from builders.eureqa.write import tell
from builders.similarity import Similarity
from builders.sources.graphs import GRAPHS
from builders.steps import Trail, funnel
from cards.pages import write_pages
from loaders.artifact import replacing_folder
from loaders.eureqa import CANARY, SPLITS, ChainCandidate, EureQARow
from loaders.manifest import combined_id, json_hash, write_json, write_manifest
from loaders.records import Provenance

CONSTRUCTION = "chains"


def assemble(
    options: Options,
    material: Material,
    configs: Mapping[str, Walks],
    similarity: Similarity,
    voices: ChainVoices,
    started: float,
) -> Path:
    """Write the artifact folder and return it."""
    target = options.out / FAMILY / options.version
    writer = voices.writer_name
    published = {
        name: published_rows(name, found, material, options, similarity, writer) for name, found in configs.items()
    }
    with replacing_folder(target) as folder:
        digests: dict[str, str] = {}
        described = [
            _write_config(folder, name, found, published[name], material, digests) | {"models": voices.models()}
            for name, found in configs.items()
        ]
        asked = {**voices.facts(), "tools": {"relations": table_identity(), "similarity": similarity.identity}}
        facts = manifest_facts(options, material, described, asked, combined_id(digests))
        rows = [config_of(folder, name, EureQARow, SPLITS, pair="chain_id") for name in configs]
        made_from = [config_of(folder, f"{name}_construction", ChainCandidate, (CONSTRUCTION,)) for name in configs]
        rows, made_from = ([one for one in found if one.splits] for found in (rows, made_from))
        write_pages(folder, FAMILY, facts, rows, made_from, material.history)
        seconds = round(time.time() - started, 1)
        build = {"rebuild": _command(options), "seconds": seconds, "python": platform.python_version()}
        write_json(folder / "build.json", {**build, "canary": CANARY})
        write_manifest(folder, facts)
    return target


def _command(options: Options) -> dict[str, Any]:
    return {
        "inputs": [str(path.resolve()) for path in options.inputs],
        "types": [str(path.resolve()) for path in options.types],
        "seeds": _absolute(options.seeds),
        "history": _absolute(options.history),
        "similarity": options.similarity,
        "with_properties": options.with_properties,
        "source": options.source,
    }


def _absolute(path: Path | None) -> str | None:
    return str(path.resolve()) if path else None


def published_rows(
    name: str, found: Walks, material: Material, options: Options, similarity: Similarity, writer: str
) -> dict[str, list[EureQARow]]:
    """Return the deepest questions of all kept chains, and the less deep ones of the first of them (Table 1).

    Every row is proven to have one answer as it is made.
    """
    kept = [trail.draft for trail in found.trails if trail.status == "kept"]
    splits: dict[str, list[EureQARow]] = {}
    for split in expected(name):
        chains = kept if split == SPLITS[-1] else kept[: options.recipe.shallow_chains]
        rows = [_row(name, draft, int(split[1:]), material, options, writer) for draft in chains]
        splits[split] = with_similarity(rows, material.snapshot, similarity)
    return {split: rows for split, rows in splits.items() if rows}


def _row(name: str, draft: Draft, depth: int, material: Material, options: Options, writer: str) -> EureQARow:
    origin = Origin(name, draft.seed.category, writer, GRAPHS[options.source].license)
    return row(draft.chain, draft.words(), depth, origin, material.snapshot, options.seed)


def _write_config(
    folder: Path,
    name: str,
    found: Walks,
    splits: Mapping[str, Sequence[EureQARow]],
    material: Material,
    digests: dict[str, str],
) -> dict[str, Any]:
    for split, rows in splits.items():
        write_split(folder, name, split, EureQARow, rows, digests)
    candidates = [candidate(name, trail, material.snapshot) for trail in found.trails]
    write_split(folder, f"{name}_construction", CONSTRUCTION, ChainCandidate, candidates, digests)
    return {
        "name": name,
        "rows": {split: len(rows) for split, rows in splits.items()},
        "left_out": [split for split in expected(name) if split not in splits],
        "paired": paired_ids({split: [row.chain_id for row in rows] for split, rows in splits.items()}, SPLITS[-1]),
        "seeds": len(material.seeds),
        "walks": {"performed": found.performed, "stopped": {str(n): found.stopped[n] for n in sorted(found.stopped)}},
        "funnel": {"chain": [asdict(count) for count in funnel(trail.verdicts for trail in found.trails)]},
        "pending": sum(trail.pending for trail in found.trails),
        "opinions": {"chain": counts} if (counts := opinion_counts(candidates)) else {},
        "hypernyms": dict(sorted(Counter(noun.source for trail in found.trails for noun in trail.draft.nouns).items())),
        "proof": {split: proof(rows) for split, rows in splits.items()},
        "categories": dict(sorted(Counter(row.category for row in splits.get(SPLITS[-1], ())).items())),
    }


def expected(name: str) -> tuple[str, ...]:
    """Return the splits that a config has: all depths of the hard set, the deepest of the easy one."""
    return SPLITS if name == "hard" else SPLITS[-1:]


def candidate(name: str, trail: Trail[Draft], snapshot: Snapshot) -> ChainCandidate:
    """Return the published record of a chain, kept or not."""
    draft = trail.draft
    told = draft.told or tell(draft.chain, snapshot)
    return ChainCandidate(
        id=f"{chain_id(name, draft.chain, snapshot)}-{draft.walk}",
        config=name,
        seed_entity=snapshot.entities[draft.seed.entity],
        category=draft.seed.category,
        walk=draft.walk,
        status=trail.status,
        reason=trail.reason.code if trail.reason else "",
        layers=layers_of(draft.chain, told, snapshot),
        questions=draft.questions,
        verdicts=trail.verdicts,
    )


def proof(rows: Sequence[EureQARow]) -> dict[str, Any]:
    """Return what the card says of a split's counts: how many questions have several answers once something is gone."""
    layers = [layer for row in rows for layer in row.layers]
    return {
        "layers": len(layers),
        "relation_alone_several": sum(layer.n_relation > 1 for layer in layers),
        "fact_alone_several": sum(layer.n_fact > 1 for layer in layers),
        "next_needed": sum(layer.n_class > 1 for layer in layers),
        "without_closing_several": sum(row.n_answers_without_closing > 1 for row in rows),
        "without_a_relation_several": sum(_any_several(row, "relation") for row in rows),
        "without_a_fact_several": sum(_any_several(row, "fact") for row in rows),
        "mean_similarity": round(sum(row.similarity or 0.0 for row in rows) / len(rows), 4),
    }


def _any_several(row: EureQARow, kind: str) -> bool:
    return any(one.n_answers > 1 for one in row.n_answers_without if one.statement.startswith(kind))


def manifest_facts(
    options: Options,
    material: Material,
    configs: Sequence[Mapping[str, Any]],
    asked: Mapping[str, Any],
    content: str,
) -> dict[str, Any]:
    """Return everything that manifest.json says besides the hashes of files; `asked` tells of models and tools."""
    snapshot, page = material.snapshot, GRAPHS[options.source]
    sums = {kind: snapshot.facts[kind] for kind in ("inputs", "types")}
    origin = Provenance(options.source, "hard", json_hash(sums), snapshot.graph.triples, page.license)
    sources = [asdict(origin) | {"config": config["name"]} for config in configs]
    decided = {
        "recipe": asdict(options.recipe),
        "seed": options.seed,
        "limit": options.limit,
        "seeds_from": material.facts["seeds_from"],
        **({"endpoint": material.endpoint.asker.endpoint.facts()} if material.endpoint else {}),
        **asked,
    }
    return {
        "family": FAMILY,
        "version": options.version,
        "splits": [split for split in SPLITS if any(split in config["rows"] for config in configs)],
        **material.facts,
        **decided,
        "recipe_sha256": json_hash({**decided, "sources": sources, "files": sums}),
        "sources": sources,
        "snapshot": {**snapshot.facts, "entities": snapshot.graph.entities, "triples": snapshot.graph.triples},
        "answer_cap": CAP,
        "catalogue": {options.source: {"title": page.title, "url": page.url}},
        "configs": list(configs),
        "canary": CANARY,
        "content_id": content,
    }
