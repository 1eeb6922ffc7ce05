"""What a build starts from: files with documents, or questions for which passages are retrieved."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builders.cli import main
from builders.genadv.material import Input, read_material
from builders.sources.retrieve import Search
from loaders.errors import InputError

QUESTIONS = [
    {"id": "a", "question": "how far is the moon", "answers": ["far"]},
    {"id": "b", "question": "how deep is the sea", "answers": ["deep"], "ctxs": [{"text": "Mud."}]},
    {"id": "c", "question": "who is she", "answers": ["Ada"]},
]
PASSAGES = "id\ttext\n1\tThe moon is far away.\n2\tThe sea is deep.\n3\tThe sea is wide.\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write questions and passages, and let the caches lie beside them."""
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    (tmp_path / "p.tsv").write_text(PASSAGES)
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object, passages: bool = True) -> Result:
    given = ["--passages", "p.tsv"] * passages
    return CliRunner().invoke(main, ["build", "genadv", "--dry-run", *given, *map(str, words)], env={"COLUMNS": "300"})


def found(files: Path, search: Search | None, **rest: Any) -> dict[str, list[str]]:
    ((questions, _),) = read_material([Input("nq", "nq", files / "q.jsonl")], None, search, **rest).inputs
    return {question.id: [document.text for document in question.documents] for question in questions}


def test_passages_take_the_place_of_documents(files: Path) -> None:
    search = Search(files / "p.tsv", files / "home")
    assert found(files, None) == {"a": [], "b": ["Mud."], "c": []}
    sea = ["The sea is deep.", "The sea is wide."]
    assert found(files, search) == {"a": ["The moon is far away."], "b": sea, "c": []}
    assert found(files, search, limit=1) == {"a": ["The moon is far away."], "b": [], "c": []}


def test_nothing_found_is_no_input(files: Path) -> None:
    (files / "p.tsv").write_text("id\ttext\n1\tSnow.\n")
    with pytest.raises(InputError, match="questions with documents expected"):
        found(files, Search(files / "p.tsv", files / "home"))


def test_the_command_says_what_was_retrieved(files: Path) -> None:
    result = run("--source", "nq", "--input", "q.jsonl", "--retrieved", "1")
    assert result.exit_code == 0, result.output
    assert "nq: 3 questions, 2 with documents" in result.stderr
    assert "k1 0.9 and b 0.4" in result.stderr
    assert "3 passages" in result.stderr
    # Recall over the questions that have documents: both hold their answer.
    assert "Recall@5 100.0%; documents: questions 1: 2, 0: 1" in result.stderr
    assert sorted(path.name for path in files.iterdir()) == ["home", "p.tsv", "q.jsonl"]


def test_the_command_reads_a_run_for_each_source(files: Path) -> None:
    (files / "one").write_text("a Q0 3 1 9 colbert\n")
    (files / "two").write_text("c\t2\t1\t9\nc\t1\t2\t8\n")
    twice = ("--source", "nq", "--input", "q.jsonl", "--source", "webq", "--input", "q.jsonl")
    result = run(*twice, "--run", "one", "--run", "two")
    assert result.exit_code == 0, result.output
    assert "colbert, 3 passages" in result.stderr
    assert "unnamed, 3 passages" in result.stderr
    assert "documents: questions 2: 1, 0: 2" in result.stderr
    (files / "two").write_text("c\t2\t1\t9\nc\t4\t2\t8\n")
    refused = run(*twice, "--run", "one", "--run", "two")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "error: two, row 2: expected the id of a passage with text in p.tsv, found '4'" in refused.stderr


@pytest.mark.parametrize(
    ("words", "passages", "expected"),
    [
        (("--source", "nq"), False, "questions without documents: give --passages, or --input"),
        (
            ("--source", "nq", "--input", "q.jsonl", "--run", "r"),
            False,
            "give the file that holds them with --passages",
        ),
        (("--source", "nq", "--input", "q.jsonl", "--run", "r", "--run", "r"), True, "1 --source and 2 --run"),
        (("--source", "nq", "--input", "q.jsonl", "--run", "none"), True, "none: expected a file, found nothing"),
        (("--source", "nq", "--source", "webq", "--input", "q.jsonl"), True, "2 --source and 1 --input"),
    ],
)
def test_what_does_not_go_together(files: Path, words: tuple[str, ...], passages: bool, expected: str) -> None:
    result = run(*words, passages=passages)
    assert (result.exit_code, result.stdout) == (2, "")
    assert expected in result.stderr.splitlines()[-1]
