"""A sub-question of either form as a sentence pattern over registry keys."""

import re
from collections.abc import Mapping
from typing import Any

from builders.grammar.inflect import past
from builders.grammar.prepositions import when, where
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
_REPAIRS = tuple(
    (re.compile(old, re.IGNORECASE), new)
    for old, new in (
        (r" +(['’]s\b)", r"\1"),
        (r"[\"“”]", ""),
        (r" +([?.,])", r"\1"),
        (r"\bpast away\b", "pass away"),
        (r"\blanguages offial\b", "official languages"),
        (r"\b(who|what) play's\b", r"\1 plays"),
        (r"\breferred to in\b", "referred to as in"),
        (r"^(\{h\d+\}) (\{c\d+\}) ([a-z]+)$", r"who is the \3 of \2 in \1"),
        (r"(\{h\d+\})(?:['’]s)? (\{c\d+\})", r"\2 of \1"),
        (r"(\{c\d+\}) (\{[ch]\d+\})", r"\1 in \2"),
        (r"\bthe (?=\{h\d+\})", ""),
        (r"\b(did|was|is) ((?:governor|president|king|queen|mayor) of)", r"\1 the \2"),
        (r"\b(?:movie|film|song|tv show|book) (?=\{c)", ""),
        (r"^(\{c\d+\}) has what (\w+)(?=\?|$)", r"what is the \2 of \1"),
        (r"^what ((?:type|kind|form|sort) of \w+) (did|does|do) (\{\w+\}) have", r"what was the \1 of \3"),
        (r"^what (league|division|conference) (?:is|was) (\{\w+\})(?=\?|$)", r"what \1 does \2 compete in"),
        (r"^what is the name of the (\w+) where (\{\w+\}) is (\w+)", r"in which \1 is \2 \3"),
        (r"^how many (\{\w+\}) (\w+) are there\b", r"how many \2 does \1 have"),
        (r"^name (?:a|an|one) ", "what is a "),
        (r"^((?:\w+ )?(?:leader|capital|president|head|mayor|owner|author|seat)) of (?=\{)", r"what is the \1 of "),
        (r"^(?:what|which) (\w+) is (\{\w+\}) located(?=\?|$)", r"in which \1 is \2 located"),
        (r"^who (?:is|was) (\{\w+\}) by(?=\?|$)", r"who created \1"),
        (r"^(?:what|which) \w+ (is|was) (\{\w+\}) (?:a )?part of", r"what \1 \2 part of"),
        (r"^what is the name of the (\w+) (\{\w+\}) was", r"what \1 was \2"),
        (r"^of what (\w+) is (\{\w+\}) a (\w+)", r"what \1 is \2 a \3 of"),
        (r"[.]$", "?"),
    )
)
_CLAUSE_BEHIND = re.compile(r"^(where .+?) (when (?:he|she|it|they) [^?]+)", re.IGNORECASE)
_LIST = r"\{\w+\}(?:(?:,| and|, and) \{\w+\})+"
# Forms that the rules of English do not turn round: question, and its sentence with @ for the answer.
_DIRECT = tuple(
    (re.compile(old, re.IGNORECASE), new)
    for old, new in (
        (r"(.+) (?:which|what) \w+ (to .+)", r"\1 @ \2"),
        (r"which [a-z ]+ would you not see play (.+)", r"@ never plays \1"),
        (r"which season (?:is|was) (\{\w+\}) on", r"\1 competed in @"),
        (r"in which \w+ are (\{\w+\} and \{\w+\}) both (.+)", r"\1 are both \2 in @"),
        (r"where was (\{\w+\})", r"\1 was in @"),
        (r"in (?:what|which) \w+ of (\{\w+\}) (is|was) (\{\w+\}) (\w+)", r"\3 \2 \4 in @ in \1"),
        (r"what [a-z ]+ lies between (.+)", r"@ lies between \1"),
        (r"how long had (\{\w+\}) been (.+)", r"\1 had been \2 for @ years"),
        (r"what \w+ can you see from (.+)", r"@ is visible from \1"),
    )
)
_WITH_DID = re.compile(r"(when|where) did (\{\w+\}) ([a-z]+) (.+)", re.IGNORECASE)
_JOINT = re.compile(rf"(when|who) did ({_LIST}) (\w+) (.+)", re.IGNORECASE)


def label_sentence(head: str, label: str, answer: str, kinds: Mapping[str, str]) -> str | Reason:
    """The pattern of `entity >> relation`, head and answer as keys. Reason: `unread_relation`."""
    pattern = label_pattern(label)
    if label.strip() == "location" and kinds.get(head[1:-1]) == "event":
        pattern = "{s} was held in {o}."
    return pattern.format(s=head, o=f"{{{answer}}}") if pattern else Reason("unread_relation", label.strip())


def plain_sentence(text: str, answer: str, kinds: Mapping[str, str], nlp: Any) -> str | Reason:
    """The pattern of a question in plain English over keys; reasons as of `builders.statements`."""
    for form, new in _REPAIRS:
        text = form.sub(new, text)
    behind = _CLAUSE_BEHIND.search(text)
    if behind:
        text = behind[1]
    shown = _stand_ins(text, answer, kinds)
    text = _owned(text, shown, nlp)
    if direct := _direct(text, shown[answer]):
        told = direct.replace("@", f"{{{answer}}}")
        return _controlled(f"{told} {behind[2]}" if behind else told, kinds)
    question = _filled(text, shown).rstrip("?") + "?"
    built = statement(nlp(question), _as_answered(text, shown[answer], kinds[answer]))
    if isinstance(built, Reason):
        told = _inverted(text, shown[answer]).replace("@", f"{{{answer}}}")
        return _controlled(told, kinds) if told and built.code == "no_main_verb" else built
    told = _keyed(built.text, shown).rstrip(".")
    return _controlled(f"{told} {behind[2]}" if behind else told, kinds)


def _direct(text: str, name: str) -> str:
    """The sentence of a question of one of the closed forms, @ for the answer; empty for any other."""
    text = text.rstrip("?. ")
    joint = _JOINT.fullmatch(text)
    if joint:
        time = when(name) if joint[1].lower() == "when" else ""
        return f"{joint[2].replace(',', ' and')} {past(joint[3])} {joint[4]} {time}@"
    return next((found.expand(new) for old, new in _DIRECT if (found := old.fullmatch(text))), "")


def _inverted(text: str, name: str) -> str:
    """ "Where did {c1} greet {h1}", whose verb the parse misses: the word behind the subject is the verb."""
    found = _WITH_DID.fullmatch(text.rstrip("?. "))
    if not found:
        return ""
    prep = where(name) if found[1].lower() == "where" else when(name)
    return f"{found[2]} {past(found[3])} {found[4]} {prep}@"


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
