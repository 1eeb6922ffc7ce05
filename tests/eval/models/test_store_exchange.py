"""A store handed on is the same store; a file that was tampered with is refused."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval.models.engine import Message, Reply, Request
from eval.models.store import RequestStore
from eval.models.store_exchange import export_store, import_store
from loaders.errors import DecoyQAError, InputError

SUFFIXES = ("jsonl", "parquet")


def request(number: int) -> Request:
    return Request("free:m", (Message("user", f"question {number} é\u2028\ud83d"),))


def reply(to: Request, text: str = "yes\ud83d") -> Reply:
    return Reply(to.key, text, "stop", 30, 4, '{"raw": "ü"}', "hm", 7, 2, "free-0125")


def filled(folder: Path, *numbers: int, text: str = "yes\ud83d") -> RequestStore:
    store = RequestStore(folder)
    for number in numbers:
        store.put(request(number), reply(request(number), text))
    return store


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_exported_and_imported_is_the_same_store(tmp_path, suffix):
    store, file = filled(tmp_path / "a", 3, 1, 2), tmp_path / "out" / f"replies.{suffix}"
    assert export_store(store, file) == 3
    with RequestStore(tmp_path / "b") as other:
        assert import_store(other, file) == (3, 0)
        assert import_store(other, file) == (0, 3)
        for number in range(1, 4):
            key = request(number).key
            assert other.entry(key) == store.entry(key)
            assert other.get(key) == reply(request(number))
    assert len(list((tmp_path / "b").iterdir())) == 1
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_stores_give_equal_files_whatever_their_segments(tmp_path, suffix):
    one = filled(tmp_path / "a", 1, 2)
    other = RequestStore(tmp_path / "b")
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    export_store(one, files[0])
    import_store(other, files[0])
    export_store(other, files[1])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_reply_that_is_there_stays(tmp_path):
    file = tmp_path / "theirs.jsonl"
    export_store(filled(tmp_path / "theirs", 1, 2, text="theirs"), file)  # theirs came first
    ours = filled(tmp_path / "ours", 1, text="ours")
    assert import_store(ours, file) == (1, 1)
    for store in (ours, RequestStore(tmp_path / "ours")):
        assert [store.get(request(number).key).text for number in (1, 2)] == ["ours", "theirs"]


def test_a_table_that_others_can_read(tmp_path):
    export_store(filled(tmp_path / "a", 1), tmp_path / "a.parquet")
    (row,) = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert (row["key"], row["engine"]) == (request(1).key, "free:m")
    assert json.loads(row["request"])["messages"][0]["content"] == request(1).messages[0].content
    assert json.loads(row["reply"])["reasoning_tokens"] == 2


def _lines(folder: Path) -> list[dict[str, object]]:
    export_store(filled(folder / "a", 1, 2), folder / "a.jsonl")
    return [json.loads(line) for line in (folder / "a.jsonl").read_text().splitlines()]


def test_lines_without_a_checksum_are_taken_where_the_key_fits(tmp_path):
    lines = [{"request": line["request"], "reply": line["reply"]} for line in _lines(tmp_path)]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert import_store(RequestStore(tmp_path / "b"), tmp_path / "b.jsonl") == (2, 0)


def test_a_row_that_is_not_what_was_asked_is_refused_before_anything_is_written(tmp_path):
    first, second = _lines(tmp_path)
    other_question = second["request"] | {"temperature": 1.0}
    cases = [
        ({**second, "request": other_question}, "key and the checksum"),
        ({"request": other_question, "reply": second["reply"]}, "key and the checksum"),
        ({**second, "reply": second["reply"] | {"text": "no"}}, "key and the checksum"),
        ({"request": second["request"]}, "expected a stored call"),
        ([], "expected a stored call"),
    ]
    for line, fault in cases:
        (tmp_path / "b.jsonl").write_text(json.dumps(first) + "\n" + json.dumps(line) + "\n")
        with pytest.raises(InputError, match=fault) as error:
            import_store(RequestStore(tmp_path / "b"), tmp_path / "b.jsonl")
        assert error.value.row == 2
    assert not (tmp_path / "b").exists()


def test_parquet_of_something_else_is_refused(tmp_path):
    pq.write_table(pa.table({"question": ["Who?"]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR")
    for name in ("a.parquet", "b.parquet"):
        with pytest.raises(InputError, match="expected Parquet with the columns key, engine, time, request, reply"):
            import_store(RequestStore(tmp_path / "s"), tmp_path / name)


def test_another_suffix_and_a_missing_file_are_refused(tmp_path):
    store = filled(tmp_path / "a", 1)
    for call in (export_store, import_store):
        with pytest.raises(DecoyQAError, match=r"ends with \.jsonl or \.parquet"):
            call(store, tmp_path / "replies.csv")
    with pytest.raises(InputError, match="found nothing"):
        import_store(store, tmp_path / "none.jsonl")


def test_an_export_that_cannot_be_written_leaves_the_old_one(tmp_path):
    store, file = filled(tmp_path / "a", 1), tmp_path / "a.jsonl"
    file.mkdir()
    with pytest.raises(DecoyQAError, match="could not be written"):
        export_store(store, file)
    assert not (tmp_path / ".a.jsonl.tmp").exists()


def test_a_reply_of_a_later_version_keeps_what_this_one_knows(tmp_path):
    (first, _) = _lines(tmp_path)
    line = {"request": first["request"] | {"later": 1}, "reply": first["reply"] | {"logprobs": [1]}}
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "1-1-x.jsonl").write_text(json.dumps(line) + "\n")
    found = RequestStore(tmp_path / "s").get(str(first["key"]))
    assert found
    assert found.text == "yes\ud83d"
