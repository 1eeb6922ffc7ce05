"""Fixtures that every folder of tests shares."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hub_server import HubServer

    from builders.genadv.draft import Draft
    from builders.steps import Result
    from loaders.records import Question

# One thread per model: tests may run side by side, and spinning threads cost far more than they bring.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# So that tests of every folder can import what stands beside this file.
sys.path.insert(0, str(Path(__file__).parent))

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return the path of a real data file, or skip where the checkout has none."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"needs the real data file {name}, which is not beside this checkout")
        return path

    return find


def _question(number: int, documents: int) -> "Question":
    from loaders.records import Document, Question

    place, river = f"Town{number}", f"River{number}"
    gold = "" if number == 2 else f"{river} flows through {place}."
    texts = [gold or f"{river} is long.", f"{river} is cold.", "An “odd” text:\n\t№ 5, 20 °C.", "Ice.", "Mud.", "Reed."]
    found = tuple(
        Document(f"d{number}-{i}", river if i else "", text, score=2.0 / i if i else None, rank=i + 1)
        for i, text in enumerate(texts[:documents])
    )
    answers = () if number == 5 else (place, f"{place} City")
    return Question(f"q{number}", f"s{number}", f"where does {river} flow", answers, found)


def _decide(draft: "Draft") -> "Result[Draft]":
    """Keep random always, topk where rank 6 is there, adversarial but for q1, conflict where answerable."""
    from dataclasses import replace

    from builders.genadv.others import take_next_ranked
    from builders.steps import Passed
    from loaders.genadv import Replacement
    from loaders.records import Reason

    number = draft.case.id[1:]
    if draft.condition == "topk":
        return take_next_ranked(draft)
    if draft.condition == "adversarial" and number == "1":
        return Reason("not_a_decoy", "0.100 < 0.200")
    if draft.condition == "conflict" and not draft.case.answerable:
        return Reason("unanswerable", "no document holds an answer")
    town = Replacement(f"Town{number}", "GPE", 0, 5, f"Port{number}", 0.5)
    texts = {"conflict": f"River{number} flows through Port{number}.", "random": "Other rivers are dry."}
    text = texts.get(draft.condition, f"Brook{number} flows through Port{number}.")
    return Passed(replace(draft, passage=text, replacements=(town,), sources=draft.case.documents[:1]), "0.900")


@pytest.fixture(scope="session")
def _small_artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from types import SimpleNamespace

    from builders.genadv.assemble import assemble
    from builders.genadv.draft import Draft, candidate
    from builders.genadv.part import Settings, build_part
    from builders.genadv.recipe import GenADVRecipe
    from builders.genadv.tools import Identities
    from builders.steps import Step, Trail, each, run_steps
    from loaders.records import Provenance

    def make(cases: Sequence[Any], *_: Any) -> list[Any]:
        names = ("adversarial", "conflict", "random", "topk")
        drafts = [Trail(Draft(case, name)) for case in cases for name in names]
        trails = run_steps(drafts, [Step("decide", each(_decide))])
        return [candidate(t.draft, t.verdicts, t.status, t.reason, "rules") for t in trails]

    folder = tmp_path_factory.mktemp("small")
    tools = SimpleNamespace(identities=Identities("ner 1", "minilm 1", "minilm 1", "pool 1"))
    settings = Settings(GenADVRecipe(), 7, None, tools)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builders.genadv.part.make_candidates", make)
        parts = [
            build_part(
                [_question(number, documents) for number in range(6)],
                Provenance(name, name, "ab" * 32, 6, "MIT"),
                settings,
                folder / "parts",
                lambda count, found: None,
            )
            for name, documents in (("nq", 6), ("popqa", 5))
        ]
    assemble(folder / "artifact", "1.2.3", settings, parts, {"seconds": 0.0})
    return folder / "artifact"


@pytest.fixture
def small_artifact(_small_artifact: Path, tmp_path: Path) -> Path:
    """Return a copy of an artifact made without a model.

    Configs `nq` (five splits) and `popqa` (no sixth document, hence no `topk`); of questions q0 to q5 q2 is
    unanswerable and q5 has no answers; q1 has no adversarial document.
    """
    return Path(shutil.copytree(_small_artifact, tmp_path / "artifact"))


@pytest.fixture
def hub(tmp_path: Path) -> "Iterator[HubServer]":
    """Run an empty Hub on 127.0.0.1; whoever loads from it is a process with `hub.environment(home)`."""
    from hub_server import HubServer

    with HubServer(tmp_path / "hub") as server:
        yield server
