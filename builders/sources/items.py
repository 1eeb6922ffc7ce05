"""Items of a multi-hop source: read with file and row in every error, checked, sampled by number of hops."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from builders.sources.columns import Expected
from builders.sources.rows import Row, read_rows
from loaders.draw import generator
from loaders.errors import InputError
from loaders.records import Item, Reason

ToItem = Callable[[Mapping[str, Any]], Item]


def numbered(path: Path, rows: Iterable[Row], to_item: ToItem) -> Iterator[tuple[int, Item]]:
    """Yield the items of a file's rows with their row numbers; raises InputError with file and row."""
    for row in rows:
        try:
            item = to_item(row.columns)
            check(item)
        except Expected as error:
            raise InputError(path, row.number, str(error)) from None
        yield row.number, item


def unique(path: Path, items: Iterable[tuple[int, Item]]) -> Iterator[tuple[int, Item]]:
    """Hand on numbered items; raises InputError where an id comes again."""
    seen: dict[str, int] = {}
    for number, item in items:
        first = seen.setdefault(item.id, number)
        if first != number:
            raise InputError(path, number, f"expected an id of its own, found that of row {first} again: {item.id}")
        yield number, item


def read_items(path: Path, to_item: ToItem) -> Iterator[Item]:
    """Yield the items of a file, each with an id of its own; raises InputError with file, row and expectation."""
    return (item for _, item in unique(path, numbered(path, read_rows(path, ("question",)), to_item)))


def check(item: Item) -> None:
    """Raise `Expected` for an empty id, question or answer, or an item without passages or hops."""
    for what in ("id", "question", "answer"):
        if not getattr(item, what).strip():
            raise Expected(f"expected the {what}, found an empty text")
    for what in ("passages", "hops"):
        if not getattr(item, what):
            raise Expected(f"expected {what}, found none")


def unfit(item: Item) -> Reason | None:
    """Return why an item cannot be audited: `unanswerable`, or `hop_without_support` (the gold was not retrieved)."""
    if not item.answerable:
        return Reason("unanswerable", item.id)
    bare = [hop.hop_id for hop in item.hops if not hop.support]
    return Reason("hop_without_support", f"{item.id}, hop {bare[0]}") if bare else None


def sample(items: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """Return `limit` items, shared out among numbers of hops as the source has them; the order of items plays no part.

    Within a stratum the draw goes by item id, so that a larger limit keeps all items of a smaller one's stratum share.
    """
    if limit is None or limit >= len(items):
        return sorted(items, key=lambda item: item.id)
    strata: defaultdict[int, list[Item]] = defaultdict(list)
    for item in items:
        strata[len(item.hops)].append(item)
    shares = _shares({hops: len(members) for hops, members in strata.items()}, limit)
    drawn = [
        item
        for hops, members in strata.items()
        for item in sorted(members, key=lambda item: (generator(seed, item.id, "sample").random(), item.id))[
            : shares[hops]
        ]
    ]
    return sorted(drawn, key=lambda item: item.id)


def _shares(sizes: Mapping[int, int], limit: int) -> dict[int, int]:
    """Share out by largest remainder, whole parts first; equal remainders go to fewer hops."""
    total = sum(sizes.values())
    shares = {hops: limit * size // total for hops, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda hops: (-(limit * sizes[hops] % total), hops))
    for hops in by_remainder[: limit - sum(shares.values())]:
        shares[hops] += 1
    return shares
