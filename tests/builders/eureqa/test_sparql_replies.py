"""Answers on disk: found again, torn ones asked again, many writers, no two questions under one key."""

from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.eureqa.backend import IN, OUT
from builders.eureqa.replies import Replies
from builders.eureqa.sparql_queries import Question, groups, having, having_both, having_some, members, query
from builders.sources.dbpedia import ONTOLOGY, PROPERTY

ONE, TWO = "11" * 32, "22" * 32


def test_answers_are_found_again(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    assert replies.get(ONE) is None
    replies.put([(ONE, [["é", "3"]]), (TWO, [])])
    assert (replies.get(ONE), replies.get(TWO), len(replies)) == ([["é", "3"]], [], 2)
    replies.close()
    replies.put([("33" * 32, [["x"]])])  # into another segment
    again = Replies(tmp_path)
    assert (again.get(ONE), again.get(TWO), again.get("33" * 32)) == ([["é", "3"]], [], [["x"]])
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("cut", range(1, 90, 8))
def test_a_torn_line_is_no_answer(tmp_path: Path, cut: int) -> None:
    replies = Replies(tmp_path)
    replies.put([(ONE, [["1"]]), (TWO, [["2", "a line that is long enough"]])])
    replies.close()
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-cut])
    again = Replies(tmp_path)
    assert (again.get(ONE), again.get(TWO)) == ([["1"]], None)


def test_a_line_that_was_changed_is_no_answer(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    replies.put([(ONE, [["12"]])])
    replies.close()
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes().replace(b"12", b"13"))
    assert Replies(tmp_path).get(ONE) is None


def test_every_kind_of_question_has_a_key_of_its_own() -> None:
    kinds = [make(d) for make in (groups, members, having) for d in (OUT, IN)]
    kinds += [having_both(a, b) for a in (OUT, IN) for b in (OUT, IN)]
    kinds += [having_some(a, b, typed=t) for a in (OUT, IN) for b in (OUT, IN) for t in (True, False)]
    kinds.append(groups(OUT, (ONTOLOGY, PROPERTY)))
    questions = [Question(kind, tuple(f"http://a/{i}" for i in range(len(kind.fills)))) for kind in kinds]
    assert len({one.key for one in questions}) == len(questions) == 19
    names = ("http://a/b", "http://a/p")
    assert Question(members(OUT), names, 3).key == Question(members(OUT), names).key


@given(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12))
def test_whatever_an_entity_is_called_the_query_can_be_read(local: str) -> None:
    store = pyoxigraph.Store()
    name = f"http://dbpedia.org/resource/{local}"
    for kind in (groups(OUT), having(IN), having_both(OUT, IN), having_some(IN, OUT, typed=True)):
        names = tuple(name if fill in "ab" else f"{ONTOLOGY}r" for fill in kind.fills)
        assert list(store.query(query([Question(kind, names)] * 2))) == []  # type: ignore[arg-type]
