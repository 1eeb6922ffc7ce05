"""Questions with be: identity, a predicate that has lost its object, and a time or place of something."""

import re

from builders.grammar.answers import SLOT, article, is_list, opens_sentence
from builders.grammar.clauses import PREPOSITIONS, declarative, end_gap, inverted, object_gap, stranded
from builders.grammar.questions import BE, Question, Tokens, finite, words
from builders.grammar.splits import participle, split, subject_end
from builders.grammar.subjects import agreeing, slot, subject_clause
from loaders.records import Reason

_GROUP = re.compile(r"(?:the|some of the|some|two|three|four|five|six|seven|\d+) ", re.IGNORECASE)
_TIME = re.compile(r"(?:the )?(last|first|next|only|final) time\b")


def singular(verb: str) -> str:
    """The singular of a form of be."""
    return {"are": "is", "were": "was"}.get(verb, verb)


def identity(question: Question, answer: str) -> str | Reason:
    """Identity, in the order that lets the sentence open; "one of" where the noun is plural and the answer not."""
    body, verb = question.body, finite(question.body)
    if len(body) < 2 or body[1].lower_ == "there":
        return Reason("no_main_verb")
    rest = words(body[1:])
    if verb in {"are", "were"} and not is_list(answer):
        group = _group(body, rest)
        if group:
            return f"one of {group} {singular(verb)} {SLOT}"
    named = body[1].pos_ == "PROPN" and not re.search(r"['’]s", rest)
    if question.wh == "who" and opens_sentence(answer) and not named:
        return f"{article(answer)}{SLOT} {agreeing(question, answer)} {rest}"
    return f"{rest} {verb} {article(answer)}{SLOT}"


def _group(body: Tokens, rest: str) -> str | None:
    """The plural noun phrase that the answer is one of; None where it may be one thing."""
    if _GROUP.match(rest):
        return rest if rest.lower().startswith("the ") else "the " + re.sub(r"^some (?:of the )?", "", rest)
    return rest if body[-1].tag_ == "NNS" and any(token.tag_ == "POS" for token in body) else None


def be_clause(question: Question, answer: str) -> str | Reason:
    """ "Who/what is X (participle) (preposition)": the inverted clause where one shows, else identity."""
    body, filler = question.body, slot(question, answer)
    if any(token.dep_ == "neg" for token in body):
        return Reason("negated_question")
    by_surface = stranded(body) is not None or body[-1].lower_ in {"called", "named", "titled"}
    if participle(body, by_surface=by_surface):
        parts = split(body, by_surface=by_surface)
        if isinstance(parts, Reason):
            return parts
        gap = object_gap(parts.rest, parts.verb)
        return Reason("gap_not_found") if gap is None else declarative(body, parts, gap, filler)
    if body[-1].lower_ in PREPOSITIONS:
        return open_predicate(body, filler)
    if len(body) > 1 and body[1].tag_ == "JJ" and body[1].dep_ == "acomp":
        return subject_clause(question, answer)
    if any(token.tag_ == "VBG" and token.dep_ in {"acl", "ROOT"} for token in body[1:4]):
        return Reason("parse_and_surface_disagree")
    return identity(question, answer)


def open_predicate(body: Tokens, filler: str) -> str | Reason:
    """ "X is a member of", "X is from": subject, be, the predicate with its preposition, then the answer."""
    end = subject_end(body)
    if end is None or end >= len(body):
        determiners = (i for i in range(2, len(body)) if body[i].lower_ in {"a", "an", "the"})
        end = next((i for i in determiners if body[i - 1].pos_ != "ADP"), len(body) - 1)
    while end > 2 and body[end - 1].tag_ == "JJ":
        end -= 1
    if end == len(body) - 1 and body[end - 1].lower_ == "part":
        end -= 1
    if end < 2 or (body[end].pos_ in {"NOUN", "PROPN"} and body[end - 1].pos_ in {"NOUN", "PROPN"}):
        end = len(body) - 1
    if end < 2:
        return Reason("no_subject")
    return f"{words(body[1:end])} {finite(body)} {words(body[end:])} {filler}"


def adverbial(body: Tokens, filler: str) -> str | Reason:
    """A time or place at the end of the clause, or after what is then or there."""
    verb = finite(body)
    if verb not in BE:
        return inverted(body, end_gap, filler)
    rest = words(body[1:])
    event = _TIME.match(rest)
    if event:
        verb = "was" if verb == "is" and event[1] != "next" else verb
        return f"{'' if rest.startswith('the') else 'the '}{rest} {verb} {filler}"
    if participle(body, by_surface=True):
        return inverted(body, end_gap, filler)
    end = subject_end(body)
    if end and end < len(body) and body[end].pos_ in {"ADJ", "ADP", "ADV"} and body[end].lower_ not in {"of", "for"}:
        return f"{words(body[1:end])} {verb} {words(body[end:])} {filler}"
    verbs = [token.tag_ in {"VBD", "VBZ", "VBP"} for token in body[1:]] + [token.tag_ == "VBG" for token in body[2:]]
    if any(verbs):
        return Reason("parse_and_surface_disagree")
    if not rest or rest.lower().startswith("it ") or body[1].tag_ in {"VBN", "VBD"}:
        return Reason("no_subject")
    return f"{rest} {verb} {filler}"
