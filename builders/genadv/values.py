"""Another value for a date or number, in the spelling of the old one ("14 May 1972" -> "22 May 1965")."""

import re
from random import Random

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
# Words that stand for a value, in classes within which one may take another's place; position gives the value.
# No `one`: the noun behind it would have to change its number.
UNITS = "two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = ("hundred", "thousand", "million", "billion")
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
CLASSES = (MONTHS, WEEKDAYS, UNITS, TEENS, TENS, ORDINALS)
SPELLED = ("one", *UNITS, *TEENS)
FIRST_YEAR, LAST_YEAR = 1000, 2030

_PART = re.compile(r"\d+(?:st|nd|rd|th)\b|\d{4}s\b|\d{1,2}:\d\d|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+")
_WORD_CLASS = {word.lower(): family for family in CLASSES for word in family}


def other_value(text: str, draw: Random) -> str:
    """Return the text with every part that carries its value changed; empty where no part is one that we know."""
    has_year = any(_is_year(part) for part in re.findall(r"\d+", text))
    changed = _PART.sub(lambda found: _other_part(found.group(), has_year, draw), text)
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
    if len(old_parts) == 1 and (twin := _twin(old)) and (other := _twin(new)):
        forms |= {twin: other}
    return forms


def _twin(text: str) -> str:
    """Return `6` for `six` and `six` for `6`, `3rd` for `third`; empty where there is no other spelling."""
    word = text.lower()
    if word in SPELLED:
        return str(SPELLED.index(word) + 1)
    if word in ORDINALS:
        return _ordinal(ORDINALS.index(word) + 1)
    return SPELLED[int(word) - 1] if word.isdigit() and 1 <= int(word) <= len(SPELLED) else ""


def _is_year(part: str) -> bool:
    return len(part) == 4 and part.isdigit() and FIRST_YEAR <= int(part) <= LAST_YEAR


def _other_part(part: str, has_year: bool, draw: Random) -> str:
    if _is_year(part) or re.fullmatch(r"\d{4}s", part):
        return _other_year(part, draw)
    if ":" in part:
        return f"{draw.choice([hour for hour in range(1, 12) if hour != int(part.split(':')[0])])}:{part.split(':')[1]}"
    if part[0].isdigit():
        return _other_number(part, draw)
    family = _WORD_CLASS.get(part.lower())
    # In a full date the year and the day change; the month may stay, so that the season of the text still fits.
    if family is None or (family is MONTHS and has_year) or (family is WEEKDAYS and has_year):
        return part
    return _in_case(part, draw.choice([word for word in family if word.lower() != part.lower()]))


def _other_year(part: str, draw: Random) -> str:
    step, year = (10, int(part[:4])) if part.endswith("s") else (1, int(part))
    shift = step * draw.choice([-9, -8, -7, -6, -5, -4, -3, 3, 4, 5, 6, 7, 8, 9][:: 1 if step == 1 else 4])
    return str(year + shift if year + shift <= LAST_YEAR else year - abs(shift)) + part[4:]


def _other_number(part: str, draw: Random) -> str:
    if suffix := re.fullmatch(r"(\d+)(st|nd|rd|th)", part):
        return _ordinal(_other_integer(int(suffix.group(1)), draw))
    whole, _, decimals = part.replace(",", "").partition(".")
    number = str(_other_integer(int(whole), draw))
    number = f"{int(number):,}" if "," in part else number
    return f"{number}.{draw.randrange(10 ** len(decimals)):0{len(decimals)}d}" if decimals else number


def _other_integer(number: int, draw: Random) -> int:
    """Return another number of about the same size; a day of the month stays one."""
    if number <= 31:
        return draw.choice([other for other in range(max(2, number - 9), min(31, number + 9) + 1) if other != number])
    shift = draw.choice([-0.4, -0.3, -0.2, 0.2, 0.3, 0.4])
    return number + (round(number * shift) or 1)


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _in_case(model: str, word: str) -> str:
    return word.capitalize() if model[0].isupper() else word.lower()
