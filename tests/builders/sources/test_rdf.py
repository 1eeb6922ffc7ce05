"""RDF files as they are found: packed, broken, misnamed, cut."""

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from builders.sources.rdf import Broken, Statement, read_statements
from loaders.errors import InputError

A = "<http://a/x> <http://a/p> <http://a/y> .\n"
LINES = (
    A
    + "no triple\n"
    + '<http://a/x> <http://a/p> "caf\\u00E9"@fr .\n'
    + '<http://a/"q`> <http://a/p> <http://a/sp ace> .\n'  # characters that no IRI may have, as DB15K has them
    + "<http://a/x> <http://a/p>\n"
    + '_:b <http://a/p> "1"^^<http://www.w3.org/2001/XMLSchema#int> .\n'
    + "<http://a/x> <http://a/p> _:b .\n"
)
TURTLE = "@prefix a: <http://a/> .\na:x a:p a:y , a:z .\n"


def write(path: Path, text: str) -> Path:
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zst}
    path.write_bytes(packers.get(path.suffix, bytes)(text.encode()))
    return path


def zst(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    packer = zstandard.ZstdCompressor()
    return bytes(packer.compress(data[:40]) + packer.compress(data[40:]))  # frames, as several threads write them


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".zst"])
def test_broken_lines_are_counted_and_the_rest_is_read(tmp_path: Path, suffix: str) -> None:
    broken = Broken()
    found = list(read_statements(write(tmp_path / f"a.nt{suffix}", LINES), broken))
    assert found == [
        Statement("http://a/x", "http://a/p", "http://a/y", "iri"),
        Statement("http://a/x", "http://a/p", "café", "@fr"),
        Statement('http://a/"q`', "http://a/p", "http://a/sp ace", "iri"),
        Statement("_:b", "http://a/p", "1", "@"),
        Statement("http://a/x", "http://a/p", found[-1].object, "blank"),
    ]
    assert (broken.count, [row for row, _ in broken.first]) == (2, [2, 6])


def test_turtle_is_read(tmp_path: Path) -> None:
    found = list(read_statements(write(tmp_path / "a.ttl.gz", TURTLE), Broken()))
    assert [one.object for one in found] == ["http://a/y", "http://a/z"]


@pytest.mark.parametrize(
    ("name", "text", "row", "expected"),
    [
        ("a.ttl", f"{TURTLE}a:x a:p .\n", 3, "expected Turtle"),
        ("a.nt", TURTLE * 60, 1, "expected N-Triples, found 101 broken lines before 0 good ones"),
        ("a.csv", "", None, "expected a name in .nt or .ttl"),
    ],
)
def test_what_is_no_such_file_stops(tmp_path: Path, name: str, text: str, row: int | None, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_statements(write(tmp_path / name, text), Broken()))
    assert (caught.value.row, expected in caught.value.expected) == (row, True)


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_a_cut_file_stops(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"a.nt{suffix}", "".join(A.replace("/y", f"/{i}") for i in range(20_000)))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="expected a whole file"):
        list(read_statements(path, Broken()))


def test_one_in_a_hundred_lines_may_be_broken(tmp_path: Path) -> None:
    broken = Broken()
    good = sum(1 for _ in read_statements(write(tmp_path / "a.nt", (A * 200 + "x y\n") * 150), broken))
    assert (good, broken.count) == (30_000, 150)


def test_missing_files_and_folders_stop(tmp_path: Path) -> None:
    for path in (tmp_path / "none.nt", tmp_path):
        with pytest.raises(InputError, match="expected a file"):
            list(read_statements(path, Broken()))
