"""Questions for the subject ("who played X"): the answer takes the place of the question phrase."""

from builders.grammar.answers import SLOT, article, is_number, is_plural, opens_sentence
from builders.grammar.clauses import stranded
from builders.grammar.inflect import plural_form, third_person
from builders.grammar.questions import AUXILIARY, BE, HAVE, MODAL, Question, finite, is_adverb, words
from builders.grammar.splits import base_verb
from loaders.records import Reason

_LABELS = frozenset("name word term title nickname phrase surname expression pseudonym".split())
_VOICED = frozenset("the a it this that his her voices voice".split())


def slot(question: Question, answer: str) -> str:
    """The slot with what goes with it: an owned noun, the noun it names or numbers ("theater number 9"), an article."""
    noun = question.noun
    if question.wh not in {"what", "which"} or not noun:
        return article(answer) + SLOT
    owned = next((index for index, token in enumerate(noun) if token.tag_ == "POS"), None)
    if owned is not None:
        return f"{article(answer)}{possessive(answer)} {words(noun[owned + 1 :])}"
    if noun[-1].lower_ in _LABELS:
        return f"the {words(noun)} {SLOT}"
    return f"{words(noun)} {SLOT}" if len(noun) < 3 and is_number(answer) else article(answer) + SLOT


def possessive(answer: str) -> str:
    """The slot in the possessive."""
    return f"{SLOT}'" if answer.endswith("s") else f"{SLOT}'s"


def asks_subject(question: Question) -> bool:
    """Whether the question phrase is the subject: the verb follows it with no subject between."""
    body, first = question.body, question.body[0].lower_
    if first not in AUXILIARY:
        return True
    token = next((token for token in body[1:] if not is_adverb(token)), None)
    if token is None:
        return False
    if first in BE:
        lone = bool(question.noun) and len(body) == 2  # "what timezone is sweden", taken for a participle
        return not lone and token.tag_ in {"VBN", "VBG"} and token.dep_ not in _INSIDE_SUBJECT
    if first in HAVE:
        main = any(other.tag_ == "VBN" and other.dep_ == "ROOT" for other in body)
        return token.tag_ == "VBN" or (body[0].dep_ == "ROOT" and not main)
    if first in MODAL:
        return bool(token.tag_ == "VB")
    return token.lower_ in _VOICED and not question.noun and base_verb(body) is None and stranded(body) is None


_INSIDE_SUBJECT = frozenset({"amod", "compound", "nsubj", "csubj", "nsubjpass"})


def subject_clause(question: Question, answer: str) -> str | Reason:
    """The answer as subject of the body's verb; a cleft where the answer cannot open the sentence."""
    first = question.body[0]
    if first.lower_ not in AUXILIARY and not first.tag_.startswith("VB"):
        return Reason("no_main_verb", first.text)
    verb, rest, filler = agreeing(question, answer), words(question.body[1:]), slot(question, answer)
    if opens_sentence(answer) or filler != SLOT:
        return f"{filler} {verb} {rest}"
    past = first.tag_ == "VBD" or first.lower_ in {"was", "were", "did", "had"}
    return f"it {'was' if past else 'is'} {SLOT} {'who' if question.wh == 'who' else 'that'} {verb} {rest}"


def agreeing(question: Question, answer: str) -> str:
    """The finite verb in the number of the answer."""
    verb, text = question.body[0], finite(question.body)
    if question.noun and (question.noun[-1].lower_ in _LABELS or any(token.tag_ == "POS" for token in question.noun)):
        return text
    if text in MODAL | {"had", "did"} or (verb.tag_ in {"VBD", "VBN"} and text not in {"was", "were"}):
        return text
    if text in {"is", "was", "has", "does"} or verb.tag_ == "VBZ":
        return plural_form(text) if is_plural(answer) else text
    return text if is_plural(answer) else third_person(text)
