import csv
from pathlib import Path

import pytest

import builders
from builders.countries import alias_words, aliases, is_adjective, is_country, renamings
from eval.answers import normalise


def test_other_names_and_adjectives() -> None:
    assert set(aliases("France")) == {"French", "French Republic"}
    assert set(aliases("french")) == {"France", "French Republic"}
    assert {"United Kingdom", "British", "Britain"} <= set(aliases("the U.K."))
    assert aliases("Paris") == ()
    assert aliases("") == ()


def test_a_name_of_two_countries_is_an_alias_of_both() -> None:
    assert {"Czech Republic", "Slovakia"} <= set(aliases("Czechoslovakia"))


def test_no_name_is_its_own_alias() -> None:
    for name in ("Türkiye", "United States", "us", "Éire"):
        assert normalise(name) not in map(normalise, aliases(name))
        assert aliases(name)


def test_words_that_a_replacement_may_not_share() -> None:
    assert {"united", "states", "usa", "american"} <= alias_words("America")
    assert "republic" not in alias_words("Ireland")
    assert alias_words("Paris") == frozenset()


@pytest.mark.parametrize("name", ["Norway", "norwegian", "The Netherlands", "Holland", "USSR", "West Germany"])
def test_countries_under_any_of_their_names(name: str) -> None:
    assert is_country(name)


@pytest.mark.parametrize("name", ["Oslo", "Bavaria", "Europe", "", "Georgia Tech"])
def test_what_is_no_country(name: str) -> None:
    assert not is_country(name)


def test_the_table_has_unique_countries_and_no_empty_name() -> None:
    path = Path(builders.__file__).parent / "countries.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["country"] for row in rows]
    assert len(set(names)) == len(names) >= 90
    assert all(normalise(part) for row in rows for value in row.values() for part in (value or "").split(";") if part)
    assert all(row["adjectives"] for row in rows)


def test_adjectives_of_countries() -> None:
    assert is_adjective("french")
    assert not is_adjective("France")
    assert not is_adjective("Paris")


def test_other_names_and_adjectives_follow_another_country() -> None:
    assert renamings("United Kingdom", "France") == [
        *((name, "France") for name in ("UK", "U.K.", "Britain", "Great Britain")),
        ("British", "French"),
        ("Briton", "French"),
    ]
    assert renamings("France", "Lyon") == []
    assert renamings("Paris", "France") == []
