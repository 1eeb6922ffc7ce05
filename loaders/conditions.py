"""Make a condition from what a record holds."""

from collections.abc import Iterator
from dataclasses import replace

from loaders.control import control
from loaders.deletion import Variant, in_units, remove
from loaders.draw import generator
from loaders.genadv import GenADVRow
from loaders.records import Document, Item, Reason, Span
from loaders.windows import MASKS, window

# The conditions of an audit; the first three are those of REALHOP's Table 1.
AUDIT_CONDITIONS = ("full", "drop_one", "control", "half", "window", "circular")


def insert_document(row: GenADVRow, document: Document, slot: int) -> GenADVRow:
    """Insert a document among the retrieved ones; `slot` is 0-based and at most their number (GenADV, section 5.3.1).

    Raises ValueError where the row already has an insertion or the slot lies outside.
    """
    if row.inserted_at != -1 or not 0 <= slot <= len(row.documents):
        raise ValueError(f"{row.id}: slot {slot} of {len(row.documents)}, inserted_at {row.inserted_at}")
    documents = (*row.documents[:slot], document, *row.documents[slot:])
    return replace(row, documents=documents, inserted_at=slot)


def insertion_slot(seed: int, item_id: str, documents: int) -> int:
    """Return the slot of an item's inserted document: uniform over all places among its retrieved ones, one per id."""
    return generator(seed, item_id, "slot").randint(0, documents)


def rearranged(row: GenADVRow, seed: int, k: int, slot: int | None = None) -> GenADVRow | Reason:
    """Return the row with its first k retrieved documents and its inserted one at a 0-based slot.

    Without a slot it is where a build of k documents would have drawn it; a row with fewer documents than the slot has
    it last. `topk` inserts the first document behind the k. `answerable` is whether one of the k holds an answer; a
    conflict with none of them is no conflict: Reason `not_answerable`. Written passages stay as they were written, from
    all the documents of the release.
    """
    retrieved = tuple(document for place, document in enumerate(row.documents) if place != row.inserted_at)
    kept = retrieved[:k]
    answerable = any(document.holds_answer for document in kept)
    base = replace(row, documents=kept, inserted_at=-1, answerable=answerable)
    if row.inserted_at == -1:
        return base
    inserted = row.documents[row.inserted_at]
    if inserted.kind == "conflict" and not answerable:
        return Reason("not_answerable", f"none of the first {k} documents holds an answer")
    if inserted.kind == "topk" and retrieved[k:]:
        inserted = replace(retrieved[k], kind="topk", score=None)
    drawn = insertion_slot(seed, row.id, len(kept)) if slot is None else min(slot, len(kept))
    return insert_document(base, inserted, drawn)


def audit_variants(
    item: Item, condition: str, unit: str, seed: int, twin: Item | None = None
) -> Iterator[tuple[str, Variant | None]]:
    """Yield each target of a condition with the passages that are left, None where it cannot be made.

    Targets are hop ids (drop_one, control), `first` and `second` (half), mask numbers, and empty for full.
    """
    if condition == "full":
        yield "", remove(item, (), unit)
    elif condition == "drop_one":
        yield from ((hop.hop_id, drop(item, hop.hop_id, unit)) for hop in item.hops)
    elif condition == "control":
        for hop in item.hops:
            budget = drop(item, hop.hop_id, unit).removed_tokens
            yield hop.hop_id, control(item, hop, unit, budget, seed, twin)
    elif condition == "half":
        yield from halves(item, unit)
    else:
        masks = range(1, MASKS + 1)
        yield from ((str(number), window(item, number, seed, condition == "circular")) for number in masks)


def drop(item: Item, hop_id: str, unit: str) -> Variant:
    """Take away what supports one hop (REALHOP, section 3.2 and appendix A)."""
    hop = next(hop for hop in item.hops if hop.hop_id == hop_id)
    return remove(item, in_units(item, hop.support, unit), unit)


def halves(item: Item, unit: str) -> Iterator[tuple[str, Variant | None]]:
    """Yield what is left with the support of the first half of the hops alone, then of the second half alone.

    As in DiRe: who answers from either of two complementary subsets need not have connected them. A half that shares
    text with the other keeps it; an item of one hop has no halves.
    """
    middle = (len(item.hops) + 1) // 2
    parts = [[span for hop in hops for span in hop.support] for hops in (item.hops[:middle], item.hops[middle:])]
    for name, kept, other in (("first", parts[0], parts[1]), ("second", parts[1], parts[0])):
        gone = _apart(in_units(item, other, unit), in_units(item, kept, unit))
        yield name, remove(item, gone, unit) if item.hops[1:] else None


def _apart(spans: list[Span], kept: list[Span]) -> list[Span]:
    return [span for span in spans if span not in kept]
