"""An EureQA artifact made again from the inputs that build.json names."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.eureqa.assemble import CONSTRUCTION
from builders.eureqa.build import build
from builders.eureqa.invariants import invariant_problems
from builders.eureqa.material import Options
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.voices import ChainEngines
from builders.stored import StoredEngine, check_unchanged
from loaders.artifact import shard_paths
from loaders.errors import DecoyQAError
from loaders.eureqa import ChainCandidate, EureQARow

__all__ = ["files", "invariant_problems", "rebuild"]


def files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[Path, type]]:
    """Yield every Parquet file that the manifest knows, with its record class."""
    for config in manifest["configs"]:
        for split in config["rows"]:
            yield from ((path, EureQARow) for path in shard_paths(folder, config["name"], split))
        construction = f"{config['name']}_construction"
        yield from ((path, ChainCandidate) for path in shard_paths(folder, construction, CONSTRUCTION))


def rebuild(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Path:
    """Build again below `scratch` and return the folder.

    Raises DecoyQAError where inputs are gone or no longer those of the manifest, where chains are pending, and where a
    reply is not in the store `requests`.
    """
    if pending := sum(config["pending"] for config in manifest["configs"]):
        raise DecoyQAError(f"cannot rebuild: {pending} chains of {folder} are pending, their replies never came")
    options = _options(folder, manifest, scratch, requests)
    return build(options, lambda line: None, opener=lambda name, _: StoredEngine(name, requests))


def _options(folder: Path, manifest: Mapping[str, Any], scratch: Path, requests: Path) -> Options:
    try:
        facts = json.loads((folder / "build.json").read_bytes())["rebuild"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DecoyQAError(f"cannot rebuild: {folder / 'build.json'} does not say from what") from None
    inputs, types = (tuple(map(Path, facts[kind])) for kind in ("inputs", "types"))
    for kind, paths in (("inputs", inputs), ("types", types)):
        for path in paths:
            check_unchanged(path, manifest["snapshot"][kind].get(path.name), kind)
    seeds = Path(facts["seeds"]) if facts["seeds"] else None
    check_unchanged(seeds, manifest["seeds_from"].get("sha256"), "seeds")
    return Options(
        inputs=inputs,
        out=scratch,
        home=scratch / "home",
        requests=requests,
        categories=tuple(manifest["seeds_from"].get("categories", ())),
        engines=ChainEngines(
            manifest["writer"],
            manifest.get("checker", ""),
            manifest.get("checker_gates", False),
            hypernyms=manifest["hypernyms"],
            seeds_model=manifest.get("seeds_model", ""),
        ),
        types=types,
        seeds=seeds,
        version=manifest["version"],
        seed=manifest["seed"],
        limit=manifest["limit"],
        similarity=facts["similarity"],
        with_properties=facts["with_properties"],
        source=facts["source"],
        recipe=EureQARecipe(**{field.name: manifest["recipe"][field.name] for field in fields(EureQARecipe)}),
    )
