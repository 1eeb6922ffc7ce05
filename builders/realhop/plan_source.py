"""Whether a source item can be planned at all, whoever plans it."""

from collections.abc import Iterator, Sequence

from builders.realhop.rebinding import not_rebindable
from builders.sources.items import unfit
from eval.answers import normalise
from loaders.records import Hop, Item, Reason


def source_fault(item: Item) -> Reason | None:
    """Return why no plan can be made: `unanswerable`, `hop_without_support`, or one of `_faults`."""
    return unfit(item) or next(_faults(item), None)


def _faults(item: Item) -> Iterator[Reason]:
    """Reasons: `several_supports`, `hop_without_answer`, `not_rebindable`, `same_answer` (it would become two),
    `hop_leads_nowhere`, `answer_changed`.
    """
    answers: dict[str, str] = {}
    for hop in item.hops:
        if len(hop.support) > 1:
            yield Reason("several_supports", f"hop {hop.hop_id} rests on {len(hop.support)} passages")
        if not normalise(hop.answer):
            yield Reason("hop_without_answer", f"hop {hop.hop_id}")
        if reason := not_rebindable(hop):
            yield reason
        if (first := answers.setdefault(normalise(hop.answer), hop.hop_id)) != hop.hop_id:
            yield Reason("same_answer", f"hops {first} and {hop.hop_id}: {hop.answer}")
    needed = _needed(item.hops)
    for hop in item.hops:
        if hop.hop_id not in needed:
            yield Reason("hop_leads_nowhere", f"the last hop does not need hop {hop.hop_id}")
    last = item.hops[-1].answer
    if normalise(last) not in {normalise(answer) for answer in item.answers}:
        yield Reason("answer_changed", f"the last hop answers {last}, the question {item.answer}")


def _needed(hops: Sequence[Hop]) -> set[str]:
    """The last hop and all that it rests on, near or far."""
    needed = {hops[-1].hop_id}
    for hop in reversed(hops):
        if hop.hop_id in needed:
            needed.update(hop.depends_on)
    return needed
