"""The preposition that a time or a place asks for, by the form of the answer."""

import re

from builders.grammar.answers import SLOT, any_of, article, is_number

_MONTH = (
    any_of("jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)?")[:-1]
    + r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_NTH = r"\b\d{1,2}(?:st|nd|rd|th)?\b"
_YEAR = r"(?:ad )?(?:c\. ?|ca\. ?)?\d{1,4}(?: ?(?:ad|bc|bce|ce|a\.d\.|b\.c\.))?"
_PART = "(?:(?:very )?(?:early|mid|middle|late)[- ]?(?:to[- ](?:mid|late)[- ])?)?"
_OWN = any_of(
    "in on at by during since from between after before until till around circa within every each once twice when",
    "while as about approximately prior annually yearly daily weekly monthly nightly today tonight now currently",
    "throughout soon shortly immediately only upon towards? always never later late_in early_in any_time near",
    "along under across through inside outside behind above below beneath beyond off over to next opposite",
    "against adjacent into underneath worldwide everywhere underground home all_over just",
    "[a-z]{3,}ally mainly primarily",
)
_EVENT = any_of(r"super_bowl world_series world_cup olympics olympic_games championships? finals?")
_AGE = any_of("era period dynasty war revolution ages? renaissance reign")

_WHEN = tuple(
    (re.compile(form), preposition)
    for form, preposition in (
        (rf"{_OWN}\b|.* (?:ago|later)$", ""),
        (rf".*\b{_MONTH} {_NTH}(?! ?\d)|.*{_NTH}(?: of)? {_MONTH}", "on "),
        (r"\d{1,2}/\d{1,2}/\d{2,4}$|\d{4}-\d\d-\d\d$", "on "),
        (rf"(?:the )?{_PART}{_MONTH}(?:,? (?:of )?\d{{4}})?$", "in "),
        (rf"{_MONTH} ?[-–] ?{_MONTH}(?: \d{{4}})?$", "in "),
        (rf"{_YEAR}(?: ?[-–—/] ?{_YEAR})?$|{_PART}\d{{4}}$", "in "),
        (rf"{_YEAR} (?:to|until|through) {_YEAR}(?: .*)?$", "from "),
        (rf"the {_PART}(?:\d\d(?:\d\d)?['’]?s\b.*|.*centur(?:y|ies)\b.*|\w+ties)$", "in "),
        (rf"{_PART}\d{{3,4}}['’]?s(?: .*)?$|{_PART}\w+ centur(?:y|ies)\b.*", "in the "),
        (r"(?:the )?(?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b.*|.* (?:day|eve)(?:,? \d{4})?$", "on "),
        (r"\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)\b.*|\d{1,2}:\d\d.*", "at "),
        (any_of("midnight noon night birth dawn dusk sunrise sunset") + "$", "at "),
        (r"(?:the )?age (?:of )?\d+|the (?:end|beginning|start|age|turn) of .*", "at "),
        (rf"(?:the )?{_PART}(?:spring|summer|autumn|winter)(?: (?:of )?\d{{4}})?$|fall \d{{4}}$|the fall of", "in "),
        (r"(?:season|series|episode|chapter|book|volume|act) \w+$|the \S+ (?:season|series|episode|chapter)$", "in "),
        (r"(?:second|third|fourth|fifth|sixth|final|last|first) (?:season|series|episode)$", "in the "),
        (r"the \d{4}\S* (?:\w+ )?(?:year|season)$", "in "),
        (rf"\d{{4}} .*\b{_EVENT}$", "at the "),
        (rf"(?:the )?.*\b{_EVENT}\b(?: [\w–-]+)?$", "at "),
        (rf"the .*\b{_AGE}\b.*", "during "),
    )
)
_INSTITUTION = any_of(
    "university college school stadium arena hall airport theat(?:re|er) hotel station museum palace castle cathedral",
    "church abbey institute academy hospital studios? racecourse speedway raceway field gardens? court library",
    "house fort cent(?:re|er) coliseum dome temple conference festival convention summit ranch zoo resort ballroom",
    "auditorium rink",
)
_EDGE = any_of("end top base bottom junction foot edge mouth front back corner intersection age site home confluence")
_SURFACE_OF = any_of("island isle islands isles coast border side surface banks? outskirts shores?")
_SURFACE = any_of("islands? coast border floor surface coastline peninsula plateau")
_ROAD = any_of("street avenue boulevard road lane drive highway beach")
_WHERE = tuple(
    (re.compile(form), preposition)
    for form, preposition in (
        (rf"{_OWN}\b|(?:just |far )?(?:north|south|east|west)\w* of\b", ""),
        (r"\d[\d,.]* (?:km|kilomet|mi\b|miles|met|m\b)", ""),
        (rf"the {_EDGE} of\b", "at "),
        (rf"(?:the |an? )?(?:.* )?(?:{_SURFACE_OF} of\b.*|{_SURFACE}$)", "on "),
        (rf".*\b{_ROAD}$|(?:broadway|earth|the moon|mars|the cross)$|mount ", "on "),
        (rf"(?!.*,).*\b{_INSTITUTION}(?: of .*| at .*)?$", "at "),
    )
)
_UNCOUNTED = frozenset("space heaven hell water air soil school college bed milk prison town nature history".split())


def _plain(answer: str) -> str:
    return " ".join(answer.lower().split())


def when(answer: str) -> str | None:
    """Preposition of a time ("in " for 1912, "on " for 15 April 1912); None where the form is not known."""
    return next((preposition for form, preposition in _WHEN if form.match(_plain(answer))), None)


def where(answer: str) -> str:
    """Preposition and article of a place ("in ", "on the ", "at "), nothing where it brings its own."""
    for form, preposition in _WHERE:
        if form.match(_plain(answer)):
            return preposition and preposition + article(answer)
    common = re.fullmatch(r"[a-z]+", answer) and not answer.endswith("s") and answer not in _UNCOUNTED
    return "in " + ("the " if common else article(answer))


def season(noun: str, answer: str) -> str:
    """The slot with what an answer to "which season/episode" needs: "in season 7", "in the episode X", "in winter"."""
    plain = answer.lower()
    if noun in plain or plain in {"spring", "summer", "autumn", "fall", "winter"}:
        return f"in {SLOT}"
    if is_number(answer):
        return f"in {noun} {SLOT}"
    return f"in the {noun} {SLOT}" if answer[:1].isupper() or answer[:1] in "\"“'" else f"in {SLOT}"
