from dataclasses import replace
from pathlib import Path

import pytest

from builders.sources import retrieve as module
from builders.sources.retrieve import Search, retrieved
from loaders.errors import DecoyQAError, InputError
from loaders.records import Document, Provenance, Question, Retrieval

PASSAGES = "id\ttitle\ttext\n" + "".join(
    f"{id}\t{title}\t{text}\n"
    for id, title, text in [
        ("7", "Moon", "The moon is far."),
        ("8", "Sun", "The sun is hot and far."),
        ("9", "", "Moon and sun and sea."),
        ("10", "Sea", "Deep."),
    ]
)
ORIGIN = Provenance("nq", "nq", "ab" * 32, 3, "MIT")
OLD = (Document("old", "", "what it came with"),)
QUESTIONS = [
    Question("q1", "", "how far is the moon", ("far",), OLD),
    Question("q2", "", "where is nothing", ("here",), OLD),
    Question("q3", "", "deep sea", ("sea",), OLD),
]


@pytest.fixture
def search(tmp_path: Path) -> Search:
    (tmp_path / "passages.tsv").write_text(PASSAGES)
    return Search(tmp_path / "passages.tsv", tmp_path / "home" / "retrieval", 2)


def ids(questions: list[Question]) -> list[list[str]]:
    return [[document.id for document in question.documents] for question in questions]


def test_retrieved_documents_replace_those_that_came_along(search: Search) -> None:
    questions, origin = retrieved(QUESTIONS, ORIGIN, search, None, None)
    assert ids(questions) == [["7", "9"], [], ["10", "9"]]
    first = questions[0].documents[0]
    assert (first.title, first.text, first.rank, first.kind) == ("Moon", "The moon is far.", 1, "retrieved")
    assert first.score is not None
    assert first.score > (questions[0].documents[1].score or 0) > 0
    how = Retrieval(search.passages.sha256, 4, search.index.retriever, 2)
    assert origin == replace(ORIGIN, retrieval=how)
    assert how.retriever.startswith("bm25s-")


def test_only_the_first_questions_are_searched_and_what_was_found_is_kept(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    find = type(search.index).search
    monkeypatch.setattr(type(search.index), "search", lambda self, q, n: asked.append(q) or find(self, q, n))
    monkeypatch.setattr(module, "SAVED", 1)
    assert ids(retrieved(QUESTIONS, ORIGIN, search, None, 1)[0]) == [["7", "9"], [], []]
    assert asked == ["how far is the moon"]
    assert ids(retrieved(QUESTIONS, ORIGIN, search, None, None)[0]) == [["7", "9"], [], ["10", "9"]]
    assert asked[1:] == ["where is nothing", "deep sea"]
    assert ids(retrieved(QUESTIONS, ORIGIN, search, None, 1)[0]) == [["7", "9"], [], []]
    assert asked[3:] == []


def test_a_stopped_search_goes_on_where_it_was_and_leaves_the_same_file(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = retrieved(QUESTIONS, ORIGIN, search, None, None)
    (path,) = (search.cache / search.passages.sha256 / "runs").iterdir()
    written = path.read_bytes()
    assert written.splitlines()[0].split(b"\t")[:4] == [b"q1", b"Q0", b"7", b"1"]
    path.unlink()
    find = type(search.index).search

    def stop(self: object, question: str, n: int) -> object:
        if question == "deep sea":
            raise KeyboardInterrupt
        return find(self, question, n)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "SAVED", 1)
    with monkeypatch.context() as stopped:
        stopped.setattr(type(search.index), "search", stop)
        with pytest.raises(KeyboardInterrupt):
            retrieved(QUESTIONS, ORIGIN, search, None, None)
    assert path.read_bytes() == b"".join(line for line in written.splitlines(True) if line.startswith(b"q1"))
    assert retrieved(QUESTIONS, ORIGIN, search, None, None) == whole
    assert path.read_bytes() == written


def test_another_input_config_or_depth_has_a_run_of_its_own(search: Search) -> None:
    others = [replace(ORIGIN, sha256="cd" * 32), replace(ORIGIN, config="other")]
    for origin in (ORIGIN, *others):
        retrieved(QUESTIONS, origin, search, None, None)
    retrieved(QUESTIONS, ORIGIN, replace(search, depth=1), None, None)
    assert len(list((search.cache / search.passages.sha256 / "runs").iterdir())) == 4


def test_a_run_of_another_tool(search: Search, tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text(
        "q3 Q0 8 1 30.5 colbertv2\nq3 Q0 7 2 30.5 colbertv2\nq3 Q0 9 3 1 colbertv2\nq1 Q0 10 1 3 colbertv2\n"
    )
    questions, origin = retrieved(QUESTIONS, ORIGIN, search, path, None)
    assert ids(questions) == [["10"], [], ["8", "7"]]
    assert [(document.score, document.rank) for document in questions[2].documents] == [(30.5, 1), (30.5, 2)]
    assert origin.retrieval == Retrieval(search.passages.sha256, 4, "colbertv2", 2, module.sha256(path))
    assert ids(retrieved(QUESTIONS, ORIGIN, search, path, 1)[0]) == [["10"], [], []]
    assert not (search.cache / search.passages.sha256 / "runs").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q1 Q0 7 1 2 t\nq3 Q0 77 1 2 t\n", "row 2: expected the id of a passage with text in .*, found '77'"),
        ("q1 Q0 7 1 2 t\nq4 Q0 7 1 2 t\n", "row 2: expected the id of a question, found 'q4'"),
    ],
)
def test_a_run_that_names_what_is_not_there(search: Search, tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "run").write_text(text)
    with pytest.raises(InputError, match=expected):
        retrieved(QUESTIONS, ORIGIN, search, tmp_path / "run", None)


def test_a_full_disk_is_one_line(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_run", full)
    with pytest.raises(DecoyQAError, match="cannot be written: No space left on device"):
        retrieved(QUESTIONS, ORIGIN, search, None, None)
