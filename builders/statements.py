"""Question and short answer to one declarative sentence, by rules on the question's first words with its parse as support."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from builders.answer_phrase import article, is_plural, opens_sentence, when, where
from builders.inflect import past, plural_form, third_person
from builders.questions import (
    AUXILIARY,
    BE,
    DO,
    HAVE,
    MODAL,
    Question,
    Tokens,
    analyse,
    base_verb,
    is_adverb,
    object_gap,
    question_tokens,
    stranded,
    subject_end,
    verb_after,
    words,
)
from loaders.records import Reason

SLOT = "\ue000"
_TIME_NOUNS = re.compile(
    r"(?:.* )?(year|years|month|decade|century|date|day|season|episode|time|era|time period|chapter|age)", re.I
)
_KIND = re.compile(r"(?:kind|type|sort|breed|species|race|form|genre|class)s?(?: of .*)?|.*nationality", re.I)
_ATTRIBUTE = re.compile(
    r"(?:.* )?(?:colou?r|genre|size|shape|nationality|religion|ethnicity|gender|currency|rank|height|blood type|star sign)",
    re.I,
)
_FRAMES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), template)
    for pattern, template in (
        (
            r"what (is|was) (.+['’]s?) (occupation|profession|job|nationality|religion|real name|full name|birth name|middle name|last name|first name|maiden name)",
            r"\2 \3 \1 {}",
        ),
        (
            r"who (is|was) (the (?:father|mother|author|producer|director|composer|screenwriter)) ((?:of|for) .+)",
            r"{} \1 \2 \3",
        ),
        (r"what (is|was) (the (?:capital|religion|occupation|genre) of .+)", r"\2 \1 {}"),
        (r"what (is|was) (.+) the capital of", r"\2 \1 the capital of {}"),
        (r"what (genre|colou?r) (is|was) (.+)", r"the \1 of \3 \2 {}"),
        (r"in what country (is|was) ((?!.*\b(?:born|located|made)$).+)", r"\2 \1 in {}"),
        (r"in what (?:city|country|town|state) (was) (.+) (born|buried|founded)", r"\2 \1 \3 in {}"),
        (r"what sport (does) (.+) play", r"\2 plays {}"),
    )
)


@dataclass(frozen=True)
class Statement:
    """A declarative sentence; `text[answer_start:answer_end]` (code points) is the answer, verbatim."""

    text: str
    answer_start: int
    answer_end: int


def statement(doc: Any, answer: str) -> Statement | Reason:
    """Put the answer to a parsed question (spaCy Doc) into one sentence, or say by name why the rules cannot."""
    if not answer.strip() or "\n" in answer or SLOT in answer + doc.text:
        return Reason("unusable_answer", answer[:80])
    framed = _frame(doc.text, answer)
    if framed:
        return _finish(framed, answer)
    tokens = question_tokens(doc)
    if any(token.text == "?" for token in tokens):
        return Reason("several_questions")
    question = analyse(tokens)
    if isinstance(question, Reason):
        return question
    clause = _RULES[question.wh](question, answer)
    if isinstance(clause, Reason):
        return clause
    lead = question.lead
    return _finish(f"{lead}{'' if not lead or lead.endswith(',') else ','} {clause}", answer)


def _finish(template: str, answer: str) -> Statement | Reason:
    """Fill the slot, raise the first letter, close with one full stop."""
    text = re.sub(r"\s+", " ", template).strip()
    if text.count(SLOT) != 1:
        return Reason("unknown_question_form", text)
    if text[0] == SLOT and not opens_sentence(answer):
        return Reason("answer_cannot_open_sentence", answer)
    text = text[0].upper() + text[1:]
    start = text.index(SLOT)
    full = text.replace(SLOT, answer)
    return Statement(full if full.endswith(".") else full + ".", start, start + len(answer))


def _frame(question: str, answer: str) -> str | None:
    """Closed frames around a name of any shape, which a parse would only tear apart."""
    text = question.strip().removesuffix("?").strip()
    for pattern, template in _FRAMES:
        match = pattern.fullmatch(text)
        if match:
            filled = match.expand(template)
            slot = article(answer) + SLOT if " in {}" in filled else SLOT
            return _flip(filled, answer).replace("{}", slot)
    return None


def _flip(template: str, answer: str) -> str:
    """Turn "{} is X" into "X is {}" where the answer cannot open a sentence."""
    match = re.fullmatch(r"\{\} (is|was|are|were) (.+)", template)
    return template if not match or opens_sentence(answer) else f"{match[2]} {match[1]} {{}}"


def _open(answer: str) -> str:
    """The slot as the first word, with its article."""
    return article(answer) + SLOT


def _subject(question: Question, answer: str) -> str:
    """The answer as subject of the body's verb; a cleft where it cannot open the sentence."""
    verb, rest = _agree(question, answer), words(question.body[1:])
    if opens_sentence(answer) or article(answer):
        return f"{_open(answer)} {verb} {rest}"
    pronoun = "who" if question.wh == "who" else "that"
    is_past = question.body[0].tag_ == "VBD" or question.body[0].lower_ in {"was", "were", "did", "had"}
    return f"it {'was' if is_past else 'is'} {SLOT} {pronoun} {verb} {rest}"


def _agree(question: Question, answer: str) -> str:
    verb = question.body[0]
    text = str(verb.lower_)
    text = "is" if text in {"'s", "’s", "s"} else text
    if text in MODAL or (verb.tag_ == "VBD" and text not in {"was", "were"}):
        return text
    singular_now = text in {"is", "was", "has", "does"} or verb.tag_ == "VBZ"
    if singular_now and is_plural(answer):
        return plural_form(text)
    if not singular_now and text not in {"had", "did"} and verb.tag_ != "VBD" and not is_plural(answer):
        return third_person(text)
    return text


def _is_subject_question(body: Tokens) -> bool:
    first = body[0].lower_
    if first not in AUXILIARY:
        return True
    index = next((index for index in range(1, len(body)) if not is_adverb(body[index])), None)
    if index is None:
        return False
    tag = body[index].tag_
    if first in BE:
        return tag in {"VBN", "VBG"} and body[index].dep_ not in {"amod", "compound", "nsubj", "csubj"}
    if first in HAVE:
        return (
            tag == "VBN"
            or body[0].dep_ == "ROOT"
            or body[index].lower_ in {"the", "a", "been"}
            and subject_end(body) is None
        )
    if first in MODAL:
        return tag == "VB"
    return base_verb(body) is None


def _you(text: str) -> str:
    """First person of the asker to the reader's second."""
    text = re.sub(r"\b[Ii]\b(?!['’.])", "you", text)
    return re.sub(r"\bmy\b", "your", text)


def _inverted(body: Tokens, place: Callable[[Tokens, int], int | None], filler: str) -> str | Reason:
    """Subject, verb and the filler at the place that `place` finds in the words after the subject."""
    auxiliary = body[0].lower_
    if any(token.dep_ == "neg" for token in body):
        return Reason("negated_question")
    if auxiliary in DO | MODAL:
        verb = base_verb(body)
        if verb is None:
            return Reason("no_main_verb")
        start = verb
        while start > 2 and is_adverb(body[start - 1]):
            start -= 1
        subject, rest, at = body[1:start], body[start:], verb - start
    else:
        end = subject_end(body)
        if end is None:
            return Reason("parse_and_surface_disagree")
        subject, rest = body[1:end], body[end:]
        found = verb_after(body, end)
        at = found - end if found is not None else 0
    if not any(token.pos_ in {"NOUN", "PROPN", "PRON", "NUM", "ADJ", "VERB"} for token in subject):
        return Reason("no_subject")
    gap = place(rest, at)
    if gap is None:
        return Reason("gap_not_found")
    return _you(f"{words(subject)} {_verb_group(body, rest, at, gap, filler)}")


def _verb_group(body: Tokens, rest: Tokens, at: int, gap: int, filler: str) -> str:
    texts = [token.text_with_ws for token in rest]
    auxiliary = body[0].lower_
    if auxiliary in DO:
        verb = rest[at].lower_
        form = past(verb) if auxiliary == "did" else third_person(verb) if auxiliary == "does" else verb
        texts[at] = form + " "
        auxiliary = ""
    auxiliary = "is" if auxiliary in {"'s", "’s", "s"} else auxiliary
    if gap < 0:
        return f"{auxiliary} {filler} {''.join(texts)}"
    return f"{auxiliary} {''.join(texts[: gap + 1])} {filler} {''.join(texts[gap + 1 :])}"


def _end(rest: Tokens, verb: int) -> int | None:
    return len(rest) - 1


def _copula(question: Question, answer: str) -> str | Reason:
    """ "Who/what is NP": identity, in the order that lets the sentence open."""
    body = question.body
    verb = "is" if body[0].lower_ in {"'s", "’s", "s"} else body[0].lower_
    rest = words(body[1:])
    if not rest:
        return Reason("no_main_verb")
    if (
        question.wh == "who"
        and verb in {"are", "were"}
        and not is_plural(answer)
        and "," not in answer
        and body[1].lower_ == "the"
    ):
        if answer.startswith(("the ", "The ")) or not opens_sentence(answer):
            return f"{rest} {verb} {SLOT}"
        return f"{SLOT} {'is' if verb == 'are' else 'was'} one of {rest}"
    if question.wh == "who" and opens_sentence(answer) and body[1].pos_ != "PROPN":
        return f"{_open(answer)} {_agree(question, answer)} {rest}"
    return f"{rest} {verb} {SLOT}"


def _be_question(question: Question, answer: str) -> str | Reason:
    """ "Who/what is X (VBN) (prep)": an inverted clause where the parse shows one, else identity."""
    body = question.body
    end = subject_end(body)
    if end is not None and end < len(body):
        rest = body[end:]
        if rest[0].tag_ in {"VBN", "VBG", "JJ", "IN", "RB"}:
            gap = object_gap(rest, 0) if rest[0].tag_ in {"VBN", "VBG"} else stranded([None, *rest])
            if gap is not None:
                gap = gap if rest[0].tag_ in {"VBN", "VBG"} else gap - 1
                return _inverted(body, lambda *_: gap, SLOT)
    if body[-1].tag_ in {"IN", "TO", "RP"}:
        return Reason("gap_not_found")
    return _copula(question, answer)


def _who_what(question: Question, answer: str) -> str | Reason:
    body = question.body
    if question.prep:
        return _inverted(body, _end, f"{question.prep} {SLOT}")
    if _is_subject_question(body):
        if body[0].lower_ not in AUXILIARY and body[0].tag_ not in {"VBD", "VBZ", "VBP", "VBN", "VB"}:
            return Reason("no_main_verb", body[0].text)
        return _subject(question, answer)
    if body[0].lower_ in BE:
        return _be_question(question, answer)
    if body[-1].lemma_ == "do" or (body[0].lower_ in DO and (verb := base_verb(body)) and body[verb].lower_ == "do"):
        return Reason("activity_asked")
    return _inverted(body, object_gap, article(answer) + SLOT)


def _which(question: Question, answer: str) -> str | Reason:
    noun, body = words(question.noun), question.body
    if not noun:
        return _who_what(question, answer)
    if question.wh == "whose":
        return _whose(question, answer)
    if _TIME_NOUNS.fullmatch(noun) and not _is_subject_question(body):
        return _timed(question, noun, answer)
    if question.prep:
        return _inverted(body, _end, f"{question.prep} {article(answer)}{SLOT}")
    if body[0].lower_ in BE and not _is_subject_question(body):
        if _ATTRIBUTE.fullmatch(noun) and subject_end(body) in {None, len(body)}:
            return f"the {noun} of {words(body[1:])} {body[0].lower_} {SLOT}"
        if _KIND.fullmatch(noun):
            return f"{words(body[1:])} {body[0].lower_} {SLOT}"
        end = subject_end(body)
        if end is not None and end < len(body):
            return _be_question(question, answer)
        if body[-1].tag_ in {"IN", "TO", "RP"}:
            return Reason("gap_not_found")
        return _subject(question, answer)
    return _who_what(question, answer)


def _whose(question: Question, answer: str) -> str | Reason:
    owner = f"{SLOT}{'’' if False else chr(39)}{'' if answer.endswith('s') else 's'} {words(question.noun)}"
    body = question.body
    if not opens_sentence(answer):
        return Reason("answer_cannot_open_sentence", answer)
    if _is_subject_question(body) or body[0].lower_ in BE:
        return f"{owner} {words(body)}"
    return _inverted(body, object_gap, owner)


def _timed(question: Question, noun: str, answer: str) -> str | Reason:
    body = question.body
    kind = noun.lower().split()[-1]
    if kind in {"season", "episode", "chapter"}:
        bare = not re.search(rf"\b{kind}", answer.lower())
        filler = (
            f"in {kind} {SLOT}"
            if bare and re.fullmatch(r"\d+|[a-z]+", answer.lower())
            else f"in {'the episode ' if bare and kind == 'episode' else ''}{SLOT}"
        )
    else:
        prep = when(answer)
        if prep is None:
            prep = {"day": "on ", "date": "on ", "time": "at "}.get(kind, "in ")
        filler = prep + SLOT
    if stranded(body) is not None:
        return _inverted(body, lambda rest, verb: stranded([None, *rest][0:]) and len(rest) - 1, SLOT)
    return _adverbial(question, filler)


def _adverbial(question: Question, filler: str) -> str | Reason:
    """A time or place at the end of the clause, or after the copula's subject."""
    body = question.body
    if body[0].lower_ in BE:
        end = subject_end(body)
        rest = words(body[1:])
        if re.match(r"the (?:last|first|next|only) time\b", rest) or end == len(body):
            return (
                _you(f"{rest} {body[0].lower_} {filler}")
                if body[0].lower_ in {"is", "are", "was", "were"}
                else Reason("contraction")
            )
    return _inverted(body, _end, filler)


def _when(question: Question, answer: str) -> str | Reason:
    prep = when(answer)
    if prep is None:
        return Reason("time_answer_form", answer)
    if question.body[0].lower_ not in AUXILIARY:
        return Reason("no_auxiliary")
    return _adverbial(question, prep + SLOT)


def _where(question: Question, answer: str) -> str | Reason:
    body = question.body
    if body[0].lower_ not in AUXILIARY:
        return Reason("no_auxiliary")
    if body[-1].tag_ in {"IN", "TO"} and body[-1].lower_ in {"from", "at", "to", "in", "on"}:
        return _inverted(body, _end, article(answer) + SLOT)
    return _adverbial(question, where(answer) + SLOT)


def _how(question: Question, answer: str) -> str | Reason:
    noun, body = question.noun, question.body
    kind = noun[0].lower_ if noun else ""
    if kind == "many":
        return _how_many(words(noun[1:]), question, answer)
    return Reason("manner_asked" if not kind else "degree_asked", kind)


def _how_many(noun: str, question: Question, answer: str) -> str | Reason:
    body = question.body
    counted = SLOT if not noun or noun.split()[-1].lower() in answer.lower() or " " in answer else f"{SLOT} {noun}"
    rest = words(body[1:])
    if body[0].lower_ in {"is", "are", "was", "were"}:
        if re.match(r"there\b|(?:in|on|at|left)\b", rest) or rest.endswith(" there"):
            place = re.sub(r"^there ?| there$", "", rest)
            return f"there {body[0].lower_} {counted} {place}"
        if re.search(r"\bare there\b", rest):
            return Reason("degree_asked")
    if noun.lower() == "times":
        return _adverbial(question, counted)
    if _is_subject_question(body):
        return f"{'' if opens_sentence(answer) else 'a total of '}{counted} {words(body)}"
    return _inverted(body, object_gap, counted)


def _why(question: Question, answer: str) -> str | Reason:
    if not re.match(r"(?:because|due to|to|as a result|for)\b", answer):
        return Reason("reason_answer_form", answer[:80])
    return _adverbial(question, SLOT)


_RULES: dict[str, Callable[[Question, str], str | Reason]] = {
    "who": _who_what,
    "whom": _who_what,
    "what": _which,
    "which": _which,
    "whose": _which,
    "when": _when,
    "where": _where,
    "how": _how,
    "why": _why,
}
