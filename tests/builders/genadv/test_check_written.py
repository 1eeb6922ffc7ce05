"""The gates on a model's text that need no model themselves; the rest is seen at work in test_liars.py."""

from types import SimpleNamespace

import pytest

from builders.genadv.check_written import answer_stated, names_changed, question_named
from builders.steps import Passed
from loaders.records import Reason

QUESTION = "what year does the quiet man take place"
STATEMENT = "The 1920s were indeed a period of quietude."


@pytest.mark.parametrize(
    ("statement", "span"),
    [
        ("The Danube flows through Budapest.", (4, 10)),
        ("Budapest lies on the Duna.", (21, 25)),
        ("The Duna, which others call the Danube, is long.", (32, 38)),  # the answer that was given before any alias
    ],
)
def test_the_answer_is_found_where_it_stands(make: SimpleNamespace, statement: str, span: tuple[int, int]) -> None:
    case = make.case("which river is long", ["Danube", "Duna"], ["Rivers are long."])
    draft = make.draft(case, statement, statement[slice(*span)])
    result = answer_stated(draft)
    assert isinstance(result, Passed)
    assert result.draft.answer_span == span


def test_values_and_adjectives_may_stay_and_names_may_not(make: SimpleNamespace) -> None:
    statement = "The Norwegian playwright Henrik Ibsen wrote A Doll's House in 1879."
    case = make.case("who wrote a doll's house", ["Henrik Ibsen"], ["Ibsen wrote."])
    kinds = {"Norwegian": "NORP", "Henrik Ibsen": "PERSON", "A Doll's House": "WORK_OF_ART", "1879": "DATE"}
    mentions = tuple(make.mention(statement, name, kind) for name, kind in kinds.items())

    def result(sentence: str) -> object:
        return names_changed(make.draft(case, statement, "Henrik Ibsen", mentions=mentions, sentence=sentence))

    assert isinstance(result("The Norwegian playwright Bjørnstjerne Bjørnson wrote The Editor in 1879."), Passed)
    changed = result("Bjørnstjerne Bjørnson wrote a doll’s house and other plays.")
    assert changed == Reason("entity_unchanged", "A Doll's House")


@pytest.mark.parametrize(
    ("passage", "named"),
    [
        ("The Quiet Man is a film whose story takes place in the 1980s.", True),
        ("The 1980s were indeed a period of quietude and tranquility.", False),
    ],
)
def test_without_another_entity_a_conflict_shares_a_word_with_the_question(
    make: SimpleNamespace, passage: str, named: bool
) -> None:
    case = make.case(QUESTION, ["the 1920s"], ["The film is set in the 1920s."])
    mentions = (make.mention(STATEMENT, "1920s", "DATE"),)
    draft = make.draft(case, STATEMENT, "The 1920s", mentions=mentions, passage=passage)
    result = question_named(draft)
    assert isinstance(result, Passed) if named else result == Reason("question_not_in_passage", QUESTION)
