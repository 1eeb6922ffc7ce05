"""The engine for OpenAI-compatible endpoints, against a server of faults: no false reply, none lost, none mixed up."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fault_server import FaultServer
from faults import FAULTS, RateLimit, echo

from eval.models.asker import Asker
from eval.models.engine import Engine, EngineOptions, Failure, Message, Reply, Request, open_engine
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("OPENAI_BASE_URL", "OPENAI_CUSTOM_HEADERS", "OPENAI_ADMIN_KEY", "HTTP_PROXY", "http_proxy")
TEMPORARY = ["429", "429-ms", "500", "502", "503", "408", "409", "garbage", "empty", "html", "list", "no-choices"]
TEMPORARY += ["null", "error-200", "aborted", "half", "head", "no-http", "nothing", "stuck", "wrong-model"]
FINAL = ["400", "404", "413", "422", "429-tomorrow", "filtered"]


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("eval.models.openai_retry.FIRST_WAIT", 0.01)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


def open_fake(server: FaultServer, slots: int = 32, seconds: float = 20.0, name: str = "fake") -> Engine:
    return open_engine(f"openai:{name}", EngineOptions(server.base_url, slots, seconds))


def request(prompt: str, **rest: object) -> Request:
    return Request("openai:fake", (Message("user", prompt),), **rest)


def ask(engine: Engine, *prompts: str) -> dict[str, Reply | Failure]:
    """Return the answers by prompt, one each."""
    asked = {request(prompt).key: prompt for prompt in prompts}
    answers = list(engine.ask([request(prompt) for prompt in prompts]))
    assert len(answers) == len(prompts)
    return {asked[answer.key]: answer for answer in answers}


def test_what_a_reply_holds(server):
    with open_fake(server, name="fake@r1") as engine:
        assert (engine.identity, engine.runtime.split(", ")[1:]) == (
            "openai:fake@r1",
            ["32 in flight", f"127.0.0.1:{server.port}"],
        )
        (reply,) = engine.ask([replace(request("Who?"), engine=engine.identity, temperature=0.5, top_p=0.9, seed=3)])
    assert isinstance(reply, Reply)
    assert (reply.text, reply.finish_reason, reply.prompt_tokens, reply.completion_tokens, reply.model) == (
        "Answer to Who?",
        "stop",
        7,
        5,
        "fake",
    )
    assert json.loads(reply.raw)["id"] == "c1"
    sent = server.calls[0]
    assert {name: sent.body[name] for name in ("model", "temperature", "top_p", "max_tokens")} == {
        "model": "fake",
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 64,
    }
    assert sent.body["messages"] == [{"role": "user", "content": "Who?"}]
    assert "authorization: bearer sk-0123456789abcdef\r\n" in sent.head.lower()


def test_a_fault_that_passes_is_outlasted(server):
    prompts = ["fine", *(f"<<{fault} {fault}>>" for fault in TEMPORARY if fault != "stuck"), "<<stuck>>"]
    with open_fake(server, seconds=1.0) as engine:
        answers = ask(engine, *prompts)
    assert {prompt: getattr(answer, "text", answer) for prompt, answer in answers.items()} == {
        prompt: echo(prompt) for prompt in prompts
    }
    assert {prompt: server.asked[prompt] for prompt in prompts} == {
        prompt: 1 if prompt == "fine" else 2 if prompt == "<<stuck>>" else 3 for prompt in prompts
    }


@pytest.mark.parametrize(
    ("fault", "tries", "error"),
    [
        ("500", 8, "HTTP 500: as told, Bearer [secret] at /v1/chat/completions (tried 8 times)"),
        ("nothing", 8, "ServerDisconnectedError: Server disconnected (tried 8 times)"),
        ("garbage", 3, "the answer is no JSON (tried 3 times)"),
        ("null", 3, "the answer has no content (tried 3 times)"),
        ("aborted", 3, "the reply is not finished (finish_reason 'abort') (tried 3 times)"),
        ("stuck", 3, "time-out (tried 3 times)"),
        ("404", 1, "HTTP 404: as told, Bearer [secret] at /v1/chat/completions"),
        ("429-tomorrow", 1, "HTTP 429: as told, Bearer [secret] at /v1/chat/completions"),
        ("filtered", 1, "the endpoint's filter cut the reply (finish_reason content_filter)"),
    ],
)
def test_a_fault_that_stays_is_a_failure(server, fault, tries, error):
    prompt = f"<<{fault}*>>"
    with open_fake(server, seconds=0.5 if fault == "stuck" else 20.0) as engine:
        answers = ask(engine, "fine") | ask(engine, prompt)
    assert answers[prompt] == Failure(request(prompt).key, error)
    assert (server.asked[prompt], getattr(answers["fine"], "text", "")) == (tries, echo("fine"))


def test_the_store_gets_every_reply_once_and_nothing_else(server, tmp_path):
    passing = [*TEMPORARY, "twice", "slow", "no-usage", "ok"]
    prompts = [f"{number} <<{fault}>>" for number in range(6) for fault in passing]
    lost = [f"<<{fault}>>" for fault in FINAL]
    requests = [request(prompt) for prompt in (*prompts, *lost)]
    with open_fake(server, 64, 1.0) as engine, Asker(engine, RequestStore(tmp_path)) as asker:
        answers = asker.ask(requests)
    assert answers.failures.keys() == {request(prompt).key for prompt in lost}
    assert [answers.replies[request(prompt).key].text for prompt in prompts] == [echo(prompt) for prompt in prompts]
    # The next run asks what is pending and nothing else; each fault was for the first time only.
    before = server.asked.copy()
    with open_fake(server, 64, 1.0) as engine, Asker(engine, RequestStore(tmp_path)) as asker:
        again = asker.ask(requests)
    assert server.asked - before == dict.fromkeys(lost, 1)
    assert {one.messages[0].content: again.replies[one.key].text for one in requests} == {
        prompt: echo(prompt) for prompt in (*prompts, *lost)
    }


def test_many_finish_in_any_order(server):
    prompts = [f"{number} <<{'slow' if number % 3 else 'ok'}>>" for number in range(300)]
    with open_fake(server, 256) as engine:
        answers = ask(engine, *prompts)
    assert [answers[prompt].text for prompt in prompts] == [echo(prompt) for prompt in prompts]
    assert list(answers) != prompts
    assert 16 < server.most_at_once <= 256


@pytest.mark.parametrize("fault", ["twice", "twice-later"])
def test_an_answer_that_comes_twice_is_nobody_elses(server, fault):
    def slowly() -> Iterator[Request]:
        for number in range(12):
            yield request(f"{number} <<{fault}>>")
            time.sleep(0.06)

    with open_fake(server, 1) as engine:
        assert [answer.text for answer in engine.ask(slowly())] == [echo(f"{n} <<{fault}>>") for n in range(12)]


def test_only_as_many_are_taken_as_there_are_slots(server):
    taken: list[int] = []

    def requests() -> Iterator[Request]:
        for number in range(40):
            taken.append(number)
            yield request(f"{number} <<slow>>")

    with open_fake(server, 8) as engine:
        answers = engine.ask(requests())
        for count in range(1, 41):
            next(answers)
            assert len(taken) <= min(40, 7 + count)
        assert next(answers, None) is None
    assert server.most_at_once <= 8


def test_who_ends_the_requests_gets_what_is_in_flight(server):
    heard: list[Reply | Failure] = []

    def until_three() -> Iterator[Request]:
        number = 0
        while len(heard) < 3:
            yield request(f"{(number := number + 1)} <<slow>>")

    with open_fake(server, 5) as engine:
        for answer in engine.ask(until_three()):
            heard.append(answer)
    assert len(heard) == server.asked.total() == 7
    assert all(isinstance(answer, Reply) for answer in heard)


@pytest.mark.parametrize("fault", ["401", "402", "403", "quota"])
def test_a_refused_key_stops_when_all_in_flight_are_back(server, fault):
    prompts = [f"{number} <<slow>>" for number in range(8)] + [f"<<{fault}*>>"] + [f"late {n}" for n in range(50)]
    answers = []
    with open_fake(server, 9) as engine:
        stream = engine.ask(request(prompt) for prompt in prompts)
        with pytest.raises(DecoyQAError, match=r"openai:fake: 127\.0\.0\.1:\d+ lets nobody in: HTTP 4\d\d: as told"):
            answers.extend(stream)
    assert sum(isinstance(answer, Reply) for answer in answers) == 8
    assert not any("late" in prompt for prompt in server.asked)


def test_a_key_that_was_let_in_may_be_forbidden_one_thing(server):
    with open_fake(server, 1) as engine:
        answers = ask(engine, "a", "<<403>>", "b")
    assert [type(answers[prompt]) for prompt in ("a", "<<403>>", "b")] == [Reply, Failure, Reply]


def test_any_text_is_asked_or_fails(server):
    prompts = ["Übung № 5, 日本, 🐍, \x00\x1f\u2028", "half a pair \ud83d", "x" * 200_000, ""]
    with open_fake(server) as engine:
        answers = ask(engine, *prompts)
    assert "surrogates not allowed" in answers[prompts[1]].error
    for prompt in (prompts[0], *prompts[2:]):
        assert answers[prompt].text == echo(prompt)


def test_what_an_endpoint_does_not_take_is_left_out_from_then_on():
    refuses = ("max_tokens", "temperature", "top_p", "seed")
    with FaultServer(refuses=refuses) as server, open_fake(server, 4) as engine:
        answers = ask(engine, *(f"{number}" for number in range(20)))
        runtime = engine.runtime
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert runtime.endswith(", without seed, without temperature, without top_p")
    assert all(call.body.keys() == {"model", "messages", "max_completion_tokens"} for call in server.calls)
    assert {call.body["max_completion_tokens"] for call in server.calls} == {64}


def test_a_schema_is_sent_and_what_comes_is_stored_as_it_is(server):
    schema = '{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}'
    with open_fake(server) as engine:
        (lie,) = engine.ask([request("<<lying-schema>>", schema=schema)])
        (broken,) = engine.ask([request("x", schema="{")])
    assert server.calls[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": json.loads(schema), "strict": False},
    }
    assert lie.text == '{"unasked": true}'
    assert broken.error.startswith("JSONDecodeError")


def test_another_name_for_the_model_must_come_twice():
    with FaultServer() as server, open_fake(server, 1, name="mine") as engine:
        (first, second, other) = engine.ask([request("a"), request("b"), request("<<wrong-model*>>")])
    assert (first.model, second.model, server.asked) == ("fake", "fake", {"a": 2, "b": 1, "<<wrong-model*>>": 3})
    assert other.error == "other answered in place of mine (tried 3 times)"


@pytest.mark.parametrize("headers", [True, False])
def test_a_rate_limit_is_kept_to(headers):
    with FaultServer(0.02, RateLimit(60, 30, headers)) as server, open_fake(server, 64) as engine:
        answers = ask(engine, *(f"{number}" for number in range(120)))
    assert all(isinstance(answer, Reply) for answer in answers.values())
    assert server.statuses[429] <= (2 if headers else 60)


def test_a_server_that_dies_and_comes_back_loses_nothing():
    first = FaultServer(0.02).__enter__()
    with open_fake(first, 64) as engine:
        stream = engine.ask(request(f"{number}") for number in range(400))
        answers = [next(stream) for _ in range(100)]
        first.__exit__()
        with FaultServer(port=first.port):
            answers.extend(stream)
    assert len({answer.key for answer in answers}) == len(answers) == 400
    assert all(isinstance(answer, Reply) for answer in answers)


def test_a_server_that_was_never_there_leaves_all_pending_soon():
    with FaultServer() as gone:
        pass
    with open_fake(gone, 64) as engine:
        answers = ask(engine, *(f"{number}" for number in range(100)))
    for answer in answers.values():
        assert answer.error.startswith("ClientConnectorError: Cannot connect to host 127.0.0.1")
        assert answer.error.endswith("(tried 3 times)")


def test_closing_early_cancels(server):
    with open_fake(server, 16) as engine:
        stream = engine.ask(request(f"{number} <<{'stuck' if number else 'ok'}>>") for number in range(100))
        assert isinstance(next(stream), Reply)
        started = time.monotonic()
        stream.close()
        assert ask(engine, "fine").keys() == {"fine"}
    assert time.monotonic() - started < 5


SCRIPT = """
import os, sys
sys.path.insert(0, "tests")
from fault_server import FaultServer
from eval.models.engine import EngineOptions, Message, Request, open_engine
server = FaultServer().__enter__()
engine = open_engine("openai:fake", EngineOptions(server.base_url, 8))
def requests():
    for number in range(100):
        yield Request("openai:fake", (Message("user", f"{number} <<{'ok' if number < 4 else 'stuck'}>>"),))
"""
ENDS = {
    "stopped by its reader": """
with engine:
    for answer in engine.ask(requests()):
        raise SystemExit('the end')
""",
    "interrupted": """
import signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever was started in the background ignores it
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    with engine:
        for answer in engine.ask(requests()):
            if answer.text.startswith("Answer to 0"):
                time.sleep(0.7)
            print(answer.text[:11])
except KeyboardInterrupt:
    raise SystemExit('the end')
""",
}


@pytest.mark.parametrize("end", ENDS)
def test_the_end_is_silent(end):
    run = subprocess.run(
        [sys.executable, "-W", "default", "-c", SCRIPT + ENDS[end]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.stderr, run.returncode) == ("the end\n", 1)
    if end == "interrupted":
        assert sorted(run.stdout.split("\n")) == ["", *(f"Answer to {number}" for number in range(4))]


def test_every_fault_is_tested():
    tested = {*TEMPORARY, *FINAL, "ok", "twice", "twice-later", "slow", "no-usage", "quota", "lying-schema"}
    assert FAULTS.keys() - tested == {"cut", "leaky"}  # in the tests of replies and of secrets
