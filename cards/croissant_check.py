"""Hold croissant.json against the Parquet files beside it: mlcroissant validates the form and misses wrong columns."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.croissant import DATA_TYPES
from loaders.manifest import sha256_of
from loaders.schema import SCALARS

RECORD = "a record"
SOURCES = ("fileObject", "fileSet")
_WORDS: Mapping[pa.DataType, str] = {SCALARS[kind][1]: word for kind, word in DATA_TYPES.items()}

# A column, or a field of a record within it, with what it holds.
Columns = Mapping[str, str]


def croissant_problems(folder: Path) -> list[str]:
    """Return a line for every file, column, list or type that croissant.json has otherwise than the folder's files.

    Raises KeyError or TypeError where it is not of the form that `cards.croissant` writes.
    """
    written = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    resources = {one["@id"]: one for one in written["distribution"]}
    lines = list(_files(folder, [one for one in resources.values() if one["@type"] == "cr:FileObject"]))
    for record_set in written["recordSet"]:
        lines += [f"{record_set['@id']}: {line}" for line in _record_set(folder, record_set, resources)]
    return lines


def _files(folder: Path, described: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    hashes = {one["contentUrl"]: one["sha256"] for one in described}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    yield from (f"{name}: not described" for name in sorted(found - hashes.keys()))
    yield from (f"{name}: described, and not there" for name in sorted(hashes.keys() - found))
    for name in sorted(hashes.keys() & found):
        if sha256_of(folder / name) != hashes[name]:
            yield f"{name}: another sha256"


def _record_set(
    folder: Path, record_set: Mapping[str, Any], resources: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    fields = record_set["field"]
    ids = {field["@id"] for field in fields}
    yield from (f"no field for the key {key['@id']}" for key in record_set["key"] if key["@id"] not in ids)
    sources = [leaf["source"] for leaf in _leaves(fields)]
    for name in sorted({source[kind]["@id"] for source in sources for kind in SOURCES if kind in source}):
        pattern = resources[name].get("includes") or resources[name]["contentUrl"]
        paths = sorted(folder.glob(pattern))
        if not paths:
            yield f"no file {pattern}"
        for path in paths:
            yield from _differences(dict(_described(fields)), dict(_held(pq.read_schema(path))))


def _differences(described: Columns, held: Columns) -> Iterator[str]:
    yield from (f"column {name} is not described" for name in sorted(held.keys() - described.keys()))
    yield from (f"there is no column {name}" for name in sorted(described.keys() - held.keys()))
    for name in sorted(described.keys() & held.keys()):
        if described[name] != held[name]:
            yield f"column {name} is {held[name]}, {described[name]} described"


def _held(columns: Iterable[pa.Field], above: str = "") -> Iterator[tuple[str, str]]:
    for column in columns:
        is_list = pa.types.is_list(column.type)
        inner = column.type.value_type if is_list else column.type
        is_record = pa.types.is_struct(inner)
        yield f"{above}{column.name}", _said(RECORD if is_record else _WORDS.get(inner, str(inner)), is_list)
        if is_record:
            yield from _held(inner, f"{above}{column.name}.")


def _described(fields: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for field in fields:
        yield ".".join(_place(field)), _said(field.get("dataType", RECORD), field.get("isArray", False))
        yield from _described(field.get("subField", ()))


def _said(kind: str, is_list: bool) -> str:
    return f"a list of {kind}" if is_list else kind


def _place(field: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a field's column and the path within it; a record's are those of its first field, less the last name."""
    if "subField" in field:
        return _place(field["subField"][0])[:-1]
    within = field["source"].get("transform", {}).get("jsonPath", "")
    return (field["source"]["extract"]["column"], *(within.split(".") if within else ()))


def _leaves(fields: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for field in fields:
        yield from _leaves(field["subField"]) if "subField" in field else (field,)
