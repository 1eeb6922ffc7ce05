"""Where the asked-for part of an inverted question was, and the declarative clause with a filler in its place."""

import re
from collections.abc import Callable

from builders.grammar.inflect import VERBS, past, third_person
from builders.grammar.questions import CONTRACTED_IS, DO, Tokens, words
from builders.grammar.splits import Split, split
from loaders.records import Reason

_OBJECTS = frozenset({"dobj", "attr", "ccomp", "oprd", "dative"})
PREPOSITIONS = frozenset(
    "in on at by for from to with of about as like into over under against after through along between off up".split()
)


def stranded(rest: Tokens) -> int | None:
    """Index of the preposition in `rest` that has lost its object to the question phrase, else None."""
    last = len(rest) - 1
    for index in range(last, 0, -1):
        token = rest[index]
        if token.lower_ not in PREPOSITIONS or any(
            child.i > token.i and child.pos_ != "ADP" for child in token.children
        ):
            continue
        follows_free = (
            index == last
            or rest[index + 1].tag_ in {"IN", "RB", "WRB", "TO", "CD", ","}
            or rest[index + 1].dep_ == "npadvmod"
        )
        if follows_free and (index == last or token.dep_ in {"prep", "agent"}):
            return index
    return None


def object_gap(rest: Tokens, verb: int) -> int | None:
    """Index in `rest` after which the object of the verb, or of its last infinitive, goes; None where one is there."""
    at = stranded(rest)
    if at is not None:
        return at
    for index in range(verb + 1, len(rest)):
        if rest[index].tag_ == "VB" and rest[index - 1].lower_ == "to" and rest[index].dep_ == "xcomp":
            verb = index
    if any(child.dep_ in _OBJECTS and child.i > rest[verb].i for child in rest[verb].children):
        return None
    after = rest[verb + 1 :]
    particle = bool(after) and after[0].dep_ == "prt"
    following = after[1:] if particle else after
    if following and following[0].tag_ not in {"IN", "RB", "TO", ",", "WRB"} and following[0].dep_ != "npadvmod":
        return None
    return verb + particle


def end_gap(rest: Tokens, verb: int) -> int | None:
    """The end of the clause, where a time, a place or a manner stands."""
    return len(rest) - 1


def declarative(body: Tokens, parts: Split, gap: int, filler: str) -> str:
    """Subject, verb group with do-support undone, and the filler after the token at `gap`."""
    texts = [token.text_with_ws for token in parts.rest]
    auxiliary = body[0].lower_
    if auxiliary in DO:
        verb = parts.rest[parts.verb].lower_
        form = (
            past(verb)
            if auxiliary == "did"
            else third_person(verb)
            if auxiliary == "does" and not _plural(parts.subject)
            else verb
        )
        texts[parts.verb] = form + " "
        auxiliary = ""
    auxiliary = "is" if auxiliary in CONTRACTED_IS else auxiliary
    before, after = "".join(texts[: gap + 1]), "".join(texts[gap + 1 :])
    return f"{_reader(words(parts.subject))} {auxiliary} {before} {filler} {after}"


def _plural(subject: Tokens) -> bool:
    """Whether the subject's head is a plural noun, whatever the question's auxiliary says."""
    head = next((token for token in subject if token.head not in subject), None)
    one_phrase = subject[0].tag_ == "DT" or all(token.lower_ != "of" for token in subject)
    return head is not None and head.tag_ == "NNS" and one_phrase


def _reader(subject: str) -> str:
    """The asker's first person as the reader's second."""
    return "you" if subject in {"i", "I"} else re.sub(r"^my ", "your ", subject)


def inverted(body: Tokens, place: Callable[[Tokens, int], int | None], filler: str) -> str | Reason:
    """The declarative of an inverted question, with the filler where `place` finds its gap."""
    parts = split(body)
    if isinstance(parts, Reason):
        return parts
    joined = parts.rest[parts.verb + 1 : parts.verb + 3]
    if body[0].lower_ in DO and len(joined) == 2 and joined[0].lower_ in {"and", "or"} and joined[1].lower_ in VERBS:
        return Reason("coordinated_verbs")
    gap = place(parts.rest, parts.verb)
    return Reason("gap_not_found") if gap is None else declarative(body, parts, gap, filler)
