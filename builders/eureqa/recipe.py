"""EureQA as a list of steps that can be held against the paper, with every setting and its section."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builders.eureqa.check import NameBook, few_relations, name_left, name_shown
from builders.eureqa.draft import Draft
from builders.eureqa.kinds import Kinds
from builders.eureqa.rows import chain_id, chain_of
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Rules, WalkSettings
from builders.steps import Passed, Result, Step, Trail, each, run_steps
from loaders.records import Reason


@dataclass(frozen=True)
class EureQARecipe:
    """Settings; the paper's where it gives them, ours where it is silent."""

    layers: int = 5  # N_max, section 2.1
    walks_per_seed: int = 50  # section 2.1
    chains_per_seed: int = 1  # ours: no entity is the answer twice
    seeds: int = 3000  # ours: the most linked entities of a known class, where no file names others
    max_links: int = 10_000  # ours: an entity with more is no seed
    hard_chains: int = 1363  # Table 1, depth 5
    easy_chains: int = 428  # Table 1
    shallow_chains: int = 300  # Table 1, depths 1 to 4 of the hard set
    tries: int = 50  # ours: facts drawn per layer before a walk is given up
    max_group: int = 10_000  # ours: no draw from more neighbours than that
    min_relations: int = 4  # ours: different relations in a chain with its facts
    strict: bool = False  # ours: the next layer is really needed
    candidates: int = 20  # section 5.5
    seeds_per_category: int = 50  # ours, where a model names them
    version: int = 1  # raised when the same settings would give other items

    def walk(self, *, hard: bool) -> WalkSettings:
        """Return the criteria of one config."""
        return WalkSettings(self.layers, hard, self.strict and hard, self.tries, self.max_group)

    def chains(self, config: str) -> int:
        """Return how many chains a config is to have."""
        return self.hard_chains if config == "hard" else self.easy_chains


def chain_steps(
    config: str,
    recipe: EureQARecipe,
    rules: Rules[int, int],
    snapshot: Snapshot,
    book: NameBook,
    withdrawn: Mapping[str, str],
) -> list[Step[Draft]]:
    """Gates on a complete chain before anything is written: duplicates (section 2.1), and ours.

    `withdrawn` has the reasons by id of items that are left out, each with its whole chain: the seed walks on.
    """
    seen: set[str] = set()
    kinds = Kinds(snapshot)
    gone = {chain_of(id): reason for id, reason in withdrawn.items()}

    def first_of_its_kind(draft: Draft) -> Result[Draft]:
        name = chain_id(config, draft.chain, snapshot)
        if name in seen:
            return Reason("duplicate_chain", name)
        seen.add(name)
        return Passed(draft, name)

    def not_withdrawn(draft: Draft) -> Reason | None:
        name = chain_id(config, draft.chain, snapshot)
        return Reason("withdrawn", gone[name]) if name in gone else None

    return [
        Step("duplicate", each(first_of_its_kind)),
        Step("errata", each(gate(not_withdrawn))),
        Step("relations", each(gate(lambda draft: few_relations(draft.chain, rules.family, recipe.min_relations)))),
        Step("plausible", each(gate(lambda draft: kinds.implausible_edge(draft.chain)))),
        Step("names", each(gate(lambda draft: name_shown(draft.chain, book)))),
    ]


def gate(find: Any) -> Any:
    """Make a deciding function of one that finds a reason to drop a draft."""

    def decide(draft: Draft) -> Result[Draft]:
        return find(draft) or Passed(draft)

    return decide


def written_steps(book: NameBook) -> list[Step[Draft]]:
    """Gates on the written questions, at every depth."""
    return [Step("mask", each(gate(lambda draft: name_left(draft, book))))]


def take(trails: Sequence[Trail[Draft]], wanted: int, steps: Sequence[Step[Draft]]) -> list[Trail[Draft]]:
    """Take the first chains through the steps, up to the target of the config (Table 1); the rest is `over_target`.

    A chain that a step rejects gives its place to the next one; one that is pending keeps it.
    """
    trails = list(trails)
    waiting = deque(place for place, trail in enumerate(trails) if trail.status == "kept")
    taken = 0
    while waiting and taken < wanted:
        places = [waiting.popleft() for _ in range(min(wanted - taken, len(waiting)))]
        told = run_steps([trails[place] for place in places], [Step("target", each(Passed)), *steps])
        for place, trail in zip(places, told, strict=True):
            trails[place] = trail
            taken += trail.status != "rejected"
    late = Step[Draft]("target", each(lambda draft: Reason("over_target", f"{wanted} are wanted")))
    for place in waiting:
        trails[place] = run_steps([trails[place]], [late])[0]
    return trails
