"""What a sub-question asks for: a value or a kind of name; and what the words around a key take it for."""

import re
from collections.abc import Iterable

from builders.realhop.values import has_day, names_month
from loaders.records import Hop

NAME_KINDS = ("person", "place", "organization", "work", "event", "thing")
_BY_NOUN = {
    "place": """city town village county state country region province district municipality island river lake sea
    ocean mountain mountains creek valley peninsula continent territory township borough capital castle palace street
    park stadium center square hall venue location hill bay canal bridge airport station lighthouse neighborhood
    cathedral basilica church gulf strait desert beach park place water kingdom empire republic parish prefecture
    voivodeship gmina department seat hamlet suburb building area nation house harbour harbor islands capitol""",
    "organization": """company team club band group party university college school league agency bank corporation
    label publisher studio network newspaper orchestra institute institution organization association society museum
    army church employer manufacturer brand subsidiary conference union service channel station airline committee
    council division records entertainment rapids united fc press gallery archive troops branch""",
    "work": """film movie song album book novel show series musical play poem opera game sitcom episode painting
    single soundtrack video manuscript magazine trilogy cartoon anime manga treatise comedy drama sculpture tale
    television programme program work ballet symphony""",
    "event": """war battle conflict revolution rebellion convention championship tournament election final cup festival
    olympics ceremony crisis attack siege treaty expedition season race event uprising massacre act bowl games""",
    "person": """actor actress singer man woman author writer king queen president player artist musician character
    person director physicist politician footballer composer producer lawyer artist leader governor poet painter
    novelist rapper host daughter son wife husband father mother brother sister girlfriend senator emperor prince
    princess saint priest philosopher scientist inventor founder ruler monarch pope coach drummer guitarist narrator
    creator architect judge businessman journalist astronaut explorer songwriter bassist comedienne playwright
    dramatist general bishop minister criminal comedian""",
}
NOUN_KIND = {noun: kind for kind, nouns in _BY_NOUN.items() for noun in nouns.split()}
_LEADING = frozenset("lake mount gmina fort cape port saint san santa los las new".split())
_YEAR = re.compile(r"(?:1\d{3}|20\d\d)")
_NUMBER = re.compile(r"[$€£]?\d[\d,.]*%?(?: (?:percent|million|billion|people|years))?")
_COUNTED = re.compile(
    r"\bhow (?:many|much|long had)\b|\b(?:what|which)(?: (?:is|was|were|are))?(?: the)?(?: average| total| estimated)? "
    r"(?:number|percent|percentage|population|salary|area|size|height|length|elevation)\b|['’]s population\b",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"^(?:\W*when\b|(?:(?:in|on) )?(?:what|which)(?: (?:is|was))?(?: the)? (?:year|date|day)\b)", re.IGNORECASE
)
_CENTURY = re.compile(r"\b(?:what|which) century\b", re.IGNORECASE)
_LED = re.compile(r"^(?:during|for|in|at|on|by|from|after|before|since)\b (?:the )?|^(?:the|an?) ", re.IGNORECASE)
_KIN = "daughter|son|wife|husband|girlfriend|boyfriend|mother|father|brother|sister|death|spouse|voice|real name|child"
_DEEDS = "(?:write|sing|marry|compose|meet)"
_K = r"\{(\w+)\}"
# What the words around a key take it for.
_CUES = tuple(
    (re.compile(form, re.IGNORECASE), kind)
    for form, kind in (
        (rf"\b(?:play|voic|portray)(?:s|ed|es|e|ing)? {_K}", "person"),
        (rf"{_K}(?:['’]s)? (?:{_KIN})\b", "person"),
        (rf"\b(?:{_KIN}) of {_K}", "person"),
        (rf"\b(?:film|movie|song|show|series|album|book|novel|sitcom|musical) {_K}", "work"),
        (rf"\b(?:sings?|sang|sung|acted in|starred in|stars in|narrator (?:on|in|of)|character in) {_K}", "work"),
        (rf"\b(?:play|voic|portray|s[aiu]ng)(?:s|ed|es|e|ing)?\b.* (?:in|on|from) {_K}$", "work"),
        (rf"\b(?:wrote|writes) {_K}", "work"),
        (rf"\bdid {_K}(?: and \{{\w+\}})? {_DEEDS}\b", "person"),
        (rf"\bdid \{{\w+\}} and {_K} {_DEEDS}\b", "person"),
        (rf"\b(?:was|is|did|does) {_K} (?:born|die|crowned|married|buried)\b", "person"),
        (rf"\ban? {_K}", "thing"),
        (rf"\b(?:referred to|called|known|mean) (?:as )?in {_K}", "thing"),
        (rf"{_K} (?:language|clans|schools|culture|religion)", "thing"),
    )
)
_SMALL = re.compile(r"\b(?:in|of|from|by|that|which|who|and|on|at|for|located|written|directed|situated|with)\b")


def cues(texts: Iterable[str]) -> dict[str, list[str]]:
    """The kinds for which the words around them take keys, in sub-questions over keys."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for form, kind in _CUES:
            for match in form.finditer(text.replace('"', "")):
                found.setdefault(match[1], []).append(kind)
    return found


def bare(answer: str) -> str:
    """An answer without the preposition or article that opens it ("During the Korean War")."""
    return _LED.sub("", answer)


def asked_value(hop: Hop) -> str:
    """`date`, `year` or `number` where a hop asks for one; empty otherwise."""
    if ">>" in hop.relation:
        return ""
    if _CENTURY.search(hop.relation):
        return "number"
    if _TIMED.search(hop.relation) and word_kind(bare(hop.answer)) != "event":
        return "date" if names_month(hop.answer) and "year" not in hop.relation.lower() else "year"
    if _COUNTED.search(hop.relation) and re.search(r"\d|^\w+$", hop.answer):
        return "number"
    return form_kind(hop.answer)


def form_kind(text: str) -> str:
    """The kind of a value by its form alone."""
    plain = text.strip()
    if _YEAR.fullmatch(plain):
        return "year"
    if names_month(plain) and (has_day(plain) or len(plain.split()) < 4):
        return "date"
    return "number" if _NUMBER.fullmatch(plain) else ""


def asked_kind(hop: Hop) -> str:
    """What the question word, its noun or the relation asks for; empty where that is open."""
    text = hop.relation.lower()
    found = re.search(
        r"\b(?:what|which)(?: (?:is|was|are|were))?(?: the)?(?: name of(?: the| a)?)? ((?:[\w'-]+ ){0,4}[\w'-]+)", text
    )
    for word in _SMALL.split(found[1])[0].split() if found else ():
        if word in NOUN_KIND:
            return NOUN_KIND[word]
        if re.search(r"ed$|^(?:is|was|did|does|do|has|are)$", word):
            break
    if re.search(r"\bwho(?:m|se)?\b", text):
        return "person"
    return "place" if re.search(r"\bwhere\b", text) else ""


def head_kind(phrase: str) -> str:
    """The kind of the head of a noun phrase."""
    first = re.split(r"[\s-]+", _SMALL.split(phrase.lower())[0])
    return next((NOUN_KIND[word] for word in reversed(first) if word in NOUN_KIND), "")


def word_kind(text: str) -> str:
    """The kind that the first or last word of a name of several words gives away ("Lake Erie", "Yalu River")."""
    plain = re.sub(r"\s*\([^)]*\)$", "", text).partition(",")[0].lower()
    words = re.findall(r"[^\W\d_]+", plain.split(" of ")[0])
    if not words or " " not in plain:
        return ""
    return "place" if words[0] in _LEADING else NOUN_KIND.get(words[-1], "")
