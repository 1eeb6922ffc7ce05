"""Open GenADV's writer and checker."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builders.engines import Engines, Open, Told, open_roles
from builders.genadv.voices import Voices
from builders.voices import CHECKING, Sampling
from eval.models.engine import open_engine


@contextmanager
def open_voices(engines: Engines, store: Path, seed: int, told: Told, opener: Open = open_engine) -> Iterator[Voices]:
    """Open writer and checker; raises DecoyQAError as `open_roles` does."""
    roles = {"writer": (engines.writer, Sampling()), "checker": (engines.checker, CHECKING)}
    with open_roles(roles, engines, store, seed, told, opener) as voices:
        yield Voices(voices.get("writer"), voices.get("checker"), engines.checker_gates)
