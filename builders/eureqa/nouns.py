"""What stands at the ends of relations: nouns, the kinds of entities that they name, and the classes of the ontology.

A noun of the table of relations is a word, or several with bars between them, the first of which names most of what
stands there: `place|organisation`.
"""

import csv
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HERE = Path(__file__)


def _read(name: str) -> list[list[str]]:
    with HERE.with_name(name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


# The kinds that each noun may name; one that is not listed names an idea.
KINDS: Mapping[str, frozenset[str]] = {noun: frozenset(kinds.split()) for noun, kinds in _read("nouns.tsv")}
# Words that say too little, or too little without the other end, to stand for an entity.
DULL = frozenset(
    """thing person place work organisation event type category format era product class order service structure
    power""".split()
)
# Words that name a person where no class does.
PERSONS = frozenset(noun for noun, kinds in KINDS.items() if "person" in kinds) - {"owner", "publisher"}
# Classes whose own name is no word that a reader would use, and that word. Some are too wide to tell a reader anything,
# or wrong of many: for these the third column has what may stand for them if an entity's relations say so. (DBpedia
# calls everybody with an office an OfficeHolder, and great cities settlements.)
_CLASSES: Mapping[str, tuple[str, str]] = {name: (word, better) for name, word, better in _read("classes.tsv")}
READABLE: Mapping[str, str] = {name: word for name, (word, better) in _CLASSES.items() if better == "-"}
WIDE = frozenset(_CLASSES) - frozenset(READABLE)


def kinds(noun: str) -> frozenset[str]:
    """Return the kinds of entities that a noun may name; empty for `thing`, which may be anything."""
    if "|" in noun:
        return frozenset().union(*(kinds(part) for part in noun.split("|")))
    return frozenset() if noun == "thing" else KINDS.get(noun, frozenset({"idea"}))


@cache
def narrower(class_name: str) -> frozenset[str]:
    """Return the nouns, or the kinds of nouns, that may stand for an entity of a wide class."""
    return frozenset(word.strip() for word in _CLASSES[class_name][1].split(",") if word.strip())


def noun(class_name: str) -> str:
    """Return a class as a reader would say it: `BasketballPlayer` is `basketball player`."""
    if class_name in _CLASSES:
        return _CLASSES[class_name][0]
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", class_name)
    return " ".join(word if word.isupper() else word.lower() for word in words)
