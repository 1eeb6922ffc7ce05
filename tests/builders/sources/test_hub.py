"""Sources from a Hub on 127.0.0.1; huggingface_hub reads its environment at import, so each fetch is a process."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub_server import HubServer

from builders.sources.catalogue import SOURCES, Source

ROOT = Path(__file__).resolve().parents[3]
DATA = b"question\tanswers\nwho?\t[]\n"
FETCH = """
import json, resource, sys
from pathlib import Path
from builders.sources import hub
from builders.sources.catalogue import Source
from loaders.errors import DecoyQAError
try:
    print(hub.fetch(Source(**json.loads(sys.argv[1])), Path(sys.argv[2])))
except DecoyQAError as error:
    print(f"refused: {error}")
"""

Fetch = Callable[..., str]


@pytest.fixture
def source(hub: HubServer) -> Source:
    """Return a source whose file the Hub holds at the pinned commit, and another one at the head of main."""
    commit = hub.put("org/set", {"data/test.tsv": DATA})
    hub.put("org/set", {"data/test.tsv": b"changed"})
    checksum = hashlib.sha256(DATA).hexdigest()
    facts = {"hub_id": "org/set", "revision": commit, "file": "data/test.tsv", "sha256": checksum}
    return replace(SOURCES["nq"], **facts)


@pytest.fixture
def fetch(hub: HubServer, tmp_path: Path) -> Fetch:
    """Fetch in a process of its own; return its last line."""

    def run(source: Source, lines: str = "", **environment: str) -> str:
        words = [sys.executable, "-c", lines + FETCH, json.dumps(asdict(source)), str(tmp_path / "sources")]
        env = {**hub.environment(tmp_path / "hf"), "PYTHONPATH": str(ROOT), **environment}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.splitlines()[-1]

    return run


def kept(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "sources").rglob("*") if path.is_file())


def test_a_file_is_fetched_once_and_then_needs_no_hub(
    hub: HubServer, fetch: Fetch, source: Source, tmp_path: Path
) -> None:
    first = fetch(source)
    assert first == str(tmp_path / "sources" / "org--set" / source.revision / "data" / "test.tsv")
    assert Path(first).read_bytes() == DATA
    assert len(hub.asked("resolve")) == 1
    assert fetch(source, HF_ENDPOINT="http://127.0.0.1:9", HF_HUB_OFFLINE="1") == first
    assert len(hub.requests) == 1
    assert kept(tmp_path) == ["test.tsv", "test.tsv.sha256"]


def test_the_first_download_of_an_unpinned_file_is_what_later_ones_are_compared_with(
    fetch: Fetch, source: Source, tmp_path: Path
) -> None:
    path = Path(fetch(replace(source, sha256="")))
    assert path.with_name("test.tsv.sha256").read_text() == f"{source.sha256}\n"
    path.write_bytes(DATA + b"x")
    assert f"expected {source.sha256}; delete the file and it is fetched again" in fetch(replace(source, sha256=""))


def test_another_checksum_stops_and_keeps_nothing(fetch: Fetch, source: Source, tmp_path: Path) -> None:
    line = fetch(replace(source, sha256="ab" * 32))
    assert line == f"refused: {source.place}: sha256 {'ab' * 32} is pinned, {source.sha256} came; nothing was kept"
    assert kept(tmp_path) == []


def test_what_the_hub_states_of_a_large_file_is_compared_too(
    hub: HubServer, fetch: Fetch, source: Source, tmp_path: Path
) -> None:
    lines = "from huggingface_hub import constants\nconstants.HUGGINGFACE_HEADER_X_LINKED_ETAG = 'X-Stated'\n"
    stated = {"X-Repo-Commit": source.revision, "X-Stated": f'"{"cd" * 32}"'}
    hub.fail("resolve", status=200, headers=stated)
    line = fetch(replace(source, sha256=""), lines)
    assert f"sha256 {'cd' * 32} is what the Hub states" in line
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"revision": "0" * 40}, "no such commit (status 404)"),
        ({"file": "data/other.tsv"}, "no such file at that commit (status 404)"),
        ({"hub_id": "org/other"}, "no such data set, or not for this token (status 404)"),
    ],
)
def test_what_is_not_there(fetch: Fetch, source: Source, tmp_path: Path, change: dict[str, str], expected: str) -> None:
    changed = replace(source, **change)
    line = fetch(changed)
    assert line.startswith(f"refused: {changed.place}: {expected}")
    assert line.endswith("another commit goes into catalogue.toml, or give the file with --input")
    assert kept(tmp_path) == []


def test_a_revision_that_moved_stops(hub: HubServer, fetch: Fetch, source: Source, tmp_path: Path) -> None:
    hub.move_tag("org/set", source.revision[:7], source.revision)
    line = fetch(replace(source, revision=source.revision[:7]))
    assert f"the revision has moved, the Hub sends commit {source.revision}" in line
    assert kept(tmp_path) == []


def test_a_rate_limit_is_waited_for(hub: HubServer, fetch: Fetch, source: Source) -> None:
    hub.fail("resolve", status=429, headers={"Retry-After": "1"}, times=2)
    started = time.monotonic()
    assert Path(fetch(source)).read_bytes() == DATA
    assert time.monotonic() - started >= 2
    assert len(hub.asked("resolve")) == 3


def test_a_long_rate_limit_is_not(hub: HubServer, fetch: Fetch, source: Source, tmp_path: Path) -> None:
    hub.fail("resolve", status=429, headers={"Retry-After": "3600"}, times=9)
    line = fetch(source)
    assert "the Hub limits how often it is asked (status 429, wait 3600 s); try again later, or give" in line
    assert len(hub.asked("resolve")) == 1
    assert kept(tmp_path) == []


def test_a_cut_or_dropped_answer_is_asked_for_again(hub: HubServer, fetch: Fetch, source: Source) -> None:
    hub.fail("resolve", cut=5)
    hub.fail("resolve", drop=True)
    assert Path(fetch(source)).read_bytes() == DATA
    assert len(hub.asked("resolve")) == 3


NO_WAITING = "import time\ntime.sleep = lambda seconds: None\n"


def test_a_hub_that_stays_broken_or_away_is_given_up(
    hub: HubServer, fetch: Fetch, source: Source, tmp_path: Path
) -> None:
    hub.fail("resolve", status=502, times=99)
    assert "the Hub has a fault of its own (status 502); try again later" in fetch(source, NO_WAITING)
    assert len(hub.asked("resolve")) == 4
    away = fetch(source, NO_WAITING, HF_ENDPOINT="http://user:secret@127.0.0.1:9")
    assert "no whole answer from 127.0.0.1 (ConnectError); try again later, or give the file with --input" in away
    assert "secret" not in away
    offline = fetch(source, HF_HUB_OFFLINE="1")
    assert "not fetched yet, and HF_HUB_OFFLINE is set; unset it, or give the file with --input" in offline
    assert kept(tmp_path) == []


def test_a_full_disk(fetch: Fetch, source: Source, tmp_path: Path) -> None:
    # A limit on the size of files stands for it: the first byte beyond fails as it would on a full disk.
    lines = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    line = fetch(source, f"{lines}resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n")
    assert line.endswith("test.tsv: cannot be written: File too large")
    assert kept(tmp_path) == []


# The columns of the published Parquet files.
PUBLISHED: dict[str, dict[str, Any]] = {
    "webq": {"url": "http://x", "question": "what is a town?", "answers": ["Town"]},
    "tqa": {
        "question": "What is a town?",
        "question_id": "tc_1",
        "question_source": "x",
        "entity_pages": {"title": ["T"]},
        "answer": {"aliases": ["a town", "Town"], "normalized_aliases": ["town"], "type": "FreeForm", "value": "Town"},
    },
}


@pytest.mark.parametrize("name", ["webq", "tqa"])
def test_a_build_takes_a_source_from_the_hub(hub: HubServer, tmp_path: Path, name: str) -> None:
    source, rows = SOURCES[name], []
    for number in range(source.paper_rows):
        row = {**PUBLISHED[name], "question": f"what is town {number}?"}
        rows.append({**row, "question_id": f"tc_{number}"} if "question_id" in row else row)
    out = build(hub, tmp_path, name, rows)
    assert out.returncode == 0, out.stderr
    pinned = hashlib.sha256((tmp_path / "published").read_bytes()).hexdigest()
    assert f"{source.place}, sha256 {pinned} (not pinned yet: put it into catalogue.toml)" in out.stderr
    assert f"{name}: {source.paper_rows:,} questions, 3 with documents" in out.stderr
    assert "Recall@5 100.0%; documents: questions 2: 3" in out.stderr
    assert not (tmp_path / "dist").exists()


def test_another_number_of_questions_than_the_papers_stops(hub: HubServer, tmp_path: Path) -> None:
    out = build(hub, tmp_path, "webq", [PUBLISHED["webq"]])
    assert (out.returncode, out.stdout) == (2, "")
    assert "expected 2,032 questions (GenADV, table 3), found 1" in out.stderr.splitlines()[-1]


def build(hub: HubServer, tmp_path: Path, name: str, rows: list[dict[str, Any]]) -> "subprocess.CompletedProcess[str]":
    """Publish rows under the commit that the catalogue pins, and run a build of three questions up to the models."""
    source = SOURCES[name]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "published")
    commit = hub.put(source.hub_id, {source.file: (tmp_path / "published").read_bytes()})
    commits = hub.repo(source.hub_id).commits
    commits[source.revision] = commits[commit]
    (tmp_path / "passages.tsv").write_text("id\ttext\n1\tA town is big.\n2\tThe Town of towns.\n3\tMud.\n")
    words = ["build", "genadv", "--source", name, "--passages", str(tmp_path / "passages.tsv"), "--dry-run"]
    env = {**hub.environment(tmp_path / "hf"), "DECOYQA_HOME": str(tmp_path / "home"), "COLUMNS": "300"}
    command = [sys.executable, "-c", "from builders.cli import main; main()", *words]
    command += ["--limit", "3", "--out", str(tmp_path / "dist")]
    return subprocess.run(
        command, env={**env, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, cwd=tmp_path
    )


def test_the_catalogue_pins_commits_and_the_papers_sizes() -> None:
    assert all(len(source.revision) == 40 and len(source.sha256) in (0, 64) for source in SOURCES.values())
    assert {name for name, source in SOURCES.items() if not source.sha256} == {"tqa", "webq"}
    assert "HF_TOKEN" not in os.environ
