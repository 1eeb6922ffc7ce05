"""Conditions cut from the recorded spans of a hand-made item; what is left is compared with what was written."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from realhop_chain import CHAIN, CHAIN_SOURCE
from realhop_rows import row, source, told

from loaders.control import tolerance
from loaders.deletion import count_tokens
from loaders.realhop_conditions import (
    ABLATIONS,
    as_item,
    controlled,
    cut,
    dropped,
    only,
    recorded,
    span_of,
    without_insertions,
)
from loaders.records import Span


def _parts(one):
    units = [unit for hop in one.hops for unit in hop.units]
    return {
        **{unit.unit_id: told(one, unit) for unit in units},
        **{fact.fact_id: told(one, fact) for path in one.competitors for fact in path.facts},
    }


SENTENCES = _parts(CHAIN)


def _tokens(one):
    return sum(count_tokens(passage.title) + count_tokens(passage.text) for passage in one.passages)


def test_a_drop_takes_the_support_whole():
    left = dropped(CHAIN, "1")
    assert (left.row_id, left.id, left.target_hop, left.proof) == ("x/1", "x", "1", None)
    assert [passage.title for passage in left.passages] == ["Title 1", "Title 2", "Title 3"]
    assert [passage.text for passage in left.passages] == [passage.text for passage in CHAIN.passages[1:]]
    gone = {"g1", "s2a.2.1", "s2a.2.2"}
    assert _parts(left) == {key: text for key, text in SENTENCES.items() if key not in gone}
    assert [len(hop.units) for hop in left.hops] == [0, 2]


def test_of_the_source_it_is_the_same_passage():
    assert [passage.title for passage in dropped(CHAIN_SOURCE, "2").passages] == ["Title 0", "Title 1", "Title 3"]


@pytest.mark.parametrize("hop", ["1", "2"])
@pytest.mark.parametrize("seed", range(5))
def test_a_control_takes_background_that_both_sides_have(hop, seed):
    for one, twin in ((CHAIN, CHAIN_SOURCE), (CHAIN_SOURCE, CHAIN)):
        left = controlled(one, twin, hop, seed)
        budget = _tokens(one) - _tokens(dropped(one, hop))
        assert abs(_tokens(one) - _tokens(left) - budget) <= tolerance(budget)
        assert _parts(left) == _parts(one)
        assert left.target_hop == hop
        assert "  " not in "".join(passage.text for passage in left.passages)


def test_no_control_where_there_is_too_little():
    short = row("Q?", ["[[g1|A and six of his many friends wrote B.]]", "Fog."], [("1", "#1 wrote B.", "A", "")], [])
    assert controlled(short, short, "1", 0) is None


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_keeps_its_families(name):
    left = only(CHAIN, ABLATIONS[name])
    kept = {"g1", "g2.1", "g2.2"}
    kept |= {key for key in SENTENCES if key[0] == "s" and key[:3] != "s1b"} if "strict" in ABLATIONS[name] else set()
    kept |= {key for key in SENTENCES if key[:3] == "s1b"} if "flexible" in ABLATIONS[name] else set()
    assert _parts(left) == {key: SENTENCES[key] for key in kept}
    assert without_insertions(left).passages == CHAIN_SOURCE.passages


def test_all_families_change_nothing():
    assert only(CHAIN, ("flexible", "strict", "orphan")) == CHAIN


def test_a_sentence_that_two_paths_share_stays_with_either():
    fact = CHAIN.competitors[0].facts[0]
    first, second, *others = CHAIN.competitors
    shared = replace(CHAIN, competitors=(first, replace(second, facts=(fact, *second.facts)), *others))
    assert told(CHAIN, fact) in "".join(passage.text for passage in only(shared, ("flexible",)).passages)


def test_as_item_tells_what_was_inserted_and_where_paths_end():
    item = as_item(CHAIN)
    assert item.competitor_answers == ("Arden Locks", "Lowen Sedge", "Pell Sound")
    assert set(item.inserted) | {span for hop in item.hops for span in hop.support} == recorded(CHAIN)
    assert as_item(CHAIN_SOURCE).hops[1].support == (Span(2, 0, len("Fog is wet. Mist lifts late.")),)


_TEXT = st.lists(st.sampled_from(["Fog is wet.", "Rain\nfell.", "Two  spaces.", "[[p.1|A is B.]]", "[[p.2|C is D.]]"]))


@given(st.lists(_TEXT.map(" ".join), min_size=1, max_size=4), st.data())
def test_spans_stay_exact_and_the_rest_returns(texts, data):
    marked = [text for text in texts if text]
    made = row("Q?", marked, [("1", "#1 is B.", "A", "")], [("p", "strict", "1", "1", "D")])
    facts = made.competitors[0].facts
    gone = data.draw(st.sets(st.sampled_from(facts))) if facts else set()
    left = cut(made, [span_of(fact) for fact in gone])
    kept = [told(made, fact) for fact in facts if fact not in gone]
    assert [told(left, fact) for fact in left.competitors[0].facts] == kept
    bare = [text for text in (_bare(text) for text in marked) if text]
    assert [passage.text for passage in without_insertions(made).passages] == bare


def _bare(text):
    return source([text], []).passages[0].text
