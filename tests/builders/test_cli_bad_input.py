"""What a user can get wrong in `decoyqa build genadv`: one line, exit code 2, and nothing written."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builders.cli import main

ROW: dict[str, Any] = {"id": "a", "question": "Who?", "answers": ["Ada"], "ctxs": [{"title": "T", "text": "Text."}]}


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def row(**changes: Any) -> dict[str, Any]:
    found = {**ROW, **changes}
    return {name: value for name, value in found.items() if value is not None}


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command with everything that it could write below one folder; opening a model is an error."""
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def no_tools(*_: object) -> None:
        raise AssertionError("a model was opened before the input was known to be good")

    monkeypatch.setattr("builders.genadv.build.open_tools", no_tools)
    return lambda *words: CliRunner().invoke(main, ["build", "genadv", *map(str, words)])


def refused(result: Result, *parts: str) -> str:
    """Assert that the command ended with one line on stderr that holds these parts, and exit code 2."""
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert all(part in line for part in parts), line
    return line


def untouched(tmp_path: Path, *given: str) -> bool:
    return sorted(path.name for path in tmp_path.iterdir()) == sorted(given)


MANY = lines(*(row(id=str(number)) for number in range(50)))
FILES = [
    pytest.param(lines(row(), row(id="b", question=None)), "row 2", "question", id="no question column"),
    pytest.param(lines(row(answers=None)), "row 1", "expected the answers", id="no answers column"),
    pytest.param(b"question\tctxs\nWho?\t[]\n", "row 2", "expected the answers", id="no answers column in a TSV"),
    pytest.param(b"Who?\t['Ada'\n", "row 1", "Python list literal", id="broken literal"),
    pytest.param(lines(row(possible_answers='["Ada"', answers=None)), "row 1", "JSON list", id="broken JSON in a cell"),
    pytest.param(lines(row(), row(id="b", answers=[1])), "row 2", "answers as a string", id="answer of another type"),
    pytest.param(lines(row(), row(id="b", ctxs="T")), "row 2", "documents in ctxs as a list", id="documents as text"),
    pytest.param(b"", "", "at least one row", id="empty file"),
    pytest.param(b"\n \n", "", "at least one row", id="blank file"),
    pytest.param(lines(row()) + b'{"id": "b", "question"', "row 2", "expected JSON", id="cut off in a row"),
    pytest.param(lines(row()) + b'{"question": "caf\xe9"}\n', "row 2", "UTF-8", id="wrong encoding"),
    pytest.param("﻿".encode("utf-16") + "Who?".encode("utf-16"), "row 1", "UTF-8", id="UTF-16"),
    pytest.param(gzip.compress(MANY)[:-20], "row", "whole, readable file", id="truncated gzip"),
    pytest.param(lines(row(), row(id="b"), row()), "row 3", "that of row 1 again", id="id twice"),
    pytest.param(lines(row(id=None), row(id=None)), "row 2", "that of row 1 again", id="question twice without ids"),
    pytest.param(lines(row(ctxs=None)), "", "questions with documents", id="no documents"),
    pytest.param(lines(row(ctxs=[])), "", "questions with documents", id="empty list of documents"),
    pytest.param(b"[1, 2]", "row 1", "JSON object", id="a list of numbers"),
]  # fmt: skip


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["build", "dry run"])
@pytest.mark.parametrize(("content", "place", "expected"), FILES)
def test_files(run: Run, tmp_path: Path, content: bytes, place: str, expected: str, dry: tuple[str, ...]) -> None:
    path = tmp_path / "questions"
    path.write_bytes(content)
    refused(run("--source", "nq", "--input", path, *dry), f"error: {path}", place, expected)
    assert untouched(tmp_path, "questions")


def test_a_bad_second_file_stops_the_good_first(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(lines(row()))
    (tmp_path / "bad").write_bytes(lines(row(), row(question=None)))
    words = ("--source", "nq", "--input", tmp_path / "good", "--source", "tqa", "--input", tmp_path / "bad")
    refused(run(*words), str(tmp_path / "bad"), "row 2", "expected the question")
    assert untouched(tmp_path, "good", "bad")


def test_a_path_that_is_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    refused(run("--source", "nq", "--input", tmp_path / "folder"), str(tmp_path / "folder"), "found a directory")
    refused(run("--source", "nq", "--input", tmp_path / "none"), str(tmp_path / "none"), "expected a file")
    assert untouched(tmp_path, "folder")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--source", "squad", "--input", "q"), ("--source squad", "nq, tqa, webq, popqa")),
        (("--source", "nq:../up", "--input", "q"), ("../up", "letters, digits and underscores")),
        (("--source", "nq:a/b", "--input", "q"), ("a/b", "letters, digits and underscores")),
        (("--source", "nq:", "--input", "q"), ("letters, digits and underscores",)),
        (("--source", "nq", "--input", "q", "--source", "nq", "--input", "q"), ("config nq is taken",)),
        (("--source", "nq:x", "--input", "q", "--source", "tqa:x", "--input", "q"), ("config x is taken",)),
        (("--source", "nq:x_construction", "--input", "q"), ("x_construction",)),
        (("--source", "nq", "--source", "tqa", "--input", "q"), ("2 --source and 1 --input",)),
        (("--source", "nq", "--input", "q", "--input", "q"), ("1 --source and 2 --input",)),
        (("--source", "nq", "--input", "q", "--version", "1.0"), ("--version 1.0", "X.Y.Z")),
        (("--source", "nq", "--input", "q", "--version", "../1.0.0"), ("--version ../1.0.0", "X.Y.Z")),
        (("--source", "nq", "--input", "q", "--version", "1.0.0\n"), ("--version", "X.Y.Z")),
        (("--source", "nq", "--input", "q", "--writer", "gpt"), ("unknown engine 'gpt'", "openai:...")),
        (("--source", "nq", "--input", "q", "--checker", "openai:"), ("unknown engine 'openai:'",)),
        (("--source", "nq", "--input", "q", "--checker-gates"), ("--checker-gates", "--checker")),
    ],
)
def test_options(run: Run, tmp_path: Path, words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    (tmp_path / "q").write_bytes(lines(row()))
    refused(run(*words), *parts)
    assert untouched(tmp_path, "q")


def test_a_released_version_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(lines(row()))
    released = tmp_path / "dist" / "genadv" / "1.0.0"
    released.mkdir(parents=True)
    refused(run("--source", "nq", "--input", "q", "--version", "1.0.0"), "1.0.0", "never overwritten")
    assert list(released.iterdir()) == []
    assert untouched(tmp_path, "q", "dist")


def test_where_no_folder_can_be(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q").write_bytes(lines(row()))
    refused(run("--source", "nq", "--input", "q", "--out", "q"), "q is no folder")
    refused(run("--source", "nq", "--input", "q", "--out", "q/deep"), "q is no folder")
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "q" / "home"))
    refused(run("--source", "nq", "--input", "q"), "q is no folder")
    assert untouched(tmp_path, "q")


def test_a_pool_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(lines(row()))
    (tmp_path / "pool").write_bytes(b"caf\xe9")
    for name in ("pool", "none"):
        for dry in ((), ("--dry-run",)):
            refused(run("--source", "nq", "--input", "q", "--pool", name, *dry), name)
    assert untouched(tmp_path, "q", "pool")


def test_a_dry_run_of_good_input_writes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(lines(row(), row(id="b", ctxs=None)))
    result = run("--source", "nq", "--input", "q", "--dry-run")
    assert result.exit_code == 0
    assert "nq: 2 questions, 1 with documents" in result.stderr
    assert untouched(tmp_path, "q")


def test_an_odd_folder_is_named_as_it_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(lines(row()))
    out = f"{'long ' * 30}[/odd] [bold]"
    result = run("--source", "nq", "--input", "q", "--out", out, "--dry-run")
    assert result.exit_code == 0
    assert f"to build: {out}/genadv/0.0.0.dev0, seed 0, writer rules" in result.stderr.splitlines()


def test_long_paths_and_broken_lines_stay_one_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / ("long folder name " * 12) / ("another [bold] name " * 8)
    folder.mkdir(parents=True)
    path = folder / "questions"
    path.write_bytes(lines(row(question=None, text="one\ntwo")))
    refused(run("--source", "nq", "--input", path), str(path), "row 1")
    odd = tmp_path / "two\nlines"
    refused(run("--source", "nq", "--input", odd), "expected a file")


def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "questions"
    path.write_bytes(lines(row(), row()))
    program = "import sys; from builders.cli import main; sys.argv[0] = 'decoyqa'; main()"
    words = ["build", "genadv", "--source", "nq", "--input", str(path), "--out", str(tmp_path / "dist")]
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        env={"DECOYQA_HOME": str(tmp_path / "home"), "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (f"error: {path}, row 2: expected an id of its own, found that of row 1 again: a\n")
    assert untouched(tmp_path, "questions")
