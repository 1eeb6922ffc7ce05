"""An EureQA artifact made again from the inputs that build.json names."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.assembly import split_files
from builders.eureqa.assemble import CONSTRUCTION
from builders.eureqa.build import build
from builders.eureqa.invariants import invariant_problems
from builders.eureqa.material import Options
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.voices import ChainEngines
from builders.stored import StoredEngine, check_unchanged, rebuild_facts
from loaders.eureqa import ChainCandidate, EureQARow

__all__ = ["files", "invariant_problems", "rebuild"]


def files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[Path, type]]:
    """Yield every Parquet file that the manifest knows, with its record class."""
    return split_files(folder, manifest, EureQARow, CONSTRUCTION, ChainCandidate)


def rebuild(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Path:
    """Build again below `scratch` and return the folder.

    Raises DecoyQAError where inputs are gone or no longer those of the manifest, where chains are pending, and where a
    reply is not in the store `requests`, or an endpoint's not in the folder of graphs beside it.
    """
    options = _options(folder, manifest, scratch, requests)
    return build(options, lambda line: None, opener=lambda name, _: StoredEngine(name, requests))


def _options(folder: Path, manifest: Mapping[str, Any], scratch: Path, requests: Path) -> Options:
    facts = rebuild_facts(folder, manifest, "chains")
    inputs, types = (tuple(map(Path, facts[kind])) for kind in ("inputs", "types"))
    for kind, paths in (("inputs", inputs), ("types", types)):
        for path in paths:
            check_unchanged(path, manifest["snapshot"][kind].get(path.name), kind)
    seeds, history = (Path(facts[name]) if facts[name] else None for name in ("seeds", "history"))
    endpoint = manifest.get("endpoint", {})
    check_unchanged(seeds, manifest["seeds_from"].get("sha256"), "seeds")
    return Options(
        inputs=inputs,
        out=scratch,
        home=scratch / "home",
        requests=requests,
        replies=requests.parent / "graphs",
        history=history,
        endpoint=endpoint.get("name", ""),
        endpoint_graph=endpoint.get("graph", ""),
        endpoint_stored=True,
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
