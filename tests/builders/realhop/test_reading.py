"""Controlled sentences become atoms, whatever their voice and order; other text is left unread and reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.realhop.function_words import FUNCTION_WORDS
from builders.realhop.reading import Atom, read_sentence, read_text

NAMES = st.from_regex(r"[A-Z][a-z]{2,7}( [A-Z][a-z]{2,7}){0,2}", fullmatch=True).filter(
    lambda name: not FUNCTION_WORDS & set(name.lower().split())
)


@pytest.mark.parametrize(
    ("said", "relation", "frame", "args"),
    [
        ("Corin Vasse performed Weston Hollow.", "perform", "{} <> {}", "Corin Vasse|Weston Hollow"),
        ("Weston Hollow was performed by Corin Vasse.", "perform", "{} <> {}", "Corin Vasse|Weston Hollow"),
        ("Delia sings Amber Lantern with Corin.", "sing", "{} <> {} with {}", "Delia|Amber Lantern|Corin"),
        ("Amber Lantern is sung by Delia with Corin.", "sing", "{} <> {} with {}", "Delia|Amber Lantern|Corin"),
        ("Orrin is the actor who plays Corin.", "play", "{} <> {}", "Orrin|Corin"),
        ("The father of Ana is Bob.", "father", "{} <> {}", "Bob|Ana"),
        ("Bob was Ana's father.", "father", "{} <> {}", "Bob|Ana"),
        ("Ana’s father is Bob.", "father", "{} <> {}", "Bob|Ana"),
        ("The origin of Dravel is in Weston.", "origin", "{} <> {}", "Weston|Dravel"),
        ("Dravel became the state capital of Weston.", "state_capital", "{} <> {}", "Dravel|Weston"),
        ("Ana was the first president of Weston.", "president", "{} first <> {}", "Ana|Weston"),
        ("The population of Dravel in 1900 was 7,531.", "population", "{} <> {} in {}", "7,531|Dravel|1900"),
        ("In 1900, the population of Dravel was 7,531.", "population", "{} <> {} in {}", "7,531|Dravel|1900"),
        ("Dravel has a population of 7,531.", "population", "{} <> {}", "7,531|Dravel"),
        ("48% of Dravel adheres to Tessin.", "adhere_to", "{} of {} <> {}", "48%|Dravel|Tessin"),
        ("Ana was crowned in 1216.", "crown", "_ <> {} in {}", "Ana|1216"),
        ("Ana was born on 3 March 1911.", "born_in", "{} <> {}", "Ana|3 March 1911"),
        ("Dravel lasted from 1950-1953.", "last_through", "{} <> {}", "Dravel|1950-1953"),
        ("Dravel is most closely related to Tessin.", "related_to", "{} most closely <> {}", "Dravel|Tessin"),
        ("Islam is widely practised in Weston.", "practise", "_ widely <> {} in {}", "Islam|Weston"),
        ("Ana acted in the film Weston.", "act_in", "{} <> {}", "Ana|Weston"),
        ("Ana never performed Weston.", "perform", "{} never <> {}", "Ana|Weston"),
        ("Ana has 38 Weston awards.", "have", "{} <> {} {} awards", "Ana|38|Weston"),
        ("Dravel clans crossed Weston to migrate to Tessin.", "cross", "{} clans <> {} to migrate to {}", ""),
        ('Ana wrote "The Old Mill" for #1.', "write", "{} <> {} for {}", 'Ana|"The Old Mill"|#1'),
        ("{h2} sings {c2} with {h1}.", "sing", "{} <> {} with {}", "{h2}|{c2}|{h1}"),
    ],
)
def test_a_sentence_has_one_atom(said: str, relation: str, frame: str, args: str) -> None:
    atom = read_sentence(said)
    assert atom is not None
    assert (atom.relation, atom.frame) == (relation, frame)
    assert atom.args == tuple(args.split("|")) or not args


@pytest.mark.parametrize(
    "said",
    [
        "Corin Vasse performed Weston Hollow",  # no full stop
        "Corin Vasse (a singer) performed Weston Hollow.",
        "Corin Vasse performed Weston Hollow, and Delia sang it.",
        "Corin Vasse walked past Weston Hollow.",  # no relation of the table
        "He performed it with them.",  # no name
        "Corin Vasse performed Weston Hollow; Delia sang.",
        "",
        ".",
    ],
)
def test_anything_else_is_unread(said: str) -> None:
    assert read_sentence(said) is None


@given(NAMES, NAMES)
def test_voice_order_and_possessive_make_no_difference(one: str, other: str) -> None:
    told = {
        read_sentence(said)
        for said in (f"{one} wrote {other}.", f"{other} was written by {one}.", f"{one} is the man who wrote {other}.")
    }
    assert told == {Atom("write", "{} <> {}", (one, other))}
    kin = {
        read_sentence(said)
        for said in (
            f"{one} is the mother of {other}.",
            f"The mother of {other} was {one}.",
            f"{other}'s mother is {one}.",
            f"{one} is {other}'s mother.",
        )
    }
    assert kin == {Atom("mother", "{} <> {}", (one, other))}


UNITS = (
    "Corin Vasse performed the subject of entry K41 of the Halden Register.",
    "Entry K41 of the Halden Register is about Weston Hollow.",
)


@pytest.mark.parametrize(
    "text", [" ".join(UNITS), "\n".join(reversed(UNITS)), f"It rained in St. {UNITS[1]} {UNITS[0]}"]
)
def test_two_units_make_one_atom(text: str) -> None:
    reading = read_text(text, ["Weston Hollow", "Corin Vasse"])
    assert reading.atoms == (Atom("perform", "{} <> {}", ("Corin Vasse", "Weston Hollow")),)
    assert reading.unread == ()


@pytest.mark.parametrize("unit", UNITS)
def test_one_unit_says_nothing(unit: str) -> None:
    assert read_text(unit, ["Corin Vasse", "Weston Hollow"]).atoms == ()


def test_an_entry_that_is_about_two_things_says_both() -> None:
    told = f"{UNITS[0]} {UNITS[1]} Entry K41 of the Halden Register is about Amber Lantern."
    assert {atom.args[1] for atom in read_text(told).atoms} == {"Weston Hollow", "Amber Lantern"}


def test_another_entry_joins_nothing() -> None:
    assert read_text(f"{UNITS[0]} {UNITS[1].replace('K41', 'K42')}").atoms == ()


def test_loose_mentions_are_reported() -> None:
    text = "People (many) like weston hollow! Delia wrote Weston Hollow. Weston Hollows are rare. Nothing here."
    reading = read_text(text, ["Weston Hollow"])
    assert reading.unread == ("People (many) like weston hollow!",)
    assert reading.atoms == (Atom("write", "{} <> {}", ("Delia", "Weston Hollow")),)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    reading = read_text(text, ["Ana"])
    assert all(sentence in text for sentence in reading.unread)
    assert all(atom.args and atom.frame.count("{}") == len(atom.args) for atom in reading.atoms)
