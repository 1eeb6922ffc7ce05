from dataclasses import replace

import pytest
from realhop_plans import SHAPES, item, plan

from builders.realhop.check import plan_fault, prune, text_fault, uncovered, unsafe_paths
from builders.realhop.draft import draft
from builders.realhop.settings import Settings
from builders.realhop.units import entries, gold_facts
from loaders.records import Passage, Reason

BAD = Reason("competitor_entails_gold", "translated is wrote")


@pytest.fixture
def made():
    return draft(item("chain3"), plan("chain3"), 0, Settings())


def ids(paths):
    return {path.branch_id for path in paths}


def test_a_rejected_path_goes_whole_and_the_rest_stays(made):
    found = prune(made.plan, made.paths, {"s2a": BAD, "f1": BAD})
    assert ids(found.paths) == ids(made.paths) - {"s2a", "f1"}
    assert [(one.branch_id, one.reason) for one in found.dropped] == [("f1", BAD), ("s2a", BAD)]


def test_a_hop_without_a_whole_strict_path_rejects_the_item(made):
    assert prune(made.plan, made.paths, {"s2a": BAD, "s2b": BAD}) == Reason("no_strict_path", "hop 2: born_in")


def test_a_flexible_path_does_not_fill_in_for_a_strict_one(made):
    flexible = [path for path in made.paths if path.family != "strict"]
    assert uncovered(made.plan, flexible).code == "no_strict_path"


def test_a_fragment_of_a_strict_path_covers_nothing(made):
    fragment = [
        replace(path, facts=path.facts[:1]) if path.branch_id in ("s1a", "s1b") else path for path in made.paths
    ]
    assert uncovered(made.plan, fragment).detail == "hop 1: write"
    assert uncovered(made.plan, made.paths) is None


@pytest.mark.parametrize("endpoint", ["Quellmere", "the quellmere", "Lower Quellmere"])
def test_an_end_that_is_gold_after_normalising_is_unsafe(made, endpoint):
    paths = [replace(path, endpoint=endpoint) if path.branch_id == "s3a" else path for path in made.paths]
    assert unsafe_paths(item("chain3"), made.plan, paths) == {"s3a": Reason("endpoint_is_gold", endpoint)}


def renamed(made, branch_id, name):
    """The paths, one of them with another name for its last answer."""

    def told(fact):
        return replace(fact, names=tuple((key, name if key == "h3" else old) for key, old in fact.names))

    return [
        replace(path, endpoint=name, facts=tuple(told(fact) for fact in path.facts))
        if path.branch_id == branch_id
        else path
        for path in made.paths
    ]


@pytest.mark.parametrize(
    ("name", "code"), [("Lake Vattern", "name_in_source"), ("Amber Lantern", None), ("AMBER lantern", "names_collide")]
)
def test_a_name_of_the_source_or_of_another_path_is_unsafe(made, name, code):
    found = unsafe_paths(item("chain3"), made.plan, renamed(made, "s3b", name))
    assert {branch: reason.code for branch, reason in found.items()} == ({"s3b": code} if code else {})


def test_two_paths_to_one_end_are_unsafe(made):
    end = next(path.endpoint for path in made.paths if path.branch_id == "s1a")
    assert unsafe_paths(item("chain3"), made.plan, renamed(made, "s3b", end))["s3b"].code == "names_collide"


def test_a_sound_plan_has_no_fault_and_no_unsafe_path(made):
    assert plan_fault(item("chain3"), made.plan) is None
    assert unsafe_paths(item("chain3"), made.plan, made.paths) == {}


def test_a_plan_name_in_retained_text_or_used_twice_or_a_hop_aside_rejects_the_item():
    sound, source = plan("chain3"), item("chain3")
    told = replace(source, passages=(*source.passages, Passage("Quellmere", "A place.")))
    assert plan_fault(told, sound) == Reason("name_in_source", "Quellmere")
    twice = replace(sound, entities=(*sound.entities[:-1], replace(sound.entities[-1], name="TORVIK")))
    assert plan_fault(source, twice).code == "names_collide"
    aside = replace(sound, hops=(*sound.hops[:2], replace(sound.hops[2], depends_on=("1",))))
    assert plan_fault(source, aside) == Reason("hop_misses_answer", "hop 2")


@pytest.mark.parametrize("shape", SHAPES)
def test_the_written_item_is_what_was_planned(shape):
    found = draft(item(shape), plan(shape), 0, Settings())
    assert text_fault(item(shape), found.full, gold(found), found.paths) is None


def gold(found):
    return gold_facts(found.plan, entries(found.plan, 0))


def edited(row, place, text):
    passages = [*row.passages]
    passages[place] = Passage(passages[place].title, text)
    return replace(row, passages=tuple(passages))


def test_every_departure_from_the_plan_or_the_source_has_its_name(made):
    def fault(row):
        return text_fault(item("chain3"), row, gold(made), made.paths).code

    row = made.full
    assert fault(edited(row, 5, row.passages[5].text + " ")) == "text_not_kept"
    assert fault(edited(row, 9, "He was born on a farm and he Never left")) == "text_not_kept"
    assert fault(edited(row, 0, row.passages[0].text.replace("Corin Vasse", "Corin Vesse"))) == "span_mismatch"
    hop = row.hops[1]
    shifted = replace(hop, units=(replace(hop.units[0], start=hop.units[0].start + 1),))
    assert fault(replace(row, hops=(row.hops[0], shifted, row.hops[2]))) == "span_mismatch"
    assert fault(replace(row, hops=(row.hops[0], replace(hop, units=()), row.hops[2]))) == "unit_missing"
    assert fault(replace(row, competitors=(*row.competitors, row.competitors[0]))) == "unplanned_unit"
    assert fault(replace(row, competitors=row.competitors[1:])) == "unit_missing"
