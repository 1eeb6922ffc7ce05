"""A REALHOP artifact made again from the input that build.json names, its models answered from the request store."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.assembly import split_files
from builders.engines import Engines
from builders.progress import Silent
from builders.realhop.build import build
from builders.realhop.invariants import invariant_problems
from builders.realhop.material import Options
from builders.realhop.part import CONSTRUCTION
from builders.realhop.recipe import RealHopRecipe
from builders.stored import StoredEngine, check_unchanged, rebuild_facts
from loaders.realhop import RealHopCandidate, RealHopRow

__all__ = ["files", "invariant_problems", "rebuild"]


def files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[Path, type]]:
    """Yield every Parquet file that the manifest knows, with its record class."""
    return split_files(folder, manifest, RealHopRow, CONSTRUCTION, RealHopCandidate)


def rebuild(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Path:
    """Build again below `scratch` and return the folder.

    Raises DecoyQAError where the input is gone or no longer that of the manifest, where a reply is not in the store,
    and where items are pending.
    """
    options = _options(folder, manifest, scratch, requests)
    return build(options, Silent(), opener=lambda name, _: StoredEngine(name, requests))


def _options(folder: Path, manifest: Mapping[str, Any], scratch: Path, requests: Path) -> Options:
    facts = rebuild_facts(folder, manifest, "items")
    (source,) = manifest["sources"]
    path, history = Path(facts["input"]), facts["history"]
    check_unchanged(path, source["sha256"], source["config"])
    return Options(
        source=facts["source"],
        path=path,
        out=scratch,
        home=scratch / "home",
        requests=requests,
        version=manifest["version"],
        seed=manifest["seed"],
        limit=manifest["limit"],
        history=Path(history) if history else None,
        parser=facts["parser"],
        engines=Engines(manifest["writer"], manifest.get("checker", ""), manifest.get("checker_gates", False)),
        recipe=RealHopRecipe(**{field.name: manifest["recipe"][field.name] for field in fields(RealHopRecipe)}),
    )
