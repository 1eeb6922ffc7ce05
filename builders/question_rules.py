"""One rule for each question word: an analysed question and the answer to a clause with a slot."""

import re
from collections.abc import Callable

from builders.answer_phrase import article, duration, is_number, is_plural, opens_sentence, season, when, where
from builders.clauses import (
    base_verb,
    declarative,
    end_gap,
    inverted,
    object_gap,
    participle,
    split,
    stranded,
    subject_end,
)
from builders.inflect import plural_form, third_person
from builders.questions import AUXILIARY, BE, CONTRACTED_IS, DO, HAVE, MODAL, Question, Tokens, is_adverb, words
from loaders.records import Reason

SLOT = "\ue000"  # a private-use sign stands for the answer until the sentence is finished
_TIME = "year years month decade century date day time era age".split()
_PART = "season episode chapter series".split()
_ATTRIBUTE = "color colour genre size shape nationality religion ethnicity gender currency rank height".split()
_KIND = "kind type sort breed species race form class".split()
_PLACED = "timezone zone county continent hemisphere district league division conference".split()
_LABEL = frozenset("name word term title nickname phrase surname expression pseudonym".split())
_PREPOSITIONS = frozenset(
    "in on at by for from to with of about as into over under against after through along between off like".split()
)


def clause(question: Question, answer: str) -> str | Reason:
    """The declarative clause, with one slot for the answer, or why there is none."""
    if " or " in f" {words(question.body[-4:])} " and question.wh in {"who", "what", "which"}:
        return Reason("choice_asked")
    if question.noun and question.wh in {"what", "which"}:
        return _which(question, answer)
    return _RULES[question.wh](question, answer)


def _slot(question: Question, answer: str) -> str:
    """The slot with what goes with it: an owned noun, the noun that it names or numbers ("theater number 9"), an article."""
    noun = question.noun
    if question.wh not in {"what", "which"} or not noun:
        return article(answer) + SLOT
    owned = next((index for index, token in enumerate(noun) if token.tag_ == "POS"), None)
    if owned is not None:
        return f"{article(answer)}{_owner(answer)} {words(noun[owned + 1 :])}"
    if noun[-1].lower_ in _LABEL:
        return f"the {words(noun)} {SLOT}"
    return f"{words(noun)} {SLOT}" if len(noun) < 3 and is_number(answer) else article(answer) + SLOT


def _owner(answer: str) -> str:
    return f"{SLOT}'" if answer.endswith("s") else f"{SLOT}'s"


def _is(token_text: str) -> str:
    return "is" if token_text in CONTRACTED_IS else token_text


def _singular_be(verb: str) -> str:
    return {"are": "is", "were": "was"}.get(verb, verb)


def _is_subject_question(question: Question) -> bool:
    """Whether the question phrase is the subject: the verb follows it with no subject between."""
    body = question.body
    first = body[0].lower_
    if first not in AUXILIARY:
        return True
    index = next((index for index in range(1, len(body)) if not is_adverb(body[index])), None)
    if index is None:
        return False
    token = body[index]
    if first in BE:
        if question.noun and index == len(body) - 1 and len(body) == 2:
            return False
        return token.tag_ in {"VBN", "VBG"} and token.dep_ not in {"amod", "compound", "nsubj", "csubj", "nsubjpass"}
    if first in HAVE:
        return token.tag_ == "VBN" or (
            body[0].dep_ == "ROOT" and not any(t.tag_ == "VBN" and t.dep_ == "ROOT" for t in body)
        )
    if first in MODAL:
        return bool(token.tag_ == "VB")
    voiced = token.lower_ in {"the", "a", "it", "this", "that", "his", "her", "voices", "voice"}
    return voiced and not question.noun and base_verb(body) is None and stranded(body) is None


def _subject(question: Question, answer: str) -> str | Reason:
    """The answer as subject of the body's verb; a cleft where the answer cannot open the sentence."""
    first = question.body[0]
    if first.lower_ not in AUXILIARY and first.tag_ not in {"VBD", "VBZ", "VBP", "VBN", "VB"}:
        return Reason("no_main_verb", first.text)
    verb, rest = _agree(question, answer), words(question.body[1:])
    slot = _slot(question, answer)
    if opens_sentence(answer) or slot != SLOT:
        return f"{slot} {verb} {rest}"
    pronoun = "who" if question.wh == "who" else "that"
    past = first.tag_ == "VBD" or first.lower_ in {"was", "were", "did", "had"}
    return f"it {'was' if past else 'is'} {SLOT} {pronoun} {verb} {rest}"


def _agree(question: Question, answer: str) -> str:
    """The finite verb in the number of the answer."""
    verb = question.body[0]
    text = _is(verb.lower_)
    if question.noun and (question.noun[-1].lower_ in _LABEL or any(token.tag_ == "POS" for token in question.noun)):
        return text
    if text in MODAL | {"had", "did"} or (verb.tag_ in {"VBD", "VBN"} and text not in {"was", "were"}):
        return text
    if text in {"is", "was", "has", "does"} or verb.tag_ == "VBZ":
        return plural_form(text) if is_plural(answer) else text
    return text if is_plural(answer) else third_person(text)


def _copula(question: Question, answer: str) -> str | Reason:
    """ "Who/what is NP": identity, in the order that lets the sentence open; one of several where NP is plural and the answer not."""
    body, verb = question.body, _is(question.body[0].lower_)
    if len(body) < 2:
        return Reason("no_main_verb")
    rest = words(body[1:])
    counted = re.match(r"(?:the|some of the|some|two|three|four|five|six|seven|\d+) ", rest, re.I)
    several = is_plural(answer) or re.search(r",|;|\band\b", answer)
    if verb in {"are", "were"} and counted and not several:
        group = rest if rest.lower().startswith("the ") else "the " + re.sub(r"^some (?:of the )?", "", rest)
        return f"one of {group} {_singular_be(verb)} {SLOT}"
    if (
        verb in {"are", "were"}
        and not several
        and body[-1].tag_ == "NNS"
        and any(token.tag_ == "POS" for token in body)
    ):
        return f"one of {rest} {_singular_be(verb)} {SLOT}"
    named = body[1].pos_ == "PROPN" and not re.search(r"['’]s", rest)
    if question.wh == "who" and opens_sentence(answer) and not named:
        return f"{article(answer)}{SLOT} {_agree(question, answer)} {rest}"
    return f"{rest} {verb} {article(answer)}{SLOT}"


def _be(question: Question, answer: str) -> str | Reason:
    """ "Who/what is X (participle) (preposition)": the inverted clause where one shows, else identity."""
    body, slot = question.body, _slot(question, answer)
    if any(token.dep_ == "neg" for token in body):
        return Reason("negated_question")
    lost = stranded(body)
    ends_in_name = body[-1].lower_ in {"called", "named", "titled"}
    if participle(body, by_surface=lost is not None or ends_in_name):
        parts = split(body, by_surface=lost is not None or ends_in_name)
        if isinstance(parts, Reason):
            return parts
        gap = object_gap(parts.rest, parts.verb)
        return Reason("gap_not_found") if gap is None else declarative(body, parts, gap, slot)
    if body[-1].lower_ in _PREPOSITIONS:
        return _stranded_be(body, slot)
    if body[1].tag_ == "JJ" and body[1].dep_ == "acomp":
        return _subject(question, answer)
    if question.wh in {"who", "what"} and any(
        token.tag_ == "VBG" and token.dep_ in {"acl", "ROOT"} for token in body[1:4]
    ):
        return Reason("parse_and_surface_disagree")
    return _copula(question, answer)


def _stranded_be(body: Tokens, slot: str) -> str | Reason:
    """ "X is a member of", "X is from": subject, be, the rest with its preposition, answer."""
    end = subject_end(body)
    if end is None or end >= len(body):
        end = next(
            (i for i in range(2, len(body)) if body[i].lower_ in {"a", "an", "the"} and body[i - 1].pos_ != "ADP"),
            len(body) - 1,
        )
    while end > 2 and body[end - 1].tag_ == "JJ":
        end -= 1
    if end < 2 or (body[end].pos_ in {"NOUN", "PROPN"} and body[end - 1].pos_ in {"NOUN", "PROPN"}):
        end = len(body) - 1
    if end < 2:
        return Reason("no_subject")
    return f"{words(body[1:end])} {_is(body[0].lower_)} {words(body[end:])} {slot}"


def _who(question: Question, answer: str) -> str | Reason:
    body = question.body
    if question.prep:
        return inverted(body, end_gap, f"{question.prep} {_slot(question, answer)}")
    if _is_subject_question(question):
        return _subject(question, answer)
    if body[0].lower_ in BE:
        return _be(question, answer)
    verb = base_verb(body) if body[0].lower_ in DO | MODAL else None
    if verb is not None and body[verb].lower_ == "do":
        return Reason("activity_asked")
    return inverted(body, object_gap, _slot(question, answer))


def _which(question: Question, answer: str) -> str | Reason:
    head = question.noun[-1].lower_
    first = question.noun[0].lower_
    if first in {"percentage", "percent", "proportion", "fraction"} and len(question.noun) > 1:
        return _share(question, answer)
    if question.body[0].lower_ in AUXILIARY and not _is_subject_question(question):
        if head in _TIME or head in _PART:
            return _timed(question, head, answer)
        if question.body[0].lower_ in BE and not question.prep:
            return _which_be(question, head, first, answer)
    if question.prep:
        return _prepositional(question, answer)
    return _who(question, answer)


def _share(question: Question, answer: str) -> str | Reason:
    """ "What percentage of X does Y": the share with what it is a share of."""
    if not re.search(r"\d ?%|percent|half|third|quarter", answer) or " of " in answer:
        return Reason("measure_unclear", answer)
    counted = f"{SLOT} {words(question.noun[1:])}"
    if question.body[0].lower_ not in AUXILIARY or _is_subject_question(question):
        return f"{'' if opens_sentence(answer) else 'a total of '}{counted} {words(question.body)}"
    return inverted(question.body, object_gap, counted)


def _prepositional(question: Question, answer: str) -> str | Reason:
    """ "In which country is/was X (participle)": the answer with its own or the question's preposition at the end."""
    filler = f"{question.prep} {_slot(question, answer)}"
    if question.body[0].lower_ in BE:
        plain = participle(question.body, by_surface=True) is None
        if plain and (question.prep not in {"in", "on", "at"} or _second_noun_phrase(question.body)):
            return Reason("unclear_subject")
        return _adverbial(question, filler)
    return inverted(question.body, end_gap, filler)


def _second_noun_phrase(body: Tokens) -> bool:
    """Whether "is X the Y" follows: two noun phrases side by side."""
    return any(
        body[index].tag_ == "DT" and body[index - 1].pos_ in {"NOUN", "PROPN"} and body[index].lower_ != "that"
        for index in range(2, len(body))
    )


def _which_be(question: Question, head: str, first: str, answer: str) -> str | Reason:
    """ "What colour/kind/zone is X": an attribute, a kind or a place of X; else X is identified."""
    body, verb = question.body, _is(question.body[0].lower_)
    rest = words(body[1:])
    plain = (
        stranded(body) is None and body[-1].lower_ not in _PREPOSITIONS and participle(body, by_surface=False) is None
    )
    if plain and head in _ATTRIBUTE:
        return f"the {words(question.noun)} of {rest} {_singular_be(verb)} {SLOT}"
    if plain and (head in _KIND or (first in _KIND and len(question.noun) > 1)):
        return f"{rest} {verb} {SLOT}"
    if plain and (head in _PLACED or first == "part"):
        return f"{rest} {verb} in {article(answer)}{SLOT}"
    if (
        plain
        and body[1].tag_ not in {"DT", "JJS", "RBS", "PRP$", "JJ", "IN"}
        and subject_end(body) in {None, len(body)}
    ):
        return Reason("unclear_subject")
    if plain and body[1].lower_ in {"in", "on", "at", "home"}:
        return _subject(question, answer)
    if plain and participle(body, by_surface=False) is None and participle(body, by_surface=True) is None:
        return _subject(question, answer)
    return _be(question, answer)


def _whose(question: Question, answer: str) -> str | Reason:
    if not opens_sentence(answer) or not question.noun:
        return Reason("answer_cannot_open_sentence", answer)
    owner = f"{_owner(answer)} {words(question.noun)}"
    if question.prep:
        return inverted(question.body, end_gap, f"{question.prep} {owner}")
    if _is_subject_question(question) or question.body[0].lower_ in BE:
        return f"{owner} {words(question.body)}"
    return inverted(question.body, object_gap, owner)


def _timed(question: Question, head: str, answer: str) -> str | Reason:
    """ "What year did", "which season was": the time with the preposition of its form, or of its noun."""
    own = {"day": "on ", "date": "on ", "time": "at ", "age": "at "}.get(head, "in ")
    filler = season(head, answer, SLOT) if head in _PART else (when(answer) if when(answer) is not None else own) + SLOT  # type: ignore[operator]
    if question.body[-1].lower_ in {"in", "on", "at", "during"}:
        body = question.body[:-1]
        return _adverbial(Question(question.lead, "", question.wh, question.noun, body), filler)
    if question.prep and head in _PART and question.prep != "in":
        filler = filler.replace("in ", question.prep + " ", 1)
    return _adverbial(question, filler)


def _adverbial(question: Question, filler: str) -> str | Reason:
    """A time or place at the end of the clause, or after the copula's subject."""
    body, verb = question.body, _is(question.body[0].lower_)
    if verb not in BE:
        return inverted(body, end_gap, filler)
    rest = words(body[1:])
    event = re.match(r"(?:the )?(last|first|next|only|final) time\b", rest)
    if event and verb == "is" and event[1] in {"last", "first", "only", "final"}:
        verb = "was"
    if event:
        return f"{'' if rest.startswith('the') else 'the '}{rest} {verb} {filler}"
    if participle(body, by_surface=True):
        return inverted(body, end_gap, filler)
    end = subject_end(body)
    if end and end < len(body) and body[end].pos_ in {"ADJ", "ADP", "ADV"} and not _inside_name(body, end):
        return f"{words(body[1:end])} {verb} {words(body[end:])} {filler}"
    if any(token.tag_ in {"VBD", "VBZ", "VBP"} for token in body[1:]) or any(token.tag_ == "VBG" for token in body[2:]):
        return Reason("parse_and_surface_disagree")
    return f"{rest} {verb} {filler}" if rest else Reason("no_subject")


def _inside_name(body: Tokens, end: int) -> bool:
    return bool(body[end].pos_ == "ADP" and body[end].lower_ in {"of", "for", "and"})


def _when(question: Question, answer: str) -> str | Reason:
    prep = when(answer)
    if prep is None:
        return Reason("time_answer_form", answer)
    return _adverbial(question, prep + SLOT)


def _where(question: Question, answer: str) -> str | Reason:
    body = question.body
    if body[-1].lower_ in {"from", "at", "to", "in", "on"}:
        if body[0].lower_ in BE and not participle(body, by_surface=True):
            return _stranded_be(body, article(answer) + SLOT)
        return inverted(body, end_gap, article(answer) + SLOT)
    if stranded(body) is not None and body[0].lower_ not in BE:
        return inverted(body, object_gap, article(answer) + SLOT)
    return _adverbial(question, where(answer) + SLOT)


def _how(question: Question, answer: str) -> str | Reason:
    kind = question.noun[0].lower_ if question.noun else ""
    if kind == "many":
        return _how_many(question, answer)
    if kind == "much":
        return _how_much(question, answer)
    if (
        kind in {"long", "old", "tall", "high", "deep", "wide", "far", "big", "large", "fast"}
        and len(question.noun) == 1
    ):
        return _degree(question, kind, answer)
    if kind == "often" or (not kind and re.match(r"(?:by|through|via|using|with) ", answer)):
        return _adverbial(question, SLOT)
    return Reason("manner_asked", kind)


def _how_many(question: Question, answer: str) -> str | Reason:
    noun, body = words(question.noun[1:]), question.body
    if not noun or not re.match(r"[\w~≈>$£€\"]", answer):
        return Reason("counted_noun_unclear")
    head = next((token.lower_ for token in question.noun[1:] if token.pos_ == "NOUN"), noun.split()[-1].lower())
    counted = (
        f"{SLOT} {noun}" if is_number(answer) else SLOT + noun.partition(head)[2] if head in answer.lower() else ""
    )
    if not counted:
        return Reason("counted_noun_unclear")
    be = {"is": "are", "was": "were"}.get(body[0].lower_, body[0].lower_)
    rest = words(body[1:])
    if be in {"are", "were"} and (re.match(r"(?:there|in|on|at|left)\b", rest) or rest.endswith(" there")):
        return f"there {be} {counted} " + re.sub(r"^there\b ?| there$", "", rest)
    if noun.lower() == "times":
        return _adverbial(question, counted)
    adjective = body[0].lower_ in BE and len(body) > 1 and body[1].pos_ == "ADJ"
    if body[0].lower_ not in DO and (_is_subject_question(question) or adjective):
        return f"{'' if opens_sentence(answer) else 'a total of '}{counted} {words(body)}"
    return inverted(body, object_gap, counted)


def _how_much(question: Question, answer: str) -> str | Reason:
    noun, body = words(question.noun[1:]), question.body
    counted = f"{SLOT} {noun}" if noun.startswith("of ") and " of " not in answer else SLOT
    if body[0].lower_ in BE and not noun:
        return _copula(question, answer)
    if body[0].lower_ in BE or _is_subject_question(question):
        return Reason("degree_asked", "much")
    return inverted(body, object_gap, counted)


def _degree(question: Question, kind: str, answer: str) -> str | Reason:
    """ "How long/old/tall is X": the measure before the adjective; with another verb, a duration after it."""
    body = question.body
    if not duration(answer) and not re.search(r"\d|seven|eight|nine|ten|one|two|three|four|five|six", answer):
        return Reason("measure_unclear", answer)
    if body[0].lower_ not in BE:
        return _lasting(question, kind, answer)
    end = subject_end(body)
    if end is None or (kind == "long" and re.fullmatch(r"\d{4}", answer)):
        return Reason("degree_asked", kind)
    adjective = {
        "old": "" if re.search("old|years|months", answer) else "years old",
        "far": "",
        "big": "",
        "large": "",
        "fast": "",
    }.get(kind, kind)
    if kind == "old" and re.search(r"years$|months$", answer):
        adjective = "old"
    return f"{words(body[1:end])} {_is(body[0].lower_)} {SLOT} {adjective} {words(body[end:])}"


def _lasting(question: Question, kind: str, answer: str) -> str | Reason:
    body = question.body
    verb = base_verb(body) if body[0].lower_ in DO | MODAL else None
    if kind != "long" or not duration(answer):
        return Reason("degree_asked", kind)
    if verb is not None and body[verb].lower_ in {"take", "last", "run"}:
        return inverted(body, lambda rest, at: at, SLOT)
    return _adverbial(question, SLOT if re.match(r"(?:for|from|until|since|over|up to)\b", answer) else f"for {SLOT}")


def _why(question: Question, answer: str) -> str | Reason:
    if not re.match(r"(?:because|due to|to|as a result|for)\b", answer):
        return Reason("reason_answer_form", answer[:80])
    return _adverbial(question, SLOT)


_RULES: dict[str, Callable[[Question, str], str | Reason]] = {
    "who": _who,
    "whom": _who,
    "what": _who,
    "which": _who,
    "whose": _whose,
    "when": _when,
    "where": _where,
    "how": _how,
    "why": _why,
}
