"""Every row of `predictions/expected_metrics.tsv` comes out of the answer files beside it, to all printed digits."""

import ast
import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from eval.metrics.published import (
    as_text,
    exact_match,
    f1,
    squad_normalise,
    substring_accuracy,
    triviaqa_normalise,
)

SharedData = Callable[[str], Path]
Pairs = list[tuple[str, list[str]]]
SCORES = {"em": exact_match, "acc": substring_accuracy, "f1": f1}


def mean(values: Iterable[float]) -> float:
    listed = [float(value) for value in values]
    return sum(listed) / len(listed)


def rows(path: Path) -> list[dict[str, Any]]:
    """Rows of a gzipped JSON Lines, JSON or CSV file."""
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    if ".csv" in path.name:
        return list(csv.DictReader(io.StringIO(text, newline="")))
    return [json.loads(line) for line in text.splitlines()] if ".jsonl" in path.name else json.loads(text)


def scores(pairs: Pairs, names: Iterable[str] = SCORES) -> dict[str, float]:
    return {name: mean(SCORES[name](prediction, golds) for prediction, golds in pairs) for name in names}


def question_answering(prediction: str, golds: str, names: Iterable[str] = SCORES) -> Callable[[Any], dict[str, float]]:
    return lambda read: scores([(as_text(row[prediction]), row[golds]) for row in read], names)


def tp_crag(read: list[dict[str, Any]]) -> dict[str, float]:
    pairs = [(row["prediction"], ast.literal_eval(row["gold_answers"])) for row in read]
    found = scores(pairs)
    either = [either_contains(*pair) for pair in pairs]
    assert either == [float(row["acc"]) for row in read]
    return {
        "EM": found["em"],
        "F1": found["f1"],
        "gold in prediction": found["acc"],
        "Acc (either string contains the other)": mean(either),
    }


def either_contains(prediction: str, golds: list[str]) -> float:
    """That study's own rule, worked out from its rows: empty strings and a bare "No" are contained in nothing."""
    predicted, sought = squad_normalise(prediction), [squad_normalise(gold) for gold in golds]
    within = any(predicted in gold for gold in sought) and predicted not in ("", "no")
    return float(within or any(gold in predicted for gold in sought if gold))


def poisoned_hotpot(read: list[dict[str, Any]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for condition in ("clean", "poisoned"):
        chosen = [row for row in read if row["condition"] == condition]
        replies = [as_text(row["generated_answer"]) for row in chosen]
        golds = [[row["real_answer"]] for row in chosen]
        em, contains, overlap = scores(list(zip(replies, golds, strict=True))).values()
        decoys = [[row["distractor_answer"]] for row in chosen]
        # a clean context holds no attack, so that none can succeed there
        attacks = [condition == "poisoned" and substring_accuracy(*pair) for pair in zip(replies, decoys, strict=True)]
        refusals = [reply == "UNANSWERABLE" for reply in replies]
        found |= {
            f"{condition} count": len(chosen),
            f"{condition} exact_match": em,
            f"{condition} f1_score": overlap,
            f"{condition} contains_answer": contains,
            f"{condition} refusal_rate": mean(refusals),
            f"{condition} attack_success_rate": mean(attacks),
        }
    return found


def evouna(read: list[dict[str, Any]]) -> dict[str, float]:
    systems = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
    return {
        f"judge_{name} is true (of all rows)": mean(row[f"judge_{name}"] is True for row in read) for name in systems
    }


def column_means(*columns: str) -> Callable[[Any], dict[str, float]]:
    return lambda read: {f"mean {column}": mean(row[column] for row in read) for column in columns}


FILES: dict[str, Callable[[Any], dict[str, float]]] = {
    "search_r1/nq_base.jsonl.gz": question_answering("pred", "golden_answers"),
    "tp_crag/predictions.csv.gz": tp_crag,
    "poisoned_hotpot/baseline_results_v2.json.gz": poisoned_hotpot,
    "openqa_eval/NQ_FiD.jsonl.gz": question_answering("prediction", "answer"),
    "openqa_eval/NQ_DPR.jsonl.gz": question_answering("prediction", "answer"),
    "openqa_eval/NQ301_text-davinci-003_zeroshot.jsonl.gz": question_answering("prediction", "answer"),
    "evouna/TQ.json.gz": evouna,
    "mdqa/10_total_documents_nq-open-gold_at_0-llama-predictions.jsonl.gz": question_answering(
        "model_answer", "answers", ["acc"]
    ),
    "robust_rag_closed_book/raw-data.jsonl.gz": column_means("ori_is_accurate", "ori_is_exact_match"),
}


def expected(path: Path) -> Iterator[tuple[str, str, float]]:
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            yield row["file"], row["metric"], float(row["value"])


@pytest.mark.parametrize("file", FILES)
def test_every_figure_of_a_file(shared_data: SharedData, file: str) -> None:
    wanted = {
        metric: value
        for name, metric, value in expected(shared_data("predictions/expected_metrics.tsv"))
        if name == file
    }
    assert FILES[file](rows(shared_data(f"predictions/{file}"))) == pytest.approx(wanted, rel=0, abs=1e-9)


def test_no_file_is_left_out(shared_data: SharedData) -> None:
    listed = list(expected(shared_data("predictions/expected_metrics.tsv")))
    assert len(listed) == 36
    assert {name for name, _, _ in listed} == set(FILES)


def test_search_r1_row_by_row(shared_data: SharedData) -> None:
    for row in rows(shared_data("predictions/search_r1/nq_base.jsonl.gz")):
        assert scores([(row["pred"], row["golden_answers"])]) == pytest.approx(row["metric_score"], abs=1e-9)


def test_squad_rule() -> None:
    assert squad_normalise("The U.S.-based “Café”, an example!") == "usbased “café” example"
    assert exact_match("the Eiffel Tower!", ["Eiffel tower"]) == 1.0
    assert f1("Bobby Scott and Bob Russell", ["Bobby Scott", "Bob Russell"]) == pytest.approx(4 / 7)
    assert f1("", [""]) == f1("x", []) == 0.0
    assert substring_accuracy("unknown", ["NO"]) == substring_accuracy("any", ["---"]) == 1.0


def test_triviaqa_rule(shared_data: SharedData) -> None:
    assert triviaqa_normalise("The_Sun’s “an” end-game ´a`.") == "sun s “ ” end game"
    answer = json.loads(shared_data("triviaqa/triviaqa_sample.json").read_text(encoding="utf-8"))["Data"][0]["Answer"]
    assert {triviaqa_normalise(alias) for alias in answer["Aliases"]} == set(answer["NormalizedAliases"])


@pytest.mark.parametrize(
    ("prediction", "text"),
    [
        ("Paris", "Paris"),
        (["Paris", "Rome"], "Paris"),
        ([], ""),
        (None, ""),
        (float("nan"), ""),
        (7, "7"),
        ("nan", "nan"),
    ],
)
def test_predictions_as_files_have_them(prediction: object, text: str) -> None:
    assert as_text(prediction) == text
