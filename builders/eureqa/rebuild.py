"""An EureQA artifact made again from the inputs that build.json names."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.eureqa.assemble import CONSTRUCTION
from builders.eureqa.build import Options, build
from builders.eureqa.invariants import invariant_problems
from builders.eureqa.recipe import EureQARecipe
from builders.stored import check_unchanged
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

    Raises DecoyQAError where inputs are gone or no longer those of the manifest.
    """
    return build(_options(folder, manifest, scratch), lambda line: None)


def _options(folder: Path, manifest: Mapping[str, Any], scratch: Path) -> Options:
    try:
        facts = json.loads((folder / "build.json").read_bytes())["rebuild"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DecoyQAError(f"cannot rebuild: {folder / 'build.json'} does not say from what") from None
    inputs, types = (tuple(map(Path, facts[kind])) for kind in ("inputs", "types"))
    for kind, paths in (("inputs", inputs), ("types", types)):
        for path in paths:
            check_unchanged(path, manifest["snapshot"][kind].get(path.name), kind)
    return Options(
        inputs=inputs,
        out=scratch,
        home=scratch / "home",
        types=types,
        seeds=Path(facts["seeds"]) if facts["seeds"] else None,
        version=manifest["version"],
        seed=manifest["seed"],
        limit=manifest["limit"],
        similarity=facts["similarity"],
        with_properties=facts["with_properties"],
        source=facts["source"],
        recipe=EureQARecipe(**{field.name: manifest["recipe"][field.name] for field in fields(EureQARecipe)}),
    )
