from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from builders.genadv.check import (
    answer_is_entity,
    answerable,
    decoy_step,
    enough_entities,
    every_entity_changed,
    no_answer_in_sentence,
    other_meaning_step,
    question_kept,
)
from builders.genadv.draft import Draft
from builders.genadv.write import names_left
from builders.steps import Passed
from loaders.records import Document, Reason

STATEMENT = "Niels Bohr was born in Copenhagen."


class Cosines:
    """Texts lie in a plane at the cosine to the x-axis that is given for them."""

    identity = "tests:cosines"

    def __init__(self, given: dict[str, float]) -> None:
        self.given = given

    def encode(self, texts: Sequence[str]) -> Any:
        """Return unit rows of shape (len(texts), 2)."""
        found = [self.given[text] for text in texts]
        return np.array([[cosine, np.sqrt(1 - cosine**2)] for cosine in found]).reshape(len(texts), 2)


@pytest.fixture
def bohr(make: SimpleNamespace) -> Draft:
    given = make.case("In what city was Niels Bohr born?", ["Copenhagen"], ["Niels Bohr was born in Copenhagen."])
    replacements = (
        make.replacement(STATEMENT, "Niels Bohr", "PERSON", "Max Planck"),
        make.replacement(STATEMENT, "Copenhagen", "GPE", "Turku"),
    )
    return make.draft(given, STATEMENT, "Copenhagen", replacements=replacements, sentence="Max Planck was ... Turku.")


def test_at_least_two_entities(bohr: Draft, make: SimpleNamespace) -> None:
    one, two = make.mention(STATEMENT, "Niels Bohr", "PERSON"), make.mention(STATEMENT, "Copenhagen", "GPE")
    assert enough_entities(bohr, 2) == Reason("too_few_entities", "0 of 2")
    assert enough_entities(replace(bohr, mentions=(one,)), 2) == Reason("too_few_entities", "1 of 2")
    assert isinstance(enough_entities(replace(bohr, mentions=(one, two)), 2), Passed)
    assert isinstance(enough_entities(replace(bohr, mentions=(one,)), 1), Passed)


def test_conflicts_are_for_answerable_questions(bohr: Draft, make: SimpleNamespace) -> None:
    assert isinstance(answerable(bohr), Passed)
    without = make.case("In what city was Niels Bohr born?", ["Copenhagen"], ["He was born in Denmark."])
    result = answerable(replace(bohr, case=without))
    assert isinstance(result, Reason)
    assert result.code == "not_answerable"


def test_the_answer_must_be_an_entity(bohr: Draft, make: SimpleNamespace) -> None:
    assert answer_is_entity(bohr) == Reason("answer_not_an_entity", "Copenhagen")
    person, city = make.mention(STATEMENT, "Niels Bohr", "PERSON"), make.mention(STATEMENT, "Copenhagen", "GPE")
    assert answer_is_entity(replace(bohr, mentions=(person,))) == Reason("answer_not_an_entity", "Copenhagen")
    assert isinstance(answer_is_entity(replace(bohr, mentions=(person, city))), Passed)


@pytest.mark.parametrize("new", ["Copenhagen", "copenhagen", "The Copenhagen", "Cópenhagen", "Copenhagen."])
def test_an_entity_that_comes_out_as_it_went_in(bohr: Draft, make: SimpleNamespace, new: str) -> None:
    same = (*bohr.replacements[:1], make.replacement(STATEMENT, "Copenhagen", "GPE", new))
    assert every_entity_changed(replace(bohr, replacements=same)) == Reason("entity_unchanged", "Copenhagen")
    assert isinstance(every_entity_changed(bohr), Passed)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Max Planck was born in Turku.", None),
        ("Max Planck was born in Copenhagen.", Reason("answer_in_sentence", "Copenhagen")),
        ("Max Planck was born in COPENHAGEN's old town.", Reason("answer_in_sentence", "Copenhagen")),
        ("Max Bohr was born in Turku.", Reason("entity_left", "Bohr")),
        ("Niels Planck was born in Turku, as was Bohr.", Reason("entity_left", "Bohr")),
        ("Max Planck was born in Copenhagens Kommune.", None),
    ],
)
def test_no_answer_and_no_old_name_in_the_sentence(bohr: Draft, sentence: str, expected: Reason | None) -> None:
    result = no_answer_in_sentence(replace(bohr, sentence=sentence))
    assert result == expected if expected else isinstance(result, Passed)


@pytest.mark.parametrize(
    ("cosine", "code"), [(0.95, "too_similar"), (0.8, "too_similar"), (0.79, None), (0.1, None), (-0.2, None)]
)
def test_a_cosine_of_a_limit_or_more_is_too_similar(bohr: Draft, cosine: float, code: str | None) -> None:
    cosines = Cosines({STATEMENT: 1.0, "Other.": cosine})
    (result,) = other_meaning_step(cosines, 0.8)([replace(bohr, sentence="Other.")])
    assert (result.code if isinstance(result, Reason) else None) == code


def test_the_cosine_is_the_evidence(bohr: Draft) -> None:
    step = other_meaning_step(Cosines({STATEMENT: 1.0, "Far.": 0.25, "Near.": 0.875}), 0.8)
    far, near = step([replace(bohr, sentence="Far."), replace(bohr, sentence="Near.")])
    assert isinstance(far, Passed)
    assert far.evidence == "0.250"
    assert near == Reason("too_similar", "0.875")


def decoys(bohr: Draft, ours: float, other: float) -> Any:
    drawn = Document("r", "Tin", "Tin is a metal.")
    written = replace(bohr, title="Planck", passage="Max Planck.", random=drawn)
    cosines = Cosines({bohr.case.question: 1.0, "Planck\nMax Planck.": ours, "Tin\nTin is a metal.": other, "": 0.0})
    return decoy_step(cosines)([written])[0]


def test_a_decoy_is_nearer_to_the_question_than_the_random_document(bohr: Draft) -> None:
    passed = decoys(bohr, 0.6, 0.2)
    assert isinstance(passed, Passed)
    assert "0.600" in passed.evidence
    assert "0.200" in passed.evidence
    for ours in (0.1, 0.2):
        result = decoys(bohr, ours, 0.2)
        assert isinstance(result, Reason)
        assert result.code == "not_a_decoy"


def test_without_a_random_document_nothing_can_be_compared(bohr: Draft) -> None:
    written = replace(bohr, title="Planck", passage="Max Planck.")
    (result,) = decoy_step(Cosines({bohr.case.question: 1.0, "Planck\nMax Planck.": 0.9, "": 0.0}))([written])
    assert isinstance(result, Reason)
    assert result.code == "no_random_document"


def test_a_conflict_changes_the_answer_and_nothing_else(bohr: Draft) -> None:
    conflict = replace(bohr, condition="conflict", replacements=bohr.replacements[1:])
    assert isinstance(question_kept(replace(conflict, sentence="Niels Bohr was born in Turku.")), Passed)
    changed = question_kept(replace(conflict, sentence="Max Bohr was born in Turku."))
    assert changed == Reason("question_changed", "Max Bohr was born in Turku.")


def test_names_of_the_question_that_are_left(make: SimpleNamespace) -> None:
    """`david` is no entity of the lower-case statement, but the documents write him with a capital only."""
    question = "which american actor plays david in alvin and the chipmunks"
    statement = "Jason Lee plays david in Alvin and the Chipmunks."
    reading = make.reading([["Jason Lee is David in Alvin and the Chipmunks, an American film."]], common="actor plays")
    draft = make.draft(
        make.case(question, ["Jason Lee"], ["Jason Lee is David."]),
        statement,
        "Jason Lee",
        reading=reading,
        replacements=(
            make.replacement(statement, "Jason Lee", "PERSON", "Adam West"),
            make.replacement(statement, "Alvin and the Chipmunks", "WORK_OF_ART", "Casablanca"),
        ),
    )
    assert names_left(draft, "Adam West is David in Casablanca, an American film.") == ["david"]
    assert names_left(draft, "Adam West is Rick in Casablanca, an American film.") == []
    assert names_left(draft, "Adam West is Rick in Alvin's film.") == ["alvin"]
