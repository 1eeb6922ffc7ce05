"""A writer that lies in every way the gates name: each lie is rejected with a reason of its own and can be read."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from model_world import CHECKER, WRITER, Say, Spoken, asked_triple, good, options, tell, write_world

from builders.eureqa.build import find_chains, telling_steps
from builders.eureqa.draft import Draft
from builders.eureqa.material import Material, read_material
from builders.eureqa.model_nouns import entities_of
from builders.eureqa.model_write import statements_of, triple_values
from builders.eureqa.voices import TELLING, ChainEngines, ChainVoices
from builders.steps import Trail, run_steps
from builders.voices import Hearer, Voice
from eval.models.ledger import Ledger
from eval.models.store import RequestStore

TripleSay = Callable[[str, str, str], str | list[str] | None]


@pytest.fixture(scope="session")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    folder = tmp_path_factory.mktemp("world")
    return read_material(options(write_world(folder), folder, ChainEngines()), lambda line: None)


@pytest.fixture(scope="session")
def draft(material: Material) -> Draft:
    """The first hard chain."""
    given = options((Path(), Path()), Path(), ChainEngines())
    trails = find_chains("hard", material, given, lambda line: None).trails
    return next(trail.draft for trail in trails if trail.status == "kept")


@pytest.fixture
def told(material: Material, draft: Draft, tmp_path: Path) -> Callable[..., Trail[Draft]]:
    """Take the chain through all steps of telling, with a writer and a checker that speak as told, nothing stored."""
    numbers = count()

    def run(say: Say = good, *, gates: bool = False, kinds: bool = False, check: Say | None = None) -> Trail[Draft]:
        def voice(name: str, say: Say) -> Voice:
            store = RequestStore(tmp_path / str(next(numbers)))
            return Voice(Hearer(Spoken(say, name), store, Ledger(), lambda *_: None), TELLING, 0)

        voices = ChainVoices(voice(WRITER, say), voice(CHECKER, check) if check else None, gates, None, kinds)
        return run_steps([Trail(draft)], telling_steps(material, voices, 5))[0]

    return run


def lying(lie: TripleSay, prompt: str) -> str | list[str] | None:
    triple = asked_triple(prompt)
    return lie(*triple) if triple else good(prompt)


def surname(name: str) -> str:
    return name.split()[-1]


LIES: list[tuple[TripleSay, str]] = [
    (lambda s, r, o: "", "empty_reply"),
    (lambda s, r, o: "<think>Well ...", "empty_reply"),
    (lambda s, r, o: [f"{s} was directed"], "reply_cut"),
    (lambda s, r, o: "I'm sorry, but I can't write about real people.", "refusal"),
    (lambda s, r, o: f"{tell(s, r, o)}\n\nTriple: (Heat, director, Michael Mann)\nSentence: Mann directed it.",
     "prompt_echo"),
    (lambda s, r, o: f"({s}, {r}, {o})", "prompt_echo"),
    (lambda s, r, o: f"Sure! Here is a sentence: {tell(s, r, o)}", "model_talk"),
    (lambda s, r, o: f"- {tell(s, r, o)}", "markup"),
    (lambda s, r, o: f"{tell(s, r, o)} It was a success.", "not_one_sentence"),
    (lambda s, r, o: f"Is it true that {tell(s, r, o)[:-1]}?", "not_one_sentence"),
    (lambda s, r, o: f"She has the {r} {o}.", "name_missing"),
    (lambda s, r, o: f"{s} has the {r} that all know.", "name_missing"),
    (lambda s, r, o: f"{tell(s, r, o)[:-1]}, and {s.replace(' ', '').replace('(film)', '').lower()} it was.",
     "mask_trace"),
    (lambda s, r, o: f"{tell(s, r, o)[:-1]}, with Robert Redford.", "statement_adds_names"),
    (lambda s, r, o: f"{tell(s, r, o)[:-1]} in 1984.", "statement_adds_names"),
    (lambda s, r, o: f"{tell(s, r, o)[:-1]}, an American.", "statement_adds_names"),
]  # fmt: skip


@pytest.mark.parametrize(("lie", "reason"), LIES, ids=[f"{i}-{reason}" for i, (_, reason) in enumerate(LIES)])
def test_a_lie_is_rejected_by_name(told: Callable[..., Trail[Draft]], lie: TripleSay, reason: str) -> None:
    trail = told(lambda prompt: lying(lie, prompt))
    assert trail.reason is not None, trail.draft.told
    assert trail.reason.code == reason
    assert trail.reason.detail.startswith("relation 1: ")
    assert trail.verdicts[-1].gate == "statements"
    # What was written is there to be read, the first sentence too.
    assert trail.draft.told is not None
    assert len(trail.draft.told.relations) == 5


def test_a_surname_alone_is_a_trace(told: Callable[..., Trail[Draft]], draft: Draft, material: Material) -> None:
    seed = material.snapshot.labels[draft.chain[0].entity]
    assert " " in seed  # a person

    def lie(subject: str, relation: str, object: str) -> str:
        return f"{tell(subject, relation, object)[:-1]}, as {surname(seed)}'s friends say."

    trail = told(lambda prompt: lying(lie, prompt))
    assert trail.reason is not None
    assert (trail.reason.code, surname(seed).lower() in trail.reason.detail) == ("mask_trace", True)


def test_a_good_writer_is_believed(told: Callable[..., Trail[Draft]], draft: Draft, material: Material) -> None:
    trail = told()
    assert trail.status == "kept"
    words = trail.draft.words()
    labels = [material.snapshot.labels[layer.entity] for layer in draft.chain]
    question = trail.draft.questions[-1]
    assert question.startswith(f"Who is {words.placeholders[0]}? ")
    assert not [label for label in labels if label.removesuffix(" (film)") in question]
    for layer, fact in zip(draft.chain, words.facts, strict=True):
        assert material.snapshot.labels[layer.fact.other] in fact
    for number, relation in enumerate(words.relations):
        assert all(name in relation for name in words.placeholders[number : number + 2])
    assert trail.draft.named[0] == tell(*_triple(draft, material))


def _triple(draft: Draft, material: Material) -> tuple[str, str, str]:
    first = triple_values(statements_of(draft.chain), material.snapshot)[0]
    return first["subject"], first["relation"], first["object"]


def test_a_failed_call_is_pending_and_no_reason(told: Callable[..., Trail[Draft]]) -> None:
    trail = told(lambda prompt: None)
    assert (trail.status, trail.reason, trail.draft.told) == ("pending", None, None)
    assert trail.verdicts[-1].evidence.startswith("no reply to request ")


def test_nouns_of_use_are_the_models_all_else_the_rules_and_counted(
    told: Callable[..., Trail[Draft]], draft: Draft, material: Material
) -> None:
    snapshot = material.snapshot
    wide = [snapshot.class_of(entity) == "Person" for entity in entities_of(draft)]
    assert 0 < sum(wide) < 6  # `Person` is too wide a class
    assert [noun.source for noun in told().draft.nouns] == ["rules" if one else "class" for one in wide]
    asked = told(kinds=True).draft.nouns
    assert [noun.source for noun in asked] == ["model" if one else "class" for one in wide]
    assert {noun.word for noun in asked if noun.source == "model"} == {"stuntman"}
    bad = told(lambda prompt: "a Very Famous Man" if prompt.endswith("Kind:") else good(prompt), kinds=True)
    assert [noun.source for noun in bad.draft.nouns] == ["not_a_noun" if one else "class" for one in wide]
    assert [noun.word for noun in bad.draft.nouns] == [noun.word for noun in told().draft.nouns]
    down = told(lambda prompt: None if prompt.endswith("Kind:") else good(prompt), kinds=True)
    assert (down.status, down.verdicts[-1].gate) == ("pending", "hypernyms")


CHECKS: list[tuple[str | None, str, str, str]] = [
    ("Yes", "kept", "", "yes"),
    ("No", "rejected", "unknown_fact", "no"),
    ("Perhaps.", "rejected", "checker_unjudged", "unjudged"),
    (None, "pending", "", ""),
]


@pytest.mark.parametrize(("said", "status", "reason", "verdict"), CHECKS)
def test_the_knowledge_filter_records_and_gates(
    told: Callable[..., Trail[Draft]], said: str | None, status: str, reason: str, verdict: str
) -> None:
    def check(prompt: str) -> Any:
        # One statement of ten is doubtful.
        return said if " was born in " in prompt or " married " in prompt else "Yes"

    gated = told(check=check, gates=True)
    assert (gated.status, gated.reason.code if gated.reason else "") == (status, reason)
    recorded = told(check=check)
    assert recorded.status == ("pending" if said is None else "kept")
    noted = {v.gate: v.verdict for v in recorded.verdicts if v.gate.startswith("knows ")}
    if said is not None:
        assert list(noted) == [f"knows {kind} {n}" for n in range(1, 6) for kind in ("relation", "fact")]
        doubtful = [" was born in " in text or " married " in text for text in recorded.draft.named]
        assert 0 < sum(doubtful) < 10
        assert list(noted.values()) == [verdict if doubt else "yes" for doubt in doubtful]
