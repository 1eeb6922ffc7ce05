from itertools import islice

import pytest
from realhop_plans import plan

from builders.realhop.graph import Fact
from builders.realhop.reading import read_text
from builders.realhop.units import entries, gold_facts, linked, units

ENTRY = "entry K417 of the Halden Register"


def fact(pattern, entry=ENTRY, hop="2", **names):
    return Fact("g2", hop, pattern, "perform", tuple(names.items()), entry)


def test_a_plain_fact_is_one_sentence():
    assert units(fact("{h2} performed {c1}.", "", h2="Ana Ito", c1="Red Kite")) == (
        ("g2", "Ana Ito performed Red Kite."),
    )


def test_a_hardened_fact_says_its_relation_only_when_both_units_are_read():
    told = units(fact("{h2} performed {c1}.", h2="Ana Ito", c1="Red Kite"))
    assert told == (
        ("g2.1", "Entry K417 of the Halden Register is about Red Kite."),
        ("g2.2", "Ana Ito performed the subject of entry K417 of the Halden Register."),
    )
    assert [atom.args for atom in read_text(" ".join(text for _, text in told)).atoms] == [("Ana Ito", "Red Kite")]
    assert [read_text(text).atoms for _, text in told] == [(), ()]


def test_the_subject_of_an_entry_opens_a_sentence_with_a_capital():
    told = units(fact("{h1} was born in {h2}.", h1="Ana Ito", h2="Torvik"))
    assert told[1][1] == "The subject of entry K417 of the Halden Register was born in Torvik."


@pytest.mark.parametrize(
    ("pattern", "names", "key"),
    [
        ("{h2} sings {c2} with {h1}.", {"h2": "A", "c2": "B", "h1": "C"}, "h1"),
        ("{h3} performed {h1} in {h2}.", {"h3": "A", "h1": "B", "h2": "C"}, "h2"),
        ("{h2} won {c1} and {c2}.", {"h2": "A", "c1": "B", "c2": "C"}, "c2"),
        ("{h2} performed {c1} in {h1}.", {"h2": "A", "c1": "B", "h1": "1911"}, "c1"),
        ("{h1}'s book is called {h2} in {c1}.", {"h1": "A", "h2": "B", "c1": "C"}, "c1"),
        ("{h1}'s book is called {h2}.", {"h1": "A", "h2": "B"}, "h1"),
        ("{h2} ended in {h1}.", {"h2": "A", "h1": "12 May 1911"}, "h1"),
    ],
)
def test_the_entry_stands_for_the_last_earlier_answer_then_a_constant_and_an_owner_or_a_value_last(pattern, names, key):
    hop = "3" if "h3" in names else "2"
    assert linked(fact(pattern, hop=hop, **names)) == key


def test_what_rests_on_nothing_cannot_be_told_in_two_units():
    with pytest.raises(ValueError, match="rests on nothing"):
        units(fact("{h2} rained.", h2="Ana Ito"))


def test_entries_are_distinct_drawn_and_the_same_for_the_same_seed():
    first, again, other = (list(islice(entries(plan("chain2"), seed), 500)) for seed in (3, 3, 4))
    assert first == again != other
    assert len(set(first)) == 500
    assert first != sorted(first)


def test_gold_has_a_fact_for_every_hop_and_an_entry_where_it_is_hardened():
    facts = gold_facts(plan("chain3"), iter(["e1", "e2", "e3"]))
    assert [(one.fact_id, one.text, one.entry) for one in facts] == [
        ("g1", "Corin Vasse wrote Amber Lantern.", "e1"),
        ("g2", "Corin Vasse was born in Torvik.", ""),
        ("g3", "Torvik borders Quellmere.", "e3"),
    ]
