"""Typed mentions: hand-made readings show each rule, real ones what the pipeline makes of whole statements."""

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from builders.genadv.draft import Draft
from builders.genadv.read import documents_step
from builders.genadv.seeds import case
from builders.genadv.spot import find_entities
from builders.sources.openqa import to_question
from builders.steps import Passed
from eval.answers import clean_answers

Found = list[tuple[str, str]]


def no_vote(name: str) -> str:
    return ""


def spotted(draft: Draft, nearest: Callable[[str], str] = no_vote) -> Found:
    found = find_entities(draft, nearest)
    assert all(draft.statement[mention.start : mention.end] == mention.text for mention in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    return [(mention.text, mention.type) for mention in found]


def hand_made(
    make: SimpleNamespace,
    statement: str,
    answer: str,
    *,
    question: str = "",
    tags: list[tuple[str, str]] | None = None,
    seen: dict[str, dict[str, int]] | None = None,
    common: str = "",
    titles: tuple[str, ...] = (),
    first: str = "PROPN",
) -> Draft:
    given = make.case(question or "Who is it?", [answer], [(title, "Text.") for title in titles] or ["Text."])
    reading = make.reading(tags=seen or {}, common=common)
    return make.draft(given, statement, answer, parsed=make.parsed(statement, tags or [], first=first), reading=reading)


def test_the_answer_and_tagged_names_in_order(make: SimpleNamespace) -> None:
    tags = [("Ada", "PERSON"), ("Oslo", "GPE"), ("1901", "DATE")]
    seen = {"Ada": {"PERSON": 1}}
    draft = hand_made(make, "Ada was in Oslo in 1901.", "Oslo", question="Where was Ada?", tags=tags, seen=seen)
    assert spotted(draft) == [("Ada", "PERSON"), ("Oslo", "GPE"), ("1901", "DATE")]


def test_an_answer_that_is_a_bare_number_or_date_is_a_value(make: SimpleNamespace) -> None:
    assert spotted(hand_made(make, "Mars has 2 moons.", "2")) == [("Mars", "ORG"), ("2", "CARDINAL")]
    assert ("14 May 1972", "DATE") in spotted(hand_made(make, "It opened on 14 May 1972.", "14 May 1972", first="PRON"))
    assert ("1901", "DATE") in spotted(hand_made(make, "It opened in 1901.", "1901", first="PRON"))


def test_an_answer_of_ordinary_words_is_no_entity(make: SimpleNamespace) -> None:
    assert spotted(hand_made(make, "She is a chemist.", "chemist", first="PRON")) == []
    cello = hand_made(make, "She played Cello.", "Cello", common="cello", first="PRON")
    assert spotted(cello) == []


def test_names_of_the_documents_that_the_tagger_missed(make: SimpleNamespace) -> None:
    seen = {"the north ridge": {"LOC": 2}, "Ordet Peak": {"LOC": 3}}
    draft = hand_made(make, "Ada climbed Ordet Peak.", "Ada", tags=[("Ada", "PERSON")], seen=seen)
    assert spotted(draft) == [("Ada", "PERSON"), ("Ordet Peak", "LOC")]


def test_titles_of_documents_without_their_brackets(make: SimpleNamespace) -> None:
    draft = hand_made(make, "Ada directed The Wall.", "Ada", titles=("The Wall (film)",), tags=[("Ada", "PERSON")])
    assert [name for name, _ in spotted(draft)] == ["Ada", "The Wall"]


def test_quoted_names_are_taken_whole(make: SimpleNamespace) -> None:
    draft = hand_made(make, "Ada wrote 'A Doll's House'.", "Ada", tags=[("Ada", "PERSON"), ("Doll's House", "ORG")])
    assert [name for name, _ in spotted(draft)] == ["Ada", "A Doll's House"]


def test_capitalised_neighbours_belong_to_a_tagged_name(make: SimpleNamespace) -> None:
    draft = hand_made(make, "It was led by Emmy Noether.", "It", tags=[("Noether", "PERSON")], first="PRON")
    assert "Emmy Noether" in [name for name, _ in spotted(draft)]


def test_an_ordinary_first_word_is_no_name(make: SimpleNamespace) -> None:
    draft = hand_made(make, "Yesterday Ada sang.", "Ada", tags=[("Ada", "PERSON")], first="NOUN")
    assert spotted(draft) == [("Ada", "PERSON")]


def test_the_vote_on_a_type(make: SimpleNamespace) -> None:
    # 3 tags of the documents (2 each, the whole name) against the statement's own tag (2) and the pool (1).
    seen = {"Akbar": {"PERSON": 3}}
    draft = hand_made(make, "They saw Akbar there.", "They", tags=[("Akbar", "PRODUCT")], seen=seen, first="PRON")
    assert ("Akbar", "PERSON") in spotted(draft, lambda name: "ORG")
    # Nobody knows it: the pool decides.
    draft = hand_made(make, "They saw Akbar there.", "They", first="PRON")
    assert ("Akbar", "GPE") in spotted(draft, lambda name: "GPE")
    # Nobody at all.
    assert ("Akbar", "ORG") in spotted(draft)


def test_what_the_question_asks_for_weighs_more_than_the_tagger(make: SimpleNamespace) -> None:
    statement = "Marsala is a town of wine."
    draft = hand_made(make, statement, "Marsala", question="What city makes wine?", tags=[("Marsala", "PERSON")])
    assert spotted(draft) == [("Marsala", "GPE")]


def test_behind_the_stands_no_person_and_no_place(make: SimpleNamespace) -> None:
    draft = hand_made(make, "He saw the Carpathia sink.", "He", tags=[("Carpathia", "GPE")], first="PRON")
    assert ("Carpathia", "GPE") not in spotted(draft)


@pytest.mark.parametrize(
    ("statement", "name", "kind"),
    [("They saw Akbar there.", "Akbar", "PRODUCT"), ("They met on Monday.", "Monday", "DATE")],
)
def test_the_tag_of_a_capitalised_name_counts(make: SimpleNamespace, statement: str, name: str, kind: str) -> None:
    draft = hand_made(make, statement, "They", tags=[(name, kind)], first="PRON")
    assert (name, kind) in spotted(draft, lambda name: "ORG")


def test_hash_order_decides_nothing(make: SimpleNamespace) -> None:
    seen = {"Rio": {"GPE": 1}, "Rio Tinto": {"ORG": 1}, "Tinto": {"PERSON": 1}}
    drafts = [
        hand_made(make, "He knew Rio Tinto.", "He", seen=dict(order), first="PRON")
        for order in (seen.items(), reversed(seen.items()))
    ]
    assert spotted(drafts[0]) == spotted(drafts[1])


SAMPLES = [
    ("nq-sample-01", "Jørn Utzon designed the Sydney Opera House for Bennelong Point.", "Jørn Utzon",
     {"Jørn Utzon": "PERSON", "Sydney Opera House": None, "Bennelong Point": None}),
    ("nq-sample-03", "Maurice Jarre composed the score of Lawrence of Arabia.", "Maurice Jarre",
     {"Maurice Jarre": "PERSON", "Lawrence of Arabia": None}),
    ("nq-sample-04", "The Danube flows through the middle of Budapest.", "Danube",
     {"Danube": "LOC", "Budapest": "GPE"}),
    ("nq-sample-05", "The skin of the Statue of Liberty is made of copper.", "copper", {"Statue of Liberty": None}),
    ("nq-sample-08", "Vivian Fuchs led the first overland crossing of Antarctica.", "Vivian Fuchs",
     {"Vivian Fuchs": "PERSON", "first": "ORDINAL", "Antarctica": "LOC"}),
    ("tqa-sample-01", "Henrik Ibsen wrote the 1879 drama 'A Doll's House'.", "Henrik Ibsen",
     {"Henrik Ibsen": "PERSON", "1879": "DATE", "A Doll's House": None}),
    ("tqa-sample-02", "The Rosetta Stone has been on show since 1802 in the British Museum.", "British Museum",
     {"Rosetta Stone": None, "1802": "DATE", "British Museum": "ORG"}),
    ("tqa-sample-05", "Ada Lovelace published notes on the Analytical Engine of Charles Babbage.", "Charles Babbage",
     {"Ada Lovelace": "PERSON", "Analytical Engine": None, "Charles Babbage": "PERSON"}),
    ("tqa-sample-07", "The painter Johannes Vermeer was born in 1632 in Delft.", "Delft",
     {"Johannes Vermeer": "PERSON", "1632": "DATE", "Delft": "GPE"}),
    ("webq-sample-01", "Frida Kahlo was married to Diego Rivera.", "Diego Rivera",
     {"Frida Kahlo": "PERSON", "Diego Rivera": "PERSON"}),
    ("webq-sample-03", "Alan Turing studied at King's College, Cambridge.", "King's College, Cambridge",
     {"Alan Turing": "PERSON", "King's College, Cambridge": "ORG"}),
    ("9000001", "Niels Bohr was born in Copenhagen.", "Copenhagen", {"Niels Bohr": "PERSON", "Copenhagen": "GPE"}),
    ("9000002", "Akira Kurosawa was the director of Seven Samurai.", "Akira Kurosawa",
     {"Akira Kurosawa": "PERSON", "Seven Samurai": "WORK_OF_ART"}),
    ("9000003", "The capital of Sicily is Palermo.", "Palermo", {"Sicily": "GPE", "Palermo": "GPE"}),
    ("9000004", "Mikhail Bulgakov is the author of The Master and Margarita.", "Mikhail Bulgakov",
     {"Mikhail Bulgakov": "PERSON", "The Master and Margarita": "WORK_OF_ART"}),
    ("9000006", "Lake Bled is in Slovenia.", "Slovenia", {"Lake Bled": "LOC", "Slovenia": "GPE"}),
]  # fmt: skip


@pytest.fixture(scope="session")
def real_draft(sample_rows: Any, nlp: Any, document_nlp: Any) -> Callable[[str, str, str], Draft]:
    def draft(id: str, statement: str, answer: str) -> Draft:
        source = id.partition("-")[0] if "-" in id else "popqa"
        questions = (to_question(row, source) for row in sample_rows(source))
        question = next(question for question in questions if question.id == id)
        given = case(question, clean_answers(question.answers).kept, 5, 0)
        start = statement.index(answer)
        span = (start, start + len(answer))
        made = Draft(given, "adversarial", statement=statement, answer_span=span, parsed=nlp(statement))
        read = documents_step(document_nlp)([made])[0]
        assert isinstance(read, Passed)
        return read.draft

    return draft


@pytest.mark.model
@pytest.mark.parametrize(("id", "statement", "answer", "expected"), SAMPLES)
def test_statements_with_the_real_pipeline(
    real_draft: Any, id: str, statement: str, answer: str, expected: dict[str, str | None]
) -> None:
    found = spotted(real_draft(id, statement, answer))
    assert [name for name, _ in found] == list(expected)
    assert {name: kind for name, kind in found if expected[name]} == {n: kind for n, kind in expected.items() if kind}


@pytest.mark.model
@pytest.mark.parametrize(
    ("id", "statement", "answer", "name", "kind"),
    [
        ("9000005", "Rosalind Franklin's occupation is chemist.", "chemist", "Rosalind Franklin", "PERSON"),
        ("tqa-sample-04", "Abel Tasman reached Tasmania.", "Abel Tasman", "Abel Tasman", "PERSON"),
        ("nq-sample-03", "Maurice Jarre composed the score of Lawrence of Arabia.", "Maurice Jarre",
         "Lawrence of Arabia", "WORK_OF_ART"),
        ("webq-sample-07", "Humayun was the father of the Mughal emperor Akbar.", "Humayun", "Akbar", "PERSON"),
    ],
)  # fmt: skip
def test_types_by_what_stands_around(
    real_draft: Any, id: str, statement: str, answer: str, name: str, kind: str
) -> None:
    assert (name, kind) in spotted(real_draft(id, statement, answer))
