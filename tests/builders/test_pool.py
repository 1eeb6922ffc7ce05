import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from builders.entities import EMBEDDED_PIPELINE, load_pipeline
from builders.pool import Pool, open_pool, read_pool_text
from builders.similarity import open_similarity
from loaders.errors import InputError

KINDS = {"Oslo": "GPE", "Turku": "GPE", "Lyon": "GPE", "Ada Byron": "PERSON", "Max Planck": "PERSON"}


class Tagger:
    """Tags the names that it knows wherever they stand, and counts how often it is asked."""

    def __init__(self, version: str = "1") -> None:
        self.meta = {"lang": "xx", "name": "tags", "version": version}
        self.asked = 0

    def pipe(self, texts: Sequence[str], batch_size: int) -> Iterator[Any]:
        for text in texts:
            self.asked += 1
            yield SimpleNamespace(
                ents=[
                    SimpleNamespace(text=name, label_=kind, start_char=text.index(name))
                    for name, kind in KINDS.items()
                    if name in text
                ]
            )


class Lengths:
    """A name's vector is its length on one of eight axes, so that names of one length are ties."""

    def __init__(self, identity: str = "tests:lengths") -> None:
        self.identity = identity

    def encode(self, texts: Sequence[str]) -> Any:
        return np.eye(16, dtype=np.float32)[[len(text) for text in texts]]


LINES = ["Ada Byron lived in Oslo.", "Max Planck lived in Turku, not in Lyon."]


def opened(cache: Path, lines: Sequence[str] = LINES, version: str = "1", identity: str = "a") -> tuple[Pool, int]:
    tagger = Tagger(version)
    pool = open_pool(lines, tagger, Lengths(identity), cache)
    return pool, tagger.asked


def test_names_by_type_with_their_vectors(tmp_path: Path) -> None:
    pool, _ = opened(tmp_path)
    assert pool.names == {"GPE": ["Lyon", "Oslo", "Turku"], "PERSON": ["Ada Byron", "Max Planck"]}
    assert pool.vectors["GPE"].argmax(axis=1).tolist() == [4, 4, 5]


def test_built_once_and_read_back(tmp_path: Path) -> None:
    first, asked = opened(tmp_path)
    assert asked == len(LINES)
    again, asked = opened(tmp_path)
    assert asked == 0
    assert again.names == first.names
    assert again.identity == first.identity
    assert all((again.vectors[kind] == first.vectors[kind]).all() for kind in first.names)
    assert [path.name for path in tmp_path.iterdir()] == [f"pool-{first.identity}"]


def test_the_cache_is_keyed_by_content_pipeline_and_similarity(tmp_path: Path) -> None:
    variants: list[dict[str, Any]] = [
        {},
        {"lines": LINES[:1]},
        {"lines": LINES[::-1]},
        {"version": "2"},
        {"identity": "b"},
    ]
    found = [opened(tmp_path, **given) for given in variants]
    assert len({pool.identity for pool, _ in found}) == 5
    assert all(asked > 0 for _, asked in found)


def test_nearest_ties_go_by_name_and_the_limit_is_inclusive() -> None:
    names = {"GPE": ["Aa", "Bb", "Cc", "Dd"]}
    cosines = np.array([0.5, 0.8, 0.8, 0.95], dtype=np.float64)
    vectors = np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)
    pool, towards = Pool(names, {"GPE": vectors}, ""), np.array([1.0, 0.0])
    assert pool.nearest(towards, "GPE", 0.8, lambda name: True) == ("Bb", pytest.approx(0.8))
    assert pool.nearest(towards, "GPE", 0.8, lambda name: name != "Bb")[0] == "Cc"
    assert pool.nearest(towards, "GPE", 1.0, lambda name: True)[0] == "Dd"
    assert pool.nearest(towards, "GPE", 0.79, lambda name: True)[0] == "Aa"
    assert pool.nearest(towards, "GPE", 0.8, lambda name: False) == ("", 0.0)
    assert pool.nearest(towards, "PERSON", 0.8, lambda name: True) == ("", 0.0)


def test_noise_in_the_last_bits_decides_nothing() -> None:
    vectors = np.array([[0.5, 0.0], [0.5 + 1e-8, 0.0]])
    pool = Pool({"GPE": ["Aa", "Bb"]}, {"GPE": vectors}, "")
    assert pool.nearest(np.array([1.0, 0.0]), "GPE", 0.8, lambda name: True)[0] == "Aa"


def test_the_type_of_the_nearest_names() -> None:
    near, far = np.array([[1.0, 0.0]] * 6), np.array([[0.0, 1.0]] * 30)
    pool = Pool({"LOC": ["a"] * 6, "ORG": ["b"] * 30}, {"LOC": near, "ORG": far}, "")
    assert pool.type_of(np.array([1.0, 0.0])) == "LOC"  # 6 of the ten nearest
    assert pool.type_of(np.array([0.0, 1.0])) == "ORG"
    tie = Pool({"LOC": ["a"] * 5, "GPE": ["b"] * 5}, {"LOC": near[:5], "GPE": near[:5]}, "")
    assert tie.type_of(np.array([1.0, 0.0])) == "GPE"
    assert Pool({}, {}, "").type_of(np.array([1.0])) == ""


def test_pool_text_plain_and_gzip(tmp_path: Path) -> None:
    plain, packed = tmp_path / "pool.txt", tmp_path / "pool.gz"
    plain.write_text(" = Oslo = \n\n A well @-@ known town . \n", encoding="utf-8")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_pool_text(plain) == read_pool_text(packed) == ["Oslo", "A well-known town."]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "at least one line of prose"),
        (b"\n \n", "at least one line of prose"),
        (b"caf\xe9 au lait", "UTF-8"),
        (gzip.compress(b"Oslo is a town." * 100, mtime=0)[:40], "UTF-8 text, plain or gzip"),
        (b"\x1f\x8bnonsense", "UTF-8 text, plain or gzip"),
    ],
)
def test_bad_pool_text(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "pool"
    path.write_bytes(content)
    with pytest.raises(InputError, match=expected):
        read_pool_text(path)


def test_a_pool_that_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="a text file"):
            read_pool_text(path)


def test_damage_inside_a_gzip_file(tmp_path: Path) -> None:
    packed, path = gzip.compress(b"Oslo is a town by the sea. " * 50), tmp_path / "pool.gz"
    for place in range(10, len(packed) - 8):
        path.write_bytes(packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :])
        with pytest.raises(InputError):
            read_pool_text(path)


@pytest.mark.model
def test_names_of_real_prose(tmp_path: Path) -> None:
    lines = ["Marie Curie worked in Paris and later in Madrid.", "Albert Einstein lived in Paris."]
    pool = open_pool(lines, load_pipeline(EMBEDDED_PIPELINE, for_documents=True), open_similarity("minilm"), tmp_path)
    assert pool.names == {"GPE": ["Madrid", "Paris"], "PERSON": ["Albert Einstein", "Marie Curie"]}
    paris = open_similarity("minilm").encode(["Paris"])[0]
    assert pool.nearest(paris, "GPE", 0.8, lambda name: True)[0] == "Madrid"  # Paris itself is above the limit
    assert pool.nearest(paris, "GPE", 1.01, lambda name: True) == ("Paris", pytest.approx(1.0, abs=1e-3))
    assert pool.vectors["GPE"].shape == (2, 384)
    assert np.allclose(np.linalg.norm(pool.vectors["GPE"], axis=1), 1, atol=1e-5)
