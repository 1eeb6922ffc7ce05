"""Real questions, planned and drafted: some of each shape are proved, and each mutant of them is rejected by name."""

import re
from collections import Counter
from itertools import islice

import pytest
from realhop_mutants import MUTANTS
from realhop_sly_mutants import SLY_MUTANTS

from builders.entities import EMBEDDED_PIPELINE, load_pipeline
from builders.realhop.draft import Draft, draft
from builders.realhop.drop_gates import drop_proof
from builders.realhop.plan import plan_item
from builders.realhop.prove import prove
from builders.realhop.settings import Settings
from builders.realhop.solve import queries
from builders.realhop.told import all_atoms
from builders.sources.musique import read_musique
from loaders.realhop import Proof
from loaders.realhop_conditions import dropped
from loaders.records import Reason

# Two hops, three, four in a row, and a join; one or two items of each are enough here.
SHAPES = ("2hop", "3hop1", "3hop2", "4hop1")


@pytest.fixture(scope="module")
def proved(shared_data):
    items = list(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")))
    found = {}
    for shape in SHAPES:
        of_shape = (item for item in items if item.id.startswith(shape))
        found[shape] = next(islice(filter(None, map(_proved, of_shape)), 1), None)
    return found


def _proved(item):
    plan = plan_item(item, 0, load_pipeline(EMBEDDED_PIPELINE))
    made = plan if isinstance(plan, Reason) else draft(item, plan, 0, Settings())
    return made if isinstance(made, Draft) and isinstance(prove(made.full, made.source), Proof) else None


def test_each_shape_is_proved(proved):
    assert [shape for shape, made in proved.items() if made is None] == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_mutant_is_rejected_by_name(proved, mutant):
    for made in proved.values():
        for spoilt in islice(mutant(made.full), 4):
            found = prove(spoilt, made.source)
            assert isinstance(found, Reason)
            assert found.code == MUTANTS[mutant], found.detail


@pytest.mark.parametrize("mutant", SLY_MUTANTS, ids=lambda mutant: mutant.__name__)
def test_what_no_query_finds_is_rejected_by_name(proved, mutant):
    for made in proved.values():
        for spoilt in islice(mutant(made.full), 2):
            found = prove(spoilt, made.source)
            assert isinstance(found, Reason)
            assert found.code in SLY_MUTANTS[mutant], found.detail


def test_gold_is_told_in_one_sentence_alone(proved):
    """Whatever the reader makes of the text, the answer stands nowhere but in the last hop's support."""
    for made in proved.values():
        left = dropped(made.full, made.full.hops[-1].hop_id)
        text = "\n".join(f"{passage.title}\n{passage.text}" for passage in left.passages)
        assert re.findall(rf"\b{re.escape(made.full.answer)}\b", text) == []


@pytest.mark.parametrize("shape", ["2hop", "3hop1", "4hop1"])
def test_of_the_loose_ends_gold_is_not_the_one_with_most_facts(proved, shape):
    """In a chain; of a join the sibling hop's paths name gold too."""
    full = proved[shape].full
    for hop in full.hops[:-1]:
        left = dropped(full, hop.hop_id)
        heads = drop_proof(left, queries(full)).unattached_heads
        naming = Counter(name for fact in all_atoms(left) for name in set(fact.args))
        assert naming[hop.answer] <= max(naming[head] for head in heads if head != hop.answer)
