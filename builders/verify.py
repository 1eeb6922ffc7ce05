"""`decoyqa verify`: every byte, the schema, the family's invariants, and a rebuild compared byte by byte."""

import filecmp
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import pyarrow.parquet as pq

from builders.engines import Engines
from builders.genadv.build import Options, build
from builders.genadv.invariants import invariant_problems
from builders.genadv.material import Input
from builders.genadv.part import CONSTRUCTION
from builders.genadv.recipe import GenADVRecipe
from builders.sources.files import sha256
from builders.sources.retrieve import DEPTH
from eval.models.engine import Failure, Reply, Request
from loaders.artifact import shard_paths
from loaders.errors import DecoyQAError
from loaders.genadv import Candidate, GenADVRow
from loaders.manifest import UNHASHED, changed_files, read_manifest
from loaders.schema import arrow_schema


def problems(folder: Path) -> list[str]:
    """Return one line per changed, missing or extra file; if there is none, per wrong schema; then per invariant."""
    return changed_files(folder) or list(schema_problems(folder)) or list(invariant_problems(folder))


def schema_problems(folder: Path) -> Iterator[str]:
    """Yield the Parquet files that belong to no split of the manifest, or whose schema is not their record class's."""
    expected = dict(_expected_files(folder, read_manifest(folder)["configs"]))
    for path in sorted(folder.rglob("*.parquet")):
        record = expected.get(path)
        if record is None:
            yield f"{path.relative_to(folder)}: belongs to no split of the manifest"
        elif not pq.read_schema(path).equals(arrow_schema(record)):
            yield f"{path.relative_to(folder)}: not the schema of {record.__name__}"


def _expected_files(folder: Path, configs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Path, type]]:
    for config in configs:
        for split in config["rows"]:
            yield from ((path, GenADVRow) for path in shard_paths(folder, config["name"], split))
        construction = f"{config['name']}_construction"
        yield from ((path, Candidate) for path in shard_paths(folder, construction, CONSTRUCTION))


def rebuild_problems(folder: Path, home: Path) -> list[str]:
    """Build the artifact again from the inputs that build.json names, in a new folder, and compare every byte.

    Models are not asked: their replies come from the request store in `home`. Raises DecoyQAError where the inputs are
    gone or are no longer those of the manifest, where a reply is not in the store, and where candidates are pending.
    """
    manifest = read_manifest(folder)
    if pending := sum(config["pending"] for config in manifest["configs"]):
        raise DecoyQAError(f"cannot rebuild: {pending} candidates of {folder} are pending, their replies never came")
    with TemporaryDirectory(dir=home if home.is_dir() else None) as temporary:
        options = _options(folder, manifest, Path(temporary), home / "requests")
        again = build(options, _Silent(), opener=lambda name, _: _Stored(name, home / "requests"))
        names = {file["path"] for file in manifest["files"]} | {"manifest.json"}
        made = {path.relative_to(again).as_posix() for path in again.rglob("*") if path.is_file()} - UNHASHED
        extra = [f"{name}: made again only" for name in sorted(made - names)]
        _, differing, missing = filecmp.cmpfiles(folder, again, sorted(names), shallow=False)
        return [
            *extra,
            *(f"{n}: differs when made again" for n in differing),
            *(f"{n}: not made again" for n in missing),
        ]


def _options(folder: Path, manifest: dict[str, Any], scratch: Path, requests: Path) -> Options:
    try:
        facts = json.loads((folder / "build.json").read_bytes())["rebuild"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DecoyQAError(f"cannot rebuild: {folder / 'build.json'} does not say from what") from None
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
            _check_unchanged(path, checksum, given.config)
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
        depth=facts.get("depth", DEPTH),
        ner=facts["ner"],
        sentence_similarity=facts["sentence_similarity"],
        entity_similarity=facts["entity_similarity"],
        recipe=recipe,
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _check_unchanged(path: Path | None, checksum: str | None, config: str) -> None:
    if path and not path.is_file():
        raise DecoyQAError(f"cannot rebuild: {path} is not there any more")
    if path and sha256(path) != checksum:
        raise DecoyQAError(f"cannot rebuild: {path} is no longer what {config} was built from")


class _Stored:
    """Stands for the engine of an identity, all of whose replies are stored: whatever is still asked is missing."""

    runtime = "request store"

    def __init__(self, identity: str, store: Path) -> None:
        self.identity, self._store = identity, store

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Raise DecoyQAError at the first request."""
        for request in requests:
            raise DecoyQAError(f"cannot rebuild: {self._store} holds no reply of {self.identity} to {request.key}")
        return iter(())

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Silent:
    """Hears of progress and says nothing."""

    def start(self, config: str, cases: int | None) -> Any:
        """Return a listener that does nothing."""
        return lambda count, found: None

    def asked(self, what: str, done: int, total: int, cost: str) -> None:
        """Do nothing."""
