from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from builders.genadv.draft import Draft
from builders.genadv.passages import Mix, Words, overlap
from builders.genadv.write import (
    adversarial_passage_step,
    conflict_passage,
    question_cosines,
    visible_text,
    write_sentence,
)
from builders.steps import Passed, Result
from loaders.records import Document, Reason

WORDS = Words(50, 100)
MIX = Mix(WORDS, 35, 0.6, 2, 14)
STATEMENT = "Niels Bohr was born in Copenhagen."


def prose(words: int, start: int = 0) -> str:
    """Return a whole sentence of that many words, none of which is a name or stands in another such sentence."""
    return " ".join(["It", *(f"says{i}" for i in range(start, start + words - 2)), f"more{start}."])


def draft_on(make: SimpleNamespace, texts: list[list[str]], **fields: Any) -> Draft:
    given = make.case(
        "In what city was Niels Bohr born?",
        ["Copenhagen", "København"],
        [(f"Page {number}", " ".join(found)) for number, found in enumerate(texts, 1)],
    )
    replacements = (
        make.replacement(STATEMENT, "Niels Bohr", "PERSON", "Max Planck"),
        make.replacement(STATEMENT, "Copenhagen", "GPE", "Turku"),
    )
    fields = {"replacements": replacements, "sentence": "Max Planck was born in Turku.", **fields}
    found: Draft = make.draft(given, STATEMENT, "Copenhagen", reading=make.reading(texts), **fields)
    return found


def conflicting(make: SimpleNamespace, texts: list[list[str]]) -> Draft:
    only = (make.replacement(STATEMENT, "Copenhagen", "GPE", "Turku"),)
    return draft_on(make, texts, condition="conflict", replacements=only, sentence="Niels Bohr was born in Turku.")


def code(result: Result[Draft]) -> str:
    assert isinstance(result, Reason)
    return result.code


def written(result: Result[Draft]) -> Draft:
    assert isinstance(result, Passed), result
    return result.draft


def test_the_sentence_begins_with_a_capital(make: SimpleNamespace) -> None:
    draft = draft_on(make, [["Text."]])
    assert written(write_sentence(draft)).sentence == "Max Planck was born in Turku."
    title = make.replacement("Six of them sang.", "Six", "CARDINAL", "nine")
    number = make.draft(draft.case, "Six of them sang.", "Six", replacements=(title,))
    assert written(write_sentence(number)).sentence == "Nine of them sang."


def test_the_passage_is_the_closest_run_rewritten(make: SimpleNamespace) -> None:
    near = ["Niels Bohr was born in Copenhagen.", prose(50)]
    far = ["Niels Bohr was tall.", prose(55, 100)]
    draft = written(adversarial_passage_step(make.similarity, WORDS)([draft_on(make, [far, near])])[0])
    assert draft.passage == f"Max Planck was born in Turku. {prose(50)}"
    assert draft.title == "Page 2"
    assert [source.id for source in draft.sources] == ["d2"]


def test_title_and_other_forms_of_a_name_are_rewritten_too(make: SimpleNamespace) -> None:
    draft = draft_on(make, [["Bohr’s father taught in København.", prose(50)]])
    titled = replace(draft.case, documents=(replace(draft.case.documents[0], title="Niels Bohr"),))
    found = written(adversarial_passage_step(make.similarity, WORDS)([replace(draft, case=titled)])[0])
    assert found.title == "Max Planck"
    assert found.passage.startswith("Planck’s father taught in Turku.")


def test_why_there_is_no_adversarial_passage(make: SimpleNamespace) -> None:
    step = adversarial_passage_step(make.similarity, WORDS)
    short = draft_on(make, [["Niels Bohr was born in Copenhagen."]])
    foreign = draft_on(make, [[prose(60)]])
    results = step([short, foreign])
    assert code(results[0]) == "too_few_whole_sentences"
    assert code(results[1]) in ("question_not_in_documents", "entities_not_in_documents")


def test_a_leaking_choice_is_passed_over_for_the_next(make: SimpleNamespace) -> None:
    # `Niels Bohr` is replaced in both, but the nearer one spells an answer that no form of the rules reaches.
    leaking = ["Niels Bohr was born in Cop\u00adenhagen.", prose(50)]
    clean = ["Niels Bohr was tall.", prose(55, 100)]
    step = adversarial_passage_step(make.similarity, WORDS)
    draft = written(step([draft_on(make, [leaking, clean])])[0])
    assert draft.passage.startswith("Max Planck was tall.")
    assert code(step([draft_on(make, [leaking])])[0]) == "answer_in_passage"


def test_a_passage_may_not_grow_beyond_its_bounds(make: SimpleNamespace) -> None:
    draft = draft_on(make, [["Bohr met Niels Bohr.", prose(94)]])
    longer = (replace(draft.replacements[0], replacement="Max Karl Ernst Ludwig Planck"),)
    result = adversarial_passage_step(make.similarity, WORDS)([replace(draft, replacements=longer)])[0]
    assert code(result) == "passage_length"


def test_a_conflict_holds_its_sentence_and_two_documents(make: SimpleNamespace) -> None:
    draft = conflicting(
        make,
        [
            ["Niels Bohr lived in Copenhagen.", prose(20)],
            ["A city has its streets.", prose(20, 100)],
            [prose(20, 200)],
        ],
    )
    found = written(conflict_passage(draft, MIX))
    assert found.passage.startswith("Niels Bohr was born in Turku. ")
    assert len(found.sources) >= 2
    assert 50 <= len(found.passage.split()) <= 100
    assert not draft.case.matcher.holds(visible_text(found))
    assert all(overlap(found.passage, document) < 0.6 for document in draft.case.documents)


def test_sentences_that_share_the_questions_words_come_first(make: SimpleNamespace) -> None:
    draft = conflicting(
        make,
        [[prose(24)], [prose(24, 100)], ["Niels Bohr was a boy in that city. " + prose(16, 200)], [prose(24, 300)]],
    )
    found = written(conflict_passage(draft, MIX))
    assert found.passage.split(". ")[1] == "Niels Bohr was a boy in that city"


def test_why_there_is_no_conflict(make: SimpleNamespace) -> None:
    one_document = conflicting(make, [[prose(30), prose(30, 100)]])
    assert code(conflict_passage(one_document, MIX)) == "too_few_documents"
    leaking = conflicting(make, [[f"Cop\u00adenhagen. {prose(24)}"], [prose(24, 100)]])
    assert code(conflict_passage(leaking, MIX)) == "answer_in_passage"
    long = conflicting(make, [[prose(48)], [prose(48, 100)]])
    assert code(conflict_passage(long, MIX._replace(per_document=50))) == "too_few_documents"


def test_a_near_copy_of_a_document_is_no_conflict(make: SimpleNamespace) -> None:
    # Of the 6 + 34 + 13 tokens document 1 holds 5 (all but `Turku`) + 34.
    draft = conflicting(make, [["Niels Bohr was born in Copenhagen.", prose(34)], [prose(13, 100)]])
    result = conflict_passage(draft, MIX)
    assert code(result) == "copy_of_document"
    assert isinstance(result, Reason)
    assert result.detail.startswith("0.7")
    assert isinstance(conflict_passage(draft, MIX._replace(max_overlap=0.8)), Passed)


def test_cosines_of_question_with_passage_and_random_document(make: SimpleNamespace) -> None:
    given = make.case("iron tin lead zinc", ["Oslo"], ["Text."])
    drawn = Document("r", "", "copper")
    draft = Draft(given, "adversarial", title="iron", passage="tin", random=drawn)
    # iron and tin are 2 of 4 words of the question: 2 / (sqrt 4 * sqrt 2).
    assert question_cosines([draft], make.similarity) == [(round(2 / (2 * np.sqrt(2)), 3), 0.0)]
    assert question_cosines([], make.similarity) == []


@pytest.mark.model
def test_with_the_real_sentence_model(make: SimpleNamespace, minilm: Any) -> None:
    birth = ["Niels Bohr was born in Copenhagen, the son of a professor.", prose(45)]
    other = ["Niels Bohr liked football and skiing in the cold months.", prose(45, 100)]
    draft = written(adversarial_passage_step(minilm, WORDS)([draft_on(make, [other, birth])])[0])
    assert draft.passage.startswith("Max Planck was born in Turku, the son of a professor.")
