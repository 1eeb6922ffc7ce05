"""What the steps of EureQA hand on: a chain, its words, and its questions by depth."""

from dataclasses import dataclass

from builders.eureqa.seeds import Seed
from builders.eureqa.walk import Chain
from builders.eureqa.write import Told


@dataclass(frozen=True)
class Draft:
    """A complete chain in the making; later steps fill later fields. `questions` has one for each depth, from 1."""

    seed: Seed
    walk: int
    chain: Chain[int, int]
    told: Told | None = None
    questions: tuple[str, ...] = ()

    def words(self) -> Told:
        """Return the words, which an earlier step must have made."""
        assert self.told is not None, "the step `statements` comes before"
        return self.told
