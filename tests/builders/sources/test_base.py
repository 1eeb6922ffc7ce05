import json
import textwrap

import pytest

from builders.sources import base
from builders.sources.base import read_base
from loaders.errors import InputError
from loaders.records import Span


def _documented():
    """The example in the module's docstring, which is what users copy."""
    text = base.__doc__.partition("    {")[2].partition("\n\n")[0]
    return json.loads(textwrap.dedent("{" + text))


@pytest.fixture
def read(tmp_path):
    def call(*rows):
        path = tmp_path / "mine.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return list(read_base(path))

    return call


def test_the_documented_example(read):
    (item,) = read(_documented())
    assert (item.id, item.source_id, item.answers) == ("q1", "q1", ("Cuba", "Republic of Cuba"))
    assert [hop.depends_on for hop in item.hops] == [(), ("1",)]
    assert [hop.support for hop in item.hops] == [(Span(0, 0, 34),), (Span(1, 0, 29),)]
    assert (item.inserted, item.competitor_answers) == ((Span(2, 0, 28),), ("Chile",))
    assert item.answerable


def test_what_may_be_left_out(read):
    row = {
        "question": "Where?",
        "answer": "Cuba",
        "passages": [{"text": "In Cuba."}],
        "hops": [{"id": "1", "support": [{"passage": 0, "start": 3, "end": 7}]}],
    }
    (item,) = read(row)
    assert item.hops[0].support == (Span(0, 3, 7),)
    assert item.id.startswith("base-")
    assert item.id == read(row)[0].id
    assert item.source_license == "unknown"


def _broken(**changes):
    return _documented() | changes


def _hop(**changes):
    return _broken(hops=[_documented()["hops"][0] | changes])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (_broken(anwser="Cuba"), "expected the base form: anwser: Unexpected keyword argument"),
        ({"question": "Where?"}, "expected the base form: answer: Field required"),
        (_broken(question=""), "expected the question, found an empty text"),
        (_broken(passages=[]), "in passage 0 to -1, found 0"),
        (_broken(hops=[]), "expected hops, found none"),
        (_broken(passages=[{"title": "x"}]), "passages.0.text: Field required"),
        (_hop(support=[]), "expected a support for hop 1, found none"),
        (_hop(support=[{"passage": 3}]), "the support of hop 1 in passage 0 to 2, found 3"),
        (_hop(support=[{"passage": -1}]), "in passage 0 to 2, found -1"),
        (_hop(support=[{"passage": 0, "text": "nowhere"}]), "the support of hop 1 once in passage 0: 'nowhere'"),
        (_hop(support=[{"passage": 0, "text": "Z"}]), "once in passage 0: 'Z'"),  # Zig Zag: four times
        (_hop(support=[{"passage": 0, "start": 9, "end": 9}]), "between 0 and 55, found 9 to 9"),
        (_hop(support=[{"passage": 0, "end": 99}]), "between 0 and 55, found 0 to 99"),
        (_hop(depends_on=["2"]), "hop 1 to depend on hops before it, found '2'"),
        (_hop(depends_on=["1"]), "hop 1 to depend on hops before it, found '1'"),
        (_broken(hops=_documented()["hops"][:1] * 2), "hops with an id of their own each, found '1' twice"),
        (_broken(inserted=[{"passage": 9}]), "the inserted in passage 0 to 2, found 9"),
    ],
)
def test_bad_input_is_named_by_row(read, row, message):
    with pytest.raises(InputError) as caught:
        read(_documented() | {"id": "fine"}, row)
    assert message in str(caught.value)
    assert caught.value.row == 2


def test_an_unanswerable_question_needs_no_support(read):
    (item,) = read(_hop(support=[]) | {"answerable": False})
    assert item.hops[0].support == ()
