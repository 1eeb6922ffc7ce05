import csv
import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.sources.columns import Expected
from builders.sources.openqa import SOURCES, check_config, read_answers, read_questions, to_question
from loaders.errors import DecoyQAError, InputError
from loaders.records import Question

ROW = {"question": "who?", "answers": ["him"]}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "questions.txt"
    path.write_bytes(text.encode("utf-8"))
    return path


# The hashes were made with `sha256sum` from the canonical JSON of question and answers.
def test_records_of_every_form(tmp_path: Path) -> None:
    want = Question("nq-b87e401449f3", "", "who got the first nobel prize in physics", ("Wilhelm Conrad Röntgen",))
    forms = [
        '{"question": "who got the first nobel prize in physics", "answer": ["Wilhelm Conrad R\\u00f6ntgen"]}',
        '[{"qText": "who got the first nobel prize in physics", "answers": ["Wilhelm Conrad Röntgen"]}]',
        "who got the first nobel prize in physics\t['Wilhelm Conrad Röntgen']\r\n",
        'question\tpossible_answers\nwho got the first nobel prize in physics\t"[""Wilhelm Conrad R\\u00f6ntgen""]"\n',
        '{"question": "who got the first nobel prize in physics ", "answer": "Wilhelm Conrad Röntgen", "id": null}',
        '{"question": "who got the first nobel prize in physics", "golden_answers": ["Wilhelm Conrad Röntgen"]}',
    ]
    for form in forms:
        assert list(read_questions(written(tmp_path, form), "nq", "nq")) == [want], form


def test_popqas_published_form(tmp_path: Path) -> None:
    path = tmp_path / "test.tsv"
    row = {
        "id": "4222362",
        "subj": "George Rankin",
        "prop": "occupation",
        "s_aliases": "[]",
        "s_wiki_title": "George Rankin (politician)",
        "question": "What is George Rankin's occupation?",
        "possible_answers": '["politician", "polit.", "\\"pol\\""]',
    }
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row), delimiter="\t")
        writer.writeheader()
        writer.writerow(row)
    answers = ("politician", "polit.", '"pol"')
    assert list(read_questions(path, "popqa", "popqa")) == [
        Question("4222362", "4222362", row["question"], answers, relation="occupation", subject="George Rankin")
    ]


@pytest.mark.parametrize("name", ["id", "question_id", "qId", "QuestionId", "_id"])
def test_own_ids_are_kept_as_strings(name: str) -> None:
    question = to_question({**ROW, name: 17}, "nq")
    assert (question.id, question.source_id) == ("17", "17")


def test_a_hashed_id_follows_config_and_answers() -> None:
    ids = {to_question(row, config).id for row in (ROW, {**ROW, "answers": []}) for config in ("nq", "webq")}
    assert len(ids) == 4


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_raw_answers_survive_json_and_python_lists(answers: list[str]) -> None:
    for written_list in (json.dumps(answers), repr(answers)):
        assert read_answers("answers", written_list) == tuple(answers)


def test_trivias_answer_object_leads_with_a_value_that_is_no_alias() -> None:
    assert read_answers("Answer", {"Value": "b", "Aliases": ["a", "b"]}) == ("a", "b")
    assert read_answers("Answer", {"Value": "c", "Aliases": ["a"]}) == ("c", "a")
    assert read_answers("answer", {"value": "c", "aliases": ["a"], "type": "FreeForm"}) == ("c", "a")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("answers", "['a', 'b'"),
        ("answer", "['a' 1]"),
        ("answers", "a, b"),
        ("answers", "('a', 'b')"),
        ("answers", "[__import__('os')]"),
        ("answer", 1945),
        ("answer", [1945]),
        ("answers", [["a"]]),
        ("answers", [None]),
        ("answers", ["\ud800"]),
        ("Answer", {"Value": "a"}),
    ],
)
def test_answers_that_are_no_list_of_strings_are_refused(column: str, value: object) -> None:
    with pytest.raises(Expected, match="expected the answer"):
        read_answers(column, value)


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        (
            '{"question": "q", "answers": []}\n{"query": "q", "answers": []}',
            2,
            "expected the question in one of the columns question, qText, Question; columns found: query, answers",
        ),
        (
            "id\tquestion\tgold\n1\tq\t[]\n",
            2,
            "expected the answers in one of the columns answers, answer, possible_answers, ground_truth, "
            "golden_answers, gold_answers, Answer; columns found: id, question, gold",
        ),
        ("who?\t['him']\nwho else?\t['her'\n", 2, "expected the answers as a JSON list or a Python list literal"),
        ("", None, "expected at least one row, found none"),
        ('{"question": "q", "answers": []}\n["q"]', 2, "expected a JSON object, found a list"),
        ('{"question": " ", "answers": []}', 1, "expected a question, found an empty text"),
        ('{"question": 3, "answers": []}', 1, "expected the question as a string, found 3"),
        ('{"question": "q", "answers": [], "id": 1.5}', 1, "expected the id as a string, found 1.5"),
        ('{"question": "q", "answers": [], "ctxs": {}}', 1, "expected the documents in ctxs as a list, found {}"),
        ('{"question": "q", "answers": [], "ctxs": [1]}', 1, "expected document 1 as a string or an object with text"),
        ('{"question": "\\ud83d", "answers": []}', 1, "expected the question as Unicode text, found a lone surrogate"),
        (
            '{"id": 1, "question": "q", "answers": []}\n\n{"id": "1", "question": "r", "answers": []}',
            3,
            "expected an id of its own, found that of row 1 again: 1",
        ),
        ("who?\t['a']\nwho?\t['b']\nwho?\t['a']\n", 3, "expected an id of its own, found that of row 1 again: nq-"),
    ],
)
def test_bad_input_names_file_row_and_expectation(tmp_path: Path, text: str, row: int | None, expected: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        list(read_questions(path, "nq", "nq"))
    assert (caught.value.file, caught.value.row) == (str(path), row)
    assert expected in caught.value.expected
    assert "\n" not in str(caught.value)


def test_wrong_encoding_and_truncated_gzip_name_the_row(tmp_path: Path) -> None:
    text = "".join(json.dumps({"question": f"q{n}", "answers": []}) + "\n" for n in range(2000))
    path = tmp_path / "bad"
    path.write_bytes((text + '{"question": "Röntgen", "answers": []}').encode("latin-1"))
    with pytest.raises(InputError, match="row 2001: expected UTF-8 text"):
        list(read_questions(path, "nq", "nq"))
    path.write_bytes(gzip.compress(text.encode())[:-2000])
    with pytest.raises(InputError, match=r"row \d+: expected a whole, readable file"):
        list(read_questions(path, "nq", "nq"))


def test_what_is_wrong_with_the_request_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file, found a directory"):
        read_questions(tmp_path, "nq", "nq")
    with pytest.raises(InputError, match="expected a file, found nothing"):
        read_questions(tmp_path / "nowhere", "nq", "nq")
    with pytest.raises(InputError, match=r"expected a known source \(nq, tqa, webq, popqa\), found 'squad'"):
        read_questions(tmp_path, "squad", "nq")
    with pytest.raises(DecoyQAError, match=r"config '\.\./nq'"):
        read_questions(tmp_path, "nq", "../nq")


@pytest.mark.parametrize("name", ["", "a/b", "../nq", "a.b", "two words", "nq\n", "a-b", "é"])
def test_config_names_are_word_characters(name: str) -> None:
    with pytest.raises(DecoyQAError, match="expected a name of letters, digits and underscores"):
        check_config(name)
    check_config("popqa_2")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    document = {"title": "t", "text": "word " * 400}
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(5000):
            file.write(json.dumps({"id": number, **ROW, "ctxs": [document] * 2}) + "\n")
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    assert sum(1 for _ in read_questions(path, "nq", "nq")) == 5000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


def test_sources_carry_licence_and_the_papers_size() -> None:
    assert {name: (source.license, source.paper_rows) for name, source in SOURCES.items()} == {
        "nq": ("CC-BY-SA-3.0", 3610),
        "tqa": ("Apache-2.0", 11313),
        "webq": ("CC-BY-4.0", 2032),
        "popqa": ("MIT", 14267),
    }
    assert all(source.name == name for name, source in SOURCES.items())
