import pytest

from eval.models.engine import Message, Request
from eval.models.readers import UNKNOWN, Page, ReaderEngine, parse, readers
from eval.tasks.audit import render
from loaders.records import Hop, Item, Passage, Span

ITEM = Item(
    "x",
    "Where was the author of Zig born?",
    "Cuba",
    (),
    (
        Passage("Zig", "Zig is by Ada. It is long."),
        Passage("Ada", "Ada was born in Cuba."),
        Passage("Bob", "Bob sings."),
    ),
    (Hop("1", "", "Ada", (), (Span(0, 0, 14),)), Hop("2", "", "Cuba", ("1",), (Span(1, 0, 21),))),
    True,
    "CC0-1.0",
)


def _said(passages, question=ITEM.question, prompt="multihop"):
    asked = render(prompt, question, passages)
    return {name: read(asked) for name, read in readers([ITEM]).items()}


def test_a_prompt_is_taken_apart():
    texts = ("Zig\nZig is by Ada. It is long.", "Ada\nAda was born in Cuba.", "Bob\nBob sings.")
    assert parse(render("multihop", ITEM.question, ITEM.passages)) == Page(ITEM.question, texts)
    question, (text,) = parse(render("long", ITEM.question, ITEM.passages))
    assert question == ITEM.question
    assert text.endswith("\n\n".join(texts))
    with pytest.raises(ValueError, match="not a prompt"):
        parse("Hello")


def test_a_passage_that_looks_like_a_question_is_a_passage():
    odd = Passage("Odd", "Question: why?\nAnswer: because.")
    assert parse(render("multihop", "Who?", (odd,))).question == "Who?"


def test_all_evidence_or_the_last_hops_or_none():
    first, second, other = ITEM.passages
    knowing = ("graph lookup", "last hop only", "closed book")
    assert [_said(ITEM.passages)[name] for name in knowing] == ["Cuba", "Cuba", "Cuba"]
    assert [_said((second, other))[name] for name in knowing] == [UNKNOWN, "Cuba", "Cuba"]
    assert [_said((first, other))[name] for name in knowing] == [UNKNOWN, UNKNOWN, "Cuba"]
    assert [_said(ITEM.passages, "Who?")[name] for name in knowing] == [UNKNOWN] * 3


def test_one_sentence_of_a_passage_is_enough_where_it_is_the_evidence():
    short = Passage("Zig", "Zig is by Ada.")
    assert _said((short, ITEM.passages[1]))["graph lookup"] == "Cuba"
    assert _said((Passage("Zig", "It is long."), ITEM.passages[1]))["graph lookup"] == UNKNOWN


def test_readers_that_know_nothing():
    said = _said(ITEM.passages)
    assert said["first name"] == "Ada"  # Zig stands in the question
    assert said["lexical overlap"] == "Ada"
    assert said["refuser"] == UNKNOWN


def test_a_reader_is_an_engine():
    requests = [Request("reader:refuser", (Message("user", render("long", "Who?", ())),), seed=n) for n in range(2)]
    with ReaderEngine("refuser", readers([ITEM])["refuser"]) as engine:
        replies = list(engine.ask(requests))
    assert engine.identity == "reader:refuser"
    assert [(reply.key, reply.text) for reply in replies] == [(request.key, UNKNOWN) for request in requests]
