from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from builders.genadv.draft import Sentence
from builders.genadv.passages import (
    Mix,
    Words,
    closest_choices,
    mixtures,
    overlap,
    patchworks,
    repeats,
    runs,
    whole_sentences,
    without_title,
)
from loaders.records import Document

WORDS = Words(50, 100)
MIX = Mix(WORDS, 35, 0.6, 2, 14)


def sentence(words: int, document: int = 0, position: int = 0, tag: str = "w") -> Sentence:
    return Sentence(" ".join(f"{tag}{document}x{position}x{i}" for i in range(words)), document, position)


def kept(*texts: str, title: str = "") -> list[str]:
    return [found.text for found in whole_sentences(texts, 3, title)]


def test_sentences_that_begin_and_end_as_sentences_do() -> None:
    assert kept(
        "of the river and its delta.",
        "The river is wide and slow. ",
        "“It is wide,” he said there.",
        "It rises in the far north and",
        "1901 was a very dry year!",
        "Is it dry there? (It is.)",
    ) == [
        "The river is wide and slow.",
        "“It is wide,” he said there.",
        "1901 was a very dry year!",
        "Is it dry there? (It is.)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Too short here.",
        "One | two | three | four.",
        "See https://example.org for more.",
        "It was so [12] in those days.",
        "A line\nand another line here.",
        "And so on .... and on and on.",
        "Gap    in the middle of it.",
    ],
)
def test_lists_links_footnotes_and_scraps_are_no_prose(text: str) -> None:
    assert kept(text) == []


def test_sentences_carry_document_and_position() -> None:
    found = list(whole_sentences(["a scrap", "This is a whole sentence.", "And this is another."], 3, ""))
    assert [(s.document, s.position, s.words) for s in found] == [(3, 1, 5), (3, 2, 4)]


def test_the_title_before_the_text_is_no_part_of_the_sentence() -> None:
    text = "Lake Bled Lake Bled is a lake in the north."
    assert without_title(text, "Lake Bled") == "Lake Bled is a lake in the north."
    assert without_title("Lake Bled is a lake.", "Lake Bled") == "Lake Bled is a lake."
    assert without_title("The lake is wide.", "Lake Bled") == "The lake is wide."
    assert without_title("The lake is wide.", "") == "The lake is wide."
    assert kept(text, title="Lake Bled") == ["Lake Bled is a lake in the north."]


def test_runs_are_neighbours_of_one_document_with_fifty_to_a_hundred_words() -> None:
    sentences = [sentence(30, 0, 0), sentence(20, 0, 1), sentence(50, 0, 2), sentence(60, 0, 4), sentence(45, 1, 5)]
    # 30, [30+20=50], [100], 20, [70], [50], | [60] | 45
    assert list(runs(sentences, WORDS)) == [(0, 1), (0, 1, 2), (1, 2), (2,), (3,)]


@given(st.lists(st.tuples(st.integers(4, 60), st.integers(0, 2), st.booleans()), max_size=14))
def test_every_run_and_only_runs(shape: list[tuple[int, int, bool]]) -> None:
    sentences, position = [], 0
    for words, document, gap in sorted(shape, key=lambda entry: entry[1]):
        position += 2 if gap else 1
        sentences.append(sentence(words, document, position))
    expected = [
        tuple(range(i, j))
        for i in range(len(sentences))
        for j in range(i + 1, len(sentences) + 1)
        if 50 <= sum(s.words for s in sentences[i:j]) <= 100
        and all(
            b.document == a.document and b.position == a.position + 1
            for a, b in zip(sentences[i:j], sentences[i + 1 : j], strict=False)
        )
    ]
    assert list(runs(sentences, WORDS)) == expected


def test_a_patchwork_takes_the_closest_sentences_of_all_documents() -> None:
    sentences = [sentence(20, 0, 0), sentence(20, 1, 0), sentence(20, 2, 0), sentence(20, 3, 0)]
    assert list(patchworks(sentences, [0.1, 0.9, 0.5, 0.4], WORDS)) == [(1, 2, 3)]
    assert list(patchworks(sentences[:2], [0.1, 0.9], WORDS)) == []
    assert list(patchworks([], [], WORDS)) == []


def test_a_patchwork_repeats_nothing_and_stays_below_the_limit() -> None:
    twin = sentence(30, 0, 0, tag="same")
    again = Sentence(twin.text, 1, 0)
    long = sentence(90, 2, 0)
    filler = sentence(25, 3, 0)
    # The twin is skipped, 30 + 90 words are too many, 30 + 25 fit.
    assert list(patchworks([twin, again, long, filler], [0.9, 0.9, 0.8, 0.1], WORDS)) == [(0, 3)]


def test_choices_by_their_mean_vector_with_runs_before_patchworks() -> None:
    sentences = [sentence(50, 0, 0), sentence(50, 1, 0), sentence(50, 2, 0)]
    vectors = np.array([[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]], dtype=np.float32)
    found = closest_choices(sentences, vectors, np.array([1.0, 0.0], dtype=np.float32), WORDS)
    assert found == [(1,), (2,), (0,), (1,)]
    assert closest_choices([], np.zeros((0, 1), dtype=np.float32), np.zeros(1, dtype=np.float32), WORDS) == []


def test_ties_go_to_the_first_sentences() -> None:
    sentences = [sentence(50, 0, 0), sentence(50, 1, 0)]
    vectors = np.array([[1.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    assert closest_choices(sentences, vectors, vectors[0], WORDS)[:2] == [(0,), (1,)]


def test_overlap_is_a_multiset_share() -> None:
    document = Document("d", "Lake", "The lake lies in Oslo. The lake is deep.")
    # `the` is no token. Passage: lake lake lake oslo wide; document: lake lies in oslo lake is deep.
    assert overlap("The lake, the lake, the lake: Oslo, wide.", document) == 3 / 5
    assert overlap("Lake Oslo deep", document) == 1.0
    assert overlap("Turku", document) == 0.0
    assert overlap("", document) == 0.0


def test_mixtures_by_hand() -> None:
    lead = "one two three four five"
    sentences = [sentence(25, 0, 0), sentence(25, 0, 1), sentence(25, 1, 0), sentence(36, 1, 1), sentence(10, 2, 0)]
    found = [tuple(sentences.index(s) for s in chosen) for chosen in mixtures(lead, sentences, range(5), MIX)]
    # 36 words are too many from one sentence, 25 + 25 from one document; 5 + 25 + 10 = 40 are too few.
    assert found == [(0, 2), (1, 2), (0, 2, 4), (1, 2, 4)]


def test_mixtures_follow_the_order_given() -> None:
    sentences = [sentence(25, 0, 0), sentence(25, 1, 0), sentence(25, 2, 0)]
    found = [tuple(sentences.index(s) for s in chosen) for chosen in mixtures("a b", sentences, (2, 0, 1), MIX)]
    assert found == [(2, 0), (2, 1), (0, 1), (2, 0, 1)]


def test_only_the_first_sentences_are_considered() -> None:
    sentences = [sentence(25, i, 0) for i in range(30)]
    assert all(
        s.document < 4 for chosen in mixtures("a", sentences, range(30), MIX._replace(considered=4)) for s in chosen
    )


shapes = st.lists(st.tuples(st.integers(4, 40), st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(shapes, st.integers(1, 30))
def test_every_mixture_keeps_the_rules_and_none_that_does_is_left_out(
    shape: list[tuple[int, int, int]], lead_words: int
) -> None:
    # The last number picks the text: equal ones repeat a sentence.
    sentences = [
        Sentence(" ".join(f"t{text}w{i}" for i in range(words)), document, n)
        for n, (words, document, text) in enumerate(shape)
    ]
    assume(all(a.text == b.text or f"{a.text} " not in f"{b.text} " for a in sentences for b in sentences))
    lead = " ".join(["lead"] * lead_words)
    found = list(mixtures(lead, sentences, range(len(sentences)), MIX))
    for chosen in found:
        per_document = {s.document: sum(o.words for o in chosen if o.document == s.document) for s in chosen}
        assert 50 <= lead_words + sum(s.words for s in chosen) <= 100
        assert max(per_document.values()) <= 35
        assert len(per_document) >= 2
        assert len({s.text for s in chosen}) == len(chosen)
    fitting = [s for s in sentences if s.words <= 35]
    expected = sum(
        50 <= lead_words + sum(s.words for s in chosen) <= 100
        and len({s.document for s in chosen}) >= 2
        and len({s.text for s in chosen}) == len(chosen)
        and all(sum(s.words for s in chosen if s.document == d) <= 35 for d in range(4))
        for size in range(2, len(fitting) + 1)
        for chosen in combinations(fitting, size)
    )
    assert len(found) == expected


@pytest.mark.model
def test_whole_sentences_of_a_real_passage(document_nlp: object, make: SimpleNamespace) -> None:
    text = (
        "and Buda. The river Danube flows through Budapest from north to south. Its bridges, eight in number, join "
        "the two halves of the city. Margaret Island lies in"
    )
    parsed = document_nlp(text)  # type: ignore[operator]
    assert [s.text for s in whole_sentences((s.text for s in parsed.sents), 0, "Budapest")] == [
        "The river Danube flows through Budapest from north to south.",
        "Its bridges, eight in number, join the two halves of the city.",
    ]


def test_sentences_that_say_the_same_again() -> None:
    """Six words, five of them shared: 5 / 6 is over 0.8; of three shared with five it is 3 / 5."""
    assert repeats(["Ann Lee was born in Oslo.", "Ann Lee was born in Oslo in 1900."])
    assert repeats(["Ann Lee was born in Oslo.", "Ann Lee had been born in Oslo."])
    assert not repeats(["Ann Lee was born in Oslo.", "Ann Lee studied law in Bergen."])
    assert not repeats(["Ann Lee was born in Oslo."])
