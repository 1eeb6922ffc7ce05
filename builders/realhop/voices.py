"""REALHOP's models: who plans (I.1), who checks what was written (I.3, J.1), and the prompts that they are asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders.engines import Engines, Open, Told, open_roles
from builders.voices import CHECKING, Sampling, prompt_hashes
from builders.voices import Voices as AnyVoices
from eval.models.engine import open_engine

PROMPTS = Path(__file__).parent / "prompts"
PLAN, GOLD, COMPETITOR, REFERENCES = (
    PROMPTS / f"{name}.txt"
    for name in ("plan", "checker_gold_supports", "checker_competitor_entails", "checker_unclear_reference")
)
CHECKING_PROMPTS = (GOLD, COMPETITOR, REFERENCES)
# Ours, the paper gives none: a question has one structure. A plan of four hops takes about 400 tokens.
PLANNING = Sampling(temperature=0.0, max_tokens=1024)


class Voices(AnyVoices):
    """Who plans and who checks, with their prompts."""

    def facts(self) -> dict[str, Any]:
        """Return what recipe hash and manifest say of them."""
        return super().facts() | {"prompts": self.prompt_hashes()}

    def prompt_hashes(self) -> dict[str, str]:
        """Return the sha256 of every prompt that is asked."""
        asked = (*((PLAN,) if self.writer else ()), *(CHECKING_PROMPTS if self.checker else ()))
        return prompt_hashes(PROMPTS, [prompt.stem for prompt in asked])


@contextmanager
def open_voices(engines: Engines, store: Path, seed: int, told: Told, opener: Open = open_engine) -> Iterator[Voices]:
    """Open planner and checker; raises DecoyQAError as `open_roles` does.

    The planner samples with seed 0 whatever the build's: another build seed gives other names and the same plans.
    """
    roles = {"writer": (engines.writer, PLANNING), "checker": (engines.checker, CHECKING)}
    with open_roles(roles, engines, store, seed, told, opener) as found:
        planner = found.get("writer")
        yield Voices(planner and replace(planner, seed=0), found.get("checker"), engines.checker_gates)
