import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from realhop_plans import TEXTS

from builders.realhop.realize import boundaries, insert, points_back, restored
from builders.sources.musique import read_musique

NEW = {
    "a": "Ana Ito wrote Red Kite.",
    "b": "Entry K41 of the Halden Register is about Ana Ito.",
    "c": "Os borders Torvik.",
}


def opened(text):
    """What follows at each safe place."""
    return [text[place:].strip()[:12] for place in boundaries(text)]


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("Anna Berg wrote books. Critics in Norway praised Berg.", ["Anna Berg wr", "Critics in N", ""]),
        ("Anna Berg moved. She died. Berg was famous.", ["Anna Berg mo", "Berg was fam", ""]),
        ("He was born on a farm. Karl Holm painted boats.", ["Karl Holm pa", ""]),
        ("Karl Holm met Dr. Eva Strand of Acme Inc. Oslo in autumn.", ["Karl Holm me", ""]),
        (
            'Oslo is old (Kari said so. Berg agreed.) Oslo grew. "One day. Two Days." Berg left.',
            ["Oslo is old ", 'Oslo grew. "', "Berg left.", ""],
        ),
        ("Karl Holm painted and", ["Karl Holm pa"]),
        ("Karl Holm played in P.O.D.", ["Karl Holm pl"]),
        ("He was born on a farm and he never left", []),
        ("", []),
        ("Karl Holm met Berg. Next. Oslo grew.", ["Karl Holm me", "Next. Oslo g", "Oslo grew.", ""]),
        ("Karl Holm met Berg. Next.", ["Karl Holm me", "Next.", ""]),
    ],
)
def test_a_sentence_goes_between_finished_ones_and_before_none_that_points_back(text, following):
    assert opened(text) == following


@pytest.mark.parametrize(
    "sentence",
    [
        "He wrote it.",
        "This made Berg famous.",
        "The song reached number 3 in Norway.",
        "In 1901, she moved to Oslo.",
        "His father was Karl Holm.",
        "However, it failed in Oslo.",
        "Both live in Oslo.",
        "An editor at Oslo Press advised her to stop.",
    ],
)
def test_what_points_back(sentence):
    assert points_back(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna Berg sold her house.",
        "The Oslo Tramway runs daily.",
        "In Norway the trams are blue.",
        "As of 2011, Oslo had trams.",
        "Trams cross Oslo.",
        "A new bus station was opened in 2010.",
    ],
)
def test_what_stands_alone(sentence):
    assert not points_back(sentence)


def checked(text, seed):
    """Insert, and check that spans hold the sentences and that the rest is the source's text."""
    after, ranges = insert(text, NEW, random.Random(seed))
    assert {unit: after[start:end] for unit, (start, end) in ranges.items()} == NEW
    assert restored(after, ranges.values()) == text
    return after, ranges


@given(
    st.lists(st.sampled_from([*TEXTS[:-1], "Oslo is old.\n\nBerg left.  ", "\tOslo É grew. 🜁 Ana left!"]), min_size=1),
    st.integers(),
)
def test_without_its_sentences_a_passage_is_the_source_byte_for_byte(parts, seed):
    checked(" ".join(parts), seed)


@given(st.sampled_from(TEXTS[:-1]), st.integers(), st.sets(st.sampled_from(sorted(NEW))))
def test_taking_some_sentences_away_leaves_the_others_and_single_spaces(text, seed, gone):
    after, ranges = insert(text, NEW, random.Random(seed))
    left = restored(after, [ranges[unit] for unit in gone])
    assert all((sentence in left) == (unit not in gone) for unit, sentence in NEW.items())
    assert "  " not in left
    assert left == left.strip()


def test_units_stand_in_any_order_and_place():
    found = [checked(TEXTS[0], seed) for seed in range(40)]
    assert len({tuple(sorted(ranges, key=ranges.get)) for _, ranges in found}) == 6
    assert len({after for after, _ in found}) > 20


def test_a_passage_without_a_place_is_refused():
    with pytest.raises(ValueError, match="no safe place"):
        insert("He left and", NEW, random.Random(0))


def test_real_passages_are_kept_byte_for_byte_and_nearly_all_have_a_place(shared_data):
    items = list(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")))
    texts = list(dict.fromkeys(passage.text for item in items for passage in item.passages))
    safe = [text for text in texts if boundaries(text)]
    assert len(safe) / len(texts) > 0.97
    for text in safe[::5]:
        checked(text, len(text))
        assert not any(
            re.match(r"(?:He|She|It|They|This|These|His|Her|Its) ", text[place:].strip()) for place in boundaries(text)
        )
