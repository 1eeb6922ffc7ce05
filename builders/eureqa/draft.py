"""What the steps of EureQA hand on: a chain, its words, and its questions by depth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from builders.eureqa.seeds import Seed
from builders.eureqa.walk import Chain
from builders.eureqa.write import Told


class Noun(NamedTuple):
    """What an entity is called, and where that is from: `class`, `rules`, `model`, or why the model's was of no use."""

    word: str
    source: str


@dataclass(frozen=True)
class Draft:
    """A complete chain in the making; later steps fill later fields. `questions` has one for each depth, from 1.

    `nouns` are those of all entities, the last closing line's too; `named` are the statements with the real names, in
    the order of the question; `opinions` hold a request's key and what the checker said, by statement.
    """

    seed: Seed
    walk: int
    chain: Chain[int, int]
    nouns: tuple[Noun, ...] = ()
    named: tuple[str, ...] = ()
    told: Told | None = None
    questions: tuple[str, ...] = ()
    opinions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def words(self) -> Told:
        """Return the words, which an earlier step must have made."""
        assert self.told is not None, "the step `statements` comes before"
        return self.told
