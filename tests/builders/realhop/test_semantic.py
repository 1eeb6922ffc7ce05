"""A checker's opinion on written items: what it is shown, what it may reject, and the rounds of pruning."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from model_world import Spoken
from realhop_planner import CHAIN, CHECKER, PLANNER, SONG, honest, voice

from builders.realhop.draft import Draft, draft
from builders.realhop.model_plan import plan_items
from builders.realhop.review import Reviewed, review
from builders.realhop.semantic import Opinions, ask_semantic, questions
from builders.realhop.settings import Settings
from builders.realhop.voices import COMPETITOR, GOLD, REFERENCES
from builders.steps import Passed, Pending, funnel
from loaders.records import Item, Reason

ITEMS = {"chain": CHAIN, "song": SONG}
GOLD_WORDS, CLAIM, REFERENCE_WORDS = "lead to the answer above", "\nClaim: ", "would now take to mean"
Say = Callable[[str], Any]


def opinion(verdict: str, quote: str = "these words") -> str:
    return json.dumps({"quote": quote, "verdict": verdict})


def content(prompt: str) -> str:
    """Reply as a checker that finds no fault."""
    return opinion("yes" if GOLD_WORDS in prompt else "no")


def drafted(item: Item, plans: Mapping[str, Any], rejected: Mapping[str, Reason] | None = None) -> Draft | Reason:
    return draft(item, plans[item.id], 0, Settings(), rejected)


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    store = tmp_path_factory.mktemp("store")
    results = plan_items(voice(Spoken(honest, PLANNER), store), list(ITEMS.values()), 0)
    return {one.draft.item_id: one.draft for one in results if isinstance(one, Passed)}


@pytest.fixture(scope="module")
def song(plans: dict[str, Any]) -> Draft:
    found = drafted(SONG, plans)
    assert isinstance(found, Draft)
    return found


def test_gold_is_shown_whole_and_every_break_with_the_claim_that_it_must_not_entail(song: Draft) -> None:
    asked = questions(song)
    names = song.plan.names
    gold = asked[0]
    assert (gold.prompt, gold.branches, gold.wanted) == (GOLD, (), "yes")
    assert (gold.values["question"], gold.values["answer"]) == (song.plan.question, song.plan.answer)
    told = gold.values["sentences"].splitlines()
    assert told[0] == f"{names['h1']} performed {names['c1']} in the {names['c2']} film {names['c3']}."
    assert len(told) == 3  # hop 1 in one unit, hop 2 in two
    competitors = {one.branches[0]: one for one in asked if one.prompt == COMPETITOR}
    assert set(competitors) == {path.branch_id for path in song.paths if path.break_hop}
    assert not any(one.startswith("o") for one in competitors)
    for path in song.paths:
        if path.branch_id == "s2a":
            values = competitors["s2a"].values
            assert values["claim"] == f"{path.endpoint} is the spouse of {names['h1']}."
            first, second = sorted(values["sentences"].splitlines())
            assert first.startswith("Entry ")
            assert first.endswith(f" is about {names['h1']}.")
            assert second.startswith(f"{path.endpoint} is the ")
            assert "spouse" not in values["sentences"]


def test_references_are_asked_where_a_pronoun_follows_an_added_sentence(song: Draft) -> None:
    asked = [one for one in questions(song) if one.prompt == REFERENCES]
    assert asked
    gold = {unit.passage for hop in song.full.hops for unit in hop.units}
    for one in asked:
        place = int(one.gate.rpartition(" ")[2])
        passage = song.full.passages[place]
        assert (one.values["title"], one.values["passage"]) == (passage.title, passage.text)
        assert all(sentence in passage.text for sentence in one.values["sentences"].splitlines())
        assert bool(one.branches) == (place not in gold)
    # "Rain fell on many towns. Snow did not. Hail was seen once in spring." holds no pronoun.
    assert "semantic references 5" not in {one.gate for one in asked}


def heard(checker: Spoken, store: Path, *drafts: Draft) -> list[Opinions | Pending]:
    return ask_semantic(voice(checker, store), drafts)


def test_a_checker_without_objections_rejects_nothing(song: Draft, tmp_path: Path) -> None:
    checker = Spoken(content, CHECKER)
    (found,) = heard(checker, tmp_path, song)
    assert isinstance(found, Opinions)
    assert (found.item, found.branches) == (None, {})
    assert len(checker.asked) == len(questions(song)) == len(found.verdicts)
    assert [verdict.gate for verdict in found.verdicts] == [one.gate for one in questions(song)]
    assert {verdict.verdict for verdict in found.verdicts} == {"yes", "no"}
    assert all("these words" in verdict.evidence for verdict in found.verdicts)
    silent = Spoken(lambda _: None, CHECKER)
    assert heard(silent, tmp_path, song) == [found]
    assert silent.asked == []


def claim_of(branch: str, draft: Draft) -> str:
    return next(f"Claim: {one.values['claim']}\n" for one in questions(draft) if one.branches == (branch,))


OBJECTIONS = [
    (GOLD_WORDS, opinion("no"), "gold_unsupported", None),
    (GOLD_WORDS, "It does.", "checker_unjudged", None),
    ("s1a", opinion("yes"), "", "competitor_entails"),
    ("s2b", "Perhaps so.", "", "checker_unjudged"),
    ("f1", opinion("maybe"), "", "checker_unjudged"),
]


@pytest.mark.parametrize(("about", "reply", "item", "branch"), OBJECTIONS)
def test_an_objection_has_its_name(
    song: Draft, tmp_path: Path, about: str, reply: str, item: str, branch: str | None
) -> None:
    words = about if about == GOLD_WORDS else claim_of(about, song)
    repair = "This does not fit the schema"
    (found,) = heard(
        Spoken(lambda p: reply if words in p or p.startswith(repair) else content(p), CHECKER), tmp_path, song
    )
    assert isinstance(found, Opinions)
    assert (found.item.code if found.item else "") == item
    assert {key: reason.code for key, reason in found.branches.items()} == ({about: branch} if branch else {})


def test_an_unclear_word_is_the_fault_of_whoever_was_added(song: Draft, tmp_path: Path) -> None:
    (found,) = heard(
        Spoken(lambda p: opinion("yes", "She is") if REFERENCE_WORDS in p else content(p), CHECKER), tmp_path, song
    )
    assert isinstance(found, Opinions)
    assert found.item is not None  # a passage with gold in it is among them
    assert found.item.code == "unclear_reference"
    assert found.item.detail.endswith(": She is")
    at_fault = {branch for one in questions(song) if one.prompt == REFERENCES for branch in one.branches}
    assert {branch for branch, reason in found.branches.items() if reason.code == "unclear_reference"} == at_fault


def test_a_failed_call_leaves_the_item_pending_and_the_others_alone(
    song: Draft, plans: dict[str, Any], tmp_path: Path
) -> None:
    chain = drafted(CHAIN, plans)
    assert isinstance(chain, Draft)
    words = claim_of("s1b", song)
    first, second = heard(Spoken(lambda p: None if words in p else content(p), CHECKER), tmp_path, song, chain)
    assert isinstance(first, Pending)
    assert first.detail.startswith("no reply to request ")
    assert isinstance(second, Opinions)
    again = Spoken(content, CHECKER)
    assert all(isinstance(one, Opinions) for one in heard(again, tmp_path, song, chain))
    assert len(again.asked) == 1


def reviewed(song: Draft, plans: dict[str, Any], say: Say, store: Path, gates: bool = True) -> tuple[Reviewed, Spoken]:
    checker = Spoken(say, CHECKER)
    (found,) = review(voice(checker, store), [song], lambda d, rejected: drafted(SONG, plans, rejected), gates=gates)
    return found, checker


def test_a_rejected_path_goes_and_the_rest_is_asked_about_again(
    song: Draft, plans: dict[str, Any], tmp_path: Path
) -> None:
    words = claim_of("s1a", song)
    found, _ = reviewed(song, plans, lambda p: opinion("yes") if words in p else content(p), tmp_path)
    assert (found.reason, found.pending) == (None, "")
    assert [(branch, reason.code) for branch, reason in found.rejected] == [("s1a", "competitor_entails")]
    assert {path.branch_id for path in song.paths} - {path.branch_id for path in found.draft.paths} == {"s1a"}
    assert "s1a" not in {one.branch_id for one in found.draft.full.competitors}
    said = {verdict.gate: verdict.verdict for verdict in found.verdicts}
    assert (said["semantic gold"], said["semantic competitor s1a"], said["semantic competitor s1b"]) == (
        "yes",
        "yes",
        "no",
    )
    counts = funnel([found.verdicts])
    assert all(one.entered == one.kept == 1 for one in counts)  # what is asked decides nothing in itself


def test_an_item_that_loses_a_hops_last_strict_path_is_rejected(
    song: Draft, plans: dict[str, Any], tmp_path: Path
) -> None:
    words = [claim_of(branch, song) for branch in ("s1a", "s1b")]
    found, _ = reviewed(song, plans, lambda p: opinion("yes") if any(w in p for w in words) else content(p), tmp_path)
    assert found.reason is not None
    assert found.reason.code == "no_strict_path"
    assert [branch for branch, _ in found.rejected] == ["s1a", "s1b"]


def test_pruning_ends_after_two_rounds(song: Draft, tmp_path: Path) -> None:
    words, asked = claim_of("f1", song), list[int]()

    def redraft(before: Draft, rejected: Mapping[str, Reason]) -> Draft:
        asked.append(len(rejected))
        return before  # as if nothing could be taken out

    checker = voice(Spoken(lambda p: opinion("yes") if words in p else content(p), CHECKER), tmp_path)
    (stuck,) = review(checker, [song], redraft, gates=True)
    assert stuck.reason == Reason("pruning_rounds_used", "f1")
    assert asked == [1, 1]


def test_without_gates_objections_are_recorded_and_nothing_goes(
    song: Draft, plans: dict[str, Any], tmp_path: Path
) -> None:
    found, checker = reviewed(song, plans, lambda p: opinion("no" if GOLD_WORDS in p else "yes"), tmp_path, gates=False)
    assert (found.reason, found.pending, found.rejected) == (None, "", ())
    assert found.draft == song
    assert len(checker.asked) == len(questions(song)) == len(found.verdicts)
    assert {v.verdict for v in found.verdicts if v.gate.startswith("semantic competitor")} == {"yes"}


def test_a_failed_call_in_a_later_round_is_pending(song: Draft, plans: dict[str, Any], tmp_path: Path) -> None:
    words, rounds = claim_of("s1a", song), list[int]()

    def say(prompt: str) -> str | None:
        if words in prompt:
            return opinion("yes")
        # The second round asks about passages whose sentences stand elsewhere now.
        return None if REFERENCE_WORDS in prompt and rounds else content(prompt)

    def redraft(before: Draft, rejected: Mapping[str, Reason]) -> Draft | Reason:
        rounds.append(1)
        return drafted(SONG, plans, rejected)

    (found,) = review(voice(Spoken(say, CHECKER), tmp_path), [song], redraft, gates=True)
    assert found.pending.startswith("no reply to request ")
    assert found.reason is None
