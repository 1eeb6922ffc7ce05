"""What is stored is never asked, what is answered is stored, and asking stops where going on would be folly."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eval.models import asker
from eval.models.asker import Answers, Asker
from eval.models.engine import Failure, Message, Reply, Request
from eval.models.health import ENOUGH_CALLS, LAST_CALLS, TooManyFailuresError
from eval.models.ledger import BudgetReachedError, Ledger, prompt_bound
from eval.models.prices import Prices
from eval.models.store import RequestStore
from loaders.errors import DecoyQAError

BASE = Request("paid:model", (Message("user", "q"),))
DOWN = -1  # the seed of a request that fails


def request(number: int, engine: str = "paid:model", **rest: int) -> Request:
    return Request(engine, (Message("user", f"question {number:04d}"),), **rest)


def reply(to: Request, text: str = "yes") -> Reply:
    return Reply(to.key, text, "stop", 10, 2, "{}")


class Fake:
    """Counts what it is asked, a call after the other; fails where a seed is negative."""

    identity, runtime = "paid:model", "fake"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, one: Request) -> Reply | Failure:
        self.asked.append(one.key)
        return Failure(one.key, "down") if one.seed == DOWN else reply(one)

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        return map(self.answer, requests)

    def close(self) -> None: ...

    def __enter__(self) -> "Fake":
        return self

    def __exit__(self, *_: object) -> None: ...


class Wide(Fake):
    """Keeps several calls in flight, and answers the last one first; takes requests in a thread of its own."""

    def __init__(self, slots: int) -> None:
        super().__init__()
        self.slots, self.most = slots, 0

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        upcoming, flying = iter(requests), list[Request]()
        while True:
            taking = threading.Thread(target=self._take, args=(upcoming, flying))
            taking.start()
            taking.join()
            if not flying:
                return
            self.most = max(self.most, len(flying))
            yield self.answer(flying.pop())

    def _take(self, upcoming: Iterator[Request], flying: list[Request]) -> None:
        while len(flying) < self.slots and (one := next(upcoming, None)):
            flying.append(one)


def priced(max_usd: float | None, folder: Path) -> Ledger:
    """A ledger for which a token costs a dollar, so that money is tokens: 12 a call, at most `worst`."""
    from eval.models.prices import read_prices

    path = folder / "prices.toml"
    path.write_text(
        '[[price]]\nmodel = "paid:model"\ninput = 1e6\ncached_input = 1e6\noutput = 1e6\n'
        'date = 2026-11-29\nsource = "made up"\n'
    )
    return Ledger(read_prices(path), max_usd)


COST = 12.0
WORST = prompt_bound(request(0, max_tokens=5)) + 5.0


def asked(engine: Fake, store: Path, requests: list[Request], ledger: Ledger | None = None) -> Answers:
    with Asker(engine, RequestStore(store), ledger) as one:
        return one.ask(requests)


def test_each_is_asked_once_and_only_what_is_missing(tmp_path):
    engine, store = Fake(), RequestStore(tmp_path)
    store.put(request(2), reply(request(2), "kept"))
    down = request(4, seed=DOWN)
    heard: list[tuple[int, int]] = []
    wanted = [request(3), request(2), request(1), request(3), down]
    with Asker(engine, store, None, lambda done, total: heard.append((done, total))) as one:
        answers = one.ask(wanted)
    assert engine.asked == [request(3).key, request(1).key, down.key]
    assert list(answers.replies) == [request(3).key, request(2).key, request(1).key]
    assert answers.replies[request(2).key].text == "kept"
    assert answers.failures == {down.key: Failure(down.key, "down")}
    assert heard == [(2, 4), (3, 4), (4, 4)]


def test_a_failure_is_asked_again_the_next_time(tmp_path):
    engine, down = Fake(), request(1, seed=DOWN)
    for _ in range(2):
        assert asked(engine, tmp_path, [down]) == Answers({}, {down.key: Failure(down.key, "down")})
    assert engine.asked == [down.key, down.key]
    assert list(tmp_path.iterdir()) == []


def test_a_request_to_another_engine_is_refused_even_if_it_is_stored(tmp_path):
    store, other = RequestStore(tmp_path), request(1, "other:model")
    store.put(other, reply(other))
    with pytest.raises(ValueError, match="another engine"):
        Asker(Fake(), store).ask([other])


def test_replies_are_stored_before_the_next_is_read(tmp_path):
    class Looking(Fake):
        def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
            for number, one in enumerate(requests):
                assert len(RequestStore(tmp_path)) == number
                yield reply(one)

    assert len(asked(Looking(), tmp_path, [request(number) for number in range(5)]).replies) == 5


def test_a_call_without_any_answer_is_a_failure(tmp_path):
    class Forgetful(Fake):
        def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
            return (self.answer(one) for number, one in enumerate(list(requests)) if number != 1)

    answers = asked(Forgetful(), tmp_path, [request(number) for number in range(3)])
    assert list(answers.replies) == [request(0).key, request(2).key]
    assert answers.failures == {request(1).key: Failure(request(1).key, "the engine gave no answer")}


def test_what_another_process_stored_meanwhile_is_not_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(asker, "REFRESH", -1.0)
    other = RequestStore(tmp_path)

    class Helped(Fake):
        def answer(self, one: Request) -> Reply | Failure:
            if one == request(0):
                for number in (0, 2):
                    other.put(request(number), reply(request(number), "theirs"))
            return super().answer(one)

    engine = Helped()
    answers = asked(engine, tmp_path, [request(number) for number in range(4)])
    assert engine.asked == [request(number).key for number in (0, 1, 3)]
    # The first stored stands: theirs was there before ours came back.
    assert [one.text for one in answers.replies.values()] == ["theirs", "yes", "theirs", "yes"]
    assert answers == asked(Fake(), tmp_path, [request(number) for number in range(4)])


@pytest.mark.parametrize("engine", [Fake(), Wide(8)], ids=["one by one", "eight at a time"])
def test_the_budget_stops_before_it_is_passed_and_the_next_run_goes_on(tmp_path, engine):
    wanted = [request(number, max_tokens=5) for number in range(30)]
    limit = 10 * COST + WORST
    ledger = priced(limit, tmp_path)
    with pytest.raises(BudgetReachedError) as stopped:
        asked(engine, tmp_path / "s", wanted, ledger)
    # Eleven calls at 12 leave less than one worst case; ten leave exactly one.
    assert ledger.spent == 11 * COST
    assert len(RequestStore(tmp_path / "s")) == len(engine.asked) == 11
    assert str(stopped.value).startswith(f"stopped before --max-usd: $132.00 of ${limit:.2f} spent, 11 of 30 calls")
    assert len(asked(engine, tmp_path / "s", wanted, priced(None, tmp_path)).replies) == 30
    assert sorted(engine.asked) == sorted(one.key for one in wanted)


def test_calls_in_flight_are_reckoned_at_their_worst(tmp_path):
    engine = Wide(8)
    asked(engine, tmp_path / "s", [request(number, max_tokens=5) for number in range(8)], priced(3.5 * WORST, tmp_path))
    assert engine.most == 3


def test_stored_replies_cost_nothing(tmp_path):
    wanted = [request(number, max_tokens=5) for number in range(3)]
    asked(Fake(), tmp_path / "s", wanted)
    ledger = priced(0, tmp_path)
    assert len(asked(Fake(), tmp_path / "s", wanted, ledger).replies) == 3
    assert ledger.spent == 0
    with pytest.raises(BudgetReachedError, match="3 of 4 calls"):
        asked(Fake(), tmp_path / "s", [*wanted, request(4)], ledger)


def test_a_limit_without_a_price_is_refused_before_anything_is_asked(tmp_path):
    with pytest.raises(DecoyQAError, match=r"--max-usd needs the price of paid:model.*--prices FILE"):
        Asker(Fake(), RequestStore(tmp_path / "s"), Ledger(Prices(), 1.0))
    assert not (tmp_path / "s").exists()


def test_half_of_twenty_calls_failing_stops_the_run(tmp_path):
    def failing(first: int) -> list[Request]:
        return [request(number, seed=DOWN if number < first else 0) for number in range(2 * ENOUGH_CALLS)]

    engine = Fake()
    with pytest.raises(TooManyFailuresError, match="10 of the last 20 calls to paid:model failed: down"):
        asked(engine, tmp_path / "ten", failing(10))
    assert len(engine.asked) == 20
    assert len(RequestStore(tmp_path / "ten")) == 10
    assert len(asked(Fake(), tmp_path / "nine", failing(9)).failures) == 9


def test_a_server_that_dies_late_is_noticed_by_the_last_calls(tmp_path):
    engine = Fake()
    with pytest.raises(TooManyFailuresError, match=f"50 of the last {LAST_CALLS} calls"):
        asked(engine, tmp_path, [request(number, seed=DOWN if number >= 300 else 0) for number in range(600)])
    assert len(engine.asked) == 350


def test_failures_add_up_over_batches(tmp_path):
    with Asker(Fake(), RequestStore(tmp_path)) as one:
        for number in range(3):
            assert len(one.ask([request(5 * number + turn, seed=DOWN) for turn in range(5)]).failures) == 5
        with pytest.raises(TooManyFailuresError, match="every call"):
            one.ask([request(100 + turn, seed=DOWN) for turn in range(50)])


def test_what_is_in_flight_when_it_stops_is_stored(tmp_path):
    engine = Wide(8)
    wanted = [request(number, seed=0 if number % 3 else DOWN) for number in range(15)]
    wanted += [request(number, seed=DOWN) for number in range(15, 100)]
    with pytest.raises(TooManyFailuresError):
        asked(engine, tmp_path, wanted)
    answered = [key for key in engine.asked if key in {one.key for one in wanted if one.seed == 0}]
    assert [key.hex() for key in RequestStore(tmp_path).index] == sorted(answered)


def test_a_full_disk_is_one_line_and_keeps_what_was_stored(tmp_path):
    class Full(RequestStore):
        def add(self, request: Request, reply: Reply) -> bool:
            if len(self) == 2:
                raise OSError(28, "No space left on device")
            return super().add(request, reply)

    with (
        pytest.raises(DecoyQAError, match=r"could not be stored .*No space left on device.*what was stored before"),
        Asker(Fake(), Full(tmp_path)) as one,
    ):
        one.ask([request(number) for number in range(5)])
    assert len(RequestStore(tmp_path)) == 2


def test_a_kept_failure_does_not_hide_a_reply(tmp_path):
    """An engine that first fails and then answers has answered."""

    class Twice(Fake):
        def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
            for one in requests:
                yield Failure(one.key, "late")
                yield replace(reply(one), text="after all")

    answers = asked(Twice(), tmp_path, [request(1)])
    assert answers.failures == {}
    assert [one.text for one in answers.replies.values()] == ["after all"]
