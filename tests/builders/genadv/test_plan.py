from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.countries import is_country
from builders.entities import Mention
from builders.genadv.draft import Draft
from builders.genadv.plan import answer_mention, replace_mentions, replacement_step
from builders.pool import Pool
from builders.steps import Passed, Result
from eval.answers import Matcher, tokens
from loaders.genadv import Replacement
from loaders.records import Reason

Nearest = Callable[[Mention, Callable[[str], bool]], tuple[str, float]]


def first_allowed(*names: str) -> Nearest:
    """Offer the names in this order, each with a cosine of 0.5."""

    def nearest(mention: Mention, allowed: Callable[[str], bool]) -> tuple[str, float]:
        return next(((name, 0.5) for name in names if allowed(name)), ("", 0.0))

    return nearest


@pytest.fixture
def bohr(make: SimpleNamespace) -> Draft:
    given = make.case(
        "In what city was Niels Bohr born?",
        ["Copenhagen", "København"],
        [("Niels Bohr", "Niels Bohr was born in Copenhagen. He met Ernest Rutherford.")],
    )
    return make.draft(given, "Niels Bohr was born in Copenhagen.", "Copenhagen")


def chosen(draft: Draft, make: SimpleNamespace, *mentions: tuple[str, str]) -> list[Mention]:
    return [make.mention(draft.statement, name, kind) for name, kind in mentions]


def made(result: Result[Draft]) -> tuple[Replacement, ...]:
    assert isinstance(result, Passed)
    return result.draft.replacements


def test_replacements_at_their_places(bohr: Draft, make: SimpleNamespace) -> None:
    mentions = chosen(bohr, make, ("Niels Bohr", "PERSON"), ("Copenhagen", "GPE"))
    nearest: dict[str, Nearest] = {"PERSON": first_allowed("Max Planck"), "GPE": first_allowed("Turku")}
    result = replace_mentions(bohr, mentions, lambda m, allowed: nearest[m.type](m, allowed), 0)
    assert made(result) == (
        Replacement("Niels Bohr", "PERSON", 0, 10, "Max Planck", 0.5),
        Replacement("Copenhagen", "GPE", 23, 33, "Turku", 0.5),
    )
    assert isinstance(result, Passed)
    assert result.evidence == "Niels Bohr -> Max Planck; Copenhagen -> Turku"


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        ("Niels Bohr", "the name itself"),
        ("Aage Bohr", "a token of the statement"),
        ("Copenhagen Jones", "a token of an answer"),
        ("Ernest Rutherford", "a name of the documents"),
    ],
)
def test_what_may_not_replace(bohr: Draft, make: SimpleNamespace, offered: str, why: str) -> None:
    mentions = chosen(bohr, make, ("Niels Bohr", "PERSON"))
    found = replace_mentions(bohr, mentions, first_allowed(offered, "Max Planck"), 0)
    assert made(found)[0].replacement == "Max Planck", why
    assert replace_mentions(bohr, mentions, first_allowed(offered), 0) == Reason(
        "no_replacement", "Niels Bohr [PERSON]"
    )


def test_a_country_stands_for_a_country_and_a_town_for_a_town(make: SimpleNamespace) -> None:
    given = make.case("Where is Rome?", ["Italy"], ["Text."])
    draft = make.draft(given, "Rome is in Italy.", "Italy")
    offered = first_allowed("Turku", "Norway", "Lyon")
    found = made(replace_mentions(draft, chosen(draft, make, ("Rome", "GPE"), ("Italy", "GPE")), offered, 0))
    assert [r.replacement for r in found] == ["Turku", "Norway"]
    assert is_country("Norway")
    assert not is_country("Turku")


def test_no_other_name_of_the_same_country(make: SimpleNamespace) -> None:
    given = make.case("Where is Leeds?", ["England"], ["Text."])
    draft = make.draft(given, "Leeds is in the United Kingdom.", "United Kingdom")
    offered = first_allowed("Britain", "Great Britain", "UK", "France")
    found = made(replace_mentions(draft, chosen(draft, make, ("United Kingdom", "GPE")), offered, 0))
    assert found[0].replacement == "France"
    russia = make.draft(make.case("Where?", ["Omsk"], ["Text."]), "Omsk is in the Soviet Union.", "Omsk")
    found = made(
        replace_mentions(russia, chosen(russia, make, ("Soviet Union", "GPE")), first_allowed("Russia", "Spain"), 0)
    )
    assert found[0].replacement == "Spain"


def test_two_entities_share_no_word_of_their_replacements(make: SimpleNamespace) -> None:
    draft = make.draft(make.case("Who met?", ["Ada"], ["Text."]), "Ada met Bob.", "Ada")
    offered = first_allowed("Max Born", "Max Planck", "Lise Meitner")
    found = made(replace_mentions(draft, chosen(draft, make, ("Ada", "PERSON"), ("Bob", "PERSON")), offered, 0))
    assert {"max", "born"}.isdisjoint(tokens(found[1].replacement))


def test_one_name_gets_one_replacement(make: SimpleNamespace) -> None:
    draft = make.draft(make.case("Who?", ["Ada Byron"], ["Text."]), "Ada Byron and Ada Byron sang.", "sang")
    twice = [Mention("Ada Byron", "PERSON", 0, 9), Mention("Ada Byron", "PERSON", 14, 23)]
    found = made(replace_mentions(draft, twice, first_allowed("Max Born", "Lise Meitner"), 0))
    assert [(r.start, r.replacement) for r in found] == [(0, "Max Born"), (14, "Max Born")]


def test_values_need_no_pool(make: SimpleNamespace) -> None:
    given = make.case("When did it open?", ["24 May 1883"], ["Text."])
    draft = make.draft(given, "It opened on 24 May 1883.", "24 May 1883")
    (found,) = made(replace_mentions(draft, chosen(draft, make, ("24 May 1883", "DATE")), first_allowed(), 0))
    assert found.similarity is None
    assert "May" in found.replacement
    assert "1883" not in found.replacement


@given(st.integers(0, 500), st.text(min_size=1, max_size=5))
def test_a_value_is_no_answer_and_not_named_in_the_question(make: SimpleNamespace, seed: int, id: str) -> None:
    # All other units but `eight` are answers or stand in the question.
    answers = ["six", "two", "three", "four", "five"]
    given = make.case("Of one, seven or nine, how many moons has it?", answers, ["Text."], id=id)
    draft = make.draft(given, "It has six moons.", "six")
    result = replace_mentions(draft, chosen(draft, make, ("six", "CARDINAL")), first_allowed(), seed)
    if isinstance(result, Passed):
        assert [r.replacement for r in result.draft.replacements] == ["eight"]
    else:
        assert result == Reason("no_replacement", "six [CARDINAL]")


@given(st.integers(0, 500))
def test_a_date_differs_and_states_no_answer(make: SimpleNamespace, seed: int) -> None:
    given = make.case("What happened after 1880?", ["1883", "1886", "1887"], ["Text."])
    draft = make.draft(given, "It opened in 1883.", "1883")
    (found,) = made(replace_mentions(draft, chosen(draft, make, ("1883", "DATE")), first_allowed(), seed))
    assert not Matcher(["1880", "1883", "1886", "1887"]).holds(found.replacement)


def test_values_depend_on_seed_and_id_alone(make: SimpleNamespace) -> None:
    def value(id: str, seed: int) -> str:
        draft = make.draft(make.case("When?", ["1883"], ["Text."], id=id), "It opened in 1883.", "1883")
        return made(replace_mentions(draft, chosen(draft, make, ("1883", "DATE")), first_allowed(), seed))[
            0
        ].replacement

    assert [value("a", 0) for _ in range(5)] == [value("a", 0)] * 5
    assert len({value(str(id), 0) for id in range(60)}) > 5
    assert len({value("a", seed) for seed in range(60)}) > 5


def test_the_mention_that_covers_the_answer(bohr: Draft, make: SimpleNamespace) -> None:
    both = chosen(bohr, make, ("Niels Bohr", "PERSON"), ("Copenhagen", "GPE"))
    assert answer_mention(replace(bohr, mentions=tuple(both))) == both[1]
    assert answer_mention(replace(bohr, mentions=(both[0],))) is None
    assert answer_mention(bohr) is None


def pool_of(similarity: Any, **names: Sequence[str]) -> Pool:
    return Pool(names, {kind: similarity.encode(found) for kind, found in names.items()}, "tests")


def test_the_step_takes_the_nearest_of_the_type_below_the_limit(bohr: Draft, make: SimpleNamespace) -> None:
    draft = make.draft(make.case("What?", ["sea"], ["Text."]), "Old Harbour Town lies by the sea.", "sea")
    mentions = chosen(draft, make, ("Old Harbour Town", "FAC"))
    names = ["Grey Keep", "Lone Tower", "Quiet Tower"]
    pool = pool_of(make.similarity, FAC=names, PERSON=["Ada Byron"])
    step = replacement_step(lambda d: mentions, make.similarity, pool, 0.8, 0)
    (result,) = step([draft])
    # None shares a word, so all cosines are 0: the first name of the pool is taken.
    assert made(result)[0].replacement == "Grey Keep"
    assert made(result)[0].similarity == 0.0
    missing = replacement_step(lambda d: mentions, make.similarity, pool_of(make.similarity, GPE=["Turku"]), 0.8, 0)
    assert missing([draft]) == [Reason("no_replacement", "Old Harbour Town [FAC]")]


def test_the_limit_on_the_cosine_of_two_names(make: SimpleNamespace) -> None:
    class Angles:
        identity = "angles"

        def encode(self, texts: Sequence[str]) -> Any:
            cosine = {"Ada": 1.0, "Bea": 0.81, "Cora": 0.8, "Dora": 0.3}
            return np.array([[cosine[t], np.sqrt(1 - cosine[t] ** 2)] for t in texts], dtype=np.float64)

    draft = make.draft(make.case("Who?", ["sang"], ["Text."]), "Ada sang.", "sang")
    step = replacement_step(
        lambda d: [Mention("Ada", "PERSON", 0, 3)],
        Angles(),
        pool_of(Angles(), PERSON=["Bea", "Cora", "Dora"]),
        0.8,
        0,
    )
    (result,) = step([draft])
    assert made(result)[0] == Replacement("Ada", "PERSON", 0, 3, "Cora", 0.8)
