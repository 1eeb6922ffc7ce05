"""`decoyqa verify`: every byte, the schema, the family's invariants, and a rebuild compared byte by byte."""

import filecmp
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from loaders.errors import DecoyQAError
from loaders.manifest import UNHASHED, changed_files, read_manifest
from loaders.schema import arrow_schema

# A family's module has `files`, `invariant_problems` and `rebuild`.
FAMILIES = {name: f"builders.{name}.rebuild" for name in ("genadv", "realhop", "eureqa")}


def family_of(manifest: Mapping[str, Any]) -> Any:
    """Return the module of an artifact's family; raises DecoyQAError for one that this version does not build."""
    name = str(manifest.get("family"))
    if name not in FAMILIES:
        raise DecoyQAError(f"family {name!r} is not known; known: {', '.join(FAMILIES)}")
    return import_module(FAMILIES[name])


def problems(folder: Path) -> list[str]:
    """Return one line per changed, missing or extra file; if there is none, per wrong schema; then per invariant."""
    if changed := changed_files(folder):
        return changed
    family = family_of(read_manifest(folder))
    return list(schema_problems(folder)) or list(family.invariant_problems(folder))


def schema_problems(folder: Path) -> Iterator[str]:
    """Yield the Parquet files that belong to no split of the manifest, or whose schema is not their record class's."""
    manifest = read_manifest(folder)
    expected = dict(family_of(manifest).files(folder, manifest))
    for path in sorted(folder.rglob("*.parquet")):
        record = expected.get(path)
        if record is None:
            yield f"{path.relative_to(folder)}: belongs to no split of the manifest"
        elif not pq.read_schema(path).equals(arrow_schema(record)):
            yield f"{path.relative_to(folder)}: not the schema of {record.__name__}"


def rebuild_problems(folder: Path, home: Path) -> list[str]:
    """Build the artifact again from the inputs that build.json names, in a new folder, and compare every byte.

    Models are not asked: their replies come from the request store in `home`. Raises DecoyQAError where it cannot be
    built again.
    """
    manifest = read_manifest(folder)
    with TemporaryDirectory(dir=home if home.is_dir() else None) as temporary:
        again: Path = family_of(manifest).rebuild(folder, manifest, Path(temporary), home / "requests")
        names = {file["path"] for file in manifest["files"]} | {"manifest.json"}
        made = {path.relative_to(again).as_posix() for path in again.rglob("*") if path.is_file()} - UNHASHED
        extra = [f"{name}: made again only" for name in sorted(made - names)]
        _, differing, missing = filecmp.cmpfiles(folder, again, sorted(names), shallow=False)
        return [
            *extra,
            *(f"{n}: differs when made again" for n in differing),
            *(f"{n}: not made again" for n in missing),
        ]
