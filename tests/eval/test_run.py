import json
from dataclasses import asdict

import pytest

from eval.choice import Choice
from eval.run import evaluate, rescore
from eval.run_folder import StoredReply
from loaders.artifact import read_parquet
from loaders.errors import DecoyQAError
from loaders.records import Outcome

EVERYTHING = 6 + 5 + 4 + 4 + 2 + 6 + 5 + 4 + 2 + 6 + 4 + 6


@pytest.fixture
def run(tmp_path, artifact, engines):
    """Evaluate with a reader into `run/`, with one store for all calls of a test."""

    def call(reader="copyist", source=artifact, out=tmp_path / "run", **options):
        return evaluate(source, reader, Choice(**options), out=out, store=tmp_path / "requests")

    return call


@pytest.fixture
def rules(tmp_path):
    """Write a file of rules and return the engine's name."""

    def write(*lines):
        path = tmp_path / "rules.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return f"scripted:{path}"

    return write


def _bytes(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_folder_says_what_was_asked_and_found(run, tmp_path):
    found = run()
    assert (found.scored, found.truncated, found.pending) == (EVERYTHING, 0, 0)
    folder = tmp_path / "run"
    assert sorted(_bytes(folder)) == ["metrics.json", "outcomes/nq.parquet", "replies/nq.parquet", "run.json"]
    facts = json.loads((folder / "run.json").read_text())
    assert facts["settings"]["engine"] == "scripted:copyist"
    assert facts["settings"]["content_id"] == "c0ffee"
    assert facts["settings"]["prompts"] == ["normal", "unans", "conflict", "closed-book"]
    assert len(facts["settings"]["prompt_hashes"]) == 4
    assert facts["runtime"] == "a reader"
    assert facts["counts"]["all"] == {"asked": EVERYTHING, "scored": EVERYTHING}
    assert facts["counts"]["nq/adversarial/normal"] == {"asked": 5, "scored": 5}
    assert json.loads((folder / "metrics.json").read_text()) == [asdict(one) for one in found.metrics]
    assert len(read_parquet(folder / "outcomes/nq.parquet", Outcome)) == EVERYTHING
    replies = read_parquet(folder / "replies/nq.parquet", StoredReply)
    first = replies[0]
    assert (first.id, first.condition, first.prompt, first.text) == ("q1", "adversarial", "normal", "Hull")


def test_nothing_is_asked_twice(run, engines):
    first = run()
    assert len(engines[0].prompts) == len(set(engines[0].prompts)) == EVERYTHING
    assert engines[0].prompts == sorted(engines[0].prompts)
    assert run() == first
    assert engines[1].prompts == []


def test_scores_are_computed_again_without_asking(run, engines, tmp_path):
    found, before = run(), _bytes(tmp_path / "run")
    assert rescore(tmp_path / "run") == found
    assert len(engines) == 1
    assert _bytes(tmp_path / "run") == before


def test_scores_rest_on_the_stored_replies(run, tmp_path):
    """Scores that someone changed come out as they were."""
    found = run()
    (tmp_path / "run" / "metrics.json").write_text("[]")
    (tmp_path / "run" / "outcomes" / "nq.parquet").unlink()
    assert rescore(tmp_path / "run") == found
    assert json.loads((tmp_path / "run" / "metrics.json").read_text()) == [asdict(one) for one in found.metrics]


def test_the_order_of_rows_changes_nothing(run, rows, write, tmp_path):
    found = run()
    turned = write(tmp_path / "turned", {key: kept[::-1] for key, kept in rows.items()})
    again = run(source=turned, out=tmp_path / "other")
    assert again == found
    first, second = _bytes(tmp_path / "run"), _bytes(tmp_path / "other")
    assert {name for name in first if first[name] != second[name]} == {"run.json"}  # the artifact's path


def test_a_limit_keeps_the_same_ids_everywhere(run, tmp_path):
    run(limit=2, prompts=["normal"])
    outcomes = read_parquet(tmp_path / "run" / "outcomes/nq.parquet", Outcome)
    assert {outcome.id for outcome in outcomes} == {"q1", "q2"}
    assert {outcome.condition for outcome in outcomes} == {"retrieved", "adversarial", "conflict", "random", "topk"}


def test_other_settings_do_not_overwrite_a_run(run, tmp_path):
    run()
    before = _bytes(tmp_path / "run")
    with pytest.raises(DecoyQAError, match=r"other settings \(limit, max_tokens\)"):
        run(limit=2, max_tokens=9)
    with pytest.raises(DecoyQAError, match=r"other settings \(engine\)"):
        run("expert")
    assert _bytes(tmp_path / "run") == before


def test_a_folder_that_is_no_run_is_left_alone(run, artifact):
    before = _bytes(artifact)
    with pytest.raises(DecoyQAError, match="no run"):
        run(out=artifact)
    assert _bytes(artifact) == before


def test_a_changed_artifact_is_not_asked(run, engines, artifact, tmp_path):
    (artifact / "nq" / "topk-00000-of-00001.parquet").unlink()
    with pytest.raises(DecoyQAError, match=r"topk-00000-of-00001.parquet: missing"):
        run()
    assert not engines
    assert not (tmp_path / "run").exists()


def test_rescoring_wants_the_artifact_that_was_asked(run, rows, write, tmp_path):
    run()
    other = write(tmp_path / "other", rows, content_id="deadbeef")
    with pytest.raises(DecoyQAError, match="content ids differ"):
        rescore(tmp_path / "run", other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prompts": ["polite"]}, "unknown prompt 'polite'; known: normal, unans, conflict, closed-book"),
        ({"conditions": ["noisy"]}, "unknown condition 'noisy'"),
        ({"limit": 0}, "a limit of 0 leaves nothing to ask"),
        ({"configs": ["tqa"]}, "has no tqa; it has: nq"),
        ({"prompts": ["closed-book"], "conditions": ["retrieved"]}, "prompt 'closed-book' is asked under closed_book"),
    ],
)
def test_a_choice_that_cannot_be_met_is_refused(run, engines, options, message):
    with pytest.raises(DecoyQAError, match=message):
        run(**options)
    assert not engines


def test_a_condition_that_the_artifact_lacks_is_refused(run, rows, write, tmp_path):
    del rows["nq", "topk"]
    small = write(tmp_path / "small", rows)
    with pytest.raises(DecoyQAError, match="no split 'topk'"):
        run(source=small, conditions=["retrieved", "topk"])
    assert run(source=small).scored == EVERYTHING - 4


def test_failed_calls_are_pending_and_the_next_run_asks_them_alone(artifact, rules, tmp_path):
    folders = {"out": tmp_path / "run", "store": tmp_path / "requests"}
    name = rules({"contains": ["Alba"], "fail": "the server is down"}, {"reply": "Bexley"})
    found = evaluate(artifact, name, Choice(prompts=["normal"]), **folders)
    # q1 (Alba) stands in retrieved, adversarial, conflict and topk
    assert (found.scored, found.pending) == (17, 4)
    facts = json.loads((tmp_path / "run" / "run.json").read_text())
    assert facts["errors"] == {"the server is down": 4}
    assert facts["counts"]["nq/retrieved/normal"] == {"asked": 6, "scored": 5, "pending": 1}
    accuracy = next(one for one in found.metrics if one.condition == "retrieved" and one.metric == "accuracy")
    assert (accuracy.value, accuracy.n) == (1 / 5, 5)
    replies = read_parquet(tmp_path / "run" / "replies/nq.parquet", StoredReply)
    assert "q1" not in {one.id for one in replies}
    assert rescore(tmp_path / "run") == found


def test_a_reply_cut_at_the_limit_is_counted(artifact, rules, tmp_path):
    name = rules({"contains": ["Alba"], "reply": "Arden", "finish_reason": "length"}, {"reply": "Arden"})
    found = evaluate(artifact, name, Choice(prompts=["normal"]), out=tmp_path / "run", store=tmp_path / "requests")
    assert (found.scored, found.truncated) == (17, 4)
    assert max(one.value for one in found.metrics if one.metric == "accuracy" and one.n) == 0


def test_if_every_call_failed_nothing_is_recorded(artifact, rules, tmp_path):
    with pytest.raises(DecoyQAError, match=r"every call to scripted:.* failed: the server is down"):
        evaluate(artifact, rules({"fail": "the server is down"}), out=tmp_path / "run", store=tmp_path / "requests")
    assert not (tmp_path / "run").exists()


def test_progress_is_a_plain_line_off_a_terminal(run, capsys):
    run()
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == f"replies: {EVERYTHING} of {EVERYTHING}"
    assert len(lines) == 10
