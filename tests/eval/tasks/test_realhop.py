"""REALHOP's conditions cut from hand-made rows, its prompt, and a run with a reader whose figures are worked out."""

import json
from pathlib import Path

import pytest

from eval.choice import Choice
from eval.models.engine import Message, Reply
from eval.prompting import template
from eval.run import evaluate, preview, rescore
from eval.tasks.realhop import BY_DEFAULT, CONDITIONS, TASK, Shown, derive, split_of
from eval.tasks.task import Ask, plan
from loaders.artifact import read_parquet, write_rows
from loaders.errors import DecoyQAError
from loaders.manifest import write_manifest
from loaders.realhop import Competitor, CompetitorFact, RealHop, RealHopRow, Unit
from loaders.realhop_conditions import controlled, dropped
from loaders.records import AuditOutcome, Passage

WEATHER = "Rain fell on many towns. Snow did not. Hail was seen once in spring. Fog came and stayed for a week."
# Passage 0 supports hop 1, passage 1 hop 2; competing sentences stand in passage 2.
GOLD = ("Ono Vell wrote Dry Rivers.", "Ono Vell was born in Tarn.")
STRICT, FLEXIBLE, ORPHAN = "Ada Kim edited Dry Rivers. Ada Kim was born in Holt.", "Bo Lund sold Dry Rivers.", "Cy Ray"


def place(text: str, told: str) -> tuple[int, int]:
    return text.index(told), text.index(told) + len(told)


def full_row(id: str = "q1") -> RealHopRow:
    strict = STRICT.split(". ")
    sentences = [f"{strict[0]}.", strict[1], "Bo Lund sold Dry Rivers.", "Bo Lund was born in Kent."]
    sentences += ["Cy Ray was born in Leeds."]
    texts = [f"A book. {GOLD[0]} It sold.", f"A writer. {GOLD[1]}", f"Old news. {' '.join(sentences)}", WEATHER]
    facts = [CompetitorFact(f"f{n}", 2, *place(texts[2], told)) for n, told in enumerate(sentences)]
    paths = (
        Competitor("s1a", "strict", "1", "1", "Holt", tuple(facts[:2])),
        Competitor("f1", "flexible", "1", "1", "Kent", tuple(facts[2:4])),
        Competitor("o1", "orphan", "1", "", "Leeds", tuple(facts[4:])),
    )
    units = [Unit(f"g{n + 1}", told, n, *place(texts[n], told)) for n, told in enumerate(GOLD)]
    hops = (
        RealHop("1", "#1 wrote Dry Rivers.", "Ono Vell", (), (units[0],)),
        RealHop("2", "#1 was born in #2.", "Tarn", ("1",), (units[1],)),
    )
    titles = ("Zig Zag", "José Somoza", "News", "Weather")
    passages = tuple(Passage(title, text) for title, text in zip(titles, texts, strict=True))
    question = "Where was the author of Dry Rivers born?"
    rest = ((), 2, None, "rules", "MIT")
    return RealHopRow(id, id, f"s-{id}", "", question, "Tarn", (), passages, hops, paths, *rest)


def source_row(id: str = "q1") -> RealHopRow:
    texts = ["A book. It sold.", "A writer. He was born in Cuba.", "Old news.", WEATHER]
    hops = tuple(
        RealHop(str(n), "", answer, (), (Unit(f"g{n}", texts[n - 1], n - 1, 0, len(texts[n - 1])),))
        for n, answer in ((1, "José Somoza"), (2, "Cuba"))
    )
    passages = tuple(
        Passage(title, text) for title, text in zip(("Zig Zag", "José Somoza", "News", "Weather"), texts, strict=True)
    )
    question = "Where was the author of Zig Zag born?"
    return RealHopRow(
        id, id, f"s-{id}", "", question, "Cuba", ("Republic of Cuba",), passages, hops, (), (), 2, None, "", "MIT"
    )


def rows(*ids: str) -> dict[tuple[str, str], list[RealHopRow]]:
    pairs = [(full_row(id), source_row(id)) for id in ids]
    return {
        ("musique", "full"): [full for full, _ in pairs],
        ("musique", "source"): [source for _, source in pairs],
        ("musique", "drop"): [dropped(full, hop) for full, _ in pairs for hop in ("1", "2")],
        ("musique", "control"): [
            row for full, source in pairs for hop in ("1", "2") if (row := controlled(full, source, hop, 0))
        ],
    }


def shown(condition: str) -> dict[str, Shown]:
    return {hop: row for _, hop, row in derive(condition, rows("q1"))}


def text_of(row: Shown) -> str:
    return "\n".join(f"{passage.title}: {passage.text}" for passage in row.passages)


def test_both_sides_are_asked_with_drops_and_controls_unless_ablations_are_named() -> None:
    assert BY_DEFAULT == ("full", "drop", "control", "source", "source_drop", "source_control")
    assert [name for name in CONDITIONS if name not in BY_DEFAULT] == [
        *("gold_only", "gold_only_drop", "flexible", "flexible_drop"),
        *("strict", "strict_drop", "no_orphans", "no_orphans_drop"),
    ]
    assert {split_of(name) for name in CONDITIONS} == {"full", "source", "drop", "control"}
    assert split_of("source_drop") == "source"
    assert split_of("gold_only_drop") == "full"


@pytest.mark.parametrize(
    ("condition", "holds", "lacks"),
    [
        ("gold_only", GOLD, ("Ada Kim", "Bo Lund", "Cy Ray")),
        ("flexible", (*GOLD, "Bo Lund"), ("Ada Kim", "Cy Ray")),
        ("strict", (*GOLD, "Ada Kim"), ("Bo Lund", "Cy Ray")),
        ("no_orphans", (*GOLD, "Ada Kim", "Bo Lund"), ("Cy Ray",)),
        ("full", (*GOLD, "Ada Kim", "Bo Lund", "Cy Ray"), ()),
    ],
)
def test_an_ablation_keeps_its_families_and_the_sources_text(
    condition: str, holds: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    (row,) = shown(condition).values()
    found = text_of(row)
    assert all(told in found for told in (*holds, "News: Old news.", "A book.", "It sold.", WEATHER))
    assert not any(told in found for told in lacks)


@pytest.mark.parametrize("condition", ["drop", "gold_only_drop", "strict_drop", "source_drop"])
def test_a_drop_takes_the_support_passage_with_its_title(condition: str) -> None:
    found = shown(condition)
    assert list(found) == ["1", "2"]
    assert [passage.title for passage in found["1"].passages] == ["José Somoza", "News", "Weather"]
    assert [passage.title for passage in found["2"].passages] == ["Zig Zag", "News", "Weather"]
    assert found["1"].removed_tokens > 0
    assert found["1"].item.answer == ("Cuba" if condition == "source_drop" else "Tarn")


def test_controls_take_background_of_both_sides() -> None:
    for condition in ("control", "source_control"):
        for row in shown(condition).values():
            assert [passage.text for passage in row.passages[:2]] == [passage.text for passage in row.item.passages[:2]]
            assert row.removed_tokens > 0


def test_the_prompt_is_appendix_k_with_passages_numbered_anew() -> None:
    row = shown("drop")["1"]
    text = TASK.render("multihop", row)
    assert text.startswith("Answer the question based on the given passages. Only give me the answer and do not output")
    assert "Passage 1:\nJosé Somoza\nA writer. Ono Vell was born in Tarn.\n\nPassage 2:\nNews\nOld news." in text
    assert text.endswith("Question: Where was the author of Dry Rivers born?\nAnswer:")
    assert TASK.prompts == "audit"
    assert template("audit", "multihop").count("{") == 2


def ask(condition: str) -> Ask:
    (row,) = shown(condition).values()
    return Ask("musique", condition, "multihop", row, (Message("user", "?"),))


def reply(text: str, finish_reason: str = "stop") -> Reply:
    return Reply("k", text, finish_reason, 1, 1, "{}")


@pytest.mark.parametrize(
    ("text", "correct", "took"),
    [("Tarn", 1.0, 0.0), ("tarn.", 1.0, 0.0), ("Holt", 0.0, 1.0), ("Leeds", 0.0, 0.0), ("Cuba", 0.0, 0.0)],
)
def test_a_reply_is_right_or_a_planned_competitors_end_or_neither(text: str, correct: float, took: float) -> None:
    found = TASK.score(ask("full"), "k", reply(text), "", None)
    assert (found.status, found.correct, found.took_endpoint) == ("scored", correct, took)
    assert (found.source_id, found.n_hops, found.removed_tokens) == ("s-q1", 2, 0)


def test_without_competitors_there_is_no_end_to_take() -> None:
    assert TASK.score(ask("gold_only"), "k", reply("Holt"), "", None).took_endpoint is None


def test_a_judge_decides_where_one_is_named() -> None:
    verdict = reply('{"verdict": "correct", "reason": "same town"}')
    found = TASK.score(ask("full"), "k", reply("the town of Tarn"), "j", verdict)
    assert (found.verdict, found.correct, found.judge_request) == ("correct", 1.0, "j")
    assert TASK.score(ask("full"), "k", reply("Tarn"), "j", reply("?")).status == "unjudged"
    assert TASK.score(ask("full"), "k", None, "", None).status == "pending"


@pytest.fixture
def artifact(tmp_path: Path) -> Path:
    folder = tmp_path / "artifact"
    for (config, split), found in rows("q1", "q2").items():
        write_rows(folder, config, split, RealHopRow, found)
    write_manifest(folder, {"family": "realhop", "content_id": "c0ffee", "version": "0.0.0.dev0"})
    return folder


def scripted(path: Path, *lines: dict[str, object]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return f"scripted:{path}"


def graph_reader(path: Path) -> str:
    """Needs both facts of the rebuilt item; knows the source's answer by heart."""
    return scripted(
        path,
        {"contains": ["Ono Vell wrote Dry Rivers.", "Ono Vell was born in Tarn."], "reply": "Tarn"},
        {"contains": ["Zig Zag born?"], "reply": "Cuba"},
        {"reply": "Holt"},
    )


def test_a_reader_of_the_graph_has_a_bnr_of_one_and_one_by_heart_of_nothing(artifact: Path, tmp_path: Path) -> None:
    engine = graph_reader(tmp_path / "rules.jsonl")
    run = evaluate(artifact, engine, out=tmp_path / "run", store=tmp_path / "store")
    found = {(one.metric, one.condition, one.stratum): (one.value, one.n) for one in run.metrics}
    assert found["full", "full", "all"] == found["full", "source", "all"] == (1, 2)
    assert found["bnr", "full", "all"] == (1, 2)
    assert found["bnr", "source", "2_hops"] == (0, 2)
    assert found["paired_increase", "full", "all"] == (1, 2)
    assert found["paired_increase", "full", "common_full"] == (1, 2)
    assert found["drop_survival", "full", "all"] == (0, 4)
    assert found["control_survival", "full", "all"] == (1, 4)
    assert rescore(tmp_path / "run").metrics == run.metrics
    outcomes = read_parquet(tmp_path / "run" / "outcomes" / "musique.parquet", AuditOutcome)
    assert {(one.condition, one.target) for one in outcomes if "drop" in one.condition} == {
        *(("drop", hop) for hop in "12"),
        *(("source_drop", hop) for hop in "12"),
    }


def test_ablations_are_asked_where_they_are_named(artifact: Path, tmp_path: Path) -> None:
    engine = graph_reader(tmp_path / "rules.jsonl")
    choice = Choice(conditions=("gold_only", "gold_only_drop", "no_orphans"))
    run = evaluate(artifact, engine, choice, out=tmp_path / "run", store=tmp_path / "store")
    found = {(one.metric, one.condition, one.stratum): one.value for one in run.metrics}
    assert found["bnr", "gold_only", "all"] == 1
    assert found["accuracy_change", "no_orphans", "above gold_only"] == 0
    assert ("bnr", "no_orphans", "all") not in found
    with pytest.raises(DecoyQAError, match="unknown condition 'd1'"):
        evaluate(artifact, engine, Choice(conditions=("d1",)), out=tmp_path / "x", store=tmp_path / "store")


def test_a_judged_run_stores_its_verdicts_and_scores_again_from_them(artifact: Path, tmp_path: Path) -> None:
    engine = scripted(tmp_path / "wordy.jsonl", {"reply": "It is the town of Tarn."})
    judge = scripted(
        tmp_path / "judge.jsonl",
        {"contains": ["Reference answer(s) (any one suffices):\n- Tarn"], "reply": '{"verdict": "correct"}'},
        {"reply": '{"verdict": "incorrect"}'},
    )
    choice = Choice(conditions=("full", "source"))
    run = evaluate(artifact, engine, choice, out=tmp_path / "run", store=tmp_path / "store", judge_name=judge)
    found = {(one.metric, one.condition): one.value for one in run.metrics if one.stratum == "all"}
    assert (found["full", "full"], found["full", "source"]) == (1, 0)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["settings"]["judge"].startswith("scripted:")
    assert rescore(tmp_path / "run") == run
    with pytest.raises(DecoyQAError, match="run of other settings"):
        evaluate(artifact, engine, choice, out=tmp_path / "run", store=tmp_path / "store")


def test_what_a_run_would_ask_is_counted_by_condition_and_for_the_judge(artifact: Path, tmp_path: Path) -> None:
    from eval.models.prices import read_prices

    engine = scripted(tmp_path / "one.jsonl", {"reply": "?"})
    found = preview(artifact, engine, store=tmp_path / "none", prices=read_prices(None), judge_name=engine)
    calls = {one.step: one.calls for one in found}
    # Both items show the same text, so that every request stands for two.
    assert {step: calls[step] for step in ("multihop, full", "multihop, drop", "multihop, source_drop")} == {
        "multihop, full": 1,
        "multihop, drop": 2,
        "multihop, source_drop": 2,
    }
    assert calls["judge"] == sum(calls.values()) - calls["judge"]


def test_asks_follow_each_other_by_text_and_hop() -> None:
    # A text without passage 1 begins with `José`, one without passage 2 with `Zig`.
    asks = plan(TASK, rows("q2", "q1"), ["multihop"], ["drop"])
    assert [(one.row.id, one.target) for one in asks] == [("q1", "1"), ("q2", "1"), ("q1", "2"), ("q2", "2")]
