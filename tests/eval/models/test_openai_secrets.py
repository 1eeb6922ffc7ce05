"""What opens an endpoint is sent to it, and shown nowhere."""

import logging
import traceback

import pytest
from fault_server import FaultServer
from faults import FAULTS

from eval.models.engine import EngineOptions, Message, Reply, Request, open_engine
from eval.models.openai_endpoint import find_endpoint
from loaders.errors import DecoyQAError

KEY, PASSWORD, QUERY, HEADER = "sk-Key0123456789/+", "pass4567890123", "query45678 90123", "header4567890123"
LOGIN = "dXNlcjpwYXNzNDU2Nzg5MDEyMw=="  # base64 of user:pass4567890123
FORMS = (KEY, "Key0123456789", PASSWORD, QUERY, "query45678+90123", "query45678%2090123", HEADER, LOGIN)
SHUT = ["401", "402", "403", "quota"]
STATUSES = ["400", "404", "408", "409", "413", "422", "429", "500", "503"]


@pytest.fixture(autouse=True)
def _secrets(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Gate: Bearer {HEADER}")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name in ("FIRST_WAIT", "LONGEST_WAIT"):
        monkeypatch.setattr(f"eval.models.openai_retry.{name}", 0.01)


def shown(base_url: str, *prompts: str) -> str:
    """Return all that can be seen of calls: answers, errors with their traceback, what describes the engine."""
    seen = []
    with open_engine("openai:fake", EngineOptions(base_url, 64, 0.5)) as engine:
        seen += [repr(vars(engine)), engine.runtime, engine.identity]
        try:
            asked = [Request("openai:fake", (Message("user", prompt),)) for prompt in prompts]
            seen += [repr(answer) for answer in engine.ask(asked)]
        except DecoyQAError as error:
            seen += traceback.format_exception(error)
            seen += [repr(error), repr(error.__cause__), repr(error.__context__)]
    return "\n".join(seen)


@pytest.mark.parametrize("login", [True, False])
def test_no_fault_shows_a_secret(login, caplog):
    caplog.set_level(logging.DEBUG)
    with FaultServer() as server:
        user = f"user:{PASSWORD}@" if login else ""
        base_url = server.base_url.replace("://", f"://{user}") + "?api_key=query45678%2090123&v=2"
        seen = shown(base_url, *(f"<<{fault}*>>" for fault in {*FAULTS, *STATUSES} - {*SHUT}))
        seen += "".join(shown(base_url, f"<<{fault}*>>") for fault in SHUT)
        head = server.calls[0].head
    # The test can fail: the server was told, and repeats it.
    assert "POST /v1/chat/completions?api_key=query45678" in head
    assert (f"Basic {LOGIN}" if login else f"Bearer {KEY}") in head
    assert f"Bearer {HEADER}" in head
    assert seen.count("[secret]") > 20
    assert "HTTP Request: POST" in caplog.text
    for secret in FORMS:
        assert secret not in seen + caplog.text


@pytest.mark.parametrize(
    "base_url", ["ftp://user:{0}@host/v1", "user:{0}@host/v1", "http://user:{0}@host:nine/v1", "http://[{0}", "//{0}"]
)
def test_a_bad_address_is_refused_without_being_shown(base_url):
    with pytest.raises(DecoyQAError) as refused:
        open_engine("openai:fake", EngineOptions(base_url.format(PASSWORD)))
    assert "expected a base URL of the form http://HOST:PORT/v1" in str(refused.value)
    assert PASSWORD not in "".join(traceback.format_exception(refused.value)) + repr(refused.value.__context__)


def test_a_host_that_is_not_there_shows_no_secret(monkeypatch):
    monkeypatch.setattr("eval.models.openai_retry.TRIES", 1)
    seen = shown(f"http://user:{PASSWORD}@localhost:1/v1?key={KEY}", "x")
    assert "ClientConnectorError" in seen
    assert not any(secret in seen for secret in FORMS)


def test_a_key_that_is_a_word_is_left_in_what_a_model_says(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "Answer")
    with FaultServer() as server, open_engine("openai:fake", EngineOptions(server.base_url)) as engine:
        (reply,) = engine.ask([Request("openai:fake", (Message("user", "x"),))])
    assert isinstance(reply, Reply)
    assert reply.text == "Answer to x"


def test_a_missing_key_matters_where_the_address_is_openais(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " ")
    for base_url in ("", "https://api.openai.com/v1", "https://API.openai.com:443/v1"):
        with pytest.raises(DecoyQAError, match="OPENAI_API_KEY is not set"):
            find_endpoint(base_url)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    assert (find_endpoint("").url, find_endpoint("").key) == ("http://127.0.0.1:8000/v1", "no-key")
    assert find_endpoint("https://other.example/v1?a=b#c").url == "https://other.example/v1"


@pytest.mark.parametrize("key", ["sk-1234\n5678", "sk-…1234", "sk 1234"])
def test_a_key_that_no_header_can_carry(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(DecoyQAError, match="OPENAI_API_KEY holds characters that no key has"):
        find_endpoint("http://127.0.0.1:8000/v1")


def test_a_proxy_is_used_and_its_password_hidden(monkeypatch):
    with FaultServer() as proxy:
        address = proxy.base_url.removesuffix("/v1").replace("://", f"://user:{PASSWORD}@")
        monkeypatch.setenv("http_proxy", address)
        seen = shown("http://nowhere.invalid/v1", "x", "<<leaky>>")
        monkeypatch.setenv("no_proxy", "nowhere.invalid")
        assert "Answer" not in shown("http://nowhere.invalid/v1", "y")
    assert "Answer to x" in seen
    assert proxy.calls[0].head.startswith("POST http://nowhere.invalid/v1/chat/completions HTTP/1.1\r\n")
    assert f"Proxy-Authorization: Basic {LOGIN}" in proxy.calls[0].head
    assert PASSWORD not in seen
    assert LOGIN not in seen
