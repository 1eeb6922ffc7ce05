"""Work in a child process that is killed: what a power cut leaves of it, and of a build with models."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Self

from eval.models.engine import Engine, Failure, Reply, Request
from eval.models.store import RequestStore
from loaders.draw import generator

ASKED = "asked"  # the file in a home that names what was asked there, a key a line


def forked(work: Callable[[], object], seconds: float | None = None) -> int:
    """Run work in a child, kill it after so many seconds, and return its exit code."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Logged:
    """An engine that notes on disk what it is asked, before it answers; each call takes so many seconds longer."""

    def __init__(self, engine: Engine, home: Path, seconds: float = 0.0) -> None:
        self._engine, self._log, self._seconds = engine, home / ASKED, seconds
        self.identity, self.runtime = engine.identity, engine.runtime

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Answer as the engine does."""
        return self._engine.ask(map(self._noted, requests))

    def _noted(self, request: Request) -> Request:
        with self._log.open("a") as log:
            log.write(f"{request.key}\n")
        time.sleep(self._seconds)
        return request

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def asked(home: Path) -> list[str]:
    """Return the keys of all requests that logged engines heard in a home."""
    return (home / ASKED).read_text().split()


def killed_builds(run: Callable[[Path], object], folder: Path, kills: int) -> tuple[Path, Path]:
    """Build once in peace and once with kills in between, and return both homes.

    `run` builds in a home by `Logged` engines with one call in flight, and keeps replies in its `requests`. Nothing
    that was stored may be asked again, so that a kill costs the call in flight at most.
    """
    whole, home = folder / "whole", folder / "killed"
    for one in (whole, home):
        one.mkdir()
        (one / ASKED).touch()
    started = time.monotonic()
    assert forked(lambda: run(whole)) == 0
    length = time.monotonic() - started
    draw, codes, in_flight = generator(kills, "kills", "seconds"), list[int](), 0
    for kill in range(kills + 1):
        before, heard = _stored(whole, home), len(asked(home))
        codes.append(forked(lambda: run(home), draw.uniform(0, length / 2) if kill < kills else None))
        assert before.isdisjoint(asked(home)[heard:])
        in_flight += len(asked(home)) - heard - (len(_stored(whole, home)) - len(before))
    assert -signal.SIGKILL in codes
    assert codes[-1] == 0
    assert 0 <= in_flight <= kills
    assert len(asked(home)) == len(asked(whole)) + in_flight
    assert set(asked(home)) == set(asked(whole))
    return whole, home


def _stored(whole: Path, home: Path) -> set[str]:
    """Return those of the requests of one home whose replies are stored in another."""
    store = RequestStore(home / "requests")
    return {key for key in asked(whole) if key in store}
