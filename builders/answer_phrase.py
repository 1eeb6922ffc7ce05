"""How a short answer stands in a sentence: the preposition its form asks for, its article, its number."""

import re

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_ERA = r"(?: ?(?:ad|bc|bce|ce|a\.d\.|b\.c\.))?"
_YEAR = rf"(?:ad )?(?:c\. ?|ca\. ?)?\d{{1,4}}{_ERA}"
_PREPOSITION = (
    r"(?:in|on|at|by|during|since|from|between|after|before|until|till|around|circa|within|every|each|once|twice|when|while|as|"
    r"about|approximately|prior|annually|yearly|daily|weekly|monthly|nightly|today|tonight|now|currently|throughout|soon|shortly|immediately|only|upon|towards?|"
    r"always|never|later|late in|early in|any time|near|along|under|across|through|inside|outside|behind|above|below|beneath|beyond|off|over|to|next|"
    r"opposite|against|adjacent|into|underneath|worldwide|everywhere|underground|home|all over|just)\b"
)
_WHEN = (
    (rf"{_PREPOSITION}|.* (?:ago|later)$", ""),
    (
        rf".*\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b(?! ?\d)|.*\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})",
        "on ",
    ),
    (r"\d{1,2}/\d{1,2}/\d{2,4}$|\d{4}-\d\d-\d\d$", "on "),
    (rf"(?:the )?(?:early |mid[- ]|late |late-)?(?:{_MONTH})(?:,? (?:of )?\d{{4}})?$", "in "),
    (rf"{_YEAR}(?: ?[-–—/] ?{_YEAR})?$", "in "),
    (rf"{_YEAR} (?:to|until|through) {_YEAR}(?: .*)?$", "from "),
    (r"(?:early |mid[- ]?|late |late-)?(?:\d{3,4}'?s)(?: .*)?$", "in the "),
    (r"(?:early |mid[- ]?|late )\d{4}$", "in "),
    (r"the (?:early |mid[- ]?|late )*(?:[- a-z]*(?:19|20|18|17)?\d{2}'?s|.*centur(?:y|ies)\b.*)$", "in "),
    (r"(?:early |mid[- ]?|late )?(?:\w+|\d+(?:st|nd|rd|th)) centur(?:y|ies)\b.*", "in the "),
    (rf"(?:the )?(?:\w+ )?{_WEEKDAY}\b.*|.* (?:day|eve)(?:,? \d{{4}})?$", "on "),
    (
        r"\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)\b.*|\d{1,2}:\d\d.*|midnight|noon|night|birth|dawn|dusk|sunrise|sunset",
        "at ",
    ),
    (r"(?:the )?age (?:of )?\d+|the (?:end|beginning|start|age|turn) of .*", "at "),
    (
        r"(?:the )?(?:early |mid[- ]?|late )?(?:spring|summer|autumn|winter)(?: (?:of )?\d{4})?$|fall \d{4}$|(?:the )fall of \d{4}$",
        "in ",
    ),
    (
        r"(?:season|series|episode|chapter|book|volume|act) (?:\d+|[a-z]+)$|the \S+ (?:season|series|episode|chapter)$",
        "in ",
    ),
    (r"the .*\b(?:era|period|dynasty|war|revolution|ages?|renaissance|reign)\b.*", "during "),
)
_WHERE = (
    (
        rf"(?:{_PREPOSITION})|(?:just |far )?(?:north|south|east|west)\w* of\b.*|\d[\d,.]* (?:km|kilomet|mi\b|miles|met|m\b).*",
        "",
    ),
    (
        r"the (?:end|top|base|bottom|junction|foot|edge|mouth|front|back|corner|intersection|age|site|home|confluence) of\b.*",
        "at ",
    ),
    (
        r"(?:the |an? )?(?:.* )?(?:(?:is(?:land|le)s?|coast|border|side|surface|banks?|outskirts|shores?) of\b.*|islands?|coast|border|floor|surface|coastline|peninsula|plateau)$",
        "on ",
    ),
    (
        r".*\b(?:street|avenue|boulevard|road|lane|drive|highway|beach)$|broadway|earth|the moon|mars|the cross|mount .*",
        "on ",
    ),
    (
        r"(?!.*,).*\b(?:university|college|school|stadium|arena|hall|airport|theat(?:re|er)|hotel|station|museum|palace|castle|"
        r"cathedral|church|abbey|institute|academy|hospital|studios?|racecourse|speedway|raceway|field|gardens?|court|library|house|fort|cent(?:re|er)|"
        r"centre court|coliseum|dome|temple|conference|festival|convention|summit|ranch|zoo|resort|ballroom|auditorium|rink)"
        r"(?: of .*| at .*)?$",
        "at ",
    ),
)
_ARTICLE = re.compile(
    r"(?:united (?:states|kingdom|arab emirates|nations)|u\.?s\.?(?:a\.?)?|u\.?k\.?|usa|soviet union|ussr|netherlands|philippines|bahamas|"
    r"maldives|bronx|caribbean|middle east|vatican|roman empire|ottoman empire|czech republic|dominican republic|"
    r"(?:\w+ )*(?:ocean|sea|river|mountains|islands|peninsula|desert|hemisphere|empire|alps|andes|himalayas|league|zone|region|strait|canal|valley|hills))\b(?: of .*)?$",
    re.IGNORECASE,
)
_SINGULAR = re.compile(
    r"(?:the )?(?:united (?:states|nations|arab emirates)|netherlands|philippines|maldives|bahamas|honduras|cyprus|texas|kansas|"
    r"arkansas|massachusetts|paris|athens|brussels|wales|los angeles|las vegas|st\.? louis)\b",
    re.IGNORECASE,
)

_UNCOUNTED = frozenset("space heaven hell water air soil school college bed milk prison town nature history".split())
_ONES = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen|\\w+ty(?:-\\w+)?|hundreds?|thousands?|millions?|billions?|trillions?"
_NUMBER = re.compile(
    rf"(?:(?:about|around|over|under|nearly|almost|approximately|roughly|some|at least|up to|more than|less than|c\.|~|and|a|{_ONES}|[\d,.]+(?:[-–][\d,.]+)?) ?)+"
)


def article(answer: str) -> str:
    """The article that a bare name needs ("the " for "United States"), else nothing."""
    return "the " if _ARTICLE.match(answer) else ""


def when(answer: str) -> str | None:
    """Preposition of a time by the answer's form: "in " for 1912, "on " for 15 April 1912; None where the form is unknown."""
    plain = " ".join(answer.lower().split())
    return next((prep for form, prep in _WHEN if re.match(form, plain)), None)


def where(answer: str) -> str:
    """Preposition (and article) of a place by the answer's form: "in ", "on ", "at ", or nothing where it brings its own."""
    plain = " ".join(answer.lower().split())
    for form, prep in _WHERE:
        if re.match(form, plain):
            return prep and prep + article(answer)
    body_part = re.fullmatch(r"[a-z]+", answer) and not answer.endswith("s") and answer not in _UNCOUNTED
    return "in " + ("the " if body_part else article(answer))


def season(noun: str, answer: str, slot: str) -> str:
    """The slot with what an answer to "which season/episode" needs before it: "in season 7", "in the episode X", "in winter"."""
    plain = answer.lower()
    if noun in plain or plain in {"spring", "summer", "autumn", "fall", "winter"}:
        return f"in {slot}"
    if is_number(answer):
        return f"in {noun} {slot}"
    return f"in the {noun} {slot}" if answer[:1].isupper() or answer[:1] in "\"“'" else f"in {slot}"


def is_number(answer: str) -> bool:
    """Whether the answer is a bare number, in digits or words, with no unit of its own."""
    return bool(_NUMBER.fullmatch(answer.lower()))


def duration(answer: str) -> bool:
    """Whether the answer is a number with a unit of time."""
    return bool(
        re.search(
            r"\b(?:years?|yrs|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies))\b", answer.lower()
        )
    )


def is_plural(answer: str) -> bool:
    """Whether the answer takes a plural verb: joined names, or a plural head by its ending."""
    if re.search(r"\w (?:and|&) \w|^(?:two|three|four|five|six|seven|eight|nine|ten|both|several|many)\b", answer):
        return True
    head = re.split(r" (?:of|in|on|at|from|with|for|by|to|that|who|which)\b|,|\(", answer)[0].rstrip()
    if _SINGULAR.match(head):
        return False
    named = head[:1].isupper() and not head.startswith("The ")
    return not named and bool(re.search(r"[^su'i]s$", head)) and bool(re.search(r"[a-z]s$", head))


def opens_sentence(answer: str) -> bool:
    """Whether the answer may be the first word as it stands: its first letter is no lower-case letter and no digit comes first."""
    first = next((sign for sign in answer if sign.isalnum()), "")
    return bool(first) and not first.islower() and not first.isdigit()
