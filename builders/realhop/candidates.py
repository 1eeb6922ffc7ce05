"""The published record of every source item, kept or not, and what is counted over them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from builders.realhop.graph import Plan
from builders.realhop.recipe import SEMANTIC, Work
from builders.realhop.rows import relation_of
from builders.steps import Trail, funnel
from loaders.realhop import RealHopCandidate
from loaders.records import Item, Verdict

TARGET = "target"
_OPINION = f"{SEMANTIC} "


def candidate(config: str, trail: Trail[Work]) -> RealHopCandidate:
    """Return the record of an item, a checker's opinions before the verdict that rests on them."""
    work = trail.draft
    return RealHopCandidate(
        id=work.item.id,
        config=config,
        status=trail.status,
        reason=trail.reason.code if trail.reason else "",
        question=work.plan.question if work.plan else "",
        relations=_relations(work.plan) if work.plan else (),
        dropped_paths=work.draft.dropped_paths if work.draft else (),
        verdicts=tuple(_with_opinions(trail.verdicts, work.opinions)),
    )


def _relations(plan: Plan) -> tuple[str, ...]:
    return tuple(relation_of(plan, hop) for hop in plan.hops)


def _with_opinions(verdicts: Sequence[Verdict], opinions: Sequence[Verdict]) -> Iterator[Verdict]:
    for verdict in verdicts:
        if verdict.gate == SEMANTIC:
            yield from opinions
        yield verdict


def untried(config: str, item: Item, wanted: int) -> RealHopCandidate:
    """Return the record of an item that was not needed: there are enough of its length."""
    return _over(RealHopCandidate(item.id, config, "kept", "", "", (), (), ()), wanted)


def take(found: Sequence[RealHopCandidate], wanted: int | None) -> list[RealHopCandidate]:
    """Keep the first items of one length, as many as are wanted; one that is pending keeps its place."""
    if wanted is None:
        return list(found)
    taken, kept = 0, []
    for one in found:
        if one.status == "kept":
            passed = replace(one, verdicts=(*one.verdicts, Verdict(TARGET, 1, "pass", "")))
            kept.append(passed if taken < wanted else _over(one, wanted))
        else:
            kept.append(one)
        taken += one.status != "rejected"
    return kept


def _over(one: RealHopCandidate, wanted: int) -> RealHopCandidate:
    verdict = Verdict(TARGET, 1, "fail", f"over_target: {wanted} are wanted")
    return replace(one, status="rejected", reason="over_target", verdicts=(*one.verdicts, verdict))


def enough(found: Iterable[RealHopCandidate], wanted: int | None) -> bool:
    """Whether as many items are kept, or wait for a model, as are wanted."""
    return wanted is not None and sum(one.status != "rejected" for one in found) >= wanted


def counts(found: Sequence[RealHopCandidate]) -> list[dict[str, Any]]:
    """Return the funnel; a checker's single opinions are no steps of it."""
    trails = (tuple(one for one in each.verdicts if not one.gate.startswith(_OPINION)) for each in found)
    return [asdict(count) for count in funnel(trails)]


def opinion_counts(found: Iterable[RealHopCandidate]) -> dict[str, dict[str, int]]:
    """Return how often a checker said what, by kind of question."""
    said: dict[str, Counter[str]] = {}
    for one in found:
        for verdict in one.verdicts:
            if verdict.gate.startswith(_OPINION):
                kind = " ".join(verdict.gate.split()[:2])
                said.setdefault(kind, Counter())[verdict.verdict] += 1
    return {kind: dict(sorted(words.items())) for kind, words in sorted(said.items())}
