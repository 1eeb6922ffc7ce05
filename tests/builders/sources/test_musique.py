import json

import pytest

from builders.sources.items import unfit
from builders.sources.musique import read_musique, references, resolve
from loaders.errors import InputError
from loaders.records import Span

STEP = {"question": "Ada >> place of birth", "answer": "Rome", "paragraph_support_idx": 2}


def _row(**changes):
    row = {
        "id": "2hop__1_2",
        "paragraphs": [
            {"idx": 0, "title": "Rome", "paragraph_text": "Rome is old.", "is_supporting": False},
            {"idx": 1, "title": "Rome", "paragraph_text": "Rome lies in Italy.", "is_supporting": True},
            {"idx": 2, "title": "Ada", "paragraph_text": "Ada was born in Rome.", "is_supporting": True},
        ],
        "question": "In which country was Ada born?",
        "question_decomposition": [
            {"id": 1, "question": "Ada >> place of birth", "answer": "Rome", "paragraph_support_idx": 2},
            {"id": 2, "question": "#1 >> country", "answer": "Italy", "paragraph_support_idx": 1},
        ],
        "answer": "Italy",
        "answer_aliases": ["Italia"],
        "answerable": True,
    }
    return row | changes


@pytest.fixture
def read(tmp_path):
    def call(*rows):
        path = tmp_path / "musique.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return list(read_musique(path))

    return call


def test_a_row_becomes_an_item(read):
    (item,) = read(_row())
    assert (item.id, item.source_id, item.answers) == ("2hop__1_2", "2hop__1_2", ("Italy", "Italia"))
    assert [hop.depends_on for hop in item.hops] == [(), ("1",)]
    # the paragraph that is named, not the other one of the same title
    assert [hop.support for hop in item.hops] == [(Span(2, 0, 21),), (Span(1, 0, 19),)]


def test_paragraphs_are_told_apart_by_idx_wherever_they_stand(read):
    turned = _row()["paragraphs"][::-1]
    (item,) = read(_row(paragraphs=turned))
    assert [item.passages[hop.support[0].passage].text for hop in item.hops] == [
        "Ada was born in Rome.",
        "Rome lies in Italy.",
    ]


@pytest.mark.parametrize(
    ("question", "position", "named"),
    [
        ("Who sang #1 in #2?", 3, ("1", "2")),
        ("What was #1's first hit called?", 1, ()),  # "#1" as plain text: there is no step before the first
        ("#2 >> spouse", 2, ()),  # its own place
        ("#3 >> spouse", 2, ()),  # forward
        ("#12 >> spouse", 3, ()),  # not #1 followed by a 2
        ("#0 >> spouse", 2, ()),
        ("#1 and #1", 2, ("1",)),
        (f"#{'1' * 5000} >> spouse", 2, ()),  # more digits than Python takes for a number
    ],
)
def test_a_reference_names_an_earlier_step(question, position, named):
    assert references(question, position) == named


def test_references_are_replaced_whole():
    assert resolve("Was #1 before #2 or #12?", ("Rome", "Ada")) == "Was Rome before Ada or #12?"
    assert resolve("the #1 hit", ()) == "the #1 hit"
    assert resolve("#1", ("#2", "no")) == "#2"  # an answer is not looked into


def test_an_unanswerable_row_keeps_apart_from_its_twin(read):
    steps = [dict(step, paragraph_support_idx=None) for step in _row()["question_decomposition"]]
    answerable, other = read(_row(), _row(answerable=False, question_decomposition=steps))
    assert (answerable.id, other.id) == ("2hop__1_2", "2hop__1_2-unanswerable")
    assert other.source_id == answerable.source_id
    assert [hop.support for hop in other.hops] == [(), ()]
    assert unfit(answerable) is None
    assert unfit(other).code == "unanswerable"


def test_an_answerable_row_without_a_support_is_named(read):
    steps = _row()["question_decomposition"]
    (item,) = read(_row(question_decomposition=[dict(steps[0], paragraph_support_idx=None), steps[1]]))
    assert unfit(item).code == "hop_without_support"


def test_columns_are_read_as_the_hub_has_them(read):
    row = _row()
    columns = {
        name: {key: [entry[key] for entry in row[name]] for key in row[name][0]}
        for name in ("paragraphs", "question_decomposition")
    }
    assert read(_row(**columns)) == read(row)


@pytest.mark.parametrize(
    ("rows", "row", "message"),
    [
        ([_row(), _row()], 2, "an id of its own, found that of row 1 again"),
        ([_row(paragraphs=None)], 1, "expected the paragraphs in one of the columns paragraphs"),
        ([_row(paragraphs=[])], 1, "paragraph_support_idx as the idx of a paragraph, found 2"),
        ([_row(paragraphs=_row()["paragraphs"][:2])], 1, "paragraph_support_idx as the idx of a paragraph, found 2"),
        ([_row(paragraphs=_row()["paragraphs"] * 2)], 1, "paragraphs with an idx of their own each"),
        ([_row(question_decomposition=[])], 1, "expected hops, found none"),
        ([_row(answer=" ")], 1, "expected the answer, found an empty text"),
        ([_row(question=7)], 1, "expected the question as a string, found 7"),
        ([_row(paragraphs=["a"])], 1, "expected paragraphs, entry 1 as idx, title, paragraph_text, found 'a'"),
        ([_row(answerable="no")], 1, "expected answerable as true or false, found 'no'"),
        ([_row(answer_aliases="Italia")], 1, "expected the answer_aliases as a list, found 'Italia'"),
        ([_row(answer_aliases=5)], 1, "expected the answer_aliases as a list, found 5"),
        ([_row(paragraphs=[dict(_row()["paragraphs"][0], idx=[0])])], 1, "idx of a paragraph as a number, found"),
        ([_row(question_decomposition=[dict(STEP, paragraph_support_idx={})])], 1, "as a number, found {}"),
        ([_row(paragraphs={"idx": [1], "title": [], "paragraph_text": ["x"]})], 1, "as lists of one length"),
    ],
)
def test_bad_input_is_named_by_row(read, rows, row, message):
    with pytest.raises(InputError, match=message) as caught:
        read(*rows)
    assert caught.value.row == row


def test_a_file_without_rows(tmp_path):
    path = tmp_path / "empty.json"
    path.write_text("[]")
    with pytest.raises(InputError, match="expected at least one row, found none"):
        list(read_musique(path))


def test_the_dev_sample(shared_data):
    items = list(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")))
    assert len(items) == 120
    assert [len([i for i in items if len(i.hops) == n]) for n in (2, 3, 4)] == [87, 19, 14]
    assert all(len(item.passages) == 20 and unfit(item) is None for item in items)
    golden = [
        ("2hop__85463_33311", [("Yalu River", ()), ("Modern history", ("1",))]),
        ("2hop__217011_80026", [("Victrola (song)", ()), ("Julie Dawn Cole", ("1",))]),
        (
            "4hop3__387712_132409_146285_35031",
            [("Jacoby Shaddix", ()), ("Papa Roach", ("1",)), ("Alexander Golitzen", ()), ("San Diego", ("2", "3"))],
        ),
    ]
    assert [
        (item.id, [(item.passages[hop.support[0].passage].title, hop.depends_on) for hop in item.hops])
        for item in (items[0], items[60], items[-1])
    ] == golden
