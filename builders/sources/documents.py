"""The documents of a question's row, in every form in which published retrieval files hold them."""

import hashlib
import math
from typing import Any

from builders.sources.columns import Expected, identifier, shown, string
from loaders.records import Document

# `has_answer` and `hasanswer` are read by nobody: whether a document holds an answer is decided by our own matcher.
WITHOUT_TEXT = {"id", "title", "score", "has_answer", "hasanswer"}


def read_documents(column: str, value: object) -> tuple[Document, ...]:
    """Return the non-empty documents of a list, each with its 1-based rank in the whole list, or raise `Expected`."""
    if not isinstance(value, list):
        raise Expected(f"expected the documents in {column} as a list, found {shown(value)}")
    found = (read_document(entry, rank) for rank, entry in enumerate(value, 1))
    return tuple(document for document in found if document.text)


def read_document(entry: object, rank: int) -> Document:
    """Return one document from a string or an object, its text empty where there is none, or raise `Expected`."""
    what = f"document {rank}"
    fields = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, dict) or not fields or ("text" not in fields and not fields.keys() <= WITHOUT_TEXT):
        raise Expected(f"expected {what} as a string or an object with text, found {shown(entry)}")
    title, text = (_stripped(f"{name} of {what}", fields.get(name)) for name in ("title", "text"))
    own_id = identifier(f"id of {what}", fields.get("id"))
    return Document(own_id or hashed_id(title, text), title, text, _score(what, fields.get("score")), rank=rank)


def hashed_id(title: str, text: str) -> str:
    """Return the id of a document without one: `doc-` and 12 hex digits of the sha256 of title and text."""
    return "doc-" + hashlib.sha256((title + text).encode("utf-8")).hexdigest()[:12]


def _stripped(what: str, value: object) -> str:
    return "" if value is None else string(what, value).strip()


def _score(what: str, value: Any) -> float | None:
    if value is None:
        return None
    try:
        score = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        raise Expected(f"expected the score of {what} as a finite number, found {shown(value)}")
    return score
