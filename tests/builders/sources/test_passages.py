import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.sources import passages as module
from builders.sources.passages import Passages, open_passages
from loaders.errors import InputError
from loaders.records import Document

TSV = 'id\ttext\ttitle\n1\t"She said ""Go"",\nand went."\tAda\n2\t The sea. \t"""Heroes"""\n3\t""\tEmpty\n4\tMud\t\n'
WANT = [("1", "Ada", 'She said "Go",\nand went.'), ("2", '"Heroes"', "The sea."), ("4", "", "Mud")]


def opened(tmp_path: Path, data: bytes | str) -> Passages:
    path = tmp_path / "passages"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return open_passages(path, tmp_path / "cache", lambda count, found: None)


def rows(passages: Passages) -> list[tuple[str, str, str]]:
    documents = [passages.document(place, None, 0) for place in range(len(passages))]
    return [(document.id, document.title, document.text) for document in documents]


def test_quotes_line_ends_and_blanks_of_a_tsv(tmp_path: Path) -> None:
    passages = opened(tmp_path, TSV)
    assert rows(passages) == WANT
    assert passages.left_out == 1
    assert list(passages.texts()) == ['Ada\nShe said "Go",\nand went.', '"Heroes"\nThe sea.', "\nMud"]
    assert passages.document(1, 2.5, 7) == Document("2", '"Heroes"', "The sea.", 2.5, rank=7)


def test_other_forms_hold_the_same(tmp_path: Path) -> None:
    objects = [{"_id": int(id), "title": title, "text": text} for id, title, text in WANT]
    assert rows(opened(tmp_path, gzip.compress(TSV.encode()))) == WANT
    assert rows(opened(tmp_path, "".join(json.dumps(one) + "\n" for one in objects))) == WANT
    pq.write_table(pa.Table.from_pylist(objects), tmp_path / "parquet")
    assert rows(opened(tmp_path, (tmp_path / "parquet").read_bytes())) == WANT
    packed = [{"id": id, "contents": f'"{title}"\n{text}'} for id, title, text in WANT]
    assert rows(opened(tmp_path, "".join(json.dumps(one) + "\n" for one in packed))) == WANT
    assert rows(opened(tmp_path, '{"docid": "a", "contents": "one line"}')) == [("a", "", "one line")]


def test_places_are_found_by_id_across_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 3)
    heard: list[int] = []
    path = tmp_path / "passages"
    path.write_text("id\ttext\n" + "".join(f"p{n}\ttext {n}\n" for n in range(8)))
    passages = open_passages(path, tmp_path / "cache", lambda count, found: heard.append(count))
    assert heard == [3, 3, 2]
    assert passages.places(["p7", "p0", "p4", "p8"]) == {"p0": 0, "p4": 4, "p7": 7}
    assert [passages.id(place) for place in (0, 3, 7)] == ["p0", "p3", "p7"]


def test_a_file_is_read_once_whatever_it_is_called(tmp_path: Path) -> None:
    first = opened(tmp_path, TSV)
    (tmp_path / "passages").rename(tmp_path / "moved")
    heard: list[int] = []
    again = open_passages(tmp_path / "moved", tmp_path / "cache", lambda count, found: heard.append(count))
    assert (again, heard) == (first, [])
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [first.sha256]


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("id\ttext\na\tx\nb\ty\na\tz\n", 4, "expected an id of its own, found that of row 2 again: a"),
        ("id\ttext\na\t\nb\ty\na\tz\n", 4, "expected an id of its own, found that of row 2 again: a"),
        ('{"id": 7, "text": "x"}\n{"id": "7", "text": "y"}', 2, "found that of row 1 again: 7"),
        (
            '{"text": "x"}',
            1,
            "expected the id in one of the columns id, _id, docid, pid, passage_id; columns found: text",
        ),
        ('{"id": "a", "body": "x"}', 1, "expected the text in one of the columns text, contents, passage"),
        ('{"id": "", "text": "x"}', 1, "expected an id without tabs, line ends or outer spaces, found ''"),
        ('{"id": "a\\tb", "text": "x"}', 1, "expected an id without tabs"),
        ('{"id": "a", "text": 3}', 1, "expected the text as a string, found 3"),
        ('{"id": "a", "text": "x", "title": 3}', 1, "expected the title as a string, found 3"),
        ("1\tno header\tAda\n", 1, "expected a header with columns of text, contents, passage, id, _id"),
        ("1\tno header\n", 1, "expected a header with columns of text"),
        ("id\ttext\n1\t\n", None, "expected passages with text, found none"),
        ("id\ttext\n", None, "expected at least one row, found none"),
    ],
)
def test_bad_input_names_the_row_and_leaves_nothing(tmp_path: Path, text: str, row: int | None, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        opened(tmp_path, text)
    assert caught.value.row == row
    assert expected in caught.value.expected
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_ids_that_only_share_a_hash_are_no_duplicates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "hash", lambda id: 1, raising=False)
    assert len(opened(tmp_path, "id\ttext\na\tx\nb\ty\n")) == 2


def test_real_passages(tmp_path: Path, shared_data) -> None:
    path = shared_data("wiki_passages/psgs_sample.tsv.gz")
    passages = open_passages(path, tmp_path, lambda count, found: None)
    assert (len(passages), passages.left_out) == (17705, 0)
    assert passages.sha256 == "0cbf2bc76fb55c20250c639669ab563f1a981ee668596cb6a4d6ae83df39ce23"
    first, last = passages.document(0, 1.0, 1), passages.document(17704, 1.0, 1)
    assert first.title == "Croquet"
    assert 'Good players may make "breaks" of several hoops in a single turn.' in first.text
    assert last.id == "17705"
