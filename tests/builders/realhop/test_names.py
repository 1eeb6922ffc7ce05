"""Invented names: new to the item, no word twice, drawn by the seed; values of the old form."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from realhop_items import SONG, item

from builders.realhop.graph import Entity
from builders.realhop.names import Namer, draw_names, fresh_names, words_of
from builders.realhop.plan import Plan
from builders.realhop.values import another_value

KINDS = ("person", "place", "organization", "work", "event", "thing")


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_a_kind_are_plenty_capitalised_and_share_no_word(kind):
    namer = Namer(SONG, 0, "names")
    names = [namer.name(kind) for _ in range(20)]
    words = [word for name in names for word in name.split()]
    assert len(set(map(str.casefold, words))) == len(words)
    assert all(re.fullmatch("[A-Z][a-z]+", word) for word in words)


@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_names_are_possible(kind):
    assert len({Namer(SONG, seed, "names").name(kind) for seed in range(1500)}) > 1200


def test_no_word_of_the_item_becomes_a_name():
    taken = Namer(SONG, 0, "names").name("work")
    other = item(SONG.question, [(h.relation, h.answer) for h in SONG.hops], [("Of it", f"{taken.lower()} was told.")])
    assert Namer(SONG, 0, "names").name("work") == taken
    assert not words_of([Namer(other, 0, "names").name("work")]) & words_of([taken])


def test_the_seed_and_the_item_decide():
    wanted = [("c1", "work", "Country Man"), ("h1", "person", "Luke Bryan"), ("h2", "year", "1981")]
    first = draw_names(SONG, wanted, 0)
    assert first == draw_names(SONG, wanted, 0)
    assert all(first[key] != other for key, other in draw_names(SONG, wanted, 1).items())
    assert list(first) == ["c1", "h1", "h2"]


def test_fresh_names_avoid_the_plan():
    entities = tuple(Entity(f"h{n}", name, "work", "") for n, name in enumerate(names_of("work", 40), 1))
    namer = fresh_names(SONG, Plan(SONG.id, "", entities, (), "rules"), 0)
    assert not words_of(namer.name("work") for _ in range(15)) & words_of(e.name for e in entities)


def names_of(kind, number):
    namer = Namer(SONG, 0, "names")
    return [namer.name(kind) for _ in range(number)]


@pytest.mark.parametrize(
    ("kind", "near", "form"),
    [
        ("date", "11 February 1929", r"\d{1,2} [A-Z][a-z]+ 1[89]\d\d"),
        ("date", "February 11, 1929", r"\d{1,2} [A-Z][a-z]+ 1[89]\d\d"),
        ("date", "Sales began in April 2012", r"[A-Z][a-z]+ (19|20)\d\d"),
        ("year", "1599", r"15[5-9]\d|16[0-3]\d"),
        ("year", "built in the 15th century", r"1[67-9]\d\d"),
        ("number", "15,900", r"\d{1,2},\d{3}"),
        ("number", "five", r"[1-7]\d"),
        ("number", "48%", r"\d\d%"),
        ("number", "$59,039", r"\$\d{2,3},\d{3}"),
        ("number", "18th", r"([4-9]|1\d|20)th|2nd|3rd"),
    ],
)
def test_a_value_keeps_its_form(kind, near, form):
    for seed in range(50):
        assert re.fullmatch(form, another_value(kind, near, random.Random(seed)))


@given(st.integers(1000, 2020), st.integers())
def test_a_year_moves_and_stays_close(year, seed):
    moved = int(another_value("year", str(year), random.Random(seed)))
    assert 1 < abs(moved - year) <= 40


def test_values_of_one_item_differ():
    namer = Namer(SONG, 0, "names")
    years = [namer.name("year", "1950") for _ in range(30)]
    assert len(set(years)) == 30
    assert "2015" not in years
