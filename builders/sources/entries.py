"""A list of small records in any of the shapes in which hubs and authors publish it."""

from collections.abc import Mapping, Sequence
from typing import Any

from builders.sources.columns import Expected, parse_list, shown

# Each field is one name or several, of which an object holds one.
Field = str | tuple[str, ...]


def entries(what: str, value: object, fields: Sequence[Field]) -> list[tuple[Any, ...]]:
    """Return a list's entries as tuples in the order of `fields`.

    Read are tuples (`[["title", 0], ...]`), objects, columns (`{"title": [...], "sent_id": [...]}`, as the Hub has
    them) and each of these as JSON in a string. Raises `Expected` for anything else.
    """
    if isinstance(value, str):
        value = parse_list(what, value)
    if isinstance(value, Mapping):
        return _from_columns(what, value, fields)
    if not isinstance(value, list):
        raise Expected(f"expected the {what} as a list, found {shown(value)}")
    return [_entry(f"{what}, entry {number}", entry, fields) for number, entry in enumerate(value, 1)]


def _from_columns(what: str, value: Mapping[str, Any], fields: Sequence[Field]) -> list[tuple[Any, ...]]:
    columns = [_field(what, value, field) for field in fields]
    if not all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
        raise Expected(f"expected the columns of the {what} as lists of one length, found {shown(value)}")
    return list(zip(*columns, strict=True))


def _entry(what: str, entry: object, fields: Sequence[Field]) -> tuple[Any, ...]:
    if isinstance(entry, Mapping):
        return tuple(_field(what, entry, field) for field in fields)
    if isinstance(entry, list) and len(entry) == len(fields):
        return tuple(entry)
    names = ", ".join(field if isinstance(field, str) else field[0] for field in fields)
    raise Expected(f"expected {what} as {names}, found {shown(entry)}")


def _field(what: str, entry: Mapping[str, Any], field: Field) -> Any:
    names = (field,) if isinstance(field, str) else field
    for name in names:
        if name in entry:
            return entry[name]
    raise Expected(f"expected {names[0]} in the {what}; found: {', '.join(map(str, entry)) or 'nothing'}")
