from dataclasses import replace

import pytest
from realhop_plans import SHAPES, TEXTS, item, plan

from builders.realhop.branches import Branches
from builders.realhop.compete import compete, orphans
from builders.realhop.names import fresh_names
from builders.realhop.route import chains, route
from builders.realhop.settings import Settings
from builders.realhop.units import entries, gold_facts, units

SAFE = range(len(TEXTS) - 1)
SEEDS = range(8)
SETTINGS = Settings()


def routed(shape, seed=0, safe=SAFE, settings=SETTINGS):
    rebuilt = plan(shape)
    register = entries(rebuilt, seed)
    gold = gold_facts(rebuilt, register)
    branches = Branches(rebuilt, fresh_names(item(shape), rebuilt, seed), register)
    paths = compete(rebuilt, seed, branches, settings)
    paths += orphans(rebuilt, branches, paths)
    return rebuilt, gold, paths, route(rebuilt, gold, paths, safe, seed, settings)


every = pytest.mark.parametrize(("shape", "seed"), [(shape, seed) for shape in SHAPES for seed in SEEDS])


@every
def test_every_fact_has_a_host_that_takes_sentences_and_gold_stands_in_its_support(shape, seed):
    rebuilt, gold, paths, found = routed(shape, seed)
    planned = {fact.fact_id for fact in gold} | {fact.fact_id for path in paths for fact in path.facts}
    assert all("." in chain for chain in found.unplaced)  # twins of an orphan alone may stay out
    left_out = {fact_id for fact_id in planned if fact_id.rpartition(".")[0] in found.unplaced}
    assert set(found.hosts) == planned - left_out
    assert set(found.hosts.values()) <= set(SAFE)
    assert [found.hosts[f"g{hop.hop_id}"] for hop in rebuilt.hops] == [hop.support for hop in rebuilt.hops]


@every
def test_what_must_survive_the_drop_of_a_hop_keeps_out_of_its_support(shape, seed):
    rebuilt, _, paths, found = routed(shape, seed)
    supports = {hop.hop_id: hop.support for hop in rebuilt.hops}
    for path in paths:
        inside = [fact for fact in path.facts if found.hosts.get(fact.fact_id) == supports[path.protected_hop]]
        assert not inside or (path.family == "strict" and [fact.hop_id for fact in inside] == [path.break_hop])


@every
def test_the_facts_of_a_path_stand_in_passages_of_their_own(shape, seed):
    _, _, paths, found = routed(shape, seed)
    for path in paths:
        for facts in chains(path).values():
            places = [found.hosts[fact.fact_id] for fact in facts if fact.fact_id in found.hosts]
            assert len(places) in (0, len(facts))
            assert len(set(places)) == len(places)


@every
def test_no_passage_is_flooded(shape, seed):
    _, gold, paths, found = routed(shape, seed)
    load = [0] * len(TEXTS)
    for fact in [*gold, *(fact for path in paths for fact in path.facts)]:
        if fact.fact_id in found.hosts:
            load[found.hosts[fact.fact_id]] += len(units(fact))
    assert max(load) <= SETTINGS.most_per_passage


@every
def test_gold_never_stands_alone_of_its_hop(shape, seed):
    rebuilt, _, paths, found = routed(shape, seed)
    for hop in rebuilt.hops:
        beside = [fact for path in paths for fact in path.facts if fact.hop_id == hop.hop_id]
        assert any(found.hosts.get(fact.fact_id) == hop.support for fact in beside)


def test_strict_near_misses_do_stand_in_the_protected_support_at_times():
    beside = 0
    for seed in SEEDS:
        rebuilt, _, _, found = routed("chain2", seed)
        beside += found.hosts["s1a.1"] == rebuilt.hops[0].support
    assert 0 < beside < len(SEEDS)


def test_a_path_without_room_is_named_and_takes_its_twins_along():
    _, _, paths, found = routed("chain3", safe=(0, 2, 4), settings=replace(SETTINGS, most_per_passage=3))
    assert {reason.code for reason in found.unplaced.values()} == {"no_host"}
    for path in paths:
        own = {fact.fact_id for fact in path.facts} & set(found.hosts)
        assert not (own and path.branch_id in found.unplaced)
    assert any(path.branch_id in found.unplaced for path in paths)


def test_twins_of_an_orphan_stay_out_before_any_path_does():
    _, _, paths, found = routed("chain3", settings=replace(SETTINGS, most_per_passage=7))
    assert found.unplaced
    assert not {path.branch_id for path in paths} & set(found.unplaced)


def test_the_same_seed_gives_the_same_hosts_and_another_one_others():
    assert routed("chain3", 1)[-1] == routed("chain3", 1)[-1]
    assert routed("chain3", 1)[-1].hosts != routed("chain3", 2)[-1].hosts
