"""The parts of a question: fronted adjunct, question phrase, and the clause after it with its subject and its gap."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from loaders.records import Reason

Tokens = Sequence[Any]  # spaCy tokens

WH = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "how", "why"})
BE = frozenset({"is", "are", "was", "were", "'s", "’s", "s", "'re"})
DO = frozenset({"do", "does", "did"})
HAVE = frozenset({"has", "have", "had"})
MODAL = frozenset({"will", "would", "can", "could", "should", "may", "might", "must", "shall"})
AUXILIARY = BE | DO | HAVE | MODAL
_DEGREE = frozenset(
    {"many", "much", "long", "old", "far", "tall", "high", "deep", "big", "large", "fast", "often", "wide", "heavy"}
)
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_ADVERBS = frozenset({"RB", "RBR", "RBS"})
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})


@dataclass(frozen=True)
class Question:
    """A question cut up; `noun` is what which/what/whose/how goes with, `body` starts at the finite verb."""

    lead: str
    prep: str
    wh: str
    noun: Tokens
    body: Tokens


def words(tokens: Tokens) -> str:
    """The tokens' text with its own spacing."""
    return "".join(token.text_with_ws for token in tokens).strip()


def is_adverb(token: Any) -> bool:
    return token.tag_ in _ADVERBS and token.lower_ not in {"not", "n't"}


def question_tokens(doc: Any) -> list[Any]:
    """The doc's tokens without spaces and without closing punctuation."""
    tokens = [token for token in doc if not token.is_space]
    while tokens and re.fullmatch(r"[?.!,;:…¿]+", tokens[-1].text):
        tokens.pop()
    return tokens


def question_phrase_end(tokens: Tokens, at: int) -> int | None:
    """Index of the finite verb after the question word at `at`; None where there is none to see."""
    wh = tokens[at].lower_
    if wh in {"who", "whom", "when", "where", "why"}:
        return at + 1 if at + 1 < len(tokens) else None
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.lower_ in AUXILIARY and not (token.lower_ in {"'s", "’s", "s"} and index > at + 1):
            return index
        if index > at + 1 and token.tag_ in {"VBD", "VBZ", "VBP"} and token.dep_ not in {"amod", "compound"}:
            return index
    return None


def analyse(tokens: Tokens) -> Question | Reason:
    """Cut a question at its question phrase; a Reason where that is not at the front."""
    places = [index for index, token in enumerate(tokens) if token.lower_ in WH]
    if not places:
        return Reason("no_question_word")
    if any(tokens[index - 1].lower_ in {"and", "or"} for index in places[1:]):
        return Reason("coordinated_questions")
    at = places[0]
    lead, prep = tokens[:at], ""
    if lead and lead[-1].tag_ in {"IN", "TO"} and tokens[at].lower_ in {"what", "which", "whom", "whose", "how"}:
        lead, prep = lead[:-1], lead[-1].lower_
    if lead and not _is_fronted(lead, tokens[at:]):
        return Reason("question_word_inside")
    end = question_phrase_end(tokens, at)
    if end is None:
        return Reason("no_main_verb")
    return Question(words(lead), prep, tokens[at].lower_, tokens[at + 1 : end], tokens[end:])


def _is_fronted(lead: Tokens, rest: Tokens) -> bool:
    root = next((token for token in rest if token.dep_ == "ROOT"), None)
    opens = lead[0].tag_ in {"IN", "VBN", "VBG", "TO"} or lead[0].lower_ in {"according", "during", "in", "on", "at"}
    return root is not None and opens and not any(token.tag_ in {"VBZ", "VBP", "MD"} for token in lead)


def subject_end(body: Tokens) -> int | None:
    """Index in `body` (auxiliary first) one past the subject that follows the auxiliary; None where parse and surface disagree."""
    if len(body) < 2:
        return None
    start, last = body[1].i, body[-1].i
    for token in body[1:]:
        if token.dep_ in _SUBJECTS and token.left_edge.i == start and token.right_edge.i <= last:
            return int(token.right_edge.i - start + 2) if _runs(body) else None
    return None


def _runs(body: Tokens) -> bool:
    return bool(body[-1].i - body[0].i == len(body) - 1)


def verb_after(body: Tokens, start: int) -> int | None:
    """Index of the first verb at or after `start`, adverbs skipped."""
    for index in range(start, len(body)):
        if body[index].tag_ in _VERBS:
            return index
        if not is_adverb(body[index]):
            return None
    return None


def base_verb(body: Tokens) -> int | None:
    """Index of the base-form verb that belongs to a leading do, will, can ...: by the parse, else the first that a noun precedes."""
    end = subject_end(body)
    index = verb_after(body, end) if end else None
    if index and body[index].tag_ in {"VB", "VBP"}:
        return index
    head = next((index for index, token in enumerate(body) if token == body[0].head), 0)
    if head > 1 and body[head].tag_ in {"VB", "VBP"}:
        return head
    bases = [
        index for index, token in enumerate(body) if index > 1 and token.tag_ == "VB" and body[index - 1].lower_ != "to"
    ]
    return bases[0] if bases else None


def stranded(rest: Tokens) -> int | None:
    """Index of the preposition in `rest` that has lost its object to the question phrase, else None."""
    last = len(rest) - 1
    for index in range(last, 0, -1):
        token = rest[index]
        if token.tag_ not in {"IN", "TO", "RP"} or any(
            child.dep_ in {"pobj", "pcomp", "prep"} for child in token.children
        ):
            continue
        if index == last or (rest[index + 1].tag_ == "IN" and token.dep_ in {"prep", "agent"}):
            return index
    return None


def object_gap(rest: Tokens, verb: int) -> int | None:
    """Index after which the object of the verb at `verb` (or of its last infinitive) goes; None where it has one already."""
    stranded_at = stranded(rest)
    if stranded_at is not None:
        return stranded_at
    for index in range(verb + 1, len(rest)):
        if rest[index].tag_ == "VB" and rest[index].dep_ == "xcomp" and rest[index - 1].lower_ == "to":
            verb = index
    if any(
        child.dep_ in {"dobj", "attr", "ccomp", "oprd", "dative"} and child.i > rest[verb].i
        for child in rest[verb].children
    ):
        return None
    after = rest[verb + 1 :]
    particle = bool(after) and after[0].dep_ == "prt"
    following = after[1:] if particle else after
    if (
        following
        and following[0].tag_ not in {"IN", "RB", "TO", ",", "WRB"}
        and following[0].dep_ not in {"npadvmod", "advmod", "prep"}
    ):
        return None
    return verb + particle
