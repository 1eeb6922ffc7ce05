"""Build a source's part in shards by number of hops, until enough items of each length are there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from builders.parts import Answering, answering, build_shards, by_role, part_key, read_shards
from builders.realhop.candidates import candidate, enough, take, untried
from builders.realhop.material import Material
from builders.realhop.recipe import Means, Work, steps
from builders.steps import Trail, batches, run_steps
from loaders.realhop import RealHopCandidate, RealHopRow
from loaders.records import Item

SIDES = ("full", "source")
CONSTRUCTION = "items"
MODELS = "models"
# What a kill costs at most is one shard of reading and writing; no reply is lost.
ITEMS_PER_SHARD = 8
ITEMS_PER_ASKED_SHARD = 256

Start = Callable[[str, int | None], Callable[[int, bool], None]]


@dataclass(frozen=True)
class Part:
    """A finished part: every item's record and the rows of those that are kept, in the order of the source."""

    candidates: tuple[RealHopCandidate, ...]
    full: tuple[RealHopRow, ...]
    source: tuple[RealHopRow, ...]
    models: Mapping[str, list[str]]


def build_part(material: Material, means: Means, tools: Mapping[str, str], parts: Path, start: Start) -> Part:
    """Build the part or go on where an earlier run stopped; `start` announces how many items of a length there are."""
    folder = parts / f"realhop-{part_key(part_facts(material, means, tools))}"
    found: dict[str, RealHopCandidate] = {}
    for hops, items in material.by_hops.items():
        made = _build_length(folder / f"{hops}_hops", hops, items, material.origin.config, means, start)
        found |= {one.id: one for one in made}
    folders = [folder / f"{hops}_hops" for hops in material.by_hops]
    rows = {name: {row.id: row for path in folders for row in read_shards(path, name, RealHopRow)} for name in SIDES}
    candidates = tuple(found[item.id] for item in material.items)
    kept = [one.id for one in candidates if one.status == "kept"]
    answered = [one for path in folders for one in read_shards(path, MODELS, Answering)]
    full, source = (tuple(rows[name][id] for id in kept) for name in SIDES)
    return Part(candidates, full, source, by_role(answered))


def part_facts(material: Material, means: Means, tools: Mapping[str, str]) -> dict[str, Any]:
    """Return what the part's key is made of; how many items are wanted only says how many shards are made."""
    recipe = replace(means.recipe, two_hops=None, three_hops=None, four_hops=None)
    return {
        "origin": asdict(material.origin),
        "items": len(material.items),
        "recipe": asdict(recipe),
        "tools": dict(tools),
        "seed": means.seed,
        "voices": means.voices.facts(),
        "withdrawn": dict(means.withdrawn),
    }


def _build_length(
    folder: Path, hops: int, items: Sequence[Item], config: str, means: Means, start: Start
) -> list[RealHopCandidate]:
    """Make shards of the items of one length until enough are kept, and return a record of every item."""
    wanted = means.recipe.wanted(hops)
    size = ITEMS_PER_ASKED_SHARD if means.voices.asked else ITEMS_PER_SHARD
    done = start(f"{config}, {hops} hops", len(items))

    def jobs() -> Iterator[Sequence[Item]]:
        tried = 0
        for batch in batches(items, size):
            if enough(_made(folder, items[:tried]), wanted):
                return
            yield batch
            tried += len(batch)

    build_shards(
        folder,
        jobs(),
        lambda batch: make_shard(batch, config, means),
        lambda batch, found: done(len(batch), found),
        lambda rows: sum(one.status == "pending" for one in rows[CONSTRUCTION]),
    )
    made = take(_made(folder, items), wanted)
    known = {one.id for one in made}
    return [*made, *(untried(config, item, wanted or 0) for item in items if item.id not in known)]


def _made(folder: Path, items: Sequence[Item]) -> list[RealHopCandidate]:
    """Return the records that shards of these items hold, in the order of the items."""
    found = {one.id: one for one in read_shards(folder, CONSTRUCTION, RealHopCandidate)}
    return [found[item.id] for item in items if item.id in found]


def make_shard(batch: Sequence[Item], config: str, means: Means) -> dict[str, list[Any]]:
    """Return the rows of both sides, the record of every item, and the models that answered."""
    means.voices.forget_models()
    trails = run_steps([Trail(Work(item)) for item in batch], steps(means))
    drafts = [trail.draft.draft for trail in trails if trail.status == "kept" and trail.draft.draft]
    return {
        "full": [draft.full for draft in drafts],
        "source": [draft.source for draft in drafts],
        CONSTRUCTION: [candidate(config, trail) for trail in trails],
        MODELS: answering(means.voices),
    }
