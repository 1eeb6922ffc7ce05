import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.sources.hotpot import read_hotpot
from builders.sources.items import unfit
from builders.sources.plausible import read_plausible
from builders.sources.twowiki import read_2wiki
from loaders.errors import InputError
from loaders.records import Passage, Span


def _row(**changes):
    row = {
        "_id": "a1",
        "question": "In which country was the author of Zig born?",
        "answer": "Cuba",
        "context": [
            ["Other", ["Other text."]],
            ["Zig", ["Zig is a novel.", " Ada wrote it."]],
            ["Ada", ["Ada was born in Cuba.", " She moved.", " She died."]],
        ],
        "supporting_facts": [["Zig", 1], ["Ada", 2], ["Ada", 0]],
        "type": "bridge",
        "level": "hard",
    }
    return row | changes


@pytest.fixture
def write(tmp_path):
    def call(rows, name="rows.json"):
        path = tmp_path / name
        path.write_text(json.dumps(rows), encoding="utf-8")
        return path

    return call


def _texts(item):
    return [[item.passages[s.passage].text[s.start : s.end] for s in hop.support] for hop in item.hops]


def test_hops_are_supporting_titles_with_their_sentences(write):
    (item,) = read_hotpot(write([_row()]))
    assert item.passages[1] == Passage("Zig", "Zig is a novel. Ada wrote it.")
    assert [hop.relation for hop in item.hops] == ["Zig", "Ada"]
    assert _texts(item) == [[" Ada wrote it."], ["Ada was born in Cuba.", " She died."]]
    assert (item.id, item.source_license, item.answers) == ("a1", "CC-BY-SA-4.0", ("Cuba",))


def test_the_hubs_columns_are_the_same_row(write, tmp_path):
    row = _row()
    hub = {
        "id": "a1",
        "context": {"title": [t for t, _ in row["context"]], "sentences": [s for _, s in row["context"]]},
        "supporting_facts": {"title": ["Zig", "Ada", "Ada"], "sent_id": [1, 2, 0]},
    }
    official, columns = write([row]), write([{k: v for k, v in row.items() if k != "_id"} | hub], "hub.json")
    assert list(read_hotpot(columns)) == list(read_hotpot(official))
    pq.write_table(pa.Table.from_pylist(json.loads(columns.read_text("utf-8"))), tmp_path / "hub.parquet")
    assert list(read_hotpot(tmp_path / "hub.parquet")) == list(read_hotpot(official))


def test_lists_may_come_as_text(write):
    row = _row()
    text = write([row | {name: json.dumps(row[name]) for name in ("context", "supporting_facts")}], "text.json")
    assert list(read_hotpot(text)) == list(read_hotpot(write([row])))


def test_gold_that_was_not_retrieved_is_a_named_reason(write):
    absent, short = read_hotpot(
        write([_row(context=_row()["context"][:2]), _row(_id="a2", supporting_facts=[["Zig", 9], ["Ada", 0]])])
    )
    assert (unfit(absent).code, unfit(absent).detail) == ("hop_without_support", "a1, hop 2")
    assert unfit(short).detail == "a2, hop 1"


def test_two_paragraphs_are_enough(write):
    (item,) = read_hotpot(write([_row(context=_row()["context"][1:])]))
    assert unfit(item) is None
    assert len(item.passages) == 2


def test_a_second_paragraph_of_the_same_title_is_support_too(write):
    (item,) = read_hotpot(write([_row(context=[*_row()["context"], ["Zig", ["Zig is a novel.", " Ada wrote it."]]])]))
    assert item.hops[0].support == (Span(1, 15, 29), Span(3, 15, 29))


@pytest.mark.parametrize(
    ("rows", "row", "message"),
    [
        ([_row(), _row()], 2, "an id of its own"),
        ([_row(), _row(_id="b", context="x")], 2, "the context as a JSON list or a Python list literal, found 'x'"),
        ([_row(context=[["Zig"]])], 1, r"context, entry 1 as title, sentences, found \['Zig'\]"),
        ([_row(context=[["Zig", "no list"]])], 1, "the sentences as a JSON list"),
        ([_row(context=[["Zig", [3]]])], 1, "the sentence as a string, found 3"),
        ([_row(supporting_facts=[["Zig", "1"]])], 1, "the number of a supporting sentence, found '1'"),
        ([_row(supporting_facts=[])], 1, "expected hops, found none"),
        ([_row(context={"title": ["Zig"]})], 1, "expected sentences in the context; found: title"),
        ([_row(_id=None)], 1, "expected the id in one of the columns _id, id"),
    ],
)
def test_bad_input_is_named_by_row(write, rows, row, message):
    with pytest.raises(InputError, match=message) as caught:
        list(read_hotpot(write(rows)))
    assert caught.value.row == row


def _2wiki(**changes):
    facts = {
        "supporting_facts": [["Zig", 1], ["Ada (writer)", 0]],
        "context": [["Zig", ["Zig is a novel.", "Ada wrote it."]], ["Ada (writer)", ["Ada was born in Cuba."]]],
        "evidences": [["Zig", "author", "Ada"], ["Ada", "country of birth", "Cuba"]],
        "answer_id": "Q241",
    }
    return _row(**facts) | changes


def test_2wikis_triples_are_the_graph_and_sentences_join_with_a_space(write):
    (item,) = read_2wiki(write([_2wiki()]))
    assert item.passages[0].text == "Zig is a novel. Ada wrote it."
    assert [(hop.relation, hop.answer, hop.depends_on) for hop in item.hops] == [
        ("author", "Ada", ()),
        ("country of birth", "Cuba", ("1",)),
    ]
    assert _texts(item) == [[" Ada wrote it."], ["Ada was born in Cuba."]]


def test_2wikis_aliases_come_from_a_second_file(write, tmp_path):
    aliases = tmp_path / "id_aliases.json"
    lines = [
        {"Q_id": "Q241", "aliases": ["Republic of Cuba", "Cuba"], "demonyms": ["Cuban"]},
        {"Q_id": "Q999999", "aliases": ["of nobody"], "demonyms": []},
    ]
    aliases.write_text("".join(json.dumps(line) + "\n" for line in lines))
    known, unknown = read_2wiki(write([_2wiki(), _2wiki(_id="b", answer_id="Q1")]), aliases)
    assert known.answer_aliases == ("Republic of Cuba", "Cuban")  # neither stands in the item's passages
    assert unknown.answer_aliases == ()
    aliases.write_text(json.dumps({"Q_id": "Q241", "aliases": "Cuba"}) + "\n")
    with pytest.raises(InputError, match="aliases as a list, found 'Cuba'"):
        list(read_2wiki(write([_2wiki()]), aliases))


def _fake(_id="a1"):
    fakes = {"Other": ["Fig", ["Fig is a novel by Bob."]]}
    return _row(_id=_id, context=[fakes.get(title, [title, text]) for title, text in _row()["context"]])


def test_fakes_are_what_the_twin_lacks(write):
    ((item, twin),) = read_plausible(write([_fake()]), write([_row()], "twin.json"))
    assert item.inserted == (Span(0, 0, 22),)
    assert (item.source_id, twin.source_id, twin.inserted) == ("a1", "a1", ())
    assert item.id == twin.id
    assert item.id.startswith("a1-")
    assert len(item.id) == len("a1-") + 12


def test_variants_of_one_question_have_ids_of_their_own(write):
    other = _fake() | {"context": _fake()["context"][::-1]}
    pairs = read_plausible(write([_fake(), other]), write([_row(), _row(context=_row()["context"][::-1])], "t.json"))
    assert len({item.id for item, _ in pairs}) == 2
    assert {item.source_id for item, _ in pairs} == {"a1"}
    for item, twin in pairs:  # each with the twin of its own order
        assert [a == b for a, b in zip(item.passages, twin.passages, strict=True)].count(True) == 2


def test_a_question_without_a_twin_is_refused(write):
    with pytest.raises(InputError, match="a question that the unmodified twin has too, found b") as caught:
        read_plausible(write([_fake(), _fake("b")]), write([_row()], "twin.json"))
    assert caught.value.row == 2


def test_a_list_without_items_is_refused(write):
    with pytest.raises(InputError, match="at least one row"):
        read_plausible(write([]), write([_row()], "twin.json"))
    with pytest.raises(InputError, match="at least one row"):
        read_plausible(write([_fake()]), write([], "twin.json"))


def test_the_hotpot_sample(shared_data):
    items = list(read_hotpot(shared_data("hotpotqa/hotpot_dev_distractor_sample.json.gz")))
    assert len(items) == 200
    assert all(unfit(item) is None and len(item.hops) == 2 for item in items)
    assert sorted(len(item.passages) for item in items)[:2] == [2, 10]
    assert _texts(items[0])[0][0].startswith('"Nobody\'s Hero" is')
    assert [hop.relation for hop in items[0].hops] == ["Nobody's Hero", "Neil Peart"]


def test_the_2wiki_sample(shared_data):
    items = list(read_2wiki(shared_data("2wikimultihopqa/2wiki_dev_sample.json.gz")))
    assert len(items) == 100
    assert [len([item for item in items if len(item.hops) == hops]) for hops in (2, 4)] == [71, 29]
    assert [(hop.relation, hop.depends_on) for hop in items[0].hops] == [
        ("director", ()),
        ("director", ()),
        ("date of birth", ("1",)),
        ("date of birth", ("2",)),
    ]
    assert " was a Hungarian film director and screenwriter. He directed 20 films " in items[0].passages[0].text


def test_the_plausible_distractors(shared_data):
    pairs = read_plausible(
        shared_data("plausible_distractors/named_True_2.json.gz"),
        shared_data("plausible_distractors/no_changes_named_True_2.json.gz"),
    )
    assert len(pairs) == 547
    assert len({item.source_id for item, _ in pairs}) == 417
    assert len({item.id for item, _ in pairs}) == 547
    assert {len(item.inserted) for item, _ in pairs} == {2}
    assert sum(not passage.text.strip() for item, _ in pairs for passage in item.passages) == 2
    first = pairs[0][0]
    assert [first.passages[span.passage].title for span in first.inserted] == [
        "Ambassador to Fictionland.",
        "Eliza Bennett",
    ]
