"""Where the subject of an inverted question ends, which verb is the main one, and where the asked-for part was."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from builders.grammar.inflect import VERBS, past, third_person
from builders.grammar.questions import BE, CONTRACTED_IS, DO, HAVE, MODAL, WH, Tokens, is_adverb, words
from loaders.records import Reason

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB", "X", "SYM"})
_OBJECTS = frozenset({"dobj", "attr", "ccomp", "oprd", "dative"})
_NAMING = frozenset({"called", "named", "titled", "entitled", "nicknamed", "known", "dubbed"})
# Verbs that take a bare infinitive, so that a second base form after them is no sign of a wrong parse.
_BARE_INFINITIVE = frozenset("help let make see hear watch go come have dare need".split())
# Words that head a subject more often than they are the verb, when another verb follows.
_NOUN_LIKE = frozenset(
    "show walk play film record match run release fall cross hit treat cover star drink strike march band".split()
)
PREPOSITIONS = frozenset(
    "in on at by for from to with of about as like into over under against after through along between off up".split()
)


class Split(NamedTuple):
    """Subject, the words after it, and the index of the main verb in those."""

    subject: Tokens
    rest: Tokens
    verb: int


def subject_end(body: Tokens) -> int | None:
    """Index in `body` (auxiliary first) one past the subject that follows the auxiliary, by the parse."""
    if len(body) < 2 or body[-1].i - body[0].i != len(body) - 1:
        return None
    for token in body[1:]:
        if token.dep_ in _SUBJECTS and token.left_edge.i == body[1].i and token.right_edge.i <= body[-1].i:
            return int(token.right_edge.i - body[0].i + 1)
    return None


def _after_adverbs(body: Tokens, start: int) -> int:
    while start < len(body) - 1 and is_adverb(body[start]):
        start += 1
    return start


def _may_be_base(body: Tokens, index: int) -> bool:
    token, before = body[index], body[index - 1]
    if token.tag_ in {"JJ", "JJR", "JJS"} and index < len(body) - 1:
        return False
    if before.lower_ in {"to", "and", "or", "-"} or before.tag_ in {"DT", "PRP$", "IN", "POS", "HYPH"}:
        return False
    if token.tag_ == "VB":
        return True
    wrong_past = body[0].lower_ == "did" and token.tag_ in {"VBD", "VBN"} and token.dep_ == "ROOT"
    return token.lower_ in VERBS or wrong_past


def base_verb(body: Tokens) -> int | None:
    """Index of the base form that belongs to a leading do or modal; None where parse and surface leave it open."""
    found = [index for index in range(2, len(body)) if _may_be_base(body, index)]
    found = [index for index in found if not _is_subordinate(body, index)]
    end = subject_end(body)
    parsed = _after_adverbs(body, end) if end and end < len(body) else None
    if parsed not in found:
        parsed = next((index for index in found if body[index] == body[0].head), None)
    if parsed is None:
        return (
            _only(found)
            or _only([i for i in found if body[i].tag_ == "VB"])
            or _only([i for i in found if _ends_clause(body, i)])
        )
    rivals = [index for index in found if index > parsed and (body[index].tag_ == "VB" or _ends_clause(body, index))]
    if not rivals or body[parsed].lower_ in _BARE_INFINITIVE:
        return parsed
    return rivals[0] if body[parsed].lower_ in _NOUN_LIKE and len(rivals) == 1 else None


def _only(found: list[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _ends_clause(body: Tokens, index: int) -> bool:
    return index == len(body) - 1 or body[index + 1].tag_ in {"IN", "RP"}


def _is_subordinate(body: Tokens, index: int) -> bool:
    return any(token.lower_ in WH | {"that", "after", "before", "because", "if", "since"} for token in body[1:index])


def participle(body: Tokens, *, by_surface: bool) -> int | None:
    """Index of the participle that a leading be goes with: by the parse, else (asked for) the last after a noun."""
    end = subject_end(body)
    if end and end < len(body):
        index = _after_adverbs(body, end)
        followed_by_noun = index + 1 < len(body) and body[index + 1].pos_ == "NOUN" and body[1].pos_ == "DET"
        if body[index].tag_ in {"VBN", "VBG", "VBD"} and not followed_by_noun:
            return index
    if not by_surface:
        return None
    for index in range(2, len(body) - 1):
        if body[index].lower_ == "going" and body[index + 1].lower_ == "to":
            return index
    found = [
        index
        for index in range(2, len(body))
        if body[index].tag_ in {"VBN", "VBD"}
        and not _is_subordinate(body, index)
        and body[index].dep_ not in {"amod", "compound"}
        and _before_adverbs(body, index).pos_ in _NOMINAL
        and (body[index].lower_ not in _NAMING or _ends_clause(body, index))
    ]
    relative = any(token.lower_ == "that" for token in body)
    if (
        not found
        and not relative
        and len(body) > 2
        and body[-1].tag_ in {"VBN", "VBD"}
        and body[-2].lower_ not in BE | {"be", "been", "being"}
    ):
        return len(body) - 1
    return found[-1] if found else None


def _before_adverbs(body: Tokens, index: int) -> Any:
    index -= 1
    while index > 1 and is_adverb(body[index]):
        index -= 1
    return body[index]


def split(body: Tokens, *, by_surface: bool = True) -> Split | Reason:
    """Cut an inverted clause (auxiliary, subject, verb ...) after its subject."""
    if any(token.dep_ == "neg" for token in body):
        return Reason("negated_question")
    auxiliary = body[0].lower_
    if auxiliary in DO | MODAL:
        verb = base_verb(body)
    elif auxiliary in BE:
        verb = participle(body, by_surface=by_surface)
    elif auxiliary in HAVE:
        verb = subject_end(body)
        verb = _after_adverbs(body, verb) if verb and verb < len(body) else None
    else:
        return Reason("no_auxiliary", auxiliary)
    if verb is None:
        return Reason("no_main_verb")
    start = verb
    while start > 2 and is_adverb(body[start - 1]) and body[start - 1].dep_ == "advmod":
        start -= 1
    if start < 2 or not any(token.pos_ in _NOMINAL for token in body[1:start]):
        return Reason("no_subject")
    return Split(body[1:start], body[start:], verb - start)


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
    if (
        body[0].lower_ in DO
        and len(joined) == 2
        and joined[0].lower_ in {"and", "or"}
        and joined[1].tag_.startswith("VB")
    ):
        return Reason("coordinated_verbs")
    gap = place(parts.rest, parts.verb)
    return Reason("gap_not_found") if gap is None else declarative(body, parts, gap, filler)
