"""Plans are checked the same way whoever made them: each fault has its name."""

import copy
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from model_world import Spoken
from realhop_planner import CHAIN, PLANNER, SONG, honest, voice

from builders.entities import EMBEDDED_PIPELINE, load_pipeline
from builders.realhop.graph import Plan
from builders.realhop.model_plan import plan_items
from builders.realhop.plan import plan_item
from builders.realhop.plan_checks import check_plan, plan_faults
from builders.realhop.plan_source import source_fault
from builders.sources.musique import read_musique
from builders.steps import Passed
from loaders.records import Item, Reason, Span


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Plan]:
    store = tmp_path_factory.mktemp("store")
    results = plan_items(voice(Spoken(honest, PLANNER), store), [CHAIN, SONG], 0)
    return {one.draft.item_id: one.draft for one in results if isinstance(one, Passed)}


def entity(plan: Plan, key: str, **changes: str) -> Plan:
    return replace(plan, entities=tuple(replace(e, **changes) if e.key == key else e for e in plan.entities))


def hop(plan: Plan, number: int, **changes: Any) -> Plan:
    return replace(plan, hops=tuple(replace(h, **changes) if h.hop_id == str(number) else h for h in plan.hops))


def renamed(plan: Plan, key: str, name: str) -> Plan:
    """Give an entity another name, in the question too."""
    return replace(entity(plan, key, name=name), question=plan.question.replace(plan.names[key], name))


FAULTS: list[tuple[str, str, Callable[[Plan], Plan]]] = [
    ("duplicate_name", "chain", lambda p: entity(p, "h1", name=p.names["h2"])),
    ("duplicate_name", "chain", lambda p: entity(p, "h1", name=f"Xavi {p.names['h2'].split()[1]}")),
    ("duplicate_name", "song", lambda p: renamed(p, "c1", p.names["c3"])),
    ("name_in_item", "chain", lambda p: entity(p, "h3", name="Leeds")),
    ("name_in_item", "chain", lambda p: entity(p, "h1", name="Xavi Lee")),
    ("name_in_item", "chain", lambda p: renamed(p, "c1", "Weather Anvil")),
    ("name_in_item", "song", lambda p: renamed(p, "c2", "1951")),
    ("unnamed_entity", "chain", lambda p: entity(p, "h1", name="")),
    ("kind_changed", "chain", lambda p: entity(p, "h3", name="1807")),
    ("kind_changed", "song", lambda p: renamed(p, "c2", "Xavi")),
    ("kind_changed", "chain", lambda p: entity(p, "h3", kind="number", name="48")),
    ("original_changed", "chain", lambda p: entity(p, "h3", original="York")),
    ("same_original", "song", lambda p: entity(p, "c1", original="Tide")),
    ("answer_unregistered", "chain", lambda p: replace(p, entities=p.entities[:-1])),
    ("support_changed", "chain", lambda p: hop(p, 2, support=5)),
    ("relation_misread", "chain", lambda p: hop(p, 1, relation="illustrate")),
    ("hop_dropped", "chain", lambda p: replace(p, hops=p.hops[:-1], entities=p.entities[:-1])),
    ("constant_not_rebound", "chain", lambda p: replace(p, question=p.question.replace("author", "British author"))),
    ("question_changed", "chain", lambda p: replace(p, question=p.question.replace("author", "editor"))),
    ("answer_in_question", "chain", lambda p: replace(p, question=f"{p.question} {p.names['h1']}")),
]


@pytest.mark.parametrize(("code", "item", "change"), FAULTS, ids=[f"{n}-{one[0]}" for n, one in enumerate(FAULTS)])
def test_a_plan_that_was_changed_is_found_out(
    plans: dict[str, Plan], code: str, item: str, change: Callable[[Plan], Plan]
) -> None:
    source = {"chain": CHAIN, "song": SONG}[item]
    assert plan_faults(plans[item], source) == ()
    assert check_plan(plans[item], source) is None
    assert code in [fault.code for fault in plan_faults(change(plans[item]), source)]


def test_articles_may_change_with_the_names(plans: dict[str, Plan]) -> None:
    asked = plans["song"].question
    assert check_plan(replace(plans["song"], question=asked.replace("in the", "in a")), SONG) is None


TWO_PLACES = (Span(0, 0, 5), Span(1, 0, 5))


def test_what_the_rules_plan_of_real_items_is_sound(shared_data: Callable[[str], Path]) -> None:
    items = list(islice(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")), 8))
    nlp = load_pipeline(EMBEDDED_PIPELINE)
    plans = [(item, plan_item(item, 3, nlp)) for item in items]
    sound = [(item, plan) for item, plan in plans if isinstance(plan, Plan)]
    assert len(sound) > len(items) / 2
    assert {item.id: plan_faults(plan, item) for item, plan in sound} == {item.id: () for item, _ in sound}


UNFIT: list[tuple[str, Callable[[Item], Item]]] = [
    ("unanswerable", lambda i: replace(i, answerable=False)),
    ("hop_without_support", lambda i: replace(i, hops=(replace(i.hops[0], support=()), *i.hops[1:]))),
    ("several_supports", lambda i: replace(i, hops=(replace(i.hops[0], support=TWO_PLACES), *i.hops[1:]))),
    ("hop_without_answer", lambda i: replace(i, hops=(replace(i.hops[0], answer=" "), *i.hops[1:]))),
    ("same_answer", lambda i: replace(i, hops=(i.hops[0], replace(i.hops[1], answer="ann LEE"), i.hops[2]))),
    ("hop_leads_nowhere", lambda i: replace(i, hops=(*i.hops[:2], replace(i.hops[2], depends_on=("1",))))),
    ("answer_changed", lambda i: replace(i, answer="York")),
    ("not_rebindable", lambda i: replace(i, hops=(*i.hops[:2], replace(i.hops[2], answer="it was never told")))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "change"), UNFIT)
def test_of_an_item_that_no_plan_fits_nothing_is_asked(
    tmp_path: Path, code: str, change: Callable[[Item], Item]
) -> None:
    engine, bad = Spoken(honest, PLANNER), change(CHAIN)
    found = source_fault(bad)
    assert found is not None
    assert found.code == code
    unfit, sound = plan_items(voice(engine, tmp_path), [bad, SONG], 0)
    assert unfit == found
    assert isinstance(sound, Passed)
    assert len(engine.asked) == 1
    assert check_plan(copy.copy(sound.draft), bad) == found


def test_a_sound_source_has_no_fault() -> None:
    assert source_fault(CHAIN) is None
    assert not isinstance(source_fault(SONG), Reason)
