"""Models for whole builds of REALHOP: a planner that replies what the rules plan, a checker without objections."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from model_world import Spoken
from realhop_planner import CHECKER, PLANNER, Proposal, constant, hop
from realhop_small import SAMPLE, options, pipeline

from builders.engines import Engines
from builders.entities import EMBEDDED_PIPELINE
from builders.progress import Silent
from builders.realhop.build import build
from builders.realhop.graph import Plan
from builders.realhop.plan import plan_item
from builders.sources.musique import read_musique
from eval.models.engine import Request
from loaders.artifact import read_rows
from loaders.manifest import read_manifest
from loaders.realhop import RealHopCandidate, RealHopRow

WRITES, CHECKS, GATES = Engines(PLANNER), Engines(PLANNER, CHECKER), Engines(PLANNER, CHECKER, checker_gates=True)
Say = Callable[[str], Any]


class Listener(Spoken):
    """An engine whose replies are chosen by all that was said, of which a repair turn is only the last part."""

    def heard(self, request: Request) -> str:
        """Return the whole conversation."""
        return "\n".join(message.content for message in request.messages)


@cache
def planned(question: str) -> Proposal:
    """Return what the rules plan of an item of the sample, as a proposal."""
    item = next(item for item in read_musique(SAMPLE) if item.question == question)
    plan = plan_item(item, 0, pipeline(EMBEDDED_PIPELINE))
    assert isinstance(plan, Plan), plan
    return proposal(plan)


def proposal(plan: Plan) -> Proposal:
    """Return a plan as a planner tells it: without names."""
    kinds = {entity.key: entity.kind for entity in plan.entities}
    question = plan.question
    constants = [entity for entity in plan.entities if entity.key.startswith("c")]
    for entity in constants:
        question = question.replace(entity.name, f"{{{entity.key}}}")
    return {
        "constants": [constant(entity.key, entity.original, entity.kind) for entity in constants],
        "hops": [
            hop(int(one.hop_id), [*map(int, one.depends_on)], one.pattern, kinds[one.answer_key], 1 + one.hardened)
            for one in plan.hops
        ],
        "question": question,
    }


def asked_question(heard: str) -> str:
    """Return the question that a planner is asked to plan, behind the example's."""
    return heard.split("Now the same for\nQuestion: ")[1].partition("\n")[0]


def plans_well(heard: str) -> str:
    """Reply as a right model would."""
    return json.dumps(planned(asked_question(heard)))


def opinion(verdict: str) -> str:
    """Return a checker's reply."""
    return json.dumps({"quote": "these words", "verdict": verdict})


def content(heard: str) -> str:
    """Reply as a checker that finds no fault."""
    return opinion("yes" if "lead to the answer above" in heard else "no")


class Built:
    """A finished build: its folder, what each engine was asked, and what the files say."""

    def __init__(self, folder: Path, engines: Mapping[str, Listener]) -> None:
        self.folder, self.manifest = folder, read_manifest(folder)
        self.asked = {name: engine.asked for name, engine in engines.items()}
        (self.config,) = self.manifest["configs"]

    def rows(self, split: str = "full") -> list[RealHopRow]:
        """Return the rows of a split."""
        return read_rows(self.folder, "musique", split, RealHopRow)

    @property
    def items(self) -> dict[str, RealHopCandidate]:
        """Return what became of each item, by id."""
        return {one.id: one for one in read_rows(self.folder, "musique_construction", "items", RealHopCandidate)}

    @property
    def outcomes(self) -> dict[str, str]:
        """Return the reason of each item, or its status where it has none."""
        return {id: one.reason or one.status for id, one in self.items.items()}


def build_with(
    path: Path, home: Path, planner: Say = plans_well, checker: Say = content, engines: Engines = CHECKS, **given: Any
) -> Built:
    """Build in `home` with models that speak so, without pictures."""
    opened: dict[str, Listener] = {}

    def opener(name: str, _: object) -> Listener:
        opened[name] = Listener(planner if name == PLANNER else checker, name)
        return opened[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cards.pages.draw_figures", lambda *_: None)
        return Built(build(options(path, home, engines=engines, **given), Silent(), opener=opener), opened)
