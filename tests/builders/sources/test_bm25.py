from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.sources import bm25
from builders.sources.bm25 import Hit, Index, best, open_index
from builders.sources.passages import open_passages
from loaders.errors import DecoyQAError, MissingExtraError

Open = Callable[[Sequence[str]], Index]


def silent(count: int, found: bool) -> None:
    pass


@pytest.fixture(params=["bm25s", "tantivy"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Index texts as the passages of a collection, with either engine."""
    pytest.importorskip(request.param)
    monkeypatch.setattr(bm25, "SMALL", 10**6 if request.param == "bm25s" else 0)

    def index(texts: Sequence[str]) -> Index:
        path = tmp_path / "passages.tsv"
        path.write_text("id\ttext\n" + "".join(f"p{place}\t{text}\n" for place, text in enumerate(texts)))
        return open_index(open_passages(path, tmp_path / "cache", silent), silent)

    return index


# Four passages of 3, 4, 1 and 4 words, 3 on average. A word in two has idf ln(1 + 2.5/2.5) = 0.693147, a word in
# one ln(1 + 3.5/1.5) = 1.203973. bm25s, k1 0.9, b 0.4: tf / (tf + 0.9 (0.6 + 0.4 length/3)), hence 2/2.9 for `cat` in
# the first, 1/2.02 in the second, 2/3.02 for `moon` in the last. tantivy, k1 1.2, b 0.75: 2.2 tf / (tf + 1.2 (0.25 +
# 0.75 length/3)), hence 4.4/3.2, 2.2/2.5 and 4.4/3.5.
TEXTS = ("cat cat dog", "cat bird fish tree", "dog", "moon star moon star")
BY_HAND = {
    "bm25s": [(3, 1.203973 * 2 / 3.02), (0, 0.693147 * 2 / 2.9), (1, 0.693147 / 2.02)],
    "tantivy": [(3, 1.203973 * 4.4 / 3.5), (0, 0.693147 * 4.4 / 3.2), (1, 0.693147 * 2.2 / 2.5)],
}


def test_scores_worked_out_by_hand(opened: Open) -> None:
    index = opened(TEXTS)
    want = BY_HAND[index.name.partition("-")[0]]
    hits = index.search("Is the MOON a cat?", 10)
    assert [hit.place for hit in hits] == [place for place, _ in want]
    assert [hit.score for hit in hits] == pytest.approx([score for _, score in want], abs=1e-5)
    assert index.search("Is the MOON a cat?", 2) == hits[:2]


def test_the_retriever_names_what_decides_the_hits(opened: Open) -> None:
    index = opened(TEXTS)
    assert index.retriever.startswith(f"{index.name}: BM25 ")
    settings = (
        ("k1 0.9 and b 0.4", "not stemmed") if index.name.startswith("bm25s") else ("k1 1.2 and b 0.75", "stemmed")
    )
    assert all(part in index.retriever for part in settings)


@pytest.mark.parametrize("question", ["", "the of", "?!", "unheard words", "a b"])
def test_a_question_that_shares_no_word_has_no_hits(opened: Open, question: str) -> None:
    assert opened(TEXTS).search(question, 10) == []


def test_equal_scores_stand_in_the_collections_order_however_many_they_are(opened: Open) -> None:
    index = opened(["moon star"] * 7 + ["moon moon"] + ["moon star"] * 60)
    assert [hit.place for hit in index.search("moon", 4)] == [7, 0, 1, 2]
    assert [hit.place for hit in index.search("moon", 68)] == [7, *range(7), *range(8, 68)]


def test_an_index_is_built_once(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first = opened(TEXTS)
    for kind in (bm25.SmallIndex, bm25.LargeIndex):
        monkeypatch.setattr(kind, "build", classmethod(lambda *_: pytest.fail("built again")))
    assert opened(TEXTS).search("cat", 3) == first.search("cat", 3)


def test_passages_without_a_word_are_found_by_nobody(opened: Open) -> None:
    index = opened(["?!", "cat", "the of"])
    assert [hit.place for hit in index.search("the cat?!", 5)] == [1]
    if index.name.startswith("bm25s"):
        with pytest.raises(DecoyQAError, match="no word that a question could share"):
            opened(["?!", "the of"])
    else:
        assert opened(["?!", "the of"]).search("the cat?!", 5) == []


def test_words_of_other_scripts_are_found(opened: Open) -> None:
    index = opened(["Röntgen discovered rays", "Москва is a city", "plain words here"])
    assert [index.search(question, 1)[0].place for question in ("who was röntgen", "москва")] == [0, 1]


def test_a_large_collection_needs_tantivy(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise bm25.PackageNotFoundError(package)

    monkeypatch.setattr(bm25, "version", missing)
    with pytest.raises(
        MissingExtraError, match=r"is not installed; install it with: pip install 'decoyqa\[retrieval\]'"
    ):
        opened(TEXTS)


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])), st.integers(1, 12))
def test_best_is_a_stable_sort(scores: list[float], n: int) -> None:
    ordered = sorted((place for place in range(len(scores)) if scores[place] > 0), key=lambda place: -scores[place])
    assert best(np.array(scores, np.float32), n) == [Hit(place, scores[place]) for place in ordered[:n]]
