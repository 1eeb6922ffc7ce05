from collections import Counter
from dataclasses import replace

import pytest
from realhop_plans import SHAPES, item, plan

from builders.realhop.branches import Branches
from builders.realhop.compete import compete, misses, orphans, takes_many
from builders.realhop.names import fresh_names
from builders.realhop.relations import NearMiss, near_misses
from builders.realhop.settings import Settings
from builders.realhop.units import entries, gold_facts


def made(shape, seed=0, question=""):
    rebuilt = plan(shape, question)
    branches = Branches(rebuilt, fresh_names(item(shape), rebuilt, seed), entries(rebuilt, seed))
    paths = compete(rebuilt, seed, branches, Settings())
    return rebuilt, paths, orphans(rebuilt, branches, paths)


def told(path):
    return {fact.hop_id: fact for fact in path.facts}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_hop_has_two_strict_paths_and_a_flexible_one(shape):
    rebuilt, paths, _ = made(shape)
    for hop in rebuilt.hops:
        own = [path.branch_id for path in paths if path.protected_hop == path.break_hop == hop.hop_id]
        assert own == [f"s{hop.hop_id}a", f"s{hop.hop_id}b", f"f{hop.hop_id}"]


@pytest.mark.parametrize("shape", SHAPES)
def test_only_the_hop_and_what_rests_on_it_is_regenerated_and_only_the_hop_misses(shape):
    rebuilt, paths, _ = made(shape)
    hops = {hop.hop_id: hop for hop in rebuilt.hops}
    for path in (path for path in paths if path.family == "strict"):
        later = rebuilt.descendants(path.protected_hop)
        assert list(told(path)) == [key for key in hops if key == path.protected_hop or key in later]
        for key, fact in told(path).items():
            missed = fact.pattern != hops[key].pattern
            assert missed == (key == path.break_hop == path.protected_hop)
            if missed:
                assert fact.relation in {miss.relation for miss in near_misses(hops[key].pattern)}
            for name_key, name in fact.names:
                regenerated = name_key[1:] in told(path) and name_key[0] == "h"
                assert (name == rebuilt.names[name_key]) == (not regenerated)


def test_a_join_inherits_the_other_branch_from_gold():
    rebuilt, paths, loose = made("join3")
    strict = next(path for path in paths if path.branch_id == "s1a")
    head, end = dict(told(strict)["1"].names), dict(told(strict)["3"].names)
    assert list(told(strict)) == ["1", "3"]
    assert head["c1"] == "Amber Lantern"
    assert end["h2"] == rebuilt.names["h2"] == "Torvik"
    assert end["h1"] == head["h1"] != "Corin Vasse"
    assert end["h3"] == strict.endpoint != rebuilt.answer
    assert dict(told(loose[1])["3"].names)["h1"] == "Corin Vasse"


def test_both_arms_of_a_fan_out_go_on_from_the_same_new_answer():
    _, paths, _ = made("fan4")
    facts = {key: dict(fact.names) for key, fact in told(paths[0]).items()}
    assert list(facts) == ["1", "2", "3", "4"]
    assert facts["1"]["h1"] == facts["2"]["h1"] == facts["3"]["h1"]
    assert (facts["4"]["h2"], facts["4"]["h3"]) == (facts["2"]["h2"], facts["3"]["h3"])


@pytest.mark.parametrize("shape", SHAPES)
def test_names_ends_and_entries_are_new_everywhere(shape):
    rebuilt, paths, loose = made(shape)
    gold = set(rebuilt.names.values())
    own = [{name for fact in path.facts for _, name in fact.names} - gold for path in (*paths, *loose)]
    assert len(set().union(*own)) == sum(map(len, own))
    assert len({fact.fact_id for path in (*paths, *loose) for fact in path.facts}) == sum(
        len(path.facts) for path in (*paths, *loose)
    )
    ends = [path.endpoint for path in (*paths, *loose)]
    assert len({*ends, rebuilt.answer}) == len(ends) + 1
    entries_used = [fact.entry for path in (*paths, *loose) for fact in path.facts if fact.entry]
    assert len(set(entries_used)) == len(entries_used)


@pytest.mark.parametrize("shape", SHAPES)
def test_competitors_of_a_hardened_hop_are_told_in_two_units_as_gold_is(shape):
    rebuilt, paths, loose = made(shape)
    hardened = {hop.hop_id: hop.hardened for hop in rebuilt.hops}
    assert all(bool(fact.entry) == hardened[fact.hop_id] for path in (*paths, *loose) for fact in path.facts)


def test_the_paths_of_one_hop_miss_it_by_different_relations():
    _, paths, _ = made("chain2")
    for hop_id in "12":
        relations = [told(path)[hop_id].relation for path in paths if path.break_hop == hop_id]
        assert len(set(relations)) == 3


def test_near_misses_have_the_frame_of_the_hop(monkeypatch):
    crowned = replace(plan("chain2").hops[1], pattern="{h1} was crowned in {h2}.", relation="crown")
    # `be buried in` is one phrase, while `crown` and `wound` are said of nobody.
    offered = (
        NearMiss("{h1} was buried in {h2}.", "buried_in", ""),
        NearMiss("{h1} was wounded in {h2}.", "wound", ""),
        NearMiss("{h2} was wounded in {h1}.", "wound", ""),
    )
    monkeypatch.setattr("builders.realhop.compete.near_misses", lambda pattern: offered)
    assert misses(plan("chain2"), crowned, 0) == [offered[1]]


def test_near_misses_that_another_hop_asks_for_come_last():
    rebuilt = plan("join3")
    asked = {hop.relation for hop in rebuilt.hops}
    for hop in rebuilt.hops:
        found = [miss.relation in asked for miss in misses(rebuilt, hop, 0)]
        assert found == sorted(found)


def tail(path):
    return [fact for fact in path.facts if fact.fact_id.count(".") == 1]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_orphan_tells_the_whole_tail_and_nothing_leads_to_its_head(shape):
    rebuilt, _, loose = made(shape)
    patterns = {hop.hop_id: hop.pattern for hop in rebuilt.hops}
    assert [path.branch_id for path in loose] == [f"o{hop.hop_id}" for hop in rebuilt.hops[:-1]]
    for path in loose:
        later = rebuilt.descendants(path.protected_hop)
        assert tuple(fact.hop_id for fact in tail(path)) == later
        assert all(fact.pattern == patterns[fact.hop_id] for fact in tail(path))
        key = f"h{path.protected_hop}"
        heads = {dict(fact.names)[key] for fact in path.facts if key in dict(fact.names)}
        assert len(heads) == 1
        assert heads.isdisjoint(rebuilt.names.values())


def shape_behind(facts, names, start):
    """What is told of names reached from one, as relations and places, without the names."""
    seen, edges, waiting = {start}, Counter(), [start]
    while waiting:
        name = waiting.pop()
        for fact in facts:
            told = dict(fact.names)
            if name in told.values() and fact.fact_id not in seen:
                seen.add(fact.fact_id)
                edges[fact.relation, tuple(sorted(key for key in told)), bool(fact.entry)] += 1
                new = [one for one in told.values() if one not in seen and one not in names]
                seen.update(new)
                waiting += new
    return edges


@pytest.mark.parametrize("shape", ["chain2", "chain3", "many2", "fan4"])
def test_an_orphan_looks_like_gold_behind_a_dropped_hop(shape):
    rebuilt, paths, loose = made(shape)
    register = iter(f"e{number}" for number in range(99))
    for path in loose:
        later = {path.protected_hop, *rebuilt.descendants(path.protected_hop)}
        kept = {name for key, name in rebuilt.names.items() if key[0] == "c" or key[1:] not in later}
        onward = [fact for fact in gold_facts(rebuilt, register) if fact.hop_id in later - {path.protected_hop}]
        onward += [fact for one in paths if one.protected_hop in later - {path.protected_hop} for fact in one.facts]
        head = next(name for fact in path.facts for key, name in fact.names if key == f"h{path.protected_hop}")
        gold = shape_behind(onward, kept, rebuilt.names[f"h{path.protected_hop}"])
        assert shape_behind(path.facts, kept, head) == gold
        assert sum(gold.values()) == len(path.facts)


def test_a_later_break_matches_the_hop_and_misses_the_next():
    rebuilt, paths, _ = made("many2")
    late = next(path for path in paths if path.branch_id == "f1to2")
    assert (late.family, late.protected_hop, late.break_hop) == ("flexible", "1", "2")
    first, second = told(late)["1"], told(late)["2"]
    assert (first.pattern, first.relation) == (rebuilt.hops[0].pattern, "border")
    assert dict(first.names)["h1"] not in rebuilt.names.values()
    assert second.relation in {miss.relation for miss in near_misses(rebuilt.hops[1].pattern)}


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "many2"])
def test_no_later_break_where_the_hop_has_one_answer(shape):
    _, paths, _ = made(shape)
    assert not [path for path in paths if path.break_hop != path.protected_hop]


def test_a_second_match_of_the_hop_is_safe_only_where_it_has_many_answers_and_the_question_asks_for_one_of_them():
    hops = {hop.hop_id: hop for hop in plan("chain3").hops}
    one = plan("chain3", "Which town borders a town that borders Amber Lantern?")
    the = plan("chain3", "Which town borders the town that borders Amber Lantern?")
    assert takes_many(one, hops["3"])
    assert not takes_many(the, hops["3"])
    assert not takes_many(plan("chain3", "Which place shares a border with Amber Lantern?"), hops["3"])
    assert not takes_many(one, hops["2"])  # one is born in one place


def test_the_same_seed_gives_the_same_paths_and_another_one_others():
    assert made("chain3", 5)[1:] == made("chain3", 5)[1:]
    assert made("chain3", 5)[1] != made("chain3", 6)[1]
