"""An endpoint that is not at its best: what is tried again, what never is, and what the user reads."""

import math
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builders.eureqa.endpoint import BusyError, Endpoint, SlowError, TooMuchError
from builders.eureqa.sparql_http import Asker
from loaders.errors import DecoyQAError

if TYPE_CHECKING:
    from sparql_server import FaultyProxy

QUERY = "SELECT ?i (COUNT(DISTINCT ?e) AS ?n) WHERE { VALUES ?i { 0 } ?e ?p ?o } GROUP BY ?i"
STARRING = "SELECT ?e WHERE { ?e <http://dbpedia.org/ontology/starring> ?o }"


@pytest.fixture
def proxy(oxigraph: str) -> "Iterator[FaultyProxy]":
    from sparql_server import FaultyProxy

    with FaultyProxy(oxigraph) as proxy:
        yield proxy


class Sleeper:
    """Keeps what was slept."""

    def __init__(self) -> None:
        self.naps: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.naps.append(seconds)


def asker(url: str, tries: int = 4, timeout: float = 20.0, account: str = "") -> tuple[Asker, list[float]]:
    sleep = Sleeper()
    whole = url.replace("//", f"//{account}")
    return Asker(Endpoint(whole, timeout=timeout, per_second=math.inf, tries=tries), sleep=sleep), sleep.naps


def test_rows_are_texts_by_variable(proxy: "FaultyProxy") -> None:
    one, naps = asker(proxy.url)
    heard: list[int] = []
    one._told = heard.append
    (row,) = one.select(QUERY)
    assert heard == [1]
    assert row.keys() == {"i", "n"}
    assert (row["i"], int(row["n"]) > 400, naps, one.requests) == ("0", True, [], 1)


def test_a_query_travels_as_a_form_of_any_length(proxy: "FaultyProxy") -> None:
    one, _ = asker(proxy.url)
    long = f"{STARRING} # {'x' * 200_000}"
    assert one.select(long) == one.select(STARRING)
    assert proxy.queries == [long, STARRING]
    assert proxy.heads[0]["Accept"].startswith("application/sparql-results+json")


@pytest.mark.parametrize("fault", ["503", "429", "502", "504", "408", "hangup"])
def test_an_absent_endpoint_is_asked_again(proxy: "FaultyProxy", fault: str) -> None:
    proxy.faults = [fault, fault]
    one, naps = asker(proxy.url)
    assert len(one.select(QUERY)) == 1
    assert len(proxy.queries) == 3
    assert naps == ([7, 7] if fault in ("503", "429") else [1, 2])


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("503", "expected an answer, found HTTP 503: as told, nobody"),
        ("hangup", "expected an answer, found Remote end"),
    ],
)
def test_patience_ends(proxy: "FaultyProxy", fault: str, expected: str) -> None:
    proxy.fault = lambda query: fault
    one, naps = asker(proxy.url)
    with pytest.raises(BusyError, match=expected) as caught:
        one.select(QUERY)
    assert (len(proxy.queries), len(naps)) == (4, 3)
    assert str(caught.value).startswith(f"{proxy.url}: expected")


def test_nobody_waits_for_an_hour(proxy: "FaultyProxy", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builders.eureqa.sparql_http.LONGEST_WAIT", 6.0)
    proxy.fault = lambda query: "503"  # asks for seven seconds
    one, naps = asker(proxy.url)
    with pytest.raises(BusyError):
        one.select(QUERY)
    assert naps == []


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("s1tat", "expected a whole answer, found the part that was ready at a time limit"),
        ("206", "expected a whole answer, found the part that was ready at a time limit"),
        ("maxrows", "expected a whole answer, found one cut off at 10 rows"),
        ("half", "expected JSON to its end, found it cut off after"),
        ("empty", "expected SPARQL results as JSON, found nothing"),
        ("500", "expected an answer, found HTTP 500: as told, nobody"),
        ("413", "expected an answer, found HTTP 413: as told, nobody"),
    ],
)
def test_a_part_is_never_taken_and_never_asked_for_again(proxy: "FaultyProxy", fault: str, expected: str) -> None:
    proxy.fault = lambda query: fault
    one, _ = asker(proxy.url)
    with pytest.raises(TooMuchError, match=expected):
        one.select(STARRING)
    assert len(proxy.queries) == 1


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("html", "expected SPARQL results as JSON, found text/html: <html><body>Welcome to the wiki"),
        ("other-json", 'expected SPARQL results as JSON, found other JSON: {"error": "no such thing"}'),
        ("404", "expected an answer, found HTTP 404: as told, nobody"),
        ("401", "expected an answer, found HTTP 401: as told, nobody"),
        ("403", "expected an answer, found HTTP 403: as told, nobody"),
    ],
)
def test_something_else_answers(proxy: "FaultyProxy", fault: str, expected: str) -> None:
    proxy.fault = lambda query: fault
    one, _ = asker(proxy.url)
    with pytest.raises(DecoyQAError) as caught:
        one.select(QUERY)
    assert not isinstance(caught.value, TooMuchError | BusyError)
    assert str(caught.value).startswith(f"{proxy.url}: {expected}")
    assert len(proxy.queries) == 1


def test_a_query_that_the_server_does_not_understand(proxy: "FaultyProxy", oxigraph: str) -> None:
    one, _ = asker(oxigraph)
    with pytest.raises(DecoyQAError, match="found HTTP 400: error at 1:"):
        one.select("SELECT ?x WHERE { ?x")


def test_slow_twice_is_too_much(proxy: "FaultyProxy") -> None:
    proxy.faults = ["slow"]
    one, naps = asker(proxy.url, timeout=1.0)
    assert len(one.select(QUERY)) == 1
    proxy.faults = ["slow", "slow"]
    with pytest.raises(SlowError, match=r"expected an answer, found none within 1 seconds"):
        one.select(QUERY)
    assert (one.requests, naps) == (4, [1, 1])


def test_an_answer_in_drips_is_slow_as_a_whole(proxy: "FaultyProxy") -> None:
    proxy.fault = lambda query: "drips"
    one, _ = asker(proxy.url, timeout=0.5)
    with pytest.raises(SlowError):
        one.select(QUERY)


def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        one, naps = asker(f"http://127.0.0.1:{taken.getsockname()[1]}/sparql", tries=2)
        with pytest.raises(BusyError, match=r"expected an answer, found .*Connection refused"):
            one.select(QUERY)
    assert naps == [1]


def test_an_account_is_sent_and_never_shown(proxy: "FaultyProxy") -> None:
    one, _ = asker(proxy.url, account="ann:s%40crt@")
    one.select(QUERY)
    assert proxy.heads[0]["Authorization"] == "Basic YW5uOnNAY3J0"
    assert one.endpoint.name == proxy.url
    proxy.fault = lambda query: "403"  # which repeats what it was told
    with pytest.raises(DecoyQAError) as caught:
        one.select(QUERY)
    assert str(caught.value) == f"{proxy.url}: expected an answer, found HTTP 403: as told, Basic ***"
    assert Endpoint("https://h/sparql?apikey=17#x").name == "https://h/sparql"
    assert (
        Endpoint("https://h/sparql?apikey=17").problem("a", "b apikey=17")
        == "https://h/sparql: expected a, found b ***"
    )


@pytest.mark.parametrize("url", ["ann:secret@host/sparql", "localhost:7878", "ftp://host/sparql", "http://", ""])
def test_what_is_no_address_is_refused_unseen(url: str) -> None:
    with pytest.raises(DecoyQAError) as caught:
        Endpoint(url)
    assert str(caught.value) == "expected the address of a SPARQL endpoint to begin with http:// or https://"


def test_a_default_graph_is_named(proxy: "FaultyProxy") -> None:
    endpoint = Endpoint(proxy.url, graph="http://dbpedia.org", per_second=math.inf)
    assert Asker(endpoint).select(STARRING) == []  # this server has one graph, without a name


def test_requests_keep_their_distance(proxy: "FaultyProxy", monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("builders.eureqa.sparql_http.monotonic", lambda: now[0])
    sleep = Sleeper()
    one = Asker(Endpoint(proxy.url, per_second=4), sleep=sleep)
    one.select(QUERY)
    now[0] += 0.1
    one.select(QUERY)
    now[0] += 5
    one.select(QUERY)
    assert sleep.naps == [pytest.approx(0.15)]
