import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.conditions import AUDIT_CONDITIONS, audit_variants, drop
from loaders.deletion import UNITS, count_tokens, in_units, remove
from loaders.records import Hop, Item, Passage, Span

ZIG = Passage("Zig", "Zig is a novel. Ada wrote it.")
ADA = Passage("Ada", "Ada was born in Cuba. She moved.")
FAR = Passage("Far away", "Rain fell on Mars, again.")


def _item(*supports, passages=(ZIG, ADA, FAR), **changes):
    hops = tuple(Hop(str(n), "", "", (), support) for n, support in enumerate(supports, 1))
    facts = {"inserted": (), "source_id": "x"} | changes
    return Item("x", "Where?", "Cuba", (), passages, hops, True, "CC0-1.0", **facts)


ITEM = _item((Span(0, 15, 29),), (Span(1, 0, 21),))


def _targets(condition, item=ITEM, unit="sentences", seed=0):
    return dict(audit_variants(item, condition, unit, seed))


def test_tokens_are_words_and_marks():
    assert count_tokens("Zig's 3.5 °C, again.") == 11  # Zig ' s 3 . 5 ° C , again .


def test_full_is_everything():
    assert _targets("full") == {"": remove(ITEM, (), "paragraph")}
    assert _targets("full")[""].passages == ITEM.passages
    assert _targets("full")[""].removed_tokens == 0


def test_sentences_leave_the_title():
    found = _targets("drop_one")
    assert found["1"].passages == (Passage("Zig", "Zig is a novel."), ADA, FAR)
    assert found["1"].removed_tokens == 4  # Ada wrote it .
    assert found["2"].passages == (ZIG, Passage("Ada", "She moved."), FAR)


def test_the_title_stays_where_the_only_sentence_goes():
    (found,) = _targets("drop_one", _item((Span(2, 0, 25),))).values()
    assert found.passages == (ZIG, ADA, Passage("Far away", ""))


def test_a_paragraph_goes_with_its_title():
    found = _targets("drop_one", unit="paragraph")
    assert found["1"].passages == (ADA, FAR)
    assert found["1"].removed_tokens == 10  # nine in the text, one in the title


def test_a_hop_with_two_paragraphs_loses_both():
    assert drop(_item((Span(0, 0, 3), Span(2, 0, 4))), "1", "paragraph").passages == (ADA,)


def test_a_passage_that_was_empty_stays():
    empty = _item((Span(0, 0, 29),), passages=(ZIG, Passage("Blank", "")))
    assert drop(empty, "1", "paragraph").passages == (Passage("Blank", ""),)


def test_overlapping_spans_count_once():
    found = remove(ITEM, [Span(1, 0, 10), Span(1, 4, 21), Span(1, 21, 21)], "sentences")
    assert found.passages[1].text == "She moved."
    assert found.removed_tokens == 6


def test_halves_are_complementary():
    spans = [(Span(0, 0, 15),), (Span(1, 0, 21),), (Span(2, 0, 25),)]
    found = _targets("half", _item(*spans))
    assert [passage.text for passage in found["first"].passages] == [ZIG.text, ADA.text, ""]
    assert [passage.text for passage in found["second"].passages] == ["Ada wrote it.", "She moved.", FAR.text]


def test_the_halves_of_two_hops_are_their_drops():
    halves, drops = _targets("half"), _targets("drop_one")
    assert (halves["first"], halves["second"]) == (drops["2"], drops["1"])


def test_text_that_both_halves_rest_on_stays_in_both():
    shared = _targets("half", _item((Span(0, 0, 15),), (Span(0, 0, 15), Span(1, 0, 21))))
    assert shared["second"].passages == ITEM.passages
    assert shared["first"].passages == (ZIG, Passage("Ada", "She moved."), FAR)


def test_one_hop_has_no_halves():
    assert _targets("half", _item((Span(0, 0, 15),))) == {"first": None, "second": None}


def _tokens(passages):
    return sum(count_tokens(passage.text) for passage in passages)


LONG = _item(
    (Span(0, 0, 5),),
    passages=tuple(Passage(f"T{n}", " ".join(f"w{n}x{i}" for i in range(size))) for n, size in enumerate((40, 7, 53))),
)


@pytest.mark.parametrize("condition", ["window", "circular"])
def test_a_window_takes_a_fifth_in_one_piece(condition):
    found = _targets(condition, LONG)
    assert list(found) == ["1", "2", "3"]
    words = [word for passage in LONG.passages for word in passage.text.split()]
    for variant in found.values():
        left = [word for passage in variant.passages for word in passage.text.split()]
        gone = [words.index(word) for word in words if word not in left]
        assert len(gone) == 20
        turned = [(index - gone[0]) % 100 for index in gone]
        steps = {(b - a) % 100 for a, b in zip(gone, [*gone[1:], gone[0]], strict=True)}
        assert steps - {1} == {81}
        assert condition == "circular" or turned == list(range(20))


def test_windows_fall_anywhere_and_circular_ones_wrap():
    starts = {condition: set() for condition in ("window", "circular")}
    wrapped = 0
    for condition, found in starts.items():
        for seed in range(300):
            left = {w for p in _targets(condition, LONG, seed=seed)["1"].passages for w in p.text.split()}
            words = [w for p in LONG.passages for w in p.text.split()]
            gone = [i for i, word in enumerate(words) if word not in left]
            edges = {0, 99} <= set(gone)
            wrapped += edges
            found.add(next(i for i in gone if (i - 1) % 100 not in gone) if edges else gone[0])
            assert condition == "circular" or not edges
    assert max(starts["window"]) <= 80
    assert len(starts["window"]) > 70
    assert max(starts["circular"]) > 90
    assert 30 < wrapped < 90  # 19 of 100 starts wrap


def test_a_passage_under_a_window_goes_with_its_title():
    short = _item((), passages=(Passage("A", "one"), *(Passage(f"B{n}", "two three four") for n in range(3))))
    found = [tuple(p.title for p in v.passages) for s in range(20) for v in _targets("window", short, seed=s).values()]
    assert any("A" not in titles for titles in found)
    assert all(len(titles) >= 3 for titles in found)


def test_conditions_are_the_same_whatever_the_other_items():
    for condition in AUDIT_CONDITIONS:
        assert _targets(condition, LONG) == _targets(condition, LONG)
    assert _targets("window", LONG, seed=1) != _targets("window", LONG, seed=2)


@given(
    st.lists(st.text("ab .\n", max_size=12), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12), st.integers(0, 12)), max_size=4),
    st.sampled_from(UNITS),
)
def test_nothing_is_added_and_tokens_add_up(texts, places, unit):
    """With word boundaries between characters untouched, what is left and what is gone make the whole."""
    passages = tuple(Passage("t", text) for text in texts)
    item = _item((), passages=passages)
    spans = [Span(p, min(a, b, len(texts[p])), min(max(a, b), len(texts[p]))) for p, a, b in places if p < len(texts)]
    found = remove(item, in_units(item, spans, unit), unit)
    assert len(found.passages) <= len(passages)
    assert all(any(p.text.replace(" ", "")[:1] in q.text for q in passages) for p in found.passages)
    if unit == "paragraph":
        gone = {span.passage for span in spans}
        kept = [passage for place, passage in enumerate(passages) if place not in gone]
        assert list(found.passages) == kept
        assert found.removed_tokens == _tokens([passages[place] for place in gone]) + len(gone)
