from dataclasses import replace

import pytest
from realhop_plans import SHAPES, TEXTS, item, plan

from builders.realhop.draft import Draft, draft
from builders.realhop.prove import prove
from builders.realhop.settings import Settings
from loaders.realhop import Proof
from loaders.records import Passage, Reason

SETTINGS = Settings()


def made(shape, seed=0, settings=SETTINGS, rejected=None):
    return draft(item(shape), plan(shape), seed, settings, rejected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_shape_gives_an_item_that_the_prover_accepts_from_its_text(shape, seed):
    found = made(shape, seed)
    assert isinstance(prove(found.full, found.source), Proof)


def test_the_row_tells_hops_with_their_units_and_relations_over_answers():
    row = made("join3").full
    assert (row.id, row.row_id, row.source_id, row.n_hops, row.writer, row.proof) == ("join3",) * 3 + (3, "rules", None)
    assert (row.answer, row.answer_aliases) == ("Hollow Quarry", ())
    assert [(hop.relation, hop.answer, hop.depends_on) for hop in row.hops] == [
        ("#1 wrote Amber Lantern.", "Corin Vasse", ()),
        ("Delia Marrick died in #2.", "Torvik", ()),
        ("#1 performed #3 in #2.", "Hollow Quarry", ("1", "2")),
    ]
    assert [[unit.unit_id for unit in hop.units] for hop in row.hops] == [["g1.1", "g1.2"], ["g2"], ["g3.1", "g3.2"]]
    assert [{unit.passage for unit in hop.units} for hop in row.hops] == [{0}, {2}, {4}]
    for unit in (unit for hop in row.hops for unit in hop.units):
        assert row.passages[unit.passage].text[unit.start : unit.end] == unit.fact


def test_a_competitor_tells_where_its_sentences_stand():
    row = made("join3").full
    strict = next(path for path in row.competitors if path.branch_id == "s1b")
    assert (strict.family, strict.protected_hop, strict.break_hop) == ("strict", "1", "1")
    assert [fact.fact_id for fact in strict.facts] == ["s1b.1.1", "s1b.1.2", "s1b.3.1", "s1b.3.2"]
    last = [row.passages[fact.passage].text[fact.start : fact.end] for fact in strict.facts]
    assert any(strict.endpoint in sentence for sentence in last)


def test_the_source_row_is_the_source_with_its_support_as_units():
    source, told = made("chain2").source, item("chain2")
    assert (source.question, source.answer, source.answer_aliases) == ("Which?", "Bergen", ("Aker",))
    assert source.passages == told.passages
    assert [(hop.relation, hop.units[0].fact) for hop in source.hops] == [("step 1", TEXTS[0]), ("step 2", TEXTS[2])]
    assert (source.competitors, source.writer, source.proof) == ((), "", None)


def test_what_a_later_review_turns_down_goes_and_the_others_keep_their_sentences():
    before, after = made("chain3"), made("chain3", rejected={"s1a": Reason("competitor_entails_gold", "")})
    assert after.dropped_paths == ("s1a: competitor_entails_gold",)
    assert after.paths == tuple(path for path in before.paths if path.branch_id != "s1a")
    assert [hop.units[0].fact for hop in after.full.hops] == [hop.units[0].fact for hop in before.full.hops]


def test_orphans_can_be_left_out():
    without = made("chain3", settings=replace(SETTINGS, orphans=False))
    assert {path.family for path in without.paths} == {"strict", "flexible"}
    assert {path.family for path in made("chain3").paths} == {"strict", "flexible", "orphan"}


def test_a_support_without_a_place_for_a_sentence_rejects_the_item():
    told = item("chain2")
    shut = replace(
        told, passages=(told.passages[0], told.passages[1], Passage("Berg", "He left and"), *told.passages[3:])
    )
    assert draft(shut, plan("chain2"), 0, SETTINGS) == Reason("no_safe_boundary", "support of hop 2")


def test_an_item_that_needs_more_values_than_there_are_is_named():
    few = plan("chain2")
    numbered = replace(few, entities=(*few.entities[:-1], replace(few.entities[-1], kind="number", name="64%")))
    told = item("chain2")
    used = Passage("Shares", " ".join(f"Share {value}% rose." for value in range(13, 98) if value not in (20, 64)))
    crowded = replace(told, passages=(*told.passages[:9], used))
    assert draft(crowded, numbered, 0, SETTINGS) == Reason("names_exhausted", "no new number like 64%")


def test_too_little_room_rejects_the_item_for_its_coverage():
    told = item("chain3")
    narrow = replace(told, passages=tuple(told.passages[place] for place in (0, 9, 2, 9, 4)))
    found = draft(narrow, plan("chain3"), 0, replace(SETTINGS, most_per_passage=4))
    assert isinstance(found, Reason)
    assert found.code == "no_strict_path"


def test_the_same_seed_gives_the_same_rows_and_another_seed_the_same_relations():
    first, again, other = made("join4", 3), made("join4", 3), made("join4", 4)
    assert isinstance(first, Draft)
    assert first == again
    assert first.full.passages != other.full.passages
    assert [hop.relation for hop in first.full.hops] == [hop.relation for hop in other.full.hops]
