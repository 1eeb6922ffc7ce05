"""Items that the rules leave alone, because no sentence of ours would say what their questions ask."""

import re
from itertools import permutations

from builders.realhop.constants import holds
from builders.realhop.graph import KEY
from builders.realhop.rebinding import not_rebindable
from builders.realhop.understand import Understood
from loaders.records import Item, Reason

_TANGLED = re.compile(r"\b(?:of|was|is) (?:who|where)\b")
_PLAYED = re.compile(r"\bplay(?:s|ed)\b")
_PART = re.compile(r"\b(?:play|act(?:or|ress)|star|role|cast|portray|voice)", re.IGNORECASE)
_KIN = re.compile(r"\b(?:father|mother|parent|child|son|daughter|sibling|brother|sister|spouse|wife|husband)\b")


def unfit(item: Item) -> Reason | None:
    """Why an item cannot be planned at all; None where it may be.

    Reasons: `tangled_question` ("the girlfriend of who plays X"), `no_single_support`, `not_rebindable`.
    """
    if _TANGLED.search(item.question):
        return Reason("tangled_question", item.question)
    for hop in item.hops:
        if len(hop.support) != 1:
            return Reason("no_single_support", f"hop {hop.hop_id} has {len(hop.support)} supporting passages")
    return next(filter(None, map(not_rebindable, item.hops)), None)


def unsound(item: Item, known: Understood) -> Reason | None:
    """Why the patterns do not ask what the question asks; None where they do.

    Reasons: `constant_not_in_hops`, `hop_not_asked` (two parts played, and the question speaks of one), `same_answer`
    (one person as the answer of two hops would become two).
    """
    told = "\n".join(pattern for pattern in known.patterns.values() if isinstance(pattern, str))
    used = set(KEY.findall(told))
    unused = next((constant for constant in known.constants if constant.key not in used), None)
    if unused:
        return Reason("constant_not_in_hops", unused.original)
    if len(_PLAYED.findall(told)) > max(1, len(_PART.findall(item.question))):
        return Reason("hop_not_asked", item.question)
    people = [hop for hop in item.hops if known.kinds[f"h{hop.hop_id}"] == "person"]
    for one, other in permutations(people, 2):
        if holds(one.answer, other.answer) and not _KIN.search(f"{one.relation} {other.relation}"):
            return Reason("same_answer", f"{one.answer}, {other.answer}")
    return None
