"""EureQA's models: who tells chains (section 2.2), who is asked what it knows (2.3), who names seeds (2.1)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.engines import Engines, Open, Told, open_roles
from builders.voices import CHECKING, RULES, Sampling, Voice, Voices, prompt_hashes
from eval.models.engine import open_engine

PROMPTS = Path(__file__).parent / "prompts"
VERBALISE, KIND, KNOWS, SEEDS = (
    PROMPTS / f"{name}.txt" for name in ("verbalise_triple", "name_kind", "knows_statement", "name_seeds")
)
# Ours, since the paper gives none for the writing: a triple has one plain wording. A reply that is cut is of no use.
TELLING = Sampling(temperature=0.0, max_tokens=128)
NAMING_SEEDS = Sampling(temperature=0.0, max_tokens=2048)
MODEL = "model"


@dataclass(frozen=True)
class ChainEngines(Engines):
    """Who writes, checks and names seeds; `hypernyms` is `model`, `rules`, or None: the model where one writes."""

    hypernyms: str | None = None
    seeds_model: str = ""

    @property
    def asks_kinds(self) -> bool:
        """Whether a model is asked what an entity of no telling class is."""
        return self.writer != RULES and self.hypernyms != RULES


@dataclass(frozen=True)
class ChainVoices(Voices):
    """Who tells, who checks, and who named the seeds; `kinds` says whether the writer is asked for hypernyms too."""

    seeder: Voice | None = None
    kinds: bool = False

    def roles(self) -> dict[str, Voice]:
        """Return who is asked, by role."""
        return super().roles() | ({"seeds_model": self.seeder} if self.seeder else {})

    def facts(self) -> dict[str, Any]:
        """Return what recipe hash and manifest say of them."""
        return super().facts() | {"hypernyms": MODEL if self.kinds else RULES, "prompts": self.prompt_hashes()}

    def prompt_hashes(self) -> dict[str, str]:
        """Return the sha256 of every prompt that is asked."""
        asked = (
            (VERBALISE, self.writer),
            (KIND, self.writer and self.kinds),
            (KNOWS, self.checker),
            (SEEDS, self.seeder),
        )
        return prompt_hashes(PROMPTS, [prompt.stem for prompt, voice in asked if voice])


@contextmanager
def open_voices(
    engines: ChainEngines, store: Path, seed: int, told: Told, opener: Open = open_engine
) -> Iterator[ChainVoices]:
    """Open all models; raises DecoyQAError as `open_roles` does."""
    roles = {
        "writer": (engines.writer, TELLING),
        "checker": (engines.checker, CHECKING),
        "seeds_model": (engines.seeds_model, NAMING_SEEDS),
    }
    with open_roles(roles, engines, store, seed, told, opener) as found:
        yield ChainVoices(
            found.get("writer"),
            found.get("checker"),
            engines.checker_gates,
            found.get("seeds_model"),
            engines.asks_kinds,
        )
