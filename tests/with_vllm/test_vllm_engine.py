"""The engine `vllm:` with the real vLLM and SmolLM2, pinned by the name of a revision, as from the Hub."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eval.models.engine import Engine, Failure, Message, Reply, Request, open_engine
from eval.models.vllm import BATCH
from loaders.errors import DecoyQAError

ARGUMENTS = f"max_model_len=4096&max_num_seqs=32&kv_cache_memory_bytes={1 << 30}&dtype=bfloat16"
SCHEMA = '{"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}'
PLACES = ("Germany", "France", "Italy", "Spain", "Norway", "Japan", "Peru", "Egypt", "Kenya", "Canada", "Cuba", "Iran")
ASKED = ("What is the capital of {}?", "Name a river in {}.", "Write one sentence about {}.")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine(f"vllm:local/smollm2@main?{ARGUMENTS}") as opened:
        yield opened


def request(engine: Engine, prompt: str, max_tokens: int = 8) -> Request:
    return Request(engine.identity, (Message("user", prompt),), max_tokens=max_tokens)


def text(answer: Reply | Failure) -> str:
    assert isinstance(answer, Reply), answer
    return answer.text


def test_identity_is_the_commit_and_runtime_what_runs_it(engine: Engine, folder: Path):
    list(engine.ask([request(engine, "Hello")]))
    assert engine.identity == f"vllm:local/smollm2@{folder.name}?dtype=bfloat16"
    told = engine.runtime.split(", ")
    assert told[0].startswith("vllm 0.")
    assert told[1:] == ["cpu", "bfloat16", "32 sequences", "context 4096", "not batch-invariant"]


def test_a_real_reply(engine: Engine, folder: Path):
    asked = request(engine, "What is the capital of Germany?", max_tokens=60)
    (reply,) = engine.ask([asked])
    assert isinstance(reply, Reply)
    assert (reply.key, reply.text, reply.finish_reason) == (asked.key, "The capital of Germany is Berlin.", "stop")
    # The question has 7 tokens; the rest are the model's own template with its default system turn.
    assert (reply.prompt_tokens, reply.completion_tokens) == (37, 8)
    raw = json.loads(reply.raw)
    said = raw["outputs"][0]
    assert raw["runtime"] == engine.runtime
    assert (said["text"], len(said["token_ids"])) == (reply.text, 8)
    assert str(folder.parents[2]) not in reply.raw


def test_a_reply_is_cut_at_the_limit_of_its_request(engine: Engine):
    (reply,) = engine.ask([request(engine, "Write an essay about rivers.", max_tokens=6)])
    assert isinstance(reply, Reply)
    assert (reply.finish_reason, reply.completion_tokens) == ("length", 6)


def test_samples_differ_and_come_again(engine: Engine):
    warm = replace(request(engine, "Write a word.", 12), temperature=1.5)
    requests = [replace(warm, sample=sample) for sample in range(3)] + [replace(warm, seed=1)]
    first, second = ([text(answer) for one in requests for answer in engine.ask([one])] for _ in range(2))
    assert first == second
    assert len(set(first)) == 4


def test_a_schema_is_kept(engine: Engine):
    asked = request(engine, "The mill was built in 1791. When was the mill built?", 40)
    free, bound = engine.ask([asked, replace(asked, schema=SCHEMA)])
    assert not text(free).lstrip().startswith("{")
    assert isinstance(json.loads(text(bound))["year"], int)


def test_what_cannot_be_asked_fails_alone(engine: Engine):
    asked = request(engine, "Hello", 20)
    bad = [
        request(engine, "word " * 5000),
        request(engine, "\ud83d"),
        replace(asked, schema='{"type": "nonsense"}'),
        replace(asked, schema="{"),
        replace(asked, temperature=1.0, top_p=0.0),
        replace(asked, messages=()),
        request(engine, "word " * 4040, 60),
    ]
    *failures, reply = engine.ask([*bad, asked])
    assert [failure.key for failure in failures] == [one.key for one in bad]
    errors = [failure.error for failure in failures if isinstance(failure, Failure)]
    assert len(errors) == 7
    assert errors[0].startswith("This model's maximum context length is 4096 tokens.")
    assert errors[-1].endswith("and reply (up to 60) do not fit the context of 4096 tokens; see max_model_len")
    assert not any("\n" in error for error in errors)
    assert text(reply)


def test_many_requests_are_taken_in_batches_and_answered_in_order(engine: Engine):
    requests = [request(engine, f"What is {number} plus 1?", 4) for number in range(BATCH + 20)]
    taken: list[str] = []
    upcoming = (taken.append(one.key) or one for one in requests)
    answers = engine.ask(upcoming)  # type: ignore[arg-type]
    first = next(answers)
    assert len(taken) == BATCH
    found = [first, *answers]
    assert [answer.key for answer in found] == [one.key for one in requests]
    assert all(map(text, found))


def test_a_caller_may_stop_in_the_middle(engine: Engine):
    answers = engine.ask(request(engine, f"Say {number}.", 2) for number in range(3))
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    asked = request(engine, "What is the capital of Germany?", 8)
    assert [answer.key for answer in engine.ask([asked])] == [asked.key]


def test_a_shared_prefix_is_read_once(engine: Engine):
    passage = "Wembury lies on the Yealm. Its mill was built in 1791 by Ann Carew, a baker, and burned in 1804. " * 10
    requests = [request(engine, f"{passage}{question}") for question in ("Who built the mill?", "When did it burn?")]
    answers = [answer for one in requests for answer in engine.ask([one])]
    assert isinstance(answers[1], Reply)
    assert answers[1].prompt_tokens - answers[1].cached_tokens < 160


def test_seeded_prompts_longer_than_a_step_do_not_kill_the_engine(engine: Engine):
    long = replace(request(engine, "", 4), temperature=1.0)
    requests = [replace(long, messages=(Message("user", f"{n} " + "word " * 1500),)) for n in range(4)]
    assert all(isinstance(answer, Reply) for answer in engine.ask(requests))


def test_greedy_replies_hardly_depend_on_their_batch(engine: Engine, capsys: pytest.CaptureFixture[str]):
    requests = [request(engine, question.format(place), 16) for place in PLACES for question in ASKED]
    shuffled = random.Random(3).sample(requests, len(requests))
    first = {answer.key: text(answer) for answer in engine.ask(requests)}
    again = {answer.key: text(answer) for answer in engine.ask(shuffled)}
    alone = {answer.key: text(answer) for one in requests[:9] for answer in engine.ask([one])}
    flips = {"another order": _flips(first, again), "one by one": _flips(first, alone)}
    with capsys.disabled():
        print("\nvllm: greedy replies that flip:", *(f"{how} {n} of {of};" for how, (n, of) in flips.items()))
    assert len(set(first.values())) > 30
    assert all(n <= of / 3 for n, of in flips.values())


def _flips(one: dict[str, str], other: dict[str, str]) -> tuple[int, int]:
    return sum(one[key] != said for key, said in other.items()), len(other)


def test_a_folder_that_vllm_cannot_run_is_one_line(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"model_type": "nonsense"}')
    broken = open_engine(f"vllm:{tmp_path}")
    with pytest.raises(DecoyQAError, match=r"^vllm cannot run vllm:.*@sha256:[0-9a-f]{64}: \S") as caught:
        list(broken.ask([request(broken, "Hello")]))
    assert "\n" not in str(caught.value)
