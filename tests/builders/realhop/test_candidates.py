"""How many items are taken, and what is counted over them; worked out by hand."""

from builders.realhop.candidates import counts, enough, opinion_counts, take, untried
from builders.steps import Trail
from loaders.realhop import RealHopCandidate
from loaders.records import Item, Passage, Verdict

PASS, PENDING = Verdict("plan", 1, "pass", ""), Verdict("plan", 1, "pending", "no reply")
FAIL = Verdict("plan", 1, "fail", "unread_hop: hop 1")
ITEM = Item("z", "Who?", "Ada", (), (Passage("T", "Text."),), (), True, "MIT")


def one(id: str, status: str, *verdicts: Verdict) -> RealHopCandidate:
    return RealHopCandidate(id, "musique", status, "unread_hop" if status == "rejected" else "", "", (), (), verdicts)


FOUND = [
    one("a", "kept", PASS),
    one("b", "rejected", FAIL),
    one("c", "pending", PENDING),
    one("d", "kept", PASS),
    one("e", "kept", PASS),
]


def test_the_first_items_are_taken_and_one_that_waits_keeps_its_place() -> None:
    found = take(FOUND, 3)
    assert [(each.id, each.status, each.reason) for each in found] == [
        ("a", "kept", ""),
        ("b", "rejected", "unread_hop"),
        ("c", "pending", ""),
        ("d", "kept", ""),
        ("e", "rejected", "over_target"),
    ]
    assert [each.verdicts[-1].gate for each in found] == ["target", "plan", "plan", "target", "target"]


def test_without_a_target_nothing_is_added() -> None:
    assert take(FOUND, None) == FOUND


def test_enough_counts_what_is_not_rejected() -> None:
    assert [enough(FOUND, wanted) for wanted in (4, 5, 0, None)] == [True, False, True, False]


def test_counts_add_up_at_every_step() -> None:
    found = counts([*take(FOUND, 2), untried("musique", ITEM, 2)])
    assert found == [
        {"step": "plan", "entered": 5, "kept": 3, "pending": 1, "rejected": {"unread_hop": 1}},
        {"step": "target", "entered": 4, "kept": 1, "pending": 0, "rejected": {"over_target": 3}},
    ]


def test_a_checkers_opinions_are_counted_by_kind_and_are_no_steps() -> None:
    said = [("semantic gold", "yes"), ("semantic competitor s1a", "no"), ("semantic competitor s1b", "no")]
    opinions = [Verdict(gate, 1, word, "") for gate, word in said]
    found = [one("a", "kept", PASS, *opinions, Verdict("semantic", 1, "pass", ""))]
    assert opinion_counts(found) == {"semantic competitor": {"no": 2}, "semantic gold": {"yes": 1}}
    assert [step["step"] for step in counts(found)] == ["plan", "semantic"]


def test_a_trail_without_plan_has_an_empty_record() -> None:
    from builders.realhop.candidates import candidate
    from builders.realhop.recipe import Work

    found = candidate("musique", Trail(Work(ITEM), (FAIL,)))
    assert (found.id, found.question, found.relations, found.dropped_paths) == ("z", "", (), ())
