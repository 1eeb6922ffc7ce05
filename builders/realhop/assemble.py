"""Assemble the REALHOP artifact: both sides, every Drop and Control, every item that was tried, card, in one rename."""

import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders.assembly import config_of, paired_ids, write_split
from builders.realhop.candidates import counts, opinion_counts
from builders.realhop.material import FAMILY, Material, Options
from builders.realhop.part import CONSTRUCTION, Part
from builders.realhop.proven import proven
from builders.realhop.recipe import Means
from builders.sources.multihop import MULTIHOP
from cards.pages import write_pages
from loaders.artifact import replacing_folder
from loaders.manifest import combined_id, json_hash, write_json, write_manifest
from loaders.realhop import CANARY, SPLITS, RealHopCandidate, RealHopRow
from loaders.realhop_conditions import controlled, dropped


def assemble(
    target: Path,
    options: Options,
    material: Material,
    means: Means,
    part: Part,
    tools: Mapping[str, str],
    build: Callable[[], Mapping[str, Any]],
) -> None:
    """Write the artifact folder; `build` tells what build.json says, once everything else is written."""
    name = material.origin.config
    with replacing_folder(target) as folder:
        digests: dict[str, str] = {}
        described = _write_config(folder, name, part, means.seed, digests)
        facts = manifest_facts(options, material, means, described, tools, combined_id(digests))
        rows = [config_of(folder, name, RealHopRow, SPLITS, key=("row_id",))]
        made_from = [config_of(folder, f"{name}_construction", RealHopCandidate, (CONSTRUCTION,))]
        readable = [config for config in rows if config.splits]
        write_pages(folder, FAMILY, facts, readable, made_from, material.history)
        write_json(folder / "build.json", {**build(), "python": platform.python_version(), "canary": CANARY})
        write_manifest(folder, facts)


def split_rows(split: str, part: Part, seed: int) -> list[RealHopRow]:
    """Return the rows of one split; a hop with too little background for its Control has none there."""
    if split in ("full", "source"):
        return list(part.full if split == "full" else part.source)
    if split == "drop":
        return [dropped(row, hop.hop_id) for row in part.full for hop in row.hops]
    pairs = zip(part.full, part.source, strict=True)
    made = (controlled(row, twin, hop.hop_id, seed) for row, twin in pairs for hop in row.hops)
    return [row for row in made if row]


def _write_config(folder: Path, name: str, part: Part, seed: int, digests: dict[str, str]) -> dict[str, Any]:
    ids: dict[str, list[str]] = {}
    for split in SPLITS:
        rows = split_rows(split, part, seed)
        write_split(folder, name, split, RealHopRow, rows, digests)
        ids |= {split: [row.id for row in rows]} if rows else {}
    write_split(folder, f"{name}_construction", CONSTRUCTION, RealHopCandidate, part.candidates, digests)
    return {
        "name": name,
        "rows": {split: len(found) for split, found in ids.items()},
        "left_out": [split for split in SPLITS if split not in ids],
        "paired": paired_ids(ids, "full"),
        "models": dict(part.models),
        **described(part.candidates, part.full),
    }


def described(candidates: Sequence[RealHopCandidate], full: Sequence[RealHopRow]) -> dict[str, Any]:
    """Return the counts of a config that follow from its items and its rebuilt questions."""
    return {
        "items": len(candidates),
        "funnel": {"item": counts(candidates)},
        "pending": sum(one.status == "pending" for one in candidates),
        "opinions": {"item": said} if (said := opinion_counts(candidates)) else {},
        "hops": _histogram([row.n_hops for row in full]),
        "passages": _histogram([len(row.passages) for row in full]),
        "paths": _histogram([path.family for row in full for path in row.competitors]),
        "dropped_paths": _histogram([path.rpartition(": ")[2] for one in candidates for path in one.dropped_paths]),
        "proof": proven(full),
    }


def _histogram(values: Sequence[object]) -> dict[str, int]:
    return {str(value): n for value, n in sorted(Counter(values).items(), key=lambda pair: str(pair[0]))}


def manifest_facts(
    options: Options,
    material: Material,
    means: Means,
    config: Mapping[str, Any],
    tools: Mapping[str, str],
    content: str,
) -> dict[str, Any]:
    """Return everything that manifest.json says besides the hashes of files."""
    source, page = asdict(material.origin), MULTIHOP[options.source]
    decided = {
        "recipe": asdict(means.recipe),
        "tools": dict(tools),
        "seed": options.seed,
        "limit": options.limit,
        **means.voices.facts(),
    }
    return {
        "family": FAMILY,
        "version": options.version,
        "splits": [split for split in SPLITS if split in config["rows"]],
        **decided,
        "recipe_sha256": json_hash({**decided, "sources": [source]}),
        "sources": [source],
        "catalogue": {options.source: {"title": page.title, "url": page.url}},
        "configs": [config],
        "canary": CANARY,
        "content_id": content,
    }
