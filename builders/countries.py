"""Other names and adjectives of countries: France, the French Republic and French are not three entities."""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from eval.answers import normalise, tokens


class Country(NamedTuple):
    """One row of `countries.tsv`."""

    name: str
    adjectives: tuple[str, ...]
    other_names: tuple[str, ...]

    def all(self) -> tuple[str, ...]:
        """Return every name and adjective."""
        return (self.name, *self.other_names, *self.adjectives)


@cache
def _by_name() -> dict[str, tuple[Country, ...]]:
    found: dict[str, list[Country]] = {}
    for country in _read():
        for name in {normalise(name) for name in country.all()}:
            found.setdefault(name, []).append(country)
    return {name: tuple(countries) for name, countries in found.items()}


def _read() -> Iterator[Country]:
    with Path(__file__).with_name("countries.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            parts = (tuple(filter(None, (row[key] or "").split(";"))) for key in ("adjectives", "other names"))
            yield Country(row["country"], *parts)


def aliases(name: str) -> tuple[str, ...]:
    """Return the other names of a country or the country of an adjective; empty for anything else."""
    names = (other for country in _by_name().get(normalise(name), ()) for other in country.all())
    return tuple(dict.fromkeys(other for other in names if normalise(other) != normalise(name)))


def alias_words(name: str) -> frozenset[str]:
    """Return the tokens of all other names, none of which a replacement may share."""
    return frozenset(token for other in aliases(name) for token in tokens(other)) - {"republic", "of", "new", "kingdom"}


def renamings(old: str, new: str) -> list[tuple[str, str]]:
    """Return how a country's other names and adjectives read where another country takes its place."""
    if not is_country(new):
        return []
    adjective = next((found.adjectives[0] for found in _by_name()[normalise(new)] if found.adjectives), new)
    found = [country for country in _by_name().get(normalise(old), ()) if normalise(country.name) == normalise(old)]
    names = [(other, new) for country in found for other in country.other_names if normalise(other) != normalise(new)]
    return names + [(word, adjective) for country in found for word in country.adjectives]


def is_adjective(word: str) -> bool:
    """Whether the word is a country's adjective, such as `French`."""
    return any(normalise(word) in map(normalise, found.adjectives) for found in _by_name().get(normalise(word), ()))


def is_country(name: str) -> bool:
    """Whether the name is a country, under any of its names."""
    return normalise(name) in _by_name()
