"""What a planner says that is not so goes back to it; if it stays, the item is rejected by the fault's name."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from model_world import Spoken
from realhop_planner import CHAIN, HONEST, JOIN, PLANNER, SONG, Proposal, constant, honest, hop, lying, voice

from builders.realhop import plan_patterns
from builders.realhop.model_plan import plan_items
from builders.realhop.relations import NearMiss
from builders.steps import Dropped, Passed
from loaders.records import Item, Passage, Reason

ITEMS = {one.id: one for one in (CHAIN, SONG, JOIN)}


class Lie(NamedTuple):
    """What is said of an item in place of the honest proposal, and the fault's name."""

    reason: str
    item: str
    reply: Any


def changed(reason: str, item: str, change: Callable[[Proposal], Any]) -> Lie:
    return Lie(reason, item, lying(item, change))


def sentence(reason: str, item: str, number: int, text: str) -> Lie:
    return changed(reason, item, lambda p: p["hops"][number - 1].update(sentence=text))


def question(reason: str, item: str, text: str) -> Lie:
    return changed(reason, item, lambda p: p.update(question=text))


WHOLE = lying("chain", lambda proposal: None)
LIES = [
    # No proposal at all.
    Lie("malformed_plan", "chain", "The plan is simple: exchange the names."),
    Lie("malformed_plan", "chain", WHOLE[:-40]),
    Lie("malformed_plan", "chain", [WHOLE]),
    Lie("malformed_plan", "chain", ""),
    Lie("malformed_plan", "chain", f"<think>{WHOLE}"),
    changed("malformed_plan", "chain", lambda p: p.pop("hops")),
    changed("malformed_plan", "chain", lambda p: p.update(note="done")),
    changed("malformed_plan", "chain", lambda p: p["constants"][0].update(kind="novel")),
    changed("malformed_plan", "chain", lambda p: p["hops"][0].update(units=3)),
    changed("malformed_plan", "chain", lambda p: p["hops"][0].update(hop="1")),
    changed("too_many_entities", "chain",
            lambda p: p.update(constants=[constant(f"c{k}", "Night Ferry", "number") for k in range(1, 400)])),
    changed("hop_added", "chain", lambda p: p["hops"].append(hop(9, [3], "{h3} is {h9}.", "number", 2))),
    changed("question_changed", "chain", lambda p: p["constants"][0].update(text="", kind="number")),
    changed("question_changed", "chain", lambda p: p["constants"][0].update(text="9" * 5000, kind="number")),
    # The registry.
    changed("duplicate_key", "song", lambda p: p["constants"][2].update(key="c1")),
    changed("duplicate_key", "chain", lambda p: p["constants"].append(constant("h1", "Ann Lee", "person"))),
    changed("bad_key", "chain", lambda p: p["constants"][0].update(key="book")),
    changed("entity_without_hop", "chain", lambda p: p["constants"].append(constant("h7", "Night", "work"))),
    changed("constant_unused", "chain", lambda p: p["constants"].append(constant("c2", "born", "event"))),
    changed("same_original", "song", lambda p: (
        p["constants"].append(constant("c4", "Tide", "work")),
        p["hops"][0].update(sentence="{h1} performed {c1} in the {c2} film {c3} with {c4}."))),
    # The graph.
    changed("hop_dropped", "chain", lambda p: p["hops"].pop(1)),
    changed("hop_dropped", "chain", lambda p: p.update(hops=[])),
    changed("hop_added", "chain", lambda p: p["hops"].append(hop(4, [3], "{h3} is the capital of {h4}.", "place", 2))),
    changed("hops_reordered", "chain", lambda p: p["hops"].reverse()),
    changed("dependency_changed", "chain", lambda p: p["hops"][2].update(depends_on=[1])),
    changed("dependency_changed", "join", lambda p: p["hops"][2].update(depends_on=[2])),
    changed("dependency_cycle", "chain", lambda p: p["hops"][0].update(depends_on=[3])),
    changed("dependency_cycle", "chain", lambda p: p["hops"][1].update(depends_on=[2])),
    changed("hardening_missing", "chain", lambda p: [one.update(units=1) for one in p["hops"]]),
    changed("hardening_missing", "join", lambda p: p["hops"][1].update(units=1)),
    changed("last_hop_not_hardened", "chain", lambda p: (p["hops"][1].update(units=2), p["hops"][2].update(units=1))),
    # What patterns are over.
    sentence("unknown_key", "chain", 1, "{h1} wrote {c7}."),
    sentence("answer_not_in_pattern", "chain", 3, "{h2} was born in {c1}."),
    sentence("dependency_not_in_pattern", "chain", 2, "The father of {c1} is {h2}."),
    sentence("dependency_not_in_pattern", "join", 3, "{h3} is the spouse of {h2}."),
    sentence("answer_of_another_hop", "chain", 3, "{h2} was born in {h3} with {h1}."),
    sentence("key_repeated", "chain", 2, "The father of {h1} is {h2} of {h1}."),
    # Kinds.
    changed("kind_changed", "chain", lambda p: p["hops"][2].update(answer_kind="year")),
    changed("kind_changed", "song", lambda p: p["constants"][1].update(kind="work")),
    # The question.
    question("answer_in_question", "chain", "Where was the father of Ann Lee the author of {c1} born?"),
    question("answer_in_question", "chain", "Where was {h2} the father of the author of {c1} born?"),
    question("answer_in_question", "chain", "Where in Leeds was the father of the author of {c1} born?"),
    question("constant_not_rebound", "chain", "Where was the father of the author of Night Ferry born?"),
    question("constant_not_rebound", "song", "Who is the spouse of the performer of {c1} in the 1984 film {c3}?"),
    changed("constant_not_rebound", "song", lambda p: (
        p["constants"].pop(1),
        p["hops"][0].update(sentence="{h1} performed {c1} in the film {c3}."),
        p.update(question="Who is the spouse of the performer of {c1} in the 1984 film {c3}?"))),
    changed("constant_not_rebound", "join", lambda p: (
        p["constants"].pop(2),
        p["hops"][1].update(sentence="{h2} performed {c2} with {h1}."),
        p.update(question="Who is the spouse of the person who wrote {c1} and performed {c2} with Carl Dunn?"))),
    question("constant_not_in_question", "song", "Who is the spouse of the performer of {c1} in the film {c3}?"),
    question("question_changed", "chain", "Where was the mother of the author of {c1} born?"),
    question("question_changed", "chain", "Where was {c1}?"),
    changed("question_changed", "chain", lambda p: p["constants"][0].update(text="Ferry")),
    question("unknown_key", "chain", "Where was the father of the author of {c1} born in {c5}?"),
    question("unknown_key", "chain", "Where was the father of the author of {c1.__class__} born?"),
    # The sentences.
    sentence("not_controlled", "chain", 1, "{h1} wrote {c1} in Leeds."),
    sentence("not_controlled", "chain", 1, "{h1} wrote {c1} in 1951."),
    sentence("not_controlled", "chain", 1, "{h1} wrote {c1}"),
    sentence("not_controlled", "chain", 1, "{h1} wrote {c1}. it sold well."),
    sentence("not_controlled", "chain", 1, "{h1} wrote {c1.name} {c1}."),
    sentence("not_controlled", "chain", 1, "{h1} wrote the \"book\" {c1}."),
    sentence("unread_pattern", "chain", 3, "{h2} snorgled {h3}."),
    sentence("unread_pattern", "chain", 3, "{h2} {h3}."),
    sentence("unread_pattern", "chain", 3, "{h2}, a man, was born in {h3}."),
    sentence("relation_changed", "chain", 1, "{h1} illustrated {c1}."),
    sentence("relation_changed", "chain", 2, "The sibling of {h1} is {h2}."),
    sentence("relation_changed", "song", 1, "{h1} produced {c1} in the {c2} film {c3}."),
    sentence("relation_changed", "chain", 3, "{h2} studied in {h3}."),
    sentence("arguments_swapped", "chain", 1, "{c1} wrote {h1}."),
    sentence("arguments_swapped", "chain", 2, "The father of {h2} is {h1}."),
]  # fmt: skip


def planned(item: Item, say: Callable[[str], Any], store: Path, repairs: int = 2, seed: int = 0) -> tuple[Any, Spoken]:
    engine = Spoken(say, PLANNER)
    (result,) = plan_items(voice(engine, store), [item], seed, repairs)
    return result, engine


def name_of(result: Any) -> str:
    reason = result.reason if isinstance(result, Dropped) else result
    assert isinstance(reason, Reason), result
    return reason.code


@pytest.mark.parametrize("lie", LIES, ids=[f"{n}-{lie.reason}" for n, lie in enumerate(LIES)])
def test_a_lie_that_stays_is_named_and_one_that_is_mended_is_forgotten(lie: Lie, tmp_path: Path) -> None:
    item = ITEMS[lie.item]
    result, engine = planned(item, lambda prompt: lie.reply, tmp_path / "stays")
    assert name_of(result) == lie.reason, result
    assert len(engine.asked) == 3  # the plan and two repairs
    if lie.reason != "malformed_plan":
        assert f"\n- {lie.reason}: " in engine.asked[1]
    _, other = planned(item, lambda prompt: None, tmp_path / "stays", seed=1)
    assert other.asked == []  # what a planner hears holds no drawn name

    def mends(prompt: str) -> Any:
        return honest(prompt) if prompt.startswith("You rewrite") and not first else told.pop(0)

    first, told = True, [lie.reply, lying(lie.item, lambda proposal: None)]
    mended, engine = planned(item, mends, tmp_path / "mended")
    assert isinstance(mended, Passed), mended
    assert len(engine.asked) == 2
    assert mended.draft == planned(item, honest, tmp_path / "honest")[0].draft


def test_a_kind_of_which_the_item_leaves_no_name_is_named(tmp_path: Path) -> None:
    figures = Passage("Figures", " ".join(map(str, range(10, 100))))
    crowded = replace(CHAIN, passages=(*CHAIN.passages, figures))
    reply = lying("chain", lambda p: p["hops"][2].update(answer_kind="number"))
    result, engine = planned(crowded, lambda _: reply, tmp_path)
    assert result == Reason("names_exhausted", "no new number like Leeds")
    assert "\n- names_exhausted: no new number like Leeds\n" in engine.asked[1]


def test_a_near_miss_that_is_the_relation_itself_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = NearMiss("{h1} wrote {c1}.", "write", "a synonym")
    real = plan_patterns.near_misses
    monkeypatch.setattr(
        plan_patterns,
        "near_misses",
        lambda pattern: (gold, gold, *real(pattern)[:1]) if "wrote" in pattern else real(pattern),
    )
    result, _ = planned(CHAIN, honest, tmp_path, 0)
    assert name_of(result) == "no_near_miss"
    assert "has 1 near misses, 2 are needed" in result.reason.detail


def test_what_a_rejected_plan_said_is_kept(tmp_path: Path) -> None:
    result, _ = planned(CHAIN, lambda _: lying("chain", lambda p: p["hops"][0].update(units=1)), tmp_path, 0)
    assert isinstance(result, Dropped)
    assert result.reason == Reason("hardening_missing", "1 hops are told in two units, at least 2 must be")
    assert [one.pattern for one in result.draft.hops] == [one["sentence"] for one in HONEST["chain"]["hops"]]


def test_all_faults_of_a_stage_are_told_at_once(tmp_path: Path) -> None:
    reply = lying("song", lambda p: (p["hops"][0].update(sentence="{c1}."), p["hops"][1].update(units=1)))
    _, engine = planned(SONG, lambda _: reply, tmp_path, 1)
    faults = ["hardening_missing", "last_hop_not_hardened", "constant_unused", "answer_not_in_pattern"]
    assert all(f"\n- {fault}: " in engine.asked[1] for fault in faults)
