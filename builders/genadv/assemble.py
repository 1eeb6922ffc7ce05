"""Assemble the GenADV artifact from finished parts: rows, construction records, manifest, card, in one rename."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders.assembly import config_of, paired_ids, write_split
from builders.genadv.part import CONSTRUCTION, Part, Settings
from builders.sources.catalogue import SOURCES
from cards.pages import write_pages
from loaders.artifact import replacing_folder
from loaders.genadv import CANARY, SPLITS, Candidate, GenADVRow
from loaders.manifest import combined_id, json_hash, write_json, write_manifest

FAMILY = "genadv"


def assemble(target: Path, version: str, settings: Settings, parts: Sequence[Part], build: Mapping[str, Any]) -> None:
    """Write the artifact folder; parts are taken in the order of their config names, whatever order they come in."""
    ordered = sorted(parts, key=lambda part: str(part.facts["origin"]["config"]))
    with replacing_folder(target) as folder:
        digests: dict[str, str] = {}
        described = [_write_config(folder, part, digests) for part in ordered]
        facts = manifest_facts(version, settings, described, combined_id(digests))
        names = [config["name"] for config in described]
        rows = [config_of(folder, name, GenADVRow, SPLITS) for name in names]
        made_from = [
            config_of(folder, f"{name}_construction", Candidate, (CONSTRUCTION,), ("id", "condition")) for name in names
        ]
        readable = [config for config in rows if config.splits]
        write_pages(folder, FAMILY, facts, readable, made_from, settings.history)
        write_json(folder / "build.json", {**build, "python": platform.python_version(), "canary": CANARY})
        write_manifest(folder, facts)


def _write_config(folder: Path, part: Part, digests: dict[str, str]) -> dict[str, Any]:
    """Write one config split by split, so that only one split is in memory, and return its facts."""
    name = str(part.facts["origin"]["config"])
    ids: dict[str, list[str]] = {}
    for split in SPLITS:
        rows = part.rows(split)
        write_split(folder, name, split, GenADVRow, rows, digests)
        if rows:
            ids[split] = [row.id for row in rows]
    write_split(folder, f"{name}_construction", CONSTRUCTION, Candidate, part.candidates(), digests)
    facts = {key: value for key, value in part.facts.items() if key != "origin"}
    return {
        "name": name,
        "source": part.facts["origin"],
        **facts,
        "rows": {split: len(found) for split, found in ids.items()},
        "left_out": [split for split in SPLITS if split not in ids],
        "paired": paired_ids(ids, "retrieved"),
    }


def manifest_facts(
    version: str, settings: Settings, configs: Sequence[Mapping[str, Any]], content: str
) -> dict[str, Any]:
    """Return everything that manifest.json says besides the hashes of files."""
    sources = [config["source"] for config in configs]
    recipe = asdict(settings.recipe)
    tools = settings.tools.identities.as_dict()
    asked = {**settings.voices.facts(), "prompts": settings.voices.prompt_hashes()}
    decided = {"recipe": recipe, "tools": tools, "seed": settings.seed, "limit": settings.limit, **asked}
    return {
        "family": FAMILY,
        "version": version,
        "splits": [split for split in SPLITS if any(split in config["rows"] for config in configs)],
        **decided,
        "recipe_sha256": json_hash({**decided, "sources": sources}),
        "sources": sources,
        "catalogue": {name: _page(name) for name in sorted({source["source"] for source in sources})},
        "configs": [{key: value for key, value in config.items() if key != "source"} for config in configs],
        "canary": CANARY,
        "content_id": content,
    }


def _page(source: str) -> dict[str, str]:
    return {"title": SOURCES[source].title, "url": SOURCES[source].url}
