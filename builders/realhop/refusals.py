"""Items that the rules leave alone, because no sentence of ours would say what their questions ask."""

import re
from itertools import permutations

from builders.realhop.constants import holds
from builders.realhop.graph import KEY
from builders.realhop.reading import read_sentence
from builders.realhop.rebinding import not_rebindable
from builders.realhop.understand import Understood
from loaders.records import Item, Reason

_TANGLED = re.compile(r"\b(?:of|was|is) (?:who|where)\b")
# A word too many, two verbs for one subject, or an office that begins or ends.
_BROKEN = re.compile(
    r"\b(who|the|of|in|an?|is|was) \1\b|\b(?:has|have) (?:is|are|was|were)\b|"
    r"\bdid\b(?!.*\b(?:that|who|which)\b).*\btakes\b|"
    r"\bdid (?:the )?(?:governor|mayor|merchant|president|king|queen|leader|owner)s?\b"
    r".*\b(?:end|begin|start|take place)\?",
    re.IGNORECASE,
)
_PLAYED = re.compile(r"\bplay(?:s|ed)\b")
_PART = re.compile(r"\b(?:play|act(?:or|ress)|star|role|cast|portray|voice)", re.IGNORECASE)
# What says a relation in a question: each hop of it wants such words, and such words want a hop.
_SAID = {
    "born_in": r"\b(?:born|birth\w*|native)\b",
    "died_in": r"\b(?:die[sd]?|death\w*|passed away|dead|killed)\b",
    "named_after": r"\bnamed (?:after|for)\b|\bnamesake\b|\beponym",
    "work_in": r"\b(?:work\w*|employ\w*|jobs?)\b",
    "live_in": r"\b(?:live[sd]?|living|resid\w+|home|dwell\w*)\b",
    "study_at": r"\b(?:stud\w+|educat\w+|attend\w*|school|university|college|alma mater|graduat\w+)\b",
}
_HAD_DONE = re.compile(r"\b(?:had|has|have) ((?:[a-z]+ )?[a-z]+s) [a-z]+ed\b")  # "had crossover hits played"
_TOLD_TOO = ("born_in", "died_in", "named_after")
_BEST = re.compile(r"\b(?:first|second|third|last|\w{2,}est|most|least)\b", re.IGNORECASE)
_NO_RANK = re.compile(
    r"^(?:west|forest|test|guest|request|interest|contest|quest|conquest|rest|protest|harvest)$", re.I
)
# "a working {h1}": the answer is a class of people or things, for which no name can stand.
_CLASS = re.compile(r"\ban? (?:(?!(?:of|in|by|at|for|to|from|on|with|about|as) )[a-z-]+ )?\{h\d+\}")
_KIN = re.compile(r"\b(?:father|mother|parent|child|son|daughter|sibling|brother|sister|spouse|wife|husband)\b")


def unfit(item: Item) -> Reason | None:
    """Why an item cannot be planned at all; None where it may be.

    Reasons: `tangled_question` ("the girlfriend of who plays X"), `broken_question` ("the physicist who who"),
    `no_single_support`, `not_rebindable`.
    """
    if _BROKEN.search(item.question):
        return Reason("broken_question", item.question)
    if _TANGLED.search(item.question):
        return Reason("tangled_question", item.question)
    for hop in item.hops:
        if len(hop.support) != 1:
            return Reason("no_single_support", f"hop {hop.hop_id} has {len(hop.support)} supporting passages")
    return next(filter(None, map(not_rebindable, item.hops)), None)


def unsound(item: Item, known: Understood) -> Reason | None:
    """Why the patterns do not ask what the question asks; None where they do.

    Reasons: `constant_not_in_hops`, `hop_not_asked` (two parts played, and the question speaks of one; a hop of which
    the question has no word, or words of a relation without a hop), `rank_not_in_hops` ("the oldest", of which no hop
    speaks), `same_answer` (one person as the answer of two hops would become two), `not_rebindable` (an answer that is
    a class, such as a profession).
    """
    told = "\n".join(pattern for pattern in known.patterns.values() if isinstance(pattern, str))
    if of_class := _CLASS.search(told):
        return Reason("not_rebindable", f"a class, no name: {of_class[0]}")
    used = set(KEY.findall(told))
    unused = next((constant for constant in known.constants if constant.key not in used), None)
    if unused:
        return Reason("constant_not_in_hops", unused.original)
    if not_asked := _not_asked(item.question, told):
        return Reason("hop_not_asked", f"{not_asked}: {item.question}")
    if len(_PLAYED.findall(told)) > max(1, len(_PART.findall(item.question))):
        return Reason("hop_not_asked", item.question)
    if rank := _rank_left_out(item.question, told, known):
        return Reason("rank_not_in_hops", rank)
    people = [hop for hop in item.hops if known.kinds[f"h{hop.hop_id}"] == "person"]
    for one, other in permutations(people, 2):
        if holds(one.answer, other.answer) and not _KIN.search(f"{one.relation} {other.relation}"):
            return Reason("same_answer", f"{one.answer}, {other.answer}")
    return None


def _not_asked(question: str, told: str) -> str:
    """What hops say and the question does not, or the question and no hop; `formed from` is no `part of`."""
    found = {atom.relation for atom in filter(None, map(read_sentence, told.splitlines()))}
    for relation, said in _SAID.items():
        asked = re.search(said, question, re.IGNORECASE)
        if relation in found and not asked:
            return relation
        if relation in _TOLD_TOO and asked and not re.search(said, told, re.IGNORECASE):
            return relation
    had = _HAD_DONE.search(question)
    if had and had[1] not in told:
        return had[1]
    return "part_of" if "part_of" in found and re.search(r"\bformed from\b", question) else ""


def _rank_left_out(question: str, told: str, known: Understood) -> str:
    """A superlative or ordinal of the question, where no hop has any of its own."""
    for constant in known.constants:
        question = question.replace(constant.original, "")
    ranks = [word for word in _BEST.findall(question) if not _NO_RANK.match(word)]
    return ranks[0] if ranks and not _BEST.search(told) else ""
