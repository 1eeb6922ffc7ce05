"""Whether a text holds an answer: by example, on real answer lists, and for any text."""

import ast
import csv
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from eval.answers import (
    Matcher,
    abstains,
    accuracy,
    clean_answers,
    holds_answer,
    normalise,
    substring_accuracy,
)
from loaders.records import Reason

SharedData = Callable[[str], Path]
REFUSAL = "Based on the provided documents, the question is unanswerable."


def answer_lists(path: Path, key: str) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)[key] for line in lines]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It was written by Bobby Scott's brother", "Bobby Scott"),
        ("the U.S. Army", "US"),
        ("the 1,000 islands", "1000"),
        ("Lodz is a city", "Łódź"),
        ("lives in São\u00a0Paulo", "Sao Paulo"),
        ("He plays in Serie A.", "Serie A"),
        ("彼は東京に住む", "東京"),
        ("서울은 수도이다", "서울"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("President of United States", "The President of the United States"),
    ],
)
def test_holds(text: str, answer: str) -> None:
    assert holds_answer(text, [answer])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I do not know; it is unknown", "NOW"),
        ("unanswerable", "S"),
        ("unanswerable", "N/A"),
        ("unanswerable", "A+"),
        ("conflict", "the NFL"),
        ("George III", "George II"),
        ("741 weeks", "a week"),
        ("1.5 million", "5"),
        ("in the 1850s", "1850"),
        ("Scott and Bobby", "Bobby Scott"),
        ("a series of vitamins", "Serie A"),
        ("", "x"),
    ],
)
def test_does_not_hold(text: str, answer: str) -> None:
    assert not holds_answer(text, [answer])


def test_known_limits() -> None:
    """Where the rule is wrong by design: other word forms, words written together, a name inside a Han name."""
    assert not holds_answer("Elephants are large", ["elephant"])
    assert not holds_answer("nonpartisan", ["non-partisan"])
    assert holds_answer("東京都", ["京都"])


def test_answers_that_normalise_to_nothing_are_dropped_with_a_reason() -> None:
    for nothing in ["---", ")", "A+", "*", "The A", ".a", "(a", "@", "+-*/", ""]:
        assert clean_answers([nothing]).dropped == (Reason("empty_after_normalising", nothing),)
        assert not holds_answer("any text, even a + * @ ---", [nothing])
        assert accuracy("any text", [nothing]) == 0.0


def test_duplicates_keep_the_first_form() -> None:
    cleaned = clean_answers(["The Beatles", "beatles", "BEATLES!", "Fab Four"])
    assert cleaned.kept == ("The Beatles", "Fab Four")
    assert [reason.code for reason in cleaned.dropped] == ["duplicate_answer"] * 2


def test_ambiguous_aliases_are_dropped_only_behind_another_answer() -> None:
    cleaned = clean_answers(["Norway", "NO", "no", "W", "C++", "Up", "The Who", "X-Men", "金", "7"])
    assert cleaned.kept == ("Norway", "The Who", "X-Men", "金", "7")
    assert {reason.code for reason in cleaned.dropped} == {"ambiguous_alias"}
    assert clean_answers(["No"]).kept == ("No",)
    assert clean_answers(["Q", "Quartermaster"]).kept == ("Q", "Quartermaster")
    assert clean_answers(["I S", "IS"]).kept == ("I S", "IS")
    assert clean_answers(["In (disambiguation)", "IN"]).kept == ("In (disambiguation)", "IN")
    assert clean_answers(["United States", "US"]).kept == ("United States", "US")


def test_first_is_the_earliest_and_longest_mention() -> None:
    matcher = Matcher(["York", "New York City", "New York", "Boston"])
    assert matcher.first("From New York City to Boston") == "New York City"
    assert matcher.first("From Paris") is None


def test_spans_are_mentions_in_the_original_text() -> None:
    text = "In Lodz, the Beatles’ song by Bobby\u00a0 Scott's band; ﬁve."
    spans = Matcher(["Bobby Scott", "The Beatles", "Łódź", "Scott", "five"]).spans(text)
    assert [(text[start:end], answer) for start, end, answer in spans] == [
        ("Lodz", "Łódź"),
        ("Beatles", "The Beatles"),
        ("Bobby\u00a0 Scott", "Bobby Scott"),
        ("ﬁve", "five"),
    ]


@pytest.mark.parametrize(
    ("reply", "word", "expected"),
    [
        ("unanswerable", "unanswerable", True),
        ("Unanswerable.</s>", "unanswerable", True),
        (REFUSAL, "unanswerable", True),
        ("CONFLICT", "conflict", True),
        ("There is no conflict: Paris", "conflict", False),
        ("It is not unanswerable", "unanswerable", False),
        ("answerable", "unanswerable", False),
        ("conflicting", "conflict", False),
        ("Paris", "unanswerable", False),
        ("", "unanswerable", False),
    ],
)
def test_abstains(reply: str, word: str, expected: bool) -> None:
    assert abstains(reply, word) is expected


def test_one_refusal_is_right_by_substring_and_never_by_tokens(shared_data: SharedData) -> None:
    questions = answer_lists(shared_data("nq/NQ-open.dev.jsonl.gz"), "answer")
    assert len(questions) == 3610
    assert sum(substring_accuracy(REFUSAL, answers) for answers in questions) == 10
    assert sum(accuracy(REFUSAL, answers) for answers in questions) == 0
    assert sum(accuracy(word, answers) for answers in questions for word in ("unanswerable", "conflict")) == 0


def trivia_answers(path: Path) -> list[list[str]]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return [ast.literal_eval(answers) for _, answers in csv.reader(io.StringIO(text, newline=""), delimiter="\t")]


@pytest.mark.parametrize(
    ("name", "read", "questions", "dropped", "without"),
    [
        (
            "nq/NQ-open.dev.jsonl.gz",
            lambda path: answer_lists(path, "answer"),
            3610,
            {"duplicate_answer": 206, "empty_after_normalising": 4},
            2,
        ),
        (
            "popqa/popqa_base.jsonl.gz",
            lambda path: answer_lists(path, "answers"),
            14267,
            {"duplicate_answer": 5849, "ambiguous_alias": 356, "empty_after_normalising": 568},
            0,
        ),
        (
            "webquestions/topics.dpr.wq.test.jsonl.gz",
            lambda path: answer_lists(path, "answer"),
            2032,
            {"duplicate_answer": 1, "ambiguous_alias": 2},
            0,
        ),
        (
            "triviaqa/topics.dpr.trivia.test.txt.gz",
            trivia_answers,
            11313,
            {"duplicate_answer": 31991, "ambiguous_alias": 20, "empty_after_normalising": 659},
            0,
        ),
    ],
)
def test_what_is_dropped_from_real_lists(
    shared_data: SharedData,
    name: str,
    read: Callable[[Path], list[list[str]]],
    questions: int,
    dropped: dict[str, int],
    without: int,
) -> None:
    """Counts as measured, with samples of each kind of drop read by eye; a change of rule must show here."""
    cleaned = [clean_answers(answers) for answers in read(shared_data(name))]
    assert len(cleaned) == questions
    assert Counter(reason.code for answers in cleaned for reason in answers.dropped) == dropped
    assert sum(not answers.kept for answers in cleaned) == without


ANSWERS = st.text(min_size=1, max_size=12)
SEPARATORS = st.sampled_from(["\n", "; ", " — ", "!\n"])


@given(ANSWERS, st.text(max_size=12), st.text(max_size=12), SEPARATORS)
def test_an_answer_stands_in_itself_and_between_any_texts(answer: str, before: str, after: str, sep: str) -> None:
    assume(normalise(answer))
    assert holds_answer(answer, [answer])
    text = f"{before}{sep}{answer}{sep}{after}"
    assert holds_answer(text, [answer])
    assert holds_answer(text.upper(), [answer])
    for start, end, _ in Matcher([answer]).spans(text):
        assert holds_answer(text[start:end], [answer])
    assert Matcher([answer]).spans(text)


@given(st.lists(st.text("abc de", max_size=6), max_size=6), st.text("abc de", max_size=30))
def test_a_matcher_agrees_with_its_answers_one_by_one(answers: list[str], text: str) -> None:
    kept = clean_answers(answers).kept
    matcher = Matcher(answers)
    assert matcher.holds(text) is any(f" {normalise(a)} " in f" {normalise(text)} " for a in kept)
    assert matcher.holds(text) is (matcher.first(text) is not None) is bool(matcher.spans(text))
    assert all(
        first[1] <= second[0] for first, second in zip(matcher.spans(text), matcher.spans(text)[1:], strict=False)
    )
