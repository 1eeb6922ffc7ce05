"""How a short answer stands in a sentence: its article, its number, whether it may come first."""

import re

SLOT = "\ue000"  # a private-use sign stands for the answer until the sentence is finished


def any_of(*phrases: str) -> str:
    """A pattern for any of the space-separated words; an underscore is a space inside a phrase."""
    words = " ".join(phrases).split()
    return "(?:" + "|".join(word.replace("_", " ") for word in words) + ")"


_NAMES_WITH_ARTICLE = any_of(
    r"united_states united_kingdom united_arab_emirates united_nations u\.?s\.?(?:a\.?)? u\.?k\.? usa",
    "soviet_union ussr netherlands philippines bahamas maldives bronx caribbean middle_east vatican czech_republic",
    "dominican_republic",
)
_HEADS_WITH_ARTICLE = any_of(
    "ocean sea river mountains islands peninsula desert hemisphere empire alps andes himalayas league zone region",
    "strait canal valley hills",
)
_ARTICLE = re.compile(rf"(?:{_NAMES_WITH_ARTICLE}|(?:\w+ )*{_HEADS_WITH_ARTICLE})\b(?: of .*)?$", re.IGNORECASE)
_SINGULAR = re.compile(
    "(?:the )?"
    + any_of(
        "united_states united_nations united_arab_emirates netherlands philippines maldives bahamas honduras cyprus",
        r"texas kansas arkansas massachusetts paris athens brussels wales los_angeles las_vegas st\.?_louis",
    )
    + r"\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = any_of(
    "zero one two three four five six seven eight nine ten eleven twelve",
    r"\w+teen \w+ty(?:-\w+)? hundreds? thousands? millions? billions? trillions?",
)
_ABOUT = any_of(
    r"about around over under nearly almost approximately roughly some at_least up_to more_than less_than c\. ~ and a"
)
_NUMBER = re.compile(rf"(?:(?:{_ABOUT}|{_NUMBER_WORDS}|[\d,.]+(?:[-–][\d,.]+)?) ?)+")
_DURATION = re.compile(
    rf"\b{any_of('years? yrs months? weeks? days? hours? minutes? seconds? decades? century centuries')}\b"
)
_SEVERAL = re.compile(rf"\w (?:and|&) \w|^{any_of('two three four five six seven eight nine ten both several many')}\b")
_POSTMODIFIER = re.compile(rf" {any_of('of in on at from with for by to that who which')}\b|,|\(")


def article(answer: str) -> str:
    """The article that a bare name needs ("the " for "United States"), else nothing."""
    return "the " if _ARTICLE.match(answer) else ""


def is_number(answer: str) -> bool:
    """Whether the answer is a bare number, in digits or words, with no unit of its own."""
    return bool(_NUMBER.fullmatch(answer.lower()))


def holds_number(answer: str) -> bool:
    """Whether any word of the answer is a number."""
    return bool(re.search(rf"\d|\b{_NUMBER_WORDS}\b", answer.lower()))


def is_duration(answer: str) -> bool:
    """Whether the answer names a unit of time."""
    return bool(_DURATION.search(answer.lower()))


def is_plural(answer: str) -> bool:
    """Whether the answer takes a plural verb: joined names, or a plural head by its ending."""
    if _SEVERAL.search(answer):
        return True
    head = _POSTMODIFIER.split(answer)[0].rstrip()
    a_name = head.split(" ")[-1][:1].isupper() and not head.startswith(("The ", "the "))
    return not a_name and not _SINGULAR.match(head) and bool(re.search(r"[a-z][^su'i]?(?<![su'i])s$", head))


def is_list(answer: str) -> bool:
    """Whether the answer may name more than one thing."""
    return is_plural(answer) or bool(re.search(r"[,;/]|\band\b", answer))


def opens_sentence(answer: str) -> bool:
    """Whether the answer may stand first as it is: no digit comes first, and its first letter is no small one."""
    first = next((sign for sign in answer if sign.isalnum()), "")
    return bool(first) and not first.islower() and not first.isdigit()
