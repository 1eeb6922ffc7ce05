import json
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.sources.rows import Row, read_rows
from loaders.errors import InputError

HEADER = ("question", "answers")
ROWS = [{"question": "q1", "n": 1}, {"question": "q2 \u2028", "n": 2}]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rows"
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), [1, 2]),
        ("\r\n" + "\r\n\r\n".join(json.dumps(row) for row in ROWS) + "\r\n", [2, 4]),
        (json.dumps(ROWS, indent=1), [1, 2]),
        ("  " + json.dumps(ROWS), [1, 2]),
        (json.dumps({"Version": 1, "Data": ROWS}), [1, 2]),
        (json.dumps({"Data": ROWS, "Version": 1}, indent=2), [1, 2]),
    ],
    ids=["jsonl", "jsonl-crlf-blank-lines", "list", "list-one-line", "data-one-line", "data"],
)
def test_every_json_form_gives_the_same_rows(tmp_path: Path, text: str, numbers: list[int]) -> None:
    rows = list(read_rows(written(tmp_path, text), HEADER))
    assert rows == [Row(number, row) for number, row in zip(numbers, ROWS, strict=True)]


def test_json_lines_stream(tmp_path: Path) -> None:
    path = written(tmp_path, '{"n": 1}\n{"n": 2}\n{broken\n')
    assert [row.columns["n"] for row in islice(read_rows(path, HEADER), 2)] == [1, 2]


def test_tsv_with_header_undoes_csv_quoting_and_counts_lines(tmp_path: Path) -> None:
    text = 'id\tquestion\tanswers\r\n7\t"two\r\nlines ""here"""\t[]\r\n8\tthird\t[]\r\n'
    assert list(read_rows(written(tmp_path, text), HEADER)) == [
        Row(2, {"id": "7", "question": 'two\r\nlines "here"', "answers": "[]"}),
        Row(4, {"id": "8", "question": "third", "answers": "[]"}),
    ]


def test_tsv_without_header_has_dprs_columns_and_undoes_a_second_quoting(tmp_path: Path) -> None:
    text = 'who said "go"\t[\'him\']\r\n"""Who wrote """"Emma""""?"""\t"[\'""Jane""\']"\r\n"""plain"""\t[]\r\n'
    assert [row.columns for row in read_rows(written(tmp_path, text), HEADER)] == [
        {"question": 'who said "go"', "answers": "['him']"},
        {"question": 'Who wrote "Emma"?', "answers": "['\"Jane\"']"},
        {"question": '"plain"', "answers": "[]"},
    ]


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("", None, "expected at least one row, found none"),
        (" \n\r\n", None, "expected at least one row, found none"),
        ("[]", None, "expected at least one row, found none"),
        ("question\tanswers\n", None, "expected at least one row, found none"),
        ('{"a": 1}\n[1]\n', 2, "expected a JSON object, found a list"),
        ('[{"a": 1}, "b"]', 2, "expected a JSON object, found a str"),
        ('{"a": 1}\n{"a": 2\n', 2, "expected JSON: Expecting ',' delimiter at column 8"),
        ('[{"a": 1},\n{"a": 2\n', 2, "expected JSON"),
        ('{"a": 1\n{"a": 2}\n', 2, "expected JSON"),
        ('{"a":\n1}', 1, "expected JSON lines, a JSON list, or an object with a list `Data`"),
        ("[" * 100_000, 1, "expected JSON"),
        ("q\t[]\nonly one cell\n", 2, "or two cells (question, list of answers), found 1: only one cell"),
        ("query\tgold\tid\n", 1, "a header with columns of question, answers, or two cells"),
        ("question\tanswers\nq\t[]\textra\n", 2, "expected 2 cells, found 3"),
        ('q\t[]\n"open\t[]\nq\t[]\n', 2, "expected tab-separated cells with CSV quoting"),
        ('"closed" early\t[]\n', 1, "expected tab-separated cells with CSV quoting"),
    ],
)
def test_bad_rows_name_row_and_expectation(tmp_path: Path, text: str, row: int | None, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_rows(written(tmp_path, text), HEADER))
    assert caught.value.row == row
    assert expected in caught.value.expected
    assert "\n" not in str(caught.value)


def test_parquet_gives_lists_objects_and_row_numbers(tmp_path: Path) -> None:
    rows = [{"question": f"q{n}", "answers": ["a"] * n, "more": {"n": n, "text": None}} for n in range(2500)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "rows", row_group_size=700)
    assert list(read_rows(tmp_path / "rows", HEADER)) == [Row(n, row) for n, row in enumerate(rows, 1)]


def test_damaged_or_empty_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"question": ["q"] * 5000}), tmp_path / "rows")
    whole = (tmp_path / "rows").read_bytes()
    (tmp_path / "rows").write_bytes(whole[:-20])
    with pytest.raises(InputError, match="row 1: expected whole, readable Parquet"):
        list(read_rows(tmp_path / "rows", HEADER))
    pq.write_table(pa.table({"question": pa.array([], pa.string())}), tmp_path / "rows")
    with pytest.raises(InputError, match="expected at least one row, found none"):
        list(read_rows(tmp_path / "rows", HEADER))


@given(st.lists(st.dictionaries(st.text(), st.text() | st.none() | st.integers()), min_size=1))
def test_written_json_lines_come_back(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]) -> None:
    path = tmp_path_factory.mktemp("json") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = list(read_rows(path, HEADER))
    assert found == [Row(number, row) for number, row in enumerate(rows, 1)]
