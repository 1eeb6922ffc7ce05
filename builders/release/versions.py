"""Versions of an artifact: which number must rise for which change, and whether it did.

Patch: the same items and the same scores (card, licence note, errata, order of rows). Minor: items or whole splits were
added, every old item is as it was. Major: an item is gone, or something that a model sees or is scored by differs.
Before 1.0.0 the middle number stands for both.
"""

import re
from typing import NamedTuple

from loaders.errors import DecoyQAError

PATCH, MINOR, MAJOR = "patch", "minor", "major"


class Version(NamedTuple):
    """X.Y.Z, compared number by number."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag of the release on the Hub, vX.Y.Z."""
        return f"v{self}"


def read_version(text: str) -> Version:
    """Read X.Y.Z; raises DecoyQAError for anything else, a development version included."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", text, re.ASCII):
        raise DecoyQAError(f"version {text!r}: a release needs X.Y.Z without leading zeros or suffix")
    return Version(*map(int, text.split(".")))


def lowest_next(last: Version, change: str) -> Version:
    """Return the lowest version that may follow `last` after a patch, minor or major change."""
    if change == PATCH:
        return Version(last.major, last.minor, last.patch + 1)
    if change == MINOR or last.major == 0:
        return Version(last.major, last.minor + 1, 0)
    return Version(last.major + 1, 0, 0)


def check_bump(last: Version, new: Version, change: str) -> str:
    """Return what is wrong with `new` as the successor of `last`, or an empty text."""
    lowest = lowest_next(last, change)
    if new >= lowest:
        return ""
    return f"version {new} after {last} with a {change} change: expected {lowest} or higher"
