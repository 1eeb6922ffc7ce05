"""When a call may leave, and when it is tried again."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from eval.models import openai_limits
from eval.models.openai_limits import FIRST_WINDOW, Bucket, Limits
from eval.models.openai_retry import Trouble, backoff, duration, retry_after


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1),
        ("6m0s", 360),
        ("20ms", 0.02),
        ("1h2m3.5s", 3723.5),
        ("120µs", 0.00012),
        ("7", 7),
        ("", None),
        (None, None),
        ("soon", None),
        ("-1s", None),
        ("nan", None),
        ("1s later", None),
    ],
)
def test_durations(text, seconds):
    assert duration(text) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "2", "retry-after-ms": "150"}, 0.15),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00"}, None),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after(headers) == seconds


def test_retry_after_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 85 < (retry_after({"retry-after": date}) or 0) <= 90


def test_backoff_doubles_to_a_minute_and_is_never_in_step():
    waits = [[backoff(Trouble("down"), attempt) for _ in range(50)] for attempt in (1, 2, 3, 20)]
    for all_waits, longest in zip(waits, (0.5, 1.0, 2.0, 60.0), strict=True):
        assert longest / 2 <= min(all_waits) < max(all_waits) <= longest
    asked = [backoff(Trouble("busy", wait=20.0), 5) for _ in range(50)]
    assert 20 <= min(asked) < max(asked) <= 21
    assert backoff(Trouble("busy", wait=0.0), 3) >= 1  # no endpoint means at once


def told(limit: int, remaining: int, reset: str, kind: str = "requests") -> Mapping[str, str]:
    values = {"limit": str(limit), "remaining": str(remaining), "reset": reset}
    return {f"x-ratelimit-{name}-{kind}": value for name, value in values.items()}


def test_a_bucket_without_headers_is_endless():
    bucket = Bucket("requests")
    for _ in range(1000):
        assert bucket.wait(1, 0) == 0
        bucket.take(1, 0)


def test_a_bucket_fills_as_the_headers_say():
    bucket = Bucket("requests")
    mark = bucket.take(1, now=0)
    assert bucket.learn(told(60, 1, "59s"), mark, now=0)
    assert bucket.rate == 1
    bucket.take(1, now=0)
    assert bucket.wait(1, now=0) == 1
    assert bucket.wait(1, now=0.75) == 0.25
    assert bucket.wait(1, now=1) == 0
    bucket.take(1, now=1)
    # Long after, it is full and no fuller.
    assert bucket.wait(60, now=1000) == 0
    assert bucket.wait(10_000, now=1000) == 0  # more than the limit will ever hold: not waited for in vain
    bucket.take(60, now=1000)
    assert bucket.wait(1, now=1000) == 1


def test_calls_that_left_later_are_not_in_the_headers_yet():
    bucket = Bucket("tokens")
    first, second = bucket.take(100, now=0), bucket.take(300, now=0)
    bucket.learn(told(1000, 900, "6s", "tokens"), first, now=1)
    assert bucket.level == 600
    bucket.learn(told(1000, 590, "25s", "tokens"), second, now=2)
    assert bucket.level == 590
    bucket.learn(told(1000, 950, "3s", "tokens"), first, now=3)  # an answer that was overtaken
    assert bucket.level == 590


@pytest.mark.parametrize("headers", [{}, told(0, 0, "1s"), told(60, 5, "1s", "tokens")])
def test_headers_that_tell_nothing(headers):
    bucket = Bucket("requests")
    assert not bucket.learn(headers, 0, 0)
    assert bucket.wait(1, 0) == 0


def test_a_full_bucket_says_nothing_of_its_rate():
    bucket = Bucket("requests")
    bucket.learn(told(60, 60, "0s"), bucket.take(1, 0), 0)
    assert bucket.rate == 1  # limits are by the minute, where they say nothing else


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(openai_limits, "monotonic", lambda: now[0])
    return now


async def entered(limits: Limits, calls: int) -> list:
    """Let as many calls leave as may leave at once."""
    tickets = []
    for _ in range(calls):
        try:
            async with asyncio.timeout(0.02):
                tickets.append(await limits.enter(10))
        except TimeoutError:
            break
    return tickets


def test_the_window_opens_with_good_answers_and_halves_once_for_calls_refused_together(clock):
    async def steps() -> list[int]:
        limits = Limits(100)
        flying = await entered(limits, 200)
        counts = [len(flying)]
        for _ in flying:
            limits.leave()
            limits.widen()
        flying = await entered(limits, 200)
        counts.append(len(flying))
        for ticket in flying:
            limits.pause(ticket, 0)
            limits.leave()
        clock[0] += 1
        flying = await entered(limits, 200)
        counts.append(len(flying))
        for _ in flying:
            limits.leave()
            limits.widen()
        counts.append(len(await entered(limits, 200)))
        return counts

    assert asyncio.run(steps()) == [FIRST_WINDOW, 2 * FIRST_WINDOW, FIRST_WINDOW, FIRST_WINDOW + 1]


def test_headers_make_a_guess_at_the_window_needless(clock):
    async def steps() -> int:
        limits = Limits(100)
        (ticket,) = await entered(limits, 1)
        limits.learn(ticket, told(50, 49, "1s"))
        limits.leave()
        return len(await entered(limits, 200))

    assert asyncio.run(steps()) == 49


def test_a_pause_holds_all_until_it_is_over_or_nothing_is_asked_any_more(clock):
    async def steps() -> list[int]:
        limits = Limits(4)
        (ticket,) = await entered(limits, 1)
        limits.pause(ticket, 60)
        counts = [len(await entered(limits, 1))]
        clock[0] += 61
        counts.append(len(await entered(limits, 1)))
        limits.pause(ticket, 1e6)
        waiting = asyncio.create_task(limits.enter(10))
        resting = asyncio.create_task(limits.rest(1e6))
        await asyncio.sleep(0.01)
        counts.append(waiting.done() + resting.done())
        limits.release()
        await asyncio.wait_for(asyncio.gather(waiting, resting), 5)
        return counts

    assert asyncio.run(steps()) == [0, 0, 0]
