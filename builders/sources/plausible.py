"""Plausible Distractors: HotpotQA's form with false chains, found by comparison with the unmodified twin."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import eq
from pathlib import Path
from typing import Any

from builders.sources.hotpot import to_item
from builders.sources.items import numbered, unique
from builders.sources.rows import read_rows
from loaders.errors import InputError
from loaders.records import Item, Span


def read_plausible(path: Path, twin: Path) -> list[tuple[Item, Item]]:
    """Return each item with its unmodified twin; a passage that the twin lacks was inserted.

    One question has several variants, so that an id is the question's plus a hash of the passages; both sides of a
    pair have the variant's. Raises InputError, also for a question that the twin's file lacks.
    """
    originals: defaultdict[str, list[Item]] = defaultdict(list)
    for _, original in numbered(twin, read_rows(twin, ("question",)), _to_variant):
        originals[original.source_id].append(original)
    items = unique(path, numbered(path, read_rows(path, ("question",)), _to_variant))
    return [_pair(path, number, item, originals) for number, item in items]


def _to_variant(row: Mapping[str, Any]) -> Item:
    item = to_item(row)
    passages = json.dumps([[passage.title, passage.text] for passage in item.passages], ensure_ascii=False)
    return replace(item, id=f"{item.id}-{hashlib.sha256(passages.encode()).hexdigest()[:12]}")


def _pair(path: Path, number: int, item: Item, originals: Mapping[str, Sequence[Item]]) -> tuple[Item, Item]:
    """Pair an item with the twin that has most passages in the same place: variants shuffle them."""
    if item.source_id not in originals:
        raise InputError(path, number, f"expected a question that the unmodified twin has too, found {item.source_id}")
    original = max(originals[item.source_id], key=lambda twin: sum(map(eq, twin.passages, item.passages)))
    there = set(original.passages)
    fakes = [place for place, passage in enumerate(item.passages) if passage not in there]
    inserted = tuple(Span(place, 0, len(item.passages[place].text)) for place in fakes)
    return replace(item, inserted=inserted), replace(original, id=item.id)
