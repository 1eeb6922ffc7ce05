"""A stopped part goes on where it stopped, and ends with the bytes of one that was never stopped."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from builders.parts import build_shards, code_digest, part_key, read_facts, read_shards, write_facts


@dataclass(frozen=True)
class Word:
    """A row."""

    text: str
    number: int


def rows(job: int) -> dict[str, list[Word]]:
    """Return two splits of one job; every second job has no odd row."""
    odd = [Word(f"odd {job}", job)] if job % 2 else []
    return {"all": [Word(f"a {job}", job), Word(f"b {job}", job)], "odd": odd}


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def run(folder: Path, make: Callable[[int], dict[str, list[Word]]]) -> list[tuple[int, bool]]:
    heard: list[tuple[int, bool]] = []
    build_shards(folder, range(5), make, lambda job, found: heard.append((job, found)))
    return heard


def dies_at(number: int, asked: list[int]) -> Callable[[int], dict[str, list[Word]]]:
    def make(job: int) -> dict[str, list[Word]]:
        asked.append(job)
        if job == number:
            raise ConnectionError("the model is gone")
        return rows(job)

    return make


def test_shards_are_read_back_in_order(tmp_path: Path) -> None:
    assert run(tmp_path, rows) == [(job, False) for job in range(5)]
    assert read_shards(tmp_path, "all", Word) == [Word(f"{name} {job}", job) for job in range(5) for name in "ab"]
    assert read_shards(tmp_path, "odd", Word) == [Word("odd 1", 1), Word("odd 3", 3)]
    assert read_shards(tmp_path, "none", Word) == []
    assert not (tmp_path / "shard-00000" / "odd.parquet").exists()


def test_a_second_run_makes_only_what_is_missing_and_the_bytes_are_equal(tmp_path: Path) -> None:
    asked: list[int] = []
    with pytest.raises(ConnectionError):
        run(tmp_path / "stopped", dies_at(3, asked))
    assert asked == [0, 1, 2, 3]
    assert sorted(path.name for path in (tmp_path / "stopped").iterdir()) == [f"shard-0000{n}" for n in range(3)]

    asked.clear()
    heard = run(tmp_path / "stopped", dies_at(99, asked))
    assert asked == [3, 4]
    assert heard == [(0, True), (1, True), (2, True), (3, False), (4, False)]

    run(tmp_path / "whole", rows)
    assert tree(tmp_path / "stopped") == tree(tmp_path / "whole")
    assert run(tmp_path / "whole", dies_at(0, asked)) == [(job, True) for job in range(5)]


def test_a_kill_while_a_shard_is_written_leaves_no_half_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies after the first file of shard 1."""

    def write(path: Path, record: type, records: list[Word]) -> None:
        path.write_bytes(b"half")
        if "shard-00001" in str(path):
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr("builders.parts.write_parquet", write)
        run(tmp_path, rows)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert [path.name for path in sorted(tmp_path.glob("shard-*"))] == ["shard-00000"]
    asked: list[int] = []
    run(tmp_path, dies_at(99, asked))
    assert asked == [1, 2, 3, 4]
    assert len(read_shards(tmp_path, "odd", Word)) == 2


def test_a_disk_that_fails_is_an_error_and_no_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builders.parts.write_parquet", full)
    with pytest.raises(OSError, match="No space left"):
        run(tmp_path, rows)
    assert list(tmp_path.iterdir()) == []


def test_the_key_changes_with_every_setting_and_with_our_code(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"seed": 0, "recipe": {"k": 5, "limit": 0.8}, "tools": {"ner": "sm 3.8"}, "limit": None}
    key = part_key(facts)
    assert key == part_key(dict(reversed(facts.items())))
    changed = [{**facts, "seed": 1}, {**facts, "limit": 5}, {**facts, "recipe": {"k": 5, "limit": 0.81}}]
    assert len({key, *map(part_key, changed)}) == 4
    monkeypatch.setattr("builders.parts.code_digest", lambda: "other code")
    assert part_key(facts) != key


def test_the_code_digest_covers_code_and_data_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "builders").mkdir()
    (tmp_path / "cards").mkdir()
    monkeypatch.setattr("builders.parts.__file__", str(tmp_path / "builders" / "parts.py"))
    found = []
    for name in ("builders/a.py", "builders/a.tsv", "builders/note.md", "cards/b.py"):
        (tmp_path / name).write_text(name)
        code_digest.cache_clear()
        found.append(code_digest())
    code_digest.cache_clear()
    assert len(set(found)) == 2
    assert found[1] == found[2] == found[3]


def test_facts_are_read_back(tmp_path: Path) -> None:
    write_facts(tmp_path, {"recall": 0.5, "origin": {"license": "MIT"}, "dropped": {}})
    assert read_facts(tmp_path) == {"recall": 0.5, "origin": {"license": "MIT"}, "dropped": {}}
    assert [path.name for path in tmp_path.iterdir()] == ["part.json"]


def test_a_shard_with_pending_rows_is_read_and_made_again_until_none_is_left(tmp_path: Path) -> None:
    def run_with(late: set[int], word: str) -> tuple[list[int], list[bool]]:
        made: list[int] = []
        found: list[bool] = []

        def make(job: int) -> dict[str, list[Word]]:
            made.append(job)
            return {"all": [Word(word, job)]}

        build_shards(tmp_path, range(3), make, lambda _, f: found.append(f), lambda r: int(r["all"][0].number in late))
        return made, found

    assert run_with({0, 2}, "first") == ([0, 1, 2], [False, False, False])
    assert [row.text for row in read_shards(tmp_path, "all", Word)] == ["first"] * 3
    assert run_with({2}, "second") == ([0, 2], [False, True, False])
    assert [row.text for row in read_shards(tmp_path, "all", Word)] == ["second", "first", "second"]
    assert run_with(set(), "third") == ([2], [True, True, False])
    assert run_with({0, 1, 2}, "fourth") == ([], [True, True, True])
    assert not list(tmp_path.rglob("pending"))
