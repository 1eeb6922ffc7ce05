"""A GenADV artifact made again from the inputs that build.json names, its models answered from the request store."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.assembly import split_files
from builders.engines import Engines
from builders.genadv.build import Options, build
from builders.genadv.invariants import invariant_problems
from builders.genadv.material import Input
from builders.genadv.part import CONSTRUCTION
from builders.genadv.recipe import GenADVRecipe
from builders.progress import Silent
from builders.sources.retrieve import DEPTH
from builders.stored import StoredEngine, check_unchanged, rebuild_facts
from loaders.genadv import Candidate, GenADVRow

__all__ = ["files", "invariant_problems", "rebuild"]


def files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[Path, type]]:
    """Yield every Parquet file that the manifest knows, with its record class."""
    return split_files(folder, manifest, GenADVRow, CONSTRUCTION, Candidate)


def rebuild(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Path:
    """Build again below `scratch` and return the folder.

    Raises DecoyQAError where inputs are gone or no longer those of the manifest, where a reply is not in the store, and
    where candidates are pending.
    """
    options = _options(folder, manifest, scratch, requests)
    return build(options, Silent(), opener=lambda name, _: StoredEngine(name, requests))


def _options(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Options:
    facts = rebuild_facts(folder, manifest, "candidates")
    inputs = tuple(
        Input(**{**given, "path": Path(given["path"]), "run": _path(given.get("run"))}) for given in facts["inputs"]
    )
    passages = _path(facts.get("passages"))
    sources = {source["config"]: source for source in manifest["sources"]}
    for given in inputs:
        source = sources.get(given.config, {})
        how = source.get("retrieval") or {}
        files = ((given.path, source.get("sha256")), (given.run, how.get("run")), (passages, how.get("passages")))
        for path, checksum in files:
            check_unchanged(path, checksum, given.config)
    recipe = GenADVRecipe(**{field.name: manifest["recipe"][field.name] for field in fields(GenADVRecipe)})
    return Options(
        inputs=inputs,
        out=scratch,
        home=scratch / "home",
        requests=requests,
        engines=Engines(manifest["writer"], manifest.get("checker", ""), manifest.get("checker_gates", False)),
        version=manifest["version"],
        seed=manifest["seed"],
        limit=manifest["limit"],
        pool=Path(facts["pool"]),
        passages=passages,
        history=_path(facts.get("history")),
        depth=facts.get("depth", DEPTH),
        ner=facts["ner"],
        sentence_similarity=facts["sentence_similarity"],
        entity_similarity=facts["entity_similarity"],
        recipe=recipe,
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
