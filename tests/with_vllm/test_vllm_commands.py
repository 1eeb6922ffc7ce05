"""`decoyqa eval --model vllm:` and `decoyqa build genadv --writer vllm:`, in process, on SmolLM2."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from eval.run_folder import read_replies
from loaders.manifest import read_manifest

if TYPE_CHECKING:
    from conftest import Command


def test_eval_asks_every_condition(run_in_process: Path, folder: Path):
    facts = json.loads((run_in_process / "run.json").read_text())
    assert facts["settings"]["engine"].startswith(f"vllm:{folder.name}@sha256:")
    assert facts["runtime"].startswith("vllm 0.")
    assert facts["errors"] == {}
    replies = read_replies(run_in_process)
    assert {one.condition for one in replies} >= {"retrieved", "adversarial", "conflict", "random"}
    assert all(one.prompt_tokens > 30 and one.completion_tokens > 0 for one in replies)
    assert json.loads((run_in_process / "metrics.json").read_text())


def test_a_stored_run_and_a_dry_run_load_no_model(
    decoyqa: "Command", sample: Path, run_in_process: Path, model: str, tmp_path: Path
):
    words = ("eval", sample, "--limit", "1", "--out", tmp_path / "again")
    decoyqa(*words, "--model", model)
    assert json.loads((tmp_path / "again" / "run.json").read_text())["runtime"] == "vllm, nothing to ask"
    assert read_replies(tmp_path / "again") == read_replies(run_in_process)
    decoyqa(*words, "--dry-run", "--model", f"{model}&quantization=nonsense")  # which vLLM would refuse to load


def test_build_names_what_became_of_every_draft(build: "Command", model: str, folder: Path, tmp_path: Path):
    told = build("--limit", "8", "--writer", model, "--out", tmp_path).stdout
    manifest = read_manifest(tmp_path / "genadv" / "0.0.0.dev0")
    assert manifest["writer"].startswith(f"vllm:{folder.name}@sha256:")
    funnel = manifest["configs"][0]["funnel"]
    for steps in funnel.values():
        assert steps[0]["entered"] == 8
        assert all(one["pending"] == 0 for one in steps)
        assert all(one["kept"] + sum(one["rejected"].values()) == one["entered"] for one in steps)
    for condition in ("adversarial", "conflict"):
        assert funnel[condition][0]["step"] == "answer_sentence"
        reasons = [reason for one in funnel[condition] for reason in one["rejected"]]
        assert len(reasons) > 0
        assert all(reason in " ".join(told.split()) for reason in reasons)
