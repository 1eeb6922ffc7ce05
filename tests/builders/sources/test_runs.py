from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.sources.runs import Found, Run, read_run, write_run
from loaders.errors import InputError

QUESTIONS = {"q1", "q2", "what is it?"}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "run"
    path.write_bytes(text.encode())
    return path


def test_every_form_gives_the_same_passages(tmp_path: Path) -> None:
    trec = "q1 Q0 p7 1 2.5 colbert\nq1 Q0 p8 2 2.5 colbert\nq2 Q0 p7 1 -1e-2 colbert\n"
    found = {"q1": [Found("p7", 2.5, 1), Found("p8", 2.5, 2)], "q2": [Found("p7", -0.01, 3)]}
    assert read_run(written(tmp_path, trec), QUESTIONS, 10) == Run("colbert", found)
    assert read_run(written(tmp_path, trec.replace(" ", "\t")), QUESTIONS, 10) == Run("colbert", found)
    colbert = "q1\tp7\t1\t2.5\r\nq1\tp8\t2\t2.5\r\nq2\tp7\t1\t-.01\r\n"
    assert read_run(written(tmp_path, colbert), QUESTIONS, 10) == Run("", found)


def test_ids_with_blanks_need_tabs_and_questions_may_take_turns_and_ranks_start_at_0(tmp_path: Path) -> None:
    path = written(tmp_path, "q1\tAda Lovelace 3\t0\t9\nwhat is it?\tx\t0\t1\n\nq1\tx\t1\t8\n")
    assert read_run(path, QUESTIONS, 10).found == {
        "q1": [Found("Ada Lovelace 3", 9.0, 1), Found("x", 8.0, 4)],
        "what is it?": [Found("x", 1.0, 2)],
    }


def test_all_rows_are_checked_and_depth_are_kept(tmp_path: Path) -> None:
    rows = [f"q1 Q0 p{rank} {rank} {100 - rank} t" for rank in range(1, 31)]
    assert [one.passage for one in read_run(written(tmp_path, "\n".join(rows)), QUESTIONS, 2).found["q1"]] == [
        "p1",
        "p2",
    ]
    rows[29] = "q1 Q0 p1 30 70 t"
    with pytest.raises(InputError, match="row 30: expected a passage once a question, found 'p1' again"):
        read_run(written(tmp_path, "\n".join(rows)), QUESTIONS, 2)


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("", None, "expected at least one row, found none"),
        ("q1 Q0 p 1 2 t\nq9 Q0 p 1 2 t", 2, "expected the id of a question, found 'q9'"),
        ("q1 Q0 p 1 2 t\nq1 Q0 r 3 1 t", 2, "expected rank 2 of question q1, found 3"),
        ("q1 Q0 p 1 2 t\nq1 Q0 r 1 1 t", 2, "expected rank 2 of question q1, found 1"),
        ("q1 Q0 p 2 2 t\nq1 Q0 r 1 3 t", 1, "expected rank 0 or 1 of question q1, found 2"),
        ("q1 Q0 p 1 2 t\nq1 Q0 r 2 2.1 t", 2, "expected a score of at most 2.0, found 2.1"),
        ("q1 Q0 p 1 2 t\nq1 Q0 p 2 1 t", 2, "expected a passage once a question, found 'p' again"),
        ("q1 Q0 p 1 2 t\nq2 Q0 p 1 2 u", 2, "expected one run, found two names: t, u"),
        ("q1 Q0 p one 2 t", 1, "expected the rank as a whole number, found 'one'"),
        ("q1 Q0 p -1 2 t", 1, "expected the rank as a whole number, found '-1'"),
        ("q1 Q0 p 1 nan t", 1, "expected the score as a finite number, found 'nan'"),
        ("q1 Q0 p 1 high t", 1, "expected the score as a finite number, found 'high'"),
        ("q1 Q0 Ada Lovelace 1 2 t", 1, "found 7 cells"),
        ("q1 p 1", 1, "expected question, Q0, passage, rank, score, name, or question, passage, rank, score; found 3"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, text: str, row: int | None, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        read_run(written(tmp_path, text), QUESTIONS, 10)
    assert caught.value.row == row
    assert expected in caught.value.expected


IDS = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), min_size=1).filter(lambda id: id == id.strip())


@given(st.dictionaries(IDS, st.lists(IDS, min_size=1, unique=True), min_size=1))
def test_a_written_run_comes_back(tmp_path_factory: pytest.TempPathFactory, ids: dict[str, list[str]]) -> None:
    path = tmp_path_factory.mktemp("run") / "new" / "run.tsv"
    found = {question: [Found(id, round(1 / rank, 4)) for rank, id in enumerate(ids[question], 1)] for question in ids}
    write_run(path, Run("bm25s-0.3", found))
    again = read_run(path, ids.keys(), 1000)
    assert again.name == "bm25s-0.3"
    assert {question: [one._replace(row=0) for one in ones] for question, ones in again.found.items()} == found
    assert [one.name for one in path.parent.iterdir()] == ["run.tsv"]
