"""Derive a Parquet schema, the card's YAML features and its column table from a record class.

The YAML form (`list:` for lists of scalars and of records, `struct:` for records) and the plain Arrow types are the
ones that `datasets` 2.21 to 5.2 all read.
"""

import dataclasses
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

R = TypeVar("R")

SCALARS: Mapping[type, tuple[str, pa.DataType]] = {
    str: ("string", pa.string()),
    bool: ("bool", pa.bool_()),
    int: ("int64", pa.int64()),
    float: ("float64", pa.float64()),
}


class Column(NamedTuple):
    """A line of the card's column table."""

    name: str
    type: str
    meaning: str


class _Kind(NamedTuple):
    """A field's type taken apart: `inner` is a scalar or a record class."""

    inner: type
    is_list: bool
    meaning: str


def _kind(hint: Any) -> _Kind:
    meaning = ""
    if get_origin(hint) is Annotated:
        hint, meaning = get_args(hint)[0], get_args(hint)[1]
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    is_list = get_origin(hint) is tuple
    inner = get_args(hint)[0] if is_list else hint
    if not (inner in SCALARS or dataclasses.is_dataclass(inner)):
        raise TypeError(f"no column form for {hint}")
    return _Kind(inner, is_list, meaning)


def kinds(record: type) -> Mapping[str, _Kind]:
    """Return each field of a record class with its inner type, in order of definition."""
    return _kinds(record)


@cache
def _kinds(record: type) -> Mapping[str, _Kind]:
    hints = get_type_hints(record, include_extras=True)
    return {field.name: _kind(hints[field.name]) for field in dataclasses.fields(record)}


def _arrow(kind: _Kind) -> pa.DataType:
    inner = SCALARS[kind.inner][1] if kind.inner in SCALARS else pa.struct(list(arrow_schema(kind.inner)))
    return pa.list_(inner) if kind.is_list else inner


def arrow_schema(record: type) -> pa.Schema:
    """Return the one explicit schema that every shard of this record class is written with."""
    return pa.schema([pa.field(name, _arrow(kind)) for name, kind in kinds(record).items()])


def features(record: type) -> list[dict[str, Any]]:
    """Return the `features:` block of the card's YAML."""
    return [{"name": name, **_feature(kind)} for name, kind in kinds(record).items()]


def _feature(kind: _Kind) -> dict[str, Any]:
    if kind.inner in SCALARS:
        word = SCALARS[kind.inner][0]
        return {"list": word} if kind.is_list else {"dtype": word}
    return {"list" if kind.is_list else "struct": features(kind.inner)}


def columns(record: type, prefix: str = "") -> list[Column]:
    """Return the card's column table, nested records flattened as `documents[].title`."""
    table = []
    for name, kind in kinds(record).items():
        path = f"{prefix}{name}{'[]' if kind.is_list else ''}"
        word = SCALARS[kind.inner][0] if kind.inner in SCALARS else "record"
        table.append(Column(path, word, kind.meaning))
        if kind.inner not in SCALARS:
            table += columns(kind.inner, f"{path}.")
    return table


def to_row(record: Any) -> dict[str, Any]:
    """Return a record as the plain dictionary that Parquet and JSON take; tuples become lists, floats stay floats."""
    return {name: _plain(kind, getattr(record, name)) for name, kind in kinds(type(record)).items()}


def _plain(kind: _Kind, value: Any) -> Any:
    if value is None:
        return None
    if kind.is_list:
        return [_plain(kind._replace(is_list=False), part) for part in value]
    if kind.inner not in SCALARS:
        return to_row(value)
    # Parquet would give a whole number back as a float, and the content id would differ.
    return float(value) if kind.inner is float else value


def from_row(record: type[R], row: Mapping[str, Any]) -> R:
    """Return the record that `to_row` made; columns that the class does not know are left out."""
    return record(**{name: _typed(kind, row[name]) for name, kind in kinds(record).items() if name in row})


def _typed(kind: _Kind, value: Any) -> Any:
    if kind.is_list:
        return tuple(_typed(kind._replace(is_list=False), part) for part in value)
    return from_row(kind.inner, value) if kind.inner not in SCALARS and value is not None else value
