"""Forms of questions that the rules of English do not turn round: put right first, or told at once."""

import re

from builders.grammar.inflect import past
from builders.grammar.prepositions import when, where

REPAIRS = tuple(
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
        (r"^where (?:is|was) (\{\w+\}) supposed to ", r"where does \1 "),
        (r"\bbeating (?=\{)", "against "),
        (r"^(\{\w+\}) is (a character (?:in|on)) (?:what|which) (\w+)", r"what \3 is \1 \2"),
        (r"[.]$", "?"),
    )
)
CLAUSE_BEHIND = re.compile(r"^(where .+?) (when (?:he|she|it|they) [^?]+)", re.IGNORECASE)
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


def direct(text: str, name: str) -> str:
    """The sentence of a question of one of the closed forms, @ for the answer; empty for any other."""
    text = text.rstrip("?. ")
    joint = _JOINT.fullmatch(text)
    if joint:
        time = when(name) if joint[1].lower() == "when" else ""
        return f"{joint[2].replace(',', ' and')} {past(joint[3])} {joint[4]} {time}@"
    return next((found.expand(new) for old, new in _DIRECT if (found := old.fullmatch(text))), "")


def inverted(text: str, name: str) -> str:
    """ "Where did {c1} greet {h1}", whose verb the parse misses: the word behind the subject is the verb."""
    found = _WITH_DID.fullmatch(text.rstrip("?. "))
    if not found:
        return ""
    prep = where(name) if found[1].lower() == "where" else when(name)
    return f"{found[2]} {past(found[3])} {found[4]} {prep}@"
