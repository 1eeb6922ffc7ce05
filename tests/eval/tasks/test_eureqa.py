"""EureQA's prompts, what a reply is worth, and the figures over depths, samples and similarity."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval.choice import Choice
from eval.metrics.eureqa import similarity_bin
from eval.models.engine import Reply
from eval.prompting import template
from eval.run import evaluate, rescore
from eval.tasks.eureqa import TASK, render, score
from eval.tasks.task import Ask, plan
from loaders.artifact import write_rows
from loaders.eureqa import SPLITS, Candidates, EureQARow, Layer
from loaders.manifest import write_manifest

LAYER = Layer("e", "Nas", "musician", "Musician A", "r", "out", "n", "f", "out", "o", "", "", 2, 2, 1, 2, 0, "")
KNOWLEDGE = (Candidates("<?, starring, Nas>", ("Belly (film)", "Hip Hop")),)


def row(chain: str, depth: int, answer: str, similarity: float, category: str = "Film") -> EureQARow:
    name, question = f"{chain}-d{depth}", f"What is Film A? {chain} Film A stars Actor B. Actor B is {depth}."
    counts = (0, (), similarity, "rules", "CC-BY-4.0")
    return EureQARow(
        name,
        chain,
        question,
        answer,
        (f"{answer} (1994 film)",),
        depth,
        category,
        (LAYER,) * depth,
        f"Actor B is {depth}.",
        "n",
        KNOWLEDGE,
        *counts,
    )


def worth(text: str, finish_reason: str = "stop") -> tuple[str, float | None]:
    ask = Ask("hard", "d1", "direct", row("c", 1, "The Nutt House", 0.1), ())
    found = score(ask, "k", Reply("k", text, finish_reason, 1, 1, "{}"))
    return found.status, found.accuracy


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("So Film A is The Nutt House.", 1.0),
        ("The_Nutt_House_(1994_film)", 1.0),
        ("the nutt house", 1.0),
        ("<think>The Nutt House?</think> I do not know.", 0.0),
        ("Nutt and House", 0.0),
        ("", 0.0),
    ],
)
def test_a_reply_is_right_if_it_holds_the_answers_name(text: str, right: float) -> None:
    assert worth(text) == ("scored", right)


def test_a_reply_that_was_cut_is_wrong_and_counted() -> None:
    assert worth("The Nutt House, because", "length") == ("truncated", 0.0)


def test_direct_is_the_question_alone() -> None:
    asked = row("c", 2, "x", 0.1)
    assert render("direct", asked) == asked.question


@pytest.mark.parametrize("depth", range(1, 6))
def test_two_examples_of_the_same_depth_solved_from_the_last_layer(depth: int) -> None:
    text = template("eureqa", f"icl-d{depth}")
    assert text.count("Let's solve this question step by step.") == 3
    for example in text.split("\n\n")[:2]:
        question, _, *steps = example.split("\n")
        assert question.count(". ") == 2 * depth  # what is asked ends with a question mark; two statements a layer
        assert question.endswith(steps[0])  # the first step is the closing line
        letters = [step.rpartition("so ")[2].split(" is ")[0][-1] for step in steps[1:-1]]
        assert letters == [*"ABCDE"[:depth]][::-1]
        assert steps[-1].removeprefix("The answer is ").rstrip(".") in steps[-2]
    assert render("icl", row("c", depth, "x", 0.1)).endswith(
        f"Actor B is {depth}.\nLet's solve this question step by step."
    )


def test_retrieved_shows_the_candidates_of_the_question() -> None:
    text = render("retrieved", row("c", 1, "x", 0.1))
    assert text.count("Retrieved knowledge:") == 2
    assert "<?, starring, Nas>: Belly (film), Hip Hop\nQuestion: What is Film A? c Film A" in text


def test_bins_of_similarity_have_their_lower_bound() -> None:
    assert [similarity_bin(x) for x in (0.0, 0.3, 0.2999, -0.05, None)] == [
        "similarity 0.0 to 0.1",
        "similarity 0.3 to 0.4",
        "similarity 0.2 to 0.3",
        "similarity -0.1 to 0.0",
        "similarity unknown",
    ]


@pytest.fixture
def artifact(tmp_path: Path) -> Path:
    """Three chains at depth 5, the first of them at depth 1 too."""
    chains = [("a", "Heat", 0.15, "Film"), ("b", "Oslo", 0.15, "Place"), ("c", "Nas", 0.35, "Film")]
    deep = [row(name, 5, answer, near, kind) for name, answer, near, kind in chains]
    write_rows(tmp_path / "artifact", "hard", "d5", EureQARow, deep)
    write_rows(tmp_path / "artifact", "hard", "d1", EureQARow, [row("a", 1, "Heat", 0.25)])
    write_manifest(tmp_path / "artifact", {"family": "eureqa", "content_id": "c0ffee", "version": "1.0.0"})
    return tmp_path / "artifact"


def test_a_limit_keeps_the_depths_of_a_chain_together(artifact: Path) -> None:
    rows = {("hard", "d5"): [row("a", 5, "x", 0.1)], ("hard", "d1"): [row("a", 1, "x", 0.1)]}
    asks = plan(TASK, rows, ["direct"], SPLITS, samples=2)
    assert sorted((ask.condition, ask.sample) for ask in asks) == [("d1", 0), ("d1", 1), ("d5", 0), ("d5", 1)]


def test_figures_by_depth_similarity_category_and_sample(artifact: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.jsonl"
    # Right on Heat at both depths and on Nas, wrong on Oslo: the rule looks at the chain's name.
    rules.write_text(
        '{"contains": ["? a "], "reply": "Heat"}\n{"contains": ["? c "], "reply": "Nas"}\n{"reply": "?"}\n'
    )
    choice = Choice(prompts=("direct",), samples=3)
    run = evaluate(artifact, f"scripted:{rules}", choice, out=tmp_path / "run", store=tmp_path / "store")
    found = {(one.metric, one.condition, one.stratum): (one.value, one.n) for one in run.metrics}
    assert found["accuracy", "d1", "all"] == (1.0, 3)  # n counts replies, three to each question
    assert found["accuracy", "d5", "all"] == (pytest.approx(2 / 3), 9)
    assert found["self_consistency", "d5", "all"] == (pytest.approx(2 / 3), 3)
    assert found["accuracy", "d5", "category Film"] == (1.0, 6)
    assert found["accuracy", "d5", "category Place"] == (0.0, 3)
    assert found["accuracy", "d5", "similarity 0.1 to 0.2"] == (0.5, 6)
    assert found["accuracy", "d5", "similarity 0.3 to 0.4"] == (1.0, 3)
    assert (run.scored, run.pending) == (12, 0)
    assert rescore(tmp_path / "run").metrics == run.metrics


def test_a_vote_needs_more_than_half_of_the_samples() -> None:
    asks = [Ask("hard", "d1", "direct", row("c", 1, "Heat", 0.1), (), sample) for sample in range(4)]
    texts = ["Heat", "Heat", "Oslo", "Oslo"]
    outcomes = [score(ask, "k", Reply("k", text, "stop", 1, 1, "{}")) for ask, text in zip(asks, texts, strict=True)]
    (figure,) = [one for one in TASK.metrics(outcomes, asks) if one.metric == "self_consistency"]
    assert (figure.value, figure.n) == (0.0, 1)
    outcomes[2] = replace(outcomes[2], accuracy=1.0)
    (figure,) = [one for one in TASK.metrics(outcomes, asks) if one.metric == "self_consistency"]
    assert figure.value == 1.0
