"""Parquet shards there and back, and a folder that is replaced at once or not at all."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from loaders import artifact
from loaders.artifact import read_rows, replacing_folder, shard_paths, write_parquet, write_rows
from loaders.errors import DecoyQAError
from loaders.records import Reason
from loaders.schema import arrow_schema


def reasons(count: int) -> list[Reason]:
    return [Reason(f"code_{i}", f"detail ü {i}") for i in range(count)]


def tree(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_split_is_read_back_over_all_its_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact, "ROWS_PER_SHARD", 3)
    paths = write_rows(tmp_path, "nq", "random", Reason, reasons(7))
    assert [path.name for path in paths] == [f"random-0000{i}-of-00003.parquet" for i in range(3)]
    assert [pq.read_metadata(path).num_rows for path in paths] == [3, 3, 1]
    assert shard_paths(tmp_path, "nq", "random") == paths
    assert read_rows(tmp_path, "nq", "random", Reason) == reasons(7)


def test_a_file_has_the_explicit_schema_and_no_metadata_of_any_library(tmp_path: Path) -> None:
    (path,) = write_rows(tmp_path, "nq", "random", Reason, reasons(2500))
    schema = pq.read_schema(path)
    assert schema.equals(arrow_schema(Reason))
    assert not schema.metadata
    metadata = pq.read_metadata(path)
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [1000, 1000, 500]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_rows(tmp_path / name, "nq", "random", Reason, reasons(50))
    one, other = (shard_paths(tmp_path / name, "nq", "random")[0].read_bytes() for name in ("a", "b"))
    assert one == other


def test_an_empty_split_writes_nothing(tmp_path: Path) -> None:
    assert write_rows(tmp_path, "nq", "topk", Reason, []) == []
    assert list(tmp_path.iterdir()) == []
    assert shard_paths(tmp_path, "nq", "topk") == []
    with pytest.raises(DecoyQAError, match="has no split nq/topk"):
        read_rows(tmp_path, "nq", "topk", Reason)


def test_one_split_is_not_taken_for_another_whose_name_begins_alike(tmp_path: Path) -> None:
    write_rows(tmp_path, "nq", "random", Reason, reasons(1))
    write_rows(tmp_path, "nq", "random_more", Reason, reasons(2))
    assert len(read_rows(tmp_path, "nq", "random", Reason)) == 1


def test_a_row_of_the_wrong_type_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pa.ArrowTypeError):
        write_parquet(tmp_path / "rows.parquet", Reason, [Reason(3)])  # type: ignore[arg-type]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a folder in place, holding `name` and `inner/gone`."""
    folder = tmp_path / "dist" / "0.0.0.dev0"
    (folder / "inner").mkdir(parents=True)
    (folder / "name").write_text("old")
    (folder / "inner" / "gone").write_text("old")
    return folder


OLD, NEW = {"inner/gone": "old", "name": "old"}, {"name": "new"}


def replace_it(target: Path) -> None:
    with replacing_folder(target) as folder:
        (folder / "name").write_text("new")


@pytest.fixture(params=["exchange", "renames"])
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "renames":
        monkeypatch.setattr(artifact, "_exchange", lambda one, other: False)
    return


@pytest.mark.usefixtures("_both_ways")
def test_a_finished_folder_takes_the_place_of_the_old_one(target: Path) -> None:
    replace_it(target)
    assert tree(target) == NEW
    assert list(target.parent.iterdir()) == [target]


def test_a_finished_folder_appears_where_there_was_none(tmp_path: Path) -> None:
    replace_it(tmp_path / "a" / "b")
    assert tree(tmp_path) == {"a/b/name": "new"}


def write_and_fail(target: Path) -> None:
    with replacing_folder(target) as folder:
        (folder / "name").write_text("new")
        raise KeyboardInterrupt


def test_a_failure_inside_leaves_the_old_folder_and_nothing_else(target: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_and_fail(target)
    assert tree(target) == OLD
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_without_an_old_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bad"), replacing_folder(tmp_path / "new"):
        raise ValueError("bad")
    assert list(tmp_path.iterdir()) == []


def test_a_rename_that_fails_puts_the_old_folder_back(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def refuse(self: Path, to: Path) -> Path:
        if self.suffix == ".tmp":
            raise PermissionError("refused")
        return rename(self, to)

    monkeypatch.setattr(artifact, "_exchange", lambda one, other: False)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(PermissionError):
        replace_it(target)
    assert tree(target) == OLD
    assert list(target.parent.iterdir()) == [target]


def kill_at(call: str, *, after: bool, target: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Replace the folder in a child process that kills itself at a call; return its exit code."""
    child = os.fork()
    if child == 0:
        real = getattr(artifact, call)

        def dying(*given: Path) -> object:
            result = real(*given) if after else None
            os.kill(os.getpid(), signal.SIGKILL)
            return result

        monkeypatch.setattr(artifact, call, dying)
        replace_it(target)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def can_exchange(folder: Path) -> bool:
    """Whether the file system lets two folders change places; both are removed again."""
    one, other = folder / "one", folder / "other"
    one.mkdir()
    other.mkdir()
    can = artifact._exchange(one, other)
    one.rmdir()
    other.rmdir()
    return can


@pytest.mark.parametrize(
    ("call", "after", "left"),
    [
        ("_sync_tree", False, OLD),
        ("_sync", True, OLD),
        ("_sync_tree", True, OLD),
        ("_exchange", False, OLD),
        ("_exchange", True, NEW),
    ],
)
def test_a_kill_leaves_the_old_or_the_new_folder_whole(
    target: Path, monkeypatch: pytest.MonkeyPatch, call: str, after: bool, left: dict[str, str]
) -> None:
    if left == NEW and not can_exchange(target.parent):
        pytest.skip("this file system cannot let two folders change places")
    assert kill_at(call, after=after, target=target, monkeypatch=monkeypatch) == -signal.SIGKILL
    assert tree(target) == left
    replace_it(target)
    assert tree(target) == NEW
