import pytest

from builders.sources.columns import Expected
from builders.sources.documents import read_documents
from builders.sources.openqa import to_question
from loaders.records import Document


def test_forms_of_a_document() -> None:
    entries = [
        {"id": "wiki:123", "title": " Brain ", "text": "\u00a0The brain.\n", "score": "1.5", "hasanswer": True},
        {"id": 7, "text": 'He said ""go"".', "score": 2, "type": "noise"},
        {"title": "only a title"},
        {"title": "Category:Brains", "text": "  "},
        {"id": None, "title": None, "text": None, "score": None},
        "The brain.",
        {"title": "Brain", "text": "The brain."},
    ]
    # sha256sum of "The brain." and of "BrainThe brain."
    assert read_documents("ctxs", entries) == (
        Document("wiki:123", "Brain", "The brain.", 1.5, rank=1),
        Document("7", "", 'He said ""go"".', 2.0, rank=2),
        Document("doc-9607a1ea507b", "", "The brain.", rank=6),
        Document("doc-e0450f38e256", "Brain", "The brain.", rank=7),
    )


def test_a_hundred_and_no_documents() -> None:
    assert [document.rank for document in read_documents("ctxs", ["text"] * 100)] == list(range(1, 101))
    assert read_documents("ctxs", []) == ()


@pytest.mark.parametrize("column", ["ctxs", "context", "documents", "passages", "paragraphs"])
def test_every_column_is_read_and_ctxs_wins_even_when_empty(column: str) -> None:
    row = {"question": "who?", "answers": ["him"], "id": 1}
    assert to_question({**row, column: ["text"]}, "nq").documents[0].text == "text"
    both = to_question({**row, "paragraphs": ["gold"], column: [], "ctxs": ["retrieved"]}, "nq")
    assert [document.text for document in both.documents] == ["retrieved"]
    assert to_question({**row, "paragraphs": ["gold"], "ctxs": []}, "nq").documents == ()
    assert to_question({**row, "paragraphs": ["gold"], "ctxs": None}, "nq").documents[0].text == "gold"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (3, "expected document 1 as a string or an object with text, found 3"),
        (["Title", ["One."]], "expected document 1 as a string or an object with text"),
        ({}, "expected document 1 as a string or an object with text"),
        ({"title": "t", "contents": "text under another name"}, "expected document 1 as a string or an object with"),
        ({"text": ["One."]}, "expected the text of document 1 as a string"),
        ({"title": 3, "text": "x"}, "expected the title of document 1 as a string"),
        ({"id": 1.5, "text": "x"}, "expected the id of document 1 as a string"),
        ({"score": "high", "text": "x"}, "expected the score of document 1 as a finite number, found 'high'"),
        ({"score": float("nan"), "text": "x"}, "expected the score of document 1 as a finite number"),
        ({"score": True, "text": "x"}, "expected the score of document 1 as a finite number"),
    ],
)
def test_other_documents_are_refused(entry: object, expected: str) -> None:
    with pytest.raises(Expected) as caught:
        read_documents("ctxs", [entry])
    assert expected in str(caught.value)


def test_documents_come_as_a_list() -> None:
    with pytest.raises(Expected, match="expected the documents in context as a list, found 'flat text'"):
        read_documents("context", "flat text")
