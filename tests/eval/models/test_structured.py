"""Records out of replies: what fits, what is mended by another turn, and what stays malformed."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from eval.models.asker import Asker
from eval.models.engine import Failure, Message, Reply, Request
from eval.models.store import RequestStore
from eval.models.structured import Structured, ask_structured, parse_record, response_schema


class Opinion(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdict: Literal["yes", "no"]
    score: int


GOOD = '{"verdict": "yes", "score": 3}'
YES = Opinion(verdict="yes", score=3)
Say = Callable[[Request], Reply | Failure]


def reply(to: Request, text: str, finish_reason: str = "stop") -> Reply:
    return Reply(to.key, text, finish_reason, 10, 7, "{}")


class Talker:
    """Answers by a function of the request and remembers what it was asked."""

    identity, runtime = "talker:x", "a talker"

    def __init__(self, say: Say) -> None:
        self.asked: list[Request] = []
        self._say = say

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for one in requests:
            self.asked.append(one)
            yield self._say(one)

    def close(self) -> None: ...

    def __enter__(self) -> "Talker":
        return self

    def __exit__(self, *_: object) -> None: ...


def request(text: str = "Is it so?", **rest: int) -> Request:
    return Request("talker:x", (Message("user", text),), **rest)


def asked(folder: Path, engine: Talker, *requests: Request, repairs: int = 2) -> Structured[Opinion]:
    with Asker(engine, RequestStore(folder)) as asker:
        return ask_structured(asker, requests, Opinion, repairs)


def in_turn(*texts: str) -> Say:
    """Say one text a turn: the number of turns so far is half the number of messages."""
    return lambda one: reply(one, texts[len(one.messages) // 2])


def test_the_schema_is_part_of_the_request_and_the_key_is_the_callers(tmp_path):
    engine = Talker(in_turn(GOOD))
    found = asked(tmp_path, engine, request())
    assert found == Structured({request().key: YES}, {}, {})
    assert engine.asked == [replace(request(), schema=response_schema(Opinion))]
    schema = json.loads(response_schema(Opinion))
    assert schema["properties"]["verdict"]["enum"] == ["yes", "no"]
    assert (schema["required"], schema["additionalProperties"]) == (["verdict", "score"], False)


FAULTS = [
    ("Sure! " + GOOD, "Invalid JSON: expected value at line 1 column 1"),
    ("", "Invalid JSON: EOF while parsing a value at line 1 column 0"),
    ('{"verdict": "yes"}', "score: Field required"),
    ('{"verdict": "perhaps", "score": "3"}', "verdict: Input should be 'yes' or 'no'; score: Input should be a valid"),
    ('{"verdict": "yes", "score": 3, "why": "x"}', "why: Extra inputs are not permitted"),
    ("[" + GOOD + "]", "Input should be an object"),
    ("<think>It is, as " + GOOD, "Invalid JSON: EOF"),
]


@pytest.mark.parametrize(("bad", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_what_does_not_fit_is_sent_back_with_its_fault(tmp_path, bad, fault):
    engine = Talker(in_turn(bad, GOOD))
    assert asked(tmp_path, engine, request(seed=5, sample=2)).records == {request(seed=5, sample=2).key: YES}
    first, second = engine.asked
    assert second.messages[0] == first.messages[0]
    said, told = second.messages[1:]
    assert (said.role, told.role) == ("assistant", "user")
    assert said.content == ("(no complete reply)" if bad.startswith("<think>") or not bad else bad)
    assert fault in told.content
    assert "pydantic.dev" not in told.content  # its version stands in that address
    assert replace(second, messages=first.messages) == first  # sampling, seed, sample and schema are kept


@pytest.mark.parametrize("text", [GOOD, f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```", f"<think>Hm.</think>\n{GOOD}\n"])
def test_a_fence_and_a_finished_thought_are_no_fault(text):
    assert parse_record(reply(request(), text), Opinion) == YES


def test_a_reply_that_was_cut_is_no_record_even_if_it_could_be_read(tmp_path):
    engine = Talker(lambda one: reply(one, GOOD, "length" if len(one.messages) == 1 else "stop"))
    assert asked(tmp_path, engine, request()).records == {request().key: YES}
    assert "the reply was cut after 7 tokens" in engine.asked[1].messages[-1].content


@pytest.mark.parametrize(("repairs", "turns"), [(0, 1), (1, 2), (2, 3)])
def test_what_never_fits_is_malformed_with_its_last_fault(tmp_path, repairs, turns):
    engine = Talker(in_turn("a", "{}", '{"verdict": "no"}'))
    found = asked(tmp_path, engine, request(), repairs=repairs)
    last = ["Invalid JSON", "verdict: Field required; score: Field required", "score: Field required"][repairs]
    assert (found.records, found.failures) == ({}, {})
    assert list(found.malformed) == [request().key]
    assert found.malformed[request().key].startswith(last)
    assert len(engine.asked) == turns


def test_a_call_that_fails_in_any_turn_is_pending_and_only_that_turn_is_asked_again(tmp_path):
    def down(one: Request) -> Reply | Failure:
        return reply(one, "hm") if len(one.messages) == 1 else Failure(one.key, "the server is down")

    found = asked(tmp_path, Talker(down), request())
    assert found == Structured({}, {request().key: Failure(request().key, "the server is down")}, {})
    engine = Talker(in_turn("never asked", GOOD))
    assert asked(tmp_path, engine, request()).records == {request().key: YES}
    assert [len(one.messages) for one in engine.asked] == [3]


def test_a_second_run_asks_nothing_and_finds_the_same_in_the_same_order(tmp_path):
    requests = [request(name) for name in "abcdef"]
    says = {"a": [GOOD], "b": ["x", GOOD], "c": ["x", "y", GOOD], "d": ["x", "y", "z"], "e": [GOOD], "f": ["x", GOOD]}
    first = asked(tmp_path, Talker(lambda one: in_turn(*says[one.messages[0].content])(one)), *requests)
    assert list(first.records) == [request(name).key for name in "abcef"]
    assert list(first.malformed) == [request("d").key]
    silent = Talker(in_turn())
    again = asked(tmp_path, silent, *requests)
    assert again == first
    assert list(again.records) == list(first.records)
    assert silent.asked == []


def test_two_samples_of_one_question_are_mended_apart(tmp_path):
    engine = Talker(in_turn("x", GOOD))
    assert len(asked(tmp_path, engine, request(sample=0), request(sample=1)).records) == 2
    assert len({one.key for one in engine.asked}) == 4


def unsure(_: str, opinion: Opinion) -> str:
    return "" if opinion.score > 2 else f"{opinion.score} is not sure enough"


WEAK = '{"verdict": "no", "score": 1}'


@pytest.mark.parametrize("first", [WEAK, "x"])
def test_what_fits_and_is_faulty_is_sent_back_in_the_callers_words(tmp_path, first):
    engine = Talker(in_turn(first, WEAK, GOOD))
    with Asker(engine, RequestStore(tmp_path)) as asker:
        found = ask_structured(asker, [request()], Opinion, 2, unsure)
    assert found == Structured({request().key: YES}, {}, {})
    assert engine.asked[2].messages[-1].content.startswith("1 is not sure enough. Give the whole reply again")
    assert engine.asked[2].messages[-2].content == WEAK


@pytest.mark.parametrize(("turns", "faulty"), [((WEAK, "x", WEAK), True), ((WEAK, WEAK, "x"), False)])
def test_what_stays_faulty_is_told_from_what_stays_malformed(tmp_path, turns, faulty):
    key, engine = request().key, Talker(in_turn(*turns))
    with Asker(engine, RequestStore(tmp_path)) as asker:
        found = ask_structured(asker, [request()], Opinion, 2, unsure)
    assert (found.records, found.failures) == ({}, {})
    assert dict(found.faulty) == ({key: Opinion(verdict="no", score=1)} if faulty else {})
    assert list(found.malformed) == ([] if faulty else [key])


def test_a_check_is_told_the_key_of_the_request_as_it_was_given(tmp_path):
    heard = []

    def check(key: str, opinion: Opinion) -> str:
        heard.append(key)
        return unsure(key, opinion)

    with Asker(Talker(in_turn(WEAK, GOOD)), RequestStore(tmp_path)) as asker:
        ask_structured(asker, [request()], Opinion, 2, check)
    assert heard == [request().key, request().key]
