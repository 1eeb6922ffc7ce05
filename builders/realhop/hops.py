"""A sub-question of either form as a sentence pattern over registry keys."""

import re
from collections.abc import Mapping
from typing import Any

from builders.realhop.forms import CLAUSE_BEHIND, REPAIRS, direct, inverted
from builders.realhop.function_words import FUNCTION_WORDS
from builders.realhop.relations import label_pattern
from builders.realhop.values import VALUE_KINDS
from builders.statements import statement
from loaders.records import Reason

# Names that any parser knows, for the time of the parse: the real ones and the invented ones would mislead it.
_STAND_INS = {
    "person": "John Mary Peter Susan David Karen Robert",
    "place": "Boston Denver Chicago Dallas Seattle Toronto Berlin",
    "organization": "Toyota Microsoft Sony Nokia Siemens Honda Pepsi",
    "work": "Hamlet Macbeth Othello Titanic Avatar Faust Carmen",
    "event": "Woodstock Easter Christmas Ramadan Halloween Passover Carnival",
    "thing": "Islam Buddhism Latin Judaism Hinduism Taoism Sanskrit",
    "year": "1931 1847 1762 1953 1688 1712 1820",
    "number": "37 58 71 64 83 92 46",
}
_DATES = ("14 March 1931", "3 May 1847", "21 June 1762")
_KEY = re.compile(r"\{(\w+)\}")


def label_sentence(head: str, label: str, answer: str, kinds: Mapping[str, str]) -> str | Reason:
    """The pattern of `entity >> relation`, head and answer as keys. Reason: `unread_relation`."""
    pattern = label_pattern(label)
    if label.strip() == "location" and kinds.get(head[1:-1]) == "event":
        pattern = "{s} was held in {o}."
    return pattern.format(s=head, o=f"{{{answer}}}") if pattern else Reason("unread_relation", label.strip())


def plain_sentence(text: str, answer: str, kinds: Mapping[str, str], nlp: Any) -> str | Reason:
    """The pattern of a question in plain English over keys; reasons as of `builders.statements`."""
    for form, new in REPAIRS:
        text = form.sub(new, text)
    behind = CLAUSE_BEHIND.search(text)
    if behind:
        text = behind[1]
    shown = _stand_ins(text, answer, kinds)
    text = _owned(text, shown, nlp)
    if told := direct(text, shown[answer]).replace("@", f"{{{answer}}}"):
        return _controlled(f"{told} {behind[2]}" if behind else told, kinds)
    question = _filled(text, shown).rstrip("?") + "?"
    built = statement(nlp(question), _as_answered(text, shown[answer], kinds[answer]))
    if isinstance(built, Reason):
        told = inverted(text, shown[answer]).replace("@", f"{{{answer}}}")
        return _controlled(told, kinds) if told and built.code == "no_main_verb" else built
    told = _keyed(built.text, shown).rstrip(".")
    return _controlled(f"{told} {behind[2]}" if behind else told, kinds)


def _as_answered(text: str, name: str, kind: str) -> str:
    """The answer with the words that its question wants before it."""
    if re.search(r"\bcentury\b", text):
        return f"the {name} century"
    return f"during {name}" if kind == "event" and text.lower().startswith("when") else name


def _stand_ins(text: str, answer: str, kinds: Mapping[str, str]) -> dict[str, str]:
    left = {kind: iter(names.split()) for kind, names in _STAND_INS.items()} | {"date": iter(_DATES)}
    ordinals = iter("18th 16th 14th".split())
    if re.search(r"\bcentury\b", text):
        left["number"] = ordinals
    return {key: next(left[kinds[key]]) for key in dict.fromkeys([answer, *_KEY.findall(text)])}


def _filled(text: str, shown: Mapping[str, str]) -> str:
    return _KEY.sub(lambda found: shown[found[1]], text)


def _keyed(text: str, shown: Mapping[str, str]) -> str:
    keys = {name: key for key, name in shown.items()}
    return re.sub(rf"\b(?:{'|'.join(keys)})\b", lambda found: f"{{{keys[found[0]]}}}", text)


def _owned(text: str, shown: Mapping[str, str], nlp: Any) -> str:
    """Write what an answer owns behind `of`: "{h1} girlfriend", "{h1}'s girlfriend" as "the girlfriend of {h1}"."""
    if not re.search(r"\{h\d+\}(?:['’]s)? [a-z]", text):
        return text
    doc = nlp(_filled(text, shown))
    for token in doc:
        key = next((key for key, name in shown.items() if name == token.text and key.startswith("h")), "")
        head = token.head
        marked = token.i + 1 < len(doc) and doc[token.i + 1].tag_ == "POS"
        first = token.i + 1 + marked
        inside = doc[first : head.i + 1]
        if not key or head.i < first or head.tag_ not in {"NN", "NNS"} or not _is_phrase(inside):
            continue
        if marked or token.dep_ in {"compound", "poss", "nmod"}:
            old = f"{{{key}}}{doc[token.i + 1].text if marked else ''} {inside.text}"
            new = f"the {inside.text} of {{{key}}}"
            return re.sub(r"\bthe the\b", "the", text.replace(old, new), count=1)
    return text


def _is_phrase(inside: Any) -> bool:
    return all(token.tag_ in {"NN", "NNS", "JJ", "JJS", "JJR", "VBN", "CD", "HYPH", "RB"} for token in inside)


def _controlled(text: str, kinds: Mapping[str, str]) -> str | Reason:
    """The sentence as a pattern: no comma, no article before a name, small letters but for the first."""
    text = text.rstrip(".")
    lead = re.fullmatch(r"((?:[A-Z]\w* )[^,]*?(?:, [^,]*?)?), (\{.*|the .*)", text)
    if lead and lead[1].split()[0].lower() in _LEADS:
        text = f"{lead[2]} {lead[1][0].lower()}{lead[1][1:]}"
    text = re.sub(r"\b[Tt]he (?=\{(\w+)\})", lambda found: found[0] * (kinds[found[1]] in VALUE_KINDS), text)
    text = re.sub(
        r"\ban? (?=\{c\d+\}(?: (?:for|in|at|on|with|from|by|to)\b|$))", "", text
    )  # a or an, as the name wants
    text = re.sub(r"\}, (?:and )?(?=\{)", "} and ", text)
    text = re.sub(r"[\"“”]", "", text)
    if "," in text or ";" in text or ":" in text:
        return Reason("not_controlled", text[:80])
    named = re.fullmatch(r"(A .+) (is|was) (\{h\d+\})", text)
    if named:
        text = f"{named[3]} {named[2]} {named[1].lower()}"
    one_of = re.fullmatch(r"(One of .+) (is|was) (\{h\d+\})", text)
    if one_of:
        text = f"{one_of[3]} {one_of[2]} {one_of[1].lower()}"
    if text[0] != "{" and text.split()[0].lower() not in _OPENERS:
        text = f"The {text}"  # a first word with a capital would be read as a name
    parts = _KEY.split(text)
    lowered = "".join(part.lower() if index % 2 == 0 else f"{{{part}}}" for index, part in enumerate(parts))
    return lowered[0].upper() + lowered[1:] + "."


_OPENERS = FUNCTION_WORDS | frozenset({"you", "they", "he", "she", "we"})
_LEADS = frozenset("in on at along besides with during after before according from for by under".split())
