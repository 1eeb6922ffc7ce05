"""One value of a source's row, checked: a wrong one raises `Expected`, to which the reader adds file and row."""

import ast
import json
from collections.abc import Mapping
from typing import Any


class Expected(Exception):  # noqa: N818 - named for what its message says
    """A value that cannot be read; the message says what was expected and what was found."""


def shown(value: object) -> str:
    """Return a value for a one-line message, cut after 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def first_of(names: tuple[str, ...], row: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the first of the accepted names that the row fills, with its value; ("", None) if none does."""
    return next(((name, row[name]) for name in names if row.get(name) is not None), ("", None))


def required(what: str, names: tuple[str, ...], row: Mapping[str, Any]) -> tuple[str, Any]:
    """As `first_of`, but raise `Expected` with the columns found where none is filled."""
    name, value = first_of(names, row)
    if not name:
        found = ", ".join(row) or "none"
        raise Expected(f"expected the {what} in one of the columns {', '.join(names)}; columns found: {found}")
    return name, value


def string(what: str, value: object) -> str:
    """Return a text as it stands; raise `Expected` for other types and lone surrogates (no UTF-8 file holds them)."""
    if not isinstance(value, str):
        raise Expected(f"expected the {what} as a string, found {shown(value)}")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Expected(f"expected the {what} as Unicode text, found a lone surrogate in {shown(value)}") from None
    return value


def identifier(what: str, value: object) -> str:
    """Return an id, given as a string or a whole number, as a string; "" for null."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else string(what, value)


def parse_list(what: str, text: str) -> list[Any]:
    """Read a list that a cell holds as text, JSON (PopQA) or a Python literal (DPR); raise `Expected` for others."""
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, list):
            return value
    raise Expected(f"expected the {what} as a JSON list or a Python list literal, found {shown(text)}")
