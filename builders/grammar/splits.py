"""Where the subject of an inverted question ends, and which verb is the main one."""

from typing import Any, NamedTuple

from builders.grammar.inflect import VERBS
from builders.grammar.questions import BE, DO, HAVE, MODAL, WH, Tokens, is_adverb
from loaders.records import Reason

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB", "X", "SYM"})
_NAMING = frozenset({"called", "named", "titled", "entitled", "nicknamed", "known", "dubbed"})
# Verbs that take a bare infinitive, so that a second base form after them is no sign of a wrong parse.
_BARE_INFINITIVE = frozenset("help let make see hear watch go come have dare need".split())
# Words that head a subject more often than they are the verb, when another verb follows.
_NOUN_LIKE = frozenset(
    "show walk play film record match run release fall cross hit treat cover star drink strike march band".split()
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
