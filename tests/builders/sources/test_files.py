import bz2
import gzip
from pathlib import Path

import pytest

from builders.sources.files import read_lines, sha256
from loaders.errors import InputError

TEXT = "Röntgen\r\nline two\u2028still two\nlast"
LINES = ["Röntgen\r\n", "line two\u2028still two\n", "last"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress], ids=["plain", "gzip", "bzip2"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig"])
def test_compression_is_found_by_content_and_a_byte_order_mark_is_no_text(tmp_path: Path, pack, codec) -> None:
    path = tmp_path / "named.txt"
    path.write_bytes(pack(TEXT.encode(codec)))
    assert list(read_lines(path)) == LINES


def test_checksum_is_of_the_bytes_as_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    assert sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_checksum_of_a_real_file_is_the_published_one(shared_data) -> None:
    path = shared_data("nq/nq_top5.jsonl.gz")
    assert sha256(path) == "326237ce790103b9ed406ac5dea60343c290e5205e287f03cbed67fd5d576d64"


@pytest.mark.parametrize(("encoding", "row", "byte"), [("latin-1", 3, "0xf6"), ("utf-16", 1, "0xff")])
def test_wrong_encoding_names_the_row(tmp_path: Path, encoding: str, row: int, byte: str) -> None:
    path = tmp_path / "wrong.tsv"
    path.write_bytes("one\ntwo\nRöntgen\n".encode(encoding))
    with pytest.raises(InputError, match=f"expected UTF-8 text, found byte {byte}") as caught:
        list(read_lines(path))
    assert caught.value.row == row


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gzip", "bzip2"])
def test_truncated_archive_is_no_short_file(tmp_path: Path, pack) -> None:
    path = tmp_path / "short.gz"
    path.write_bytes(pack(TEXT.encode())[:-6])
    with pytest.raises(InputError, match="expected a whole, readable file") as caught:
        list(read_lines(path))
    assert caught.value.row is not None


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gz"
    packed = bytearray(gzip.compress(TEXT.encode() * 50))
    packed[15:25] = b"\x00" * 10
    path.write_bytes(packed)
    with pytest.raises(InputError, match="expected a whole, readable file"):
        list(read_lines(path))


def test_directory_and_missing_path_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file, found a directory"):
        sha256(tmp_path)
    with pytest.raises(InputError, match="expected a file, found nothing"):
        sha256(tmp_path / "nowhere")
