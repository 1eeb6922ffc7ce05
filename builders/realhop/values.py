"""Dates, years and numbers: new values of the same form, close to the old ones."""

import random
import re

VALUE_KINDS = frozenset({"date", "year", "number"})
_MONTHS = "January February March April May June July August September October November December".split()
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d\d)(?!\d)")
_FIGURES = re.compile(r"\d[\d,]{0,30}(?:\.\d+)?")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_IN_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def another_value(kind: str, near: str, draw: random.Random) -> str:
    """A value of a kind: `14 March 1931`, `March 1931`, `1931` or a number as long as the one in `near`."""
    if kind == "number":
        return _number(near, draw)
    year = str(_year(near, draw))
    if kind == "year":
        return year
    month = draw.choice(_MONTHS)
    return f"{draw.randint(1, 28)} {month} {year}" if has_day(near) else f"{month} {year}"


def has_day(text: str) -> bool:
    """Whether a date names the day of the month."""
    return bool(re.search(rf"\b\d{{1,2}}(?:st|nd|rd|th)?,? (?:of )?(?:{'|'.join(_MONTHS)})\b", text)) or bool(
        re.search(rf"\b(?:{'|'.join(_MONTHS)}) \d{{1,2}}\b(?! ?\d)", text)
    )


def names_month(text: str) -> bool:
    """Whether a text names a month that belongs to a date."""
    return bool(re.search(rf"\b(?:{'|'.join(_MONTHS)})\b,? (?:of )?\d", text)) or has_day(text)


def _year(near: str, draw: random.Random) -> int:
    found = _YEAR.search(near)
    middle = int(found[1]) if found else draw.randint(1700, 1990)
    return middle + (1 if middle < 1950 and draw.random() < 0.5 else -1) * draw.randint(2, 40)


def _number(near: str, draw: random.Random) -> str:
    """A number with as many figures as the old one at least two, grouped as it was."""
    if re.fullmatch(r"(?:the )?\d+(?:st|nd|rd|th)(?: century)?", near):
        value = draw.randint(2, 20)  # a century that was
        return f"{value}{'th' if value > 10 else _ENDINGS.get(value, 'th')}"
    found = _FIGURES.search(near)
    old = found[0].rstrip(",") if found else str(_in_words(near))
    if "%" in near or "percent" in near:
        return f"{draw.randint(13, 97)}%"
    whole = int(old.replace(",", "").partition(".")[0])
    value = draw.randint(max(13, whole // 2), max(73, whole * 2))
    return (near[0] if near.startswith(("$", "€", "£")) else "") + (f"{value:,}" if "," in old else str(value))


def _in_words(text: str) -> int:
    words = text.lower().split()
    return next((_IN_WORDS.index(word) for word in words if word in _IN_WORDS), 20)
