"""How fast an endpoint may be asked: its own limits where it tells them, what its refusals teach where it does not.

A rate limit is a bucket that fills steadily: (limit - remaining) / reset a second. How many calls are in flight at a
time is found as TCP finds it: doubled while all goes well, halved where too many came.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic

from eval.models.openai_retry import LONGEST_WAIT, duration, number

FIRST_WINDOW = 16  # calls in flight before the first answer
REGROWTH = 0.1  # calls by which the window widens with each good answer after it was cut


@dataclass
class Bucket:
    """One limit, on `requests` or `tokens`; without headers it is endless."""

    kind: str
    limit: float = inf
    level: float = inf
    rate: float = 0.0  # a second
    at: float = 0.0
    spent: float = 0.0  # all that was ever taken
    newest: float = 0.0  # `spent` when the call left whose headers were read last

    def wait(self, cost: float, now: float) -> float:
        """Return the seconds until `cost` can be taken; a cost beyond the limit waits for a full bucket."""
        lacking = min(cost, self.limit) - self._level(now)
        return lacking / self.rate if lacking > 0 and self.rate else 0.0

    def take(self, cost: float, now: float) -> float:
        """Take `cost`, and return what was spent up to here."""
        self.level, self.at = self._level(now) - cost, now
        self.spent += cost
        return self.spent

    def learn(self, headers: Mapping[str, str], mark: float, now: float) -> bool:
        """Read the headers of the answer to the call that left at `mark`: later calls are not in them yet."""
        limit, remaining = (number(headers.get(f"x-ratelimit-{what}-{self.kind}")) for what in ("limit", "remaining"))
        if not limit or remaining is None:
            return False
        if mark >= self.newest:
            reset = duration(headers.get(f"x-ratelimit-reset-{self.kind}"))
            used = limit - remaining
            self.rate = used / reset if reset and used > 0 else self.rate or limit / 60
            self.limit, self.level, self.at = limit, remaining - (self.spent - mark), now
            self.newest = mark
        return True

    def _level(self, now: float) -> float:
        return min(self.limit, self.level + (now - self.at) * self.rate)


@dataclass(frozen=True)
class Ticket:
    """A call under way: when it left, and what each bucket had spent by then."""

    at: float
    marks: tuple[float, ...]


class Limits:
    """Lets calls leave one after the other, in their order, when every limit has room; used by one event loop."""

    def __init__(self, slots: int) -> None:
        self._slots, self._window, self._growth = slots, float(min(slots, FIRST_WINDOW)), 1.0
        self._flying, self._paused_until, self._cut_at = 0, 0.0, 0.0
        self._buckets = (Bucket("requests"), Bucket("tokens"))
        self._gate, self._news, self._released = asyncio.Lock(), asyncio.Event(), asyncio.Event()

    async def enter(self, tokens: int) -> Ticket:
        """Wait until a call of so many tokens may leave; `leave` must follow."""
        async with self._gate:
            while (wait := self._wait(tokens)) > 0:
                self._news.clear()
                await _wait_for(self._news, min(wait, LONGEST_WAIT))
        now = monotonic()
        self._flying += 1
        return Ticket(now, tuple(bucket.take(cost, now) for bucket, cost in self._costs(tokens)))

    def leave(self) -> None:
        """A call is over, however it ended."""
        self._flying -= 1
        self._news.set()

    def learn(self, ticket: Ticket, headers: Mapping[str, str]) -> None:
        """Read the rate limits in an answer's headers; who tells them needs no guessing at the window."""
        now = monotonic()
        told = [bucket.learn(headers, mark, now) for bucket, mark in zip(self._buckets, ticket.marks, strict=True)]
        if any(told) and self._growth == 1.0:
            self._window = float(self._slots)

    def widen(self) -> None:
        """A call went well: one more may be in flight."""
        self._window = min(self._slots, self._window + self._growth)

    def pause(self, ticket: Ticket, seconds: float) -> None:
        """Too many calls came: none leaves for a while, then half as many; calls refused together count once."""
        now = monotonic()
        self._paused_until = max(self._paused_until, now + seconds)
        if ticket.at > self._cut_at:
            self._window, self._growth = max(1.0, min(self._window, self._flying) / 2), REGROWTH
            self._cut_at = now

    async def rest(self, seconds: float) -> None:
        """Wait, but no longer than until `release`."""
        await _wait_for(self._released, seconds)

    def release(self) -> None:
        """Let all go that wait: nothing is asked any more."""
        self._released.set()
        self._news.set()

    def _wait(self, tokens: int) -> float:
        if self._released.is_set():
            return 0.0
        if self._flying >= int(self._window):
            return inf  # until a call is over
        now = monotonic()
        return max(self._paused_until - now, *(bucket.wait(cost, now) for bucket, cost in self._costs(tokens)))

    def _costs(self, tokens: int) -> tuple[tuple[Bucket, int], ...]:
        requests, all_tokens = self._buckets
        return (requests, 1), (all_tokens, tokens)


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
