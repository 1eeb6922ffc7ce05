"""The kind of a constant or an answer: by its form, by what is asked, by its passage, by its last word."""

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Any

from builders.realhop.constants import norms_of
from builders.realhop.relations import label_pattern, relation_in, relations
from builders.realhop.values import has_day, names_month
from loaders.records import Hop, Item

NAME_KINDS = ("person", "place", "organization", "work", "event", "thing")
_ORDER = (*NAME_KINDS, "date", "year", "number")
ALL_KINDS = frozenset(_ORDER)
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
_NOUN_KIND = {noun: kind for kind, nouns in _BY_NOUN.items() for noun in nouns.split()}
_BY_LABEL = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organization",
    "WORK_OF_ART": "work",
    "EVENT": "event",
}
_LEADING = frozenset("lake mount gmina fort cape port saint san santa los las new".split())
_OF_A_PLACE = frozenset(
    {
        "located in the administrative territorial entity",
        "contains administrative territorial entity",
        "located on terrain feature",
        "located in or next to body of water",
    }
)
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
        (rf"\ban? {_K}", "thing"),
        (rf"\b(?:referred to|called|known|mean) (?:as )?in {_K}", "thing"),
        (rf"{_K} (?:language|clans|schools|culture|religion)", "thing"),
    )
)
_IS_A = re.compile(r"(?<!\w)(?:is|was|are|were) (?:an?|the|one of) ([^.,;]*)")
_SMALL = re.compile(r"\b(?:in|of|from|by|that|which|who|and|on|at|for|located|written|directed|situated|with)\b")


def kind_of(text: str, item: Item, nlp: Any, hints: Sequence[str] = (), allowed: Set[str] = ALL_KINDS) -> str:
    """The kind of a constant or an answer, one of those `allowed`.

    Its form, the `hints` in their order (kinds; others are passed over), its first or last word, what its own passage
    says it is, what the pipeline takes it for; else `thing`, or the first kind that is allowed.
    """
    found = (_form(text), *hints, _by_word(text), _by_passage(text, item), _by_pipeline(text, item, nlp), "thing")
    kinds = allowed & ALL_KINDS or ALL_KINDS
    return next((kind for kind in found if kind in kinds), kind_order(kinds))


def kind_order(kinds: Iterable[str]) -> str:
    """The first of some kinds, in the order in which names say most."""
    return min(kinds, key=_ORDER.index)


def answer_kind(hop: Hop, item: Item, nlp: Any, hints: Sequence[str] = ()) -> str:
    """The kind of a hop's answer: what the hop asks for goes first; `hints` are kinds that later hops take it for."""
    if asked := asked_value(hop):
        return asked
    answer, label = bare(hop.answer), hop.relation.partition(">>")[2]
    if label:
        return kind_of(answer, item, nlp, hints, label_kinds(label)[1])
    asked_kind = _asked_kind(hop)
    if asked_kind == "person":
        told = _by_word(answer) or _by_passage(answer, item) or _by_question(hop, item)
        return told if told in {"organization", "place", *hints} and told != "work" else "person"
    return kind_of(answer, item, nlp, [asked_kind, *hints])


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


def _by_question(hop: Hop, item: Item) -> str:
    """What the whole question calls somebody of whom a hop says the same ("the bank that bought", "the state that")."""
    for verb in re.findall(r"\b[a-z]{3,}\b", hop.relation.lower()):
        stem = verb[: max(3, len(verb) - 2)]
        found = re.search(rf"\b(\w+) (?:that|which|who) (?:has |had )?{stem}", item.question.lower())
        if found and found[1] in _NOUN_KIND:
            return _NOUN_KIND[found[1]]
    return ""


def asked_value(hop: Hop) -> str:
    """`date`, `year` or `number` where a hop asks for one; empty otherwise."""
    if ">>" in hop.relation:
        return ""
    if _CENTURY.search(hop.relation):
        return "number"
    if _TIMED.search(hop.relation) and _by_word(bare(hop.answer)) != "event":
        return "date" if names_month(hop.answer) and "year" not in hop.relation.lower() else "year"
    if _COUNTED.search(hop.relation) and re.search(r"\d|^\w+$", hop.answer):
        return "number"
    return _form(hop.answer)


def _form(text: str) -> str:
    """The kind of a value by its form alone."""
    plain = text.strip()
    if _YEAR.fullmatch(plain):
        return "year"
    if names_month(plain) and (has_day(plain) or len(plain.split()) < 4):
        return "date"
    return "number" if _NUMBER.fullmatch(plain) else ""


def _asked_kind(hop: Hop) -> str:
    """What the question word, its noun or the relation asks for; empty where that is open."""
    text = hop.relation.lower()
    found = re.search(
        r"\b(?:what|which)(?: (?:is|was|are|were))?(?: the)?(?: name of(?: the| a)?)? ((?:[\w'-]+ ){0,4}[\w'-]+)", text
    )
    for word in _SMALL.split(found[1])[0].split() if found else ():
        if word in _NOUN_KIND:
            return _NOUN_KIND[word]
        if re.search(r"ed$|^(?:is|was|did|does|do|has|are)$", word):
            break
    if re.search(r"\bwho(?:m|se)?\b", text):
        return "person"
    return "place" if re.search(r"\bwhere\b", text) else ""


def label_kinds(label: str) -> tuple[Set[str], Set[str]]:
    """The kinds that a relation label takes: what it is asked of, and the answer; empty sets where unknown."""
    label = label.strip()
    pattern = label_pattern(label)
    key = relation_in(pattern.replace("{s}", "{a}").replace("{o}", "{b}")) if pattern else None
    if not pattern or not key:
        return frozenset(), frozenset()
    sides = relations()[key].subject, relations()[key].object
    asked_of, answer = sides if pattern.index("{s}") < pattern.index("{o}") else sides[::-1]
    return (frozenset({"place"}) if label in _OF_A_PLACE else asked_of), answer


def _by_passage(text: str, item: Item) -> str:
    """What the first sentences of the passage of that title say it is."""
    norms = norms_of(text)
    for passage in item.passages:
        if norms_of(re.sub(r"\s*\([^)]*\)$", "", passage.title)) == norms:
            hint = re.search(r"\(([^)]*)\)$", passage.title)
            said = _IS_A.search(passage.text[:400])
            for phrase in filter(None, (hint and hint[1], said and said[1])):
                if kind := _head_kind(phrase):
                    return kind
    return ""


def _head_kind(phrase: str) -> str:
    """The kind of the head of a noun phrase."""
    first = re.split(r"[\s-]+", _SMALL.split(phrase.lower())[0])
    return next((_NOUN_KIND[word] for word in reversed(first) if word in _NOUN_KIND), "")


def _by_word(text: str) -> str:
    """The kind that the first or last word of a name of several words gives away ("Lake Erie", "Yalu River")."""
    plain = re.sub(r"\s*\([^)]*\)$", "", text).partition(",")[0].lower()
    words = re.findall(r"[^\W\d_]+", plain.split(" of ")[0])
    if not words or " " not in plain:
        return ""
    return "place" if words[0] in _LEADING else _NOUN_KIND.get(words[-1], "")


def _by_pipeline(text: str, item: Item, nlp: Any) -> str:
    """What the pipeline takes the name for, in the question or else alone."""
    for told in (item.question, text[:1].upper() + text[1:]):
        for name, label in _entities(told, nlp):
            if name in text and 2 * len(name) > len(text) and label in _BY_LABEL:
                return _BY_LABEL[label]
    return ""


@lru_cache(maxsize=1024)
def _entities(text: str, nlp: Any) -> tuple[tuple[str, str], ...]:
    return tuple((entity.text, entity.label_) for entity in nlp(text).ents)
