"""Another value for a date or number, in the spelling of the old one ("14 May 1972" -> "22 May 1965")."""

import re
from random import Random

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
# Words that stand for a value, in classes within which one may take another's place.
# No `one`: the noun behind it would have to change its number.
UNITS = "two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
TEEN_ORDINALS = """eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
    twentieth""".split()
CLASSES = (MONTHS, WEEKDAYS, UNITS, TEENS, TENS, ORDINALS, TEEN_ORDINALS)
SPELLED = ("one", *UNITS, *TEENS)
SPELLED_ORDINALS = (*ORDINALS, *TEEN_ORDINALS)
# Four figures up to 2100 are read as a year; a new year is none of the future.
FIRST_YEAR, LAST_NEW_YEAR, LAST_YEAR = 1000, 2025, 2100

_PART = re.compile(
    r"[0-9]+(?:st|nd|rd|th)\b|[0-9]{4}s\b|[0-9]{1,2}:[0-9]{2}|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]+(?:\.[0-9]+)?|[^\W\d_]+"
)
_WORD_CLASS = {word.lower(): family for family in CLASSES for word in family}


def other_value(text: str, draw: Random) -> str:
    """Return the text with every part that carries its value changed; empty where no part is one that we know.

    Years of one text move together, so that a span still ends after it begins; a day stays one of its month.
    """
    parts = _PART.findall(text)
    has_year, has_month = any(map(_is_year, parts)), any(part in MONTHS for part in parts)
    shift = draw.choice([-9, -8, -7, -6, -5, -4, -3, 3, 4, 5, 6, 7, 8, 9])
    # A day that every month has; in `19th century` a number that has been.
    most = 28 if has_month else 20 if "centur" in text.lower() else 31

    def other(found: re.Match[str]) -> str:
        part = found.group()
        if _is_year(part) or re.fullmatch(r"[0-9]{4}s", part):
            return _other_year(part, shift)
        family = _WORD_CLASS.get(part.lower())
        if part[0] in "0123456789":
            return _other_number(part, most, draw)
        # In a full date the year and the day change; the month may stay, so that the season of the text still fits.
        if family is None or (has_year and family in (MONTHS, WEEKDAYS)):
            return part
        return _in_case(part, draw.choice([word for word in family if word.lower() != part.lower()]))

    changed = _PART.sub(other, text)
    return changed if changed != text else ""


def value_forms(old: str, new: str) -> dict[str, str]:
    """Return how mentions of the old value and of its parts read under the new one.

    A full mention maps to the full new value; of a date with a year, the year alone maps too; of a plain number, the
    word maps to the word and the digits to the digits.
    """
    forms = {old: new}
    old_parts, new_parts = _PART.findall(old), _PART.findall(new)
    if len(old_parts) == len(new_parts):
        forms |= {a: b for a, b in zip(old_parts, new_parts, strict=True) if _is_year(a) and a != b}
    if twin := _twin(old):
        forms |= {twin: _twin(new) or new}
    return forms


def _twin(text: str) -> str:
    """Return `6` for `six` and `six` for `6`, `3rd` for `third`; empty where there is no other spelling."""
    word = text.lower()
    if word in SPELLED:
        return str(SPELLED.index(word) + 1)
    if word in SPELLED_ORDINALS:
        return _ordinal(SPELLED_ORDINALS.index(word) + 1)
    found = re.fullmatch(r"([0-9]+)(st|nd|rd|th)?", word)
    spelled = SPELLED_ORDINALS if found and found.group(2) else SPELLED
    return spelled[int(found.group(1)) - 1] if found and 1 <= int(found.group(1)) <= len(spelled) else ""


def _is_year(part: str) -> bool:
    return re.fullmatch(r"[0-9]{4}", part) is not None and FIRST_YEAR <= int(part) <= LAST_YEAR


def _other_year(part: str, shift: int) -> str:
    year, step = int(part[:4]), shift * 10 if part.endswith("s") else shift
    if year + step > LAST_NEW_YEAR:
        return f"{min(year, LAST_NEW_YEAR) - abs(step)}{part[4:]}"
    return f"{year + step if year + step >= FIRST_YEAR else year - step}{part[4:]}"


def _other_number(part: str, most: int, draw: Random) -> str:
    if ":" in part:
        hour, minutes = part.split(":")
        return f"{draw.choice([other for other in range(1, 12) if other != int(hour)])}:{minutes}"
    if suffix := re.fullmatch(r"([0-9]+)(st|nd|rd|th)", part):
        return _ordinal(_other_integer(int(suffix.group(1)), most, draw))
    whole, _, decimals = part.replace(",", "").partition(".")
    number = str(_other_integer(int(whole), most, draw))
    number = f"{int(number):,}" if "," in part else number
    return f"{number}.{draw.randrange(10 ** len(decimals)):0{len(decimals)}d}" if decimals else number


def _other_integer(number: int, most: int, draw: Random) -> int:
    """Return another number of about the same size; one that could be a day of the month stays one."""
    if number <= most:
        return draw.choice([other for other in range(max(2, number - 9), min(most, number + 9) + 1) if other != number])
    shift = draw.choice([-0.4, -0.3, -0.2, 0.2, 0.3, 0.4])
    return number + (round(number * shift) or 1)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _in_case(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word.lower()
