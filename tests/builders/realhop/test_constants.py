"""What counts as a constant of a question, and where sub-questions take it up."""

import pytest
from realhop_items import item

from builders.realhop.claims import constants
from builders.realhop.constants import context_of, mentions
from builders.realhop.masks import masked
from loaders.records import Reason

FILM = [("Breakfast at Tiffany's (film)", "Moon River is sung in Breakfast at Tiffany's by an actress.")]
GRIT = [("True Grit", "True Grit is a film."), ("How I Met Your Mother", "It is a show. In it Barney is tall.")]
NAMES = [
    ("Who played Barney on How I Met Your Mother?", GRIT, ["Barney", "How I Met Your Mother"]),
    ("who played barney on how i met your mother", GRIT, ["barney", "how i met your mother"]),
    ("Who sang Moon River in Breakfast at Tiffany's?", FILM, ["Moon River", "Breakfast at Tiffany's"]),
    ("What city is the star of “Sous les pieds” from?", [], ["Sous les pieds"]),
    ("Who was the King of England in 1950?", [], ["England", "1950"]),
    ("On what date did the Governor of the city end?", [], []),
    ("Who is the Prime Minister of Norway?", [], ["Norway"]),
    ("Who plays the mother in Shrek 2?", [], ["Shrek 2"]),
    ("Who is Empress Wang's father?", [], ["Empress Wang"]),
    ("Are Serbian and Croatian both spoken?", [], ["Serbian", "Croatian"]),
    (
        "Who is Alex P. Keaton's actor on Family Ties in True Grit?",
        GRIT,
        ["Alex P. Keaton", "Family Ties", "True Grit"],
    ),
]


@pytest.mark.parametrize(("question", "passages", "expected"), NAMES)
def test_constants_of_a_question(question, passages, expected):
    one = item(question, [("what is it", "nothing")], passages)
    found = mentions(one, context_of(one))
    assert [mention.text for mention in found] == expected
    assert all(question[mention.start : mention.end] == mention.text for mention in found)


TOLD = "Here Marty is. In Capote Truman Capote is played. A film is Shrek. It is in Breakfast at Tiffany's."
MASKS = [
    ("Who sang in Breakfast at Tiffany's?", "who sang in breakfast at tiffany's", "who sang in {c1}"),
    (
        "Who is the mother of Truman Capote from Capote?",
        "who played truman capote in capote",
        "who played {c1} in {c2}",
    ),
    ("What is in the county of Gmina Osie?", "Gmina Osie, Lublin Voivodeship >> located in", "{c1} >> located in"),
    ("What is owned by the The Daily News?", "The Daily News >> owned by", "{c1} >> owned by"),
    ("Where did the actor in Advernture's End play?", "Who acted in Adventure's End?", "Who acted in {c1}?"),
    ("Where is the Golden Gloves event held?", "The Golden Gloves are held at which location in NYC?", None),
    ("Who wrote The Story?", "who wrote the 1963 book the story", "who wrote the book {c1}"),
    ("Who played it in Shrek 2?", "who was in shrek", "who was in {c1}"),
    ("Where is the province in the country of Serbia?", "Old Province of #1 >> country", "{h1} >> country"),
    ("Where did Martin of Aragon die?", "Martin of #1 >> place of death", "{c1} of {h1} >> place of death"),
    ("Who did Marty McFly meet?", "who did marty meet", "who did {c1} meet"),
]


@pytest.mark.parametrize(("question", "relation", "expected"), MASKS)
def test_sub_questions_over_keys(question, relation, expected):
    one = item(
        question,
        [(relation, "nothing")],
        [
            (
                "Breakfast at Tiffany's",
                TOLD,
            )
        ],
    )
    known = constants(mentions(one, context_of(one)))
    text = masked(one, known, context_of(one))["1"]
    assert text == (expected or "The {c1} are held at which location?")


def test_a_name_that_the_question_lacks_refuses_the_hop():
    one = item("Who is the child of the author of Emma?", [("who wrote Emma and Persuasion", "Jane Austen")])
    text = masked(one, constants(mentions(one, context_of(one))), context_of(one))["1"]
    assert text == Reason("constant_not_in_question", "Persuasion")


def test_one_name_twice_is_one_constant():
    one = item("Who in Emma met the author of Emma?", [("who wrote emma", "Jane Austen")], [("Emma", "A novel.")])
    (only,) = constants(mentions(one, context_of(one)))
    assert (only.key, [place.start for place in only.places]) == ("c1", [7, 30])
