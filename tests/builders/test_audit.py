"""`decoyqa audit` and `decoyqa report` from files to the terminal."""

import gzip
import json

import pytest
from base_items import base_item
from click.testing import CliRunner

from builders import audit
from builders.cli import main
from loaders.errors import DecoyQAError


@pytest.fixture
def write(tmp_path):
    def call(name, *rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return call


@pytest.fixture
def decoyqa(tmp_path, monkeypatch):
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture
def knower(write):
    """Rules that answer where both the book and the birth are told."""
    rules = [{"contains": [f"is by {n} Grey", f"born in {n}ville"], "reply": f"{n}ville"} for n in ("Zig", "Zag")]
    return f"scripted:{write('rules.jsonl', *rules, {'reply': 'unknown'})}"


def test_a_file_in_the_base_form(decoyqa, write, knower, tmp_path):
    mine = write("mine.jsonl", base_item("Zig"), base_item("Zag"), base_item("Zog", answerable=False))
    found = decoyqa("audit", mine, "--model", knower, "--out", "run")
    assert found.exit_code == 0, found.output
    assert "base: 2 items, unit sentences, tokenizer words-1, judge exact, prompt multihop, seed 0" in found.output
    assert "left out: 1 unanswerable" in found.output
    assert "replies: 10 scored" in found.output
    figures = json.loads((tmp_path / "run" / "metrics.json").read_text())
    values = {one["metric"]: (one["value"], one["n"]) for one in figures if one["stratum"] == "all"}
    assert (values["full"], values["drop_one"], values["control"], values["bnr"]) == ((1, 2), (0, 2), (1, 2), (1, 2))
    again = decoyqa("report", "run")
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[1:] == found.stdout.splitlines()


def test_several_audits_are_compared_on_common_items(decoyqa, write, knower):
    mine = write("mine.jsonl", base_item("Zig"), base_item("Zag"))
    recall = write("recall.jsonl", {"contains": ["author of Zig"], "reply": "Zigville"}, {"reply": "unknown"})
    decoyqa("audit", mine, "--model", knower, "--out", "one")
    decoyqa("audit", mine, "--model", f"scripted:{recall}", "--out", "two")
    found = decoyqa("report", "one", "two")
    assert found.stdout.splitlines()[-2].split()[:3] == ["one:", "100.0", "(1)"]
    assert found.stdout.splitlines()[-1].split()[:3] == ["two:", "0.0", "(1)"]
    decoyqa("audit", mine, "--model", knower, "--unit", "paragraph", "--out", "three")
    assert "different sources or units" in decoyqa("report", "one", "three").stdout.splitlines()[-1]


def test_the_unit_is_an_option_and_printed(decoyqa, write, knower):
    mine = write("mine.jsonl", base_item("Zig"))
    found = decoyqa("audit", "base", "--input", mine, "--model", knower, "--unit", "paragraph", "--out", "run")
    assert "unit paragraph" in found.output
    refused = decoyqa("audit", "base", "--input", mine, "--model", knower, "--out", "run")
    assert refused.exit_code == 2
    assert "other settings (unit)" in refused.stderr


def test_a_model_can_judge_itself(decoyqa, write):
    rules = write(
        "rules.jsonl",
        {"contains": ["Model response:\nZigville"], "reply": '{"verdict": "correct", "reason": "Same."}'},
        {"contains": ["Model response:"], "reply": "no JSON"},
        {"contains": ["born in Zigville"], "reply": "Zigville"},
        {"reply": "unknown"},
    )
    mine = write("mine.jsonl", base_item("Zig"))
    found = decoyqa("audit", mine, "--model", f"scripted:{rules}", "--judge", f"scripted:{rules}", "--out", "run")
    assert found.exit_code == 0, found.output
    assert "judge scripted:rules@sha256:" in found.output
    assert "replies: 4 scored, 1 unjudged" in found.output
    assert "verdicts: 4 correct, 1 unjudged" in found.output


def test_a_report_wants_the_input_that_was_asked(decoyqa, write, knower):
    mine = write("mine.jsonl", base_item("Zig"))
    decoyqa("audit", mine, "--model", knower, "--out", "run")
    write("mine.jsonl", base_item("Zag"))
    found = decoyqa("report", "run")
    assert found.exit_code == 2
    assert "not the input of run, the checksums differ" in found.stderr
    mine.unlink()
    assert "expected a file, found nothing" in decoyqa("report", "run").stderr


EVERY = {"audit": ["--model", "scripted:never.jsonl", "--out", "run"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["trivia"],
            "unknown source 'trivia'; known: musique, hotpotqa, 2wiki, plausible_distractors, base, or a file",
        ),
        (["musique"], "give the file of musique with --input"),
        (["musique", "--input", "none.jsonl"], "none.jsonl: expected a file, found nothing"),
        (["musique", "--input", "."], "expected a file, found a directory"),
        (["musique", "--input", "mine.jsonl"], "mine.jsonl, row 1: expected the paragraphs in one of the columns"),
        (["hotpotqa", "--input", "mine.jsonl"], "mine.jsonl, row 1: expected the context in one of the columns"),
        (["hotpotqa", "--input", "empty.json"], "empty.json: expected at least one row, found none"),
        (["hotpotqa", "--input", "torn.json.gz"], "torn.json.gz, row 1: expected a whole, readable file"),
        (["plausible_distractors", "--input", "mine.jsonl"], "expected its unmodified twin as --twin"),
        (["musique", "--input", "mine.jsonl", "--twin", "mine.jsonl"], "--twin does not go with musique"),
        (["hotpotqa", "--input", "mine.jsonl", "--aliases", "mine.jsonl"], "--aliases does not go with hotpotqa"),
        (["base", "--input", "mine.jsonl", "--paired"], "--paired needs a twin"),
        (["base", "--input", "mine.jsonl", "--unit", "page"], "unknown unit 'page'; known: paragraph, sentences"),
        (["base", "--input", "mine.jsonl", "--conditions", "ful"], "unknown condition 'ful'; known: full, drop_one"),
        (["base", "--input", "mine.jsonl", "--prompt", "x"], "unknown prompt 'x'; known: multihop, long"),
        (["base", "--input", "mine.jsonl"], "never.jsonl: expected a readable file of rules"),
        (["base", "--input", "bad.jsonl"], "bad.jsonl, row 2: expected the base form: anwser: Unexpected keyword"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_written(decoyqa, write, tmp_path, words, message):
    write("mine.jsonl", base_item("Zig"))
    write("bad.jsonl", base_item("Zig"), base_item("Zag", anwser="x"))
    (tmp_path / "empty.json").write_text("[]")
    (tmp_path / "torn.json.gz").write_bytes(gzip.compress(b"[" * 100)[:20])
    found = decoyqa("audit", *words, *EVERY["audit"])
    assert found.exit_code == 2, found.output
    (line,) = found.stderr.splitlines()
    assert message in line
    assert not (tmp_path / "run").exists()
    assert not (tmp_path / "home").exists()


def test_only_unfit_items_are_refused_with_the_reason(decoyqa, write, knower):
    mine = write("mine.jsonl", base_item("Zig", answerable=False))
    found = decoyqa("audit", mine, "--model", knower)
    assert "no item is left to audit; 1 unanswerable" in found.stderr


def test_each_source_has_the_unit_of_the_paper():
    assert {name: source.unit for name, source in audit.AUDITABLE.items()} == {
        "musique": "paragraph",
        "hotpotqa": "sentences",
        "2wiki": "sentences",
        "plausible_distractors": "paragraph",
        "base": "sentences",
    }


def test_second_files_go_with_their_sources():
    with pytest.raises(DecoyQAError, match="--twin does not go with 2wiki"):
        audit.options("2wiki", "x.json", None, "t.json", engine="scripted:x")


def test_both_sides_of_plausible_distractors(shared_data, write, decoyqa):
    rules = write("rules.jsonl", {"reply": "Chief of Protocol"})
    folder = shared_data("plausible_distractors/named_True_2.json.gz").parent
    found = decoyqa(
        *("audit", "plausible_distractors", "--input", folder / "named_True_2.json.gz", "--limit", 8),
        *("--twin", folder / "no_changes_named_True_2.json.gz", "--paired", "--model", f"scripted:{rules}"),
    )
    assert found.exit_code == 0, found.output
    assert "16 items, unit paragraph" in found.output
    assert "paired increase" in found.output
