"""`decoyqa store` from the command line."""

import os
import re
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from builders.cli import main
from builders.store import size
from eval.models.engine import Message, Reply, Request
from eval.models.store import RequestStore


@pytest.fixture
def decoyqa(tmp_path, monkeypatch):
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, ["store", *map(str, words)])


def fill(folder, engine, *numbers):
    store = RequestStore(folder)
    for number in numbers:
        one = Request(engine, (Message("user", f"question {number}"),))
        reply = Reply(one.key, "yes", "stop", 1_000_000, 100_000, "{}", cached_tokens=400_000, reasoning_tokens=90_000)
        store.put(one, reply)
    return store


@pytest.fixture
def home(tmp_path):
    """Four segments: two replies of a paid engine, one of an unknown one, one of a local one, and one twice."""
    folder = tmp_path / "home" / "requests"
    twins = [RequestStore(folder), RequestStore(folder)]
    one = Request("llamacpp:smollm2@sha256:ab", (Message("user", "again"),))
    for store in twins:
        store.put(one, Reply(one.key, "yes", "stop", 7, 3, "{}"))
    fill(folder, "openai:gpt-4o-mini", 1, 2)
    fill(folder, "openai:my-own", 1)
    return folder


def test_stats(decoyqa, home):
    found = decoyqa("stats")
    assert found.exit_code == 0, found.output
    lines = [line.strip() for line in found.stdout.splitlines() if line.strip()]
    assert re.fullmatch(r".*home/requests: 4 segments, 4 replies, \d\.\d kB", lines[0])
    assert lines[1] == "1 duplicate and 0 torn lines, which decoyqa store gc leaves out"
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:]}
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    # twice 0.6 million fresh at $0.15, 0.4 million cached at $0.075, 0.1 million out at $0.60: 0.09 + 0.03 + 0.06
    assert rows["openai:gpt-4o-mini"] == ["2", "2,000,000", "800,000", "200,000", "180,000", "$0.3600", today, today]
    assert rows["openai:my-own"][5] == "unknown"
    assert rows["llamacpp:smollm2@sha256:ab"] == ["1", "7", "0", "3", "0", "$0.0000", today, today]
    assert lines[-1] == "cost by the prices of 2026-11-29"


def test_gc_waits_a_day_says_first_what_it_would_do_and_keeps_every_reply(decoyqa, home):
    assert decoyqa("gc").stdout.splitlines()[-1] == "nothing to compact"
    told = decoyqa("gc", "--older-than", 0, "--dry-run").stdout
    assert told == "4 segments would become one of 4 replies, 1 duplicate and 0 torn lines left out\n"
    assert len(list(home.iterdir())) == 4
    assert decoyqa("gc", "--older-than", 0).stdout == told.replace("would become", "became")
    assert len(list(home.iterdir())) == 1
    assert "1 segment, 4 replies" in decoyqa("stats").stdout
    assert decoyqa("gc", "--older-than", 0).stdout.splitlines()[-1] == "nothing to compact"


def test_what_one_exports_another_imports(decoyqa, home, monkeypatch, tmp_path):
    assert decoyqa("export", "all.jsonl").stdout == "all.jsonl: 4 replies\n"
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "elsewhere"))
    assert decoyqa("import", "all.jsonl").stdout == "all.jsonl: 4 replies added, 0 were there\n"
    assert decoyqa("import", "all.jsonl").stdout == "all.jsonl: 0 replies added, 4 were there\n"
    assert list(RequestStore(tmp_path / "elsewhere" / "requests").index) == list(RequestStore(home).index)


@pytest.mark.parametrize("words", [("stats",), ("gc",), ("export", "all.jsonl")])
def test_a_store_that_is_not_there_is_not_made(decoyqa, tmp_path, words):
    found = decoyqa(*words)
    assert found.exit_code == 2
    assert found.stderr.startswith(f"error: {tmp_path}/home/requests: no request store there")
    assert os.listdir(tmp_path) == []


def test_a_bad_file_is_one_line_and_leaves_no_store(decoyqa, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"request": 1}\n')
    found = decoyqa("import", "bad.jsonl")
    assert found.exit_code == 2
    assert found.stderr == "error: bad.jsonl, row 1: expected a stored call: key, time, request and reply\n"
    assert os.listdir(tmp_path) == ["bad.jsonl"]


def test_sizes_for_people():
    assert [size(number) for number in (0, 999, 1_000, 1_500_000, 2_345_678_901)] == [
        "0 bytes",
        "999 bytes",
        "1.0 kB",
        "1.5 MB",
        "2.3 GB",
    ]
