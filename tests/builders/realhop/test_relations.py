"""Near misses and other wordings keep the inflection; what MuSiQue asks is in the tables."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from builders.realhop.closure import closure
from builders.realhop.reading import read_sentence
from builders.realhop.relations import label_pattern, near_misses, relation_in, reworded
from builders.realhop.words import noun_forms, verb_forms


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        ("{h1} performed {c1}.", "{h1} produced {c1}."),
        ("{c1} was performed by {h1}.", "{c1} was produced by {h1}."),
        ("{h1} is performing {c1}.", "{h1} is producing {c1}."),
        ("{h1} has performed {c1}.", "{h1} has produced {c1}."),
        ("{h1} did not perform {c1}.", "{h1} did not produce {c1}."),
        ("{c1} and {c2} perform {h1}.", "{c1} and {c2} produce {h1}."),
        ("{c1} was born in {h1}.", "{c1} was buried in {h1}."),
        ("{c1} was born on {h1}.", "{c1} was buried on {h1}."),
        ("{c1} is an episode of {h1}.", "{c1} is a parody of {h1}."),
        ("{c1} and {c2} are the children of {h1}.", "{c1} and {c2} are the nephews of {h1}."),
        ("{c1} is most closely related to {h1}.", "{c1} is most closely dependent on {h1}."),
        ("The largest city in {c1} is {h1}.", "The oldest city in {c1} is {h1}."),
    ],
)
def test_a_near_miss_has_the_inflection_of_its_pattern(pattern: str, first: str) -> None:
    assert near_misses(pattern)[0].pattern == first


def test_a_passive_takes_only_what_can_be_passive() -> None:
    assert [miss.relation for miss in near_misses("{c1} is bordered by {h1}.")] == ["supply", "surpass", "recognise"]


def test_without_a_relation_there_is_no_near_miss() -> None:
    assert near_misses("{h1} yawned at {c1}.") == ()
    assert reworded("{h1} yawned at {c1}.", "write") == ()


@pytest.mark.parametrize("said", ["{h1} wrote {c1}.", "{h1} plays {c1} in {c2}.", "{h1} is the spouse of {c1}."])
def test_another_form_of_the_relation_says_the_same(said: str) -> None:
    forms = reworded(said, relation_in(said) or "")
    assert len(forms) > 1
    assert {read_sentence(form) for form in forms} == {read_sentence(said)}


def test_an_entailing_relation_says_it_too() -> None:
    (sung,) = reworded("{h1} performed {c1} in {c2}.", "sing")
    assert sung == "{h1} sang {c1} in {c2}."
    stronger, gold = read_sentence(sung), read_sentence("{h1} performed {c1} in {c2}.")
    assert stronger is not None
    assert gold in closure([stronger])


@pytest.mark.parametrize(
    ("phrase", "forms"),
    [
        ("be born in", "be born in|is born in|was born in|been born in|being born in"),
        ("write", "write|writes|wrote|written|writing"),
        ("take part in", "take part in|takes part in|took part in|taken part in|taking part in"),
        ("lie on", "lie on|lies on|lay on|lain on|lying on"),
        ("have as a part", "have as a part|has as a part|had as a part|had as a part|having as a part"),
        ("begin in", "begin in|begins in|began in|begun in|beginning in"),
        ("found", "found|founds|founded|founded|founding"),
    ],
)
def test_the_forms_of_a_verb(phrase: str, forms: str) -> None:
    found = verb_forms(phrase)
    assert "|".join(found[name][0] for name in ("base", "present", "past", "participle", "ing")) == forms


@pytest.mark.parametrize(
    ("phrase", "plural"),
    [("largest city", "largest cities"), ("date of birth", "dates of birth"), ("child", "children"), ("wife", "wives")],
)
def test_the_plural_of_a_noun(phrase: str, plural: str) -> None:
    assert noun_forms(phrase) == {"singular": (phrase,), "plural": (plural,)}


def test_every_label_of_musique_has_a_pattern(shared_data: Callable[[str], Path]) -> None:
    steps = Counter[str]()
    with gzip.open(shared_data("musique/musique_ans_dev_decompositions.jsonl.gz"), "rt", encoding="utf-8") as file:
        for line in file:
            steps.update(step["question"].partition(" >> ")[2] for step in json.loads(line)["question_decomposition"])
    del steps[""]
    assert sum(steps.values()) == 2304
    assert len(steps) == 79
    assert not [label for label in steps if label_pattern(label) is None]


def test_a_deed_with_a_purpose_is_not_exchanged_for_a_state() -> None:
    found = [miss.pattern for miss in near_misses("{c1} clans crossed {h1} to migrate to {c2}.")]
    assert found == [
        f"{{c1}} clans {verb} {{h1}} to migrate to {{c2}}." for verb in ("approached", "avoided", "mapped")
    ]


def test_a_negative_has_no_near_miss_that_follows_from_it() -> None:
    found = {miss.relation for miss in near_misses("{h1} never plays a home game in {c1}.")}
    assert found == {"invest_in", "recruit_in", "buy_land_in", "open_shop_in"}
