"""An audit from items to the run folder, with readers in place of models."""

import json
import random
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

import pytest

from eval.audit import audit, rescore
from eval.models.engine import Failure, Reply
from eval.models.readers import ReaderEngine, readers
from eval.run_folder import AuditSettings, StoredReply, read_facts
from eval.tasks.audit import Case
from loaders.artifact import read_parquet
from loaders.errors import DecoyQAError
from loaders.records import AuditOutcome, Hop, Item, Passage, Span

NAMES = ("Ada", "Bob", "Cid")


def _item(name, source_id=""):
    passages = (
        Passage(f"{name}'s book", f"{name}'s book was written by {name} Grey."),
        Passage(f"{name} Grey", f"{name} Grey was born in {name}town. It rained."),
        Passage("Weather", "Rain fell on many towns. Snow did not. Hail was seen once, and only in spring."),
    )
    hops = (
        Hop("1", "", f"{name} Grey", (), (Span(0, 0, len(passages[0].text)),)),
        Hop("2", "", f"{name}town", ("1",), (Span(1, 0, passages[1].text.index(" It")),)),
    )
    question = f"Where was the author of {name}'s book born?"
    return Item(name, question, f"{name}town", (), passages, hops, True, "CC0-1.0", source_id or name)


ITEMS = [_item(name) for name in NAMES]
CASES = [Case("mine", item) for item in ITEMS]


class Judge:
    """Says correct where the response holds a reference, partial where it is empty talk, and jabbers about Cid."""

    identity, runtime = "judge:strict", "a judge"

    def __init__(self):
        self.asked = []

    def ask(self, requests):
        for request in requests:
            self.asked.append(request.messages[1].content)
            reference, response = self.asked[-1].split("\n- ")[1].split("\n\nModel response:\n")
            said = response.split("\n\n")[0]
            verdict = "correct" if said == reference else "partial"
            text = "Hm." if "Cid" in reference else json.dumps({"verdict": verdict, "reason": "Because."})
            yield Reply(request.key, text, "stop", 1, 1, "{}")


class Failing(ReaderEngine):
    """A reader whose calls fail where a word stands in the prompt."""

    def __init__(self, name, read, word):
        super().__init__(name, read)
        self._word = word

    def ask(self, requests):
        for request in requests:
            yield Failure(request.key, "down") if self._word in request.messages[0].content else self.answer(request)


class Shuffled(ReaderEngine):
    """A reader whose replies come in another order than the requests."""

    def ask(self, requests):
        replies = [self.answer(request) for request in requests]
        random.Random(7).shuffle(replies)
        return iter(replies)


def _settings(engine, **changes):
    given = {
        "source": "mine",
        "inputs": ("c0ffee",),
        "engine": engine.identity,
        "judge": "exact",
        "unit": "sentences",
        "tokenizer": "words-1",
        "conditions": ("full", "drop_one", "control"),
        "prompt": "multihop",
        "paired": False,
        "limit": None,
        "max_tokens": 64,
        "seed": 0,
        "prompt_hashes": (),
    }
    return AuditSettings(**given | changes)


@pytest.fixture
def run(tmp_path):
    def call(engine=None, judge=None, cases=CASES, out="run", left_out=None, **changes):
        engine = engine or ReaderEngine("graph", readers(ITEMS)["graph lookup"])
        settings = _settings(engine, judge=judge.identity if judge else "exact", **changes)
        folders = {"out": tmp_path / out, "store": tmp_path / "requests"}
        return audit(cases, engine, judge, settings, inputs=[], left_out=left_out or {}, **folders)

    return call


def _figures(found):
    return {one.metric: (one.value, one.n) for one in found.metrics if one.stratum == "all"}


def _bytes(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_reader_that_needs_every_hop(run, tmp_path):
    found = run(left_out={"unanswerable": 2})
    assert (found.items, found.statuses, found.verdicts) == (3, {"scored": 15}, {"correct": 9, "incorrect": 6})
    figures = _figures(found)
    assert [figures[name] for name in ("full", "drop_one", "control", "bnr")] == [(1, 3), (0, 3), (1, 3), (1, 3)]
    folder = tmp_path / "run"
    assert sorted(_bytes(folder)) == ["metrics.json", "outcomes/mine.parquet", "replies/mine.parquet", "run.json"]
    facts = json.loads((folder / "run.json").read_text())
    assert facts["settings"]["unit"] == "sentences"
    assert facts["settings"]["family"] == "audit"
    assert facts["left_out"] == {"unanswerable": 2}
    assert facts["counts"]["mine/drop_one/multihop"] == {"asked": 6, "scored": 6}
    assert len(read_parquet(folder / "outcomes/mine.parquet", AuditOutcome)) == 15
    replies = read_parquet(folder / "replies/mine.parquet", StoredReply)
    assert (replies[0].id, replies[0].condition, replies[0].target, replies[0].text) == (
        "Ada",
        "control",
        "1",
        "Adatown",
    )


def test_nothing_is_asked_twice_and_scores_are_computed_again(run, tmp_path):
    judge = Judge()
    found, before = run(judge=judge), _bytes(tmp_path / "run")
    asked = len(judge.asked)
    assert run(judge=judge) == found
    assert len(judge.asked) == asked
    facts = read_facts(tmp_path / "run")
    assert rescore(tmp_path / "run", facts, facts.settings, CASES) == found
    (tmp_path / "run" / "metrics.json").write_text("[]")
    assert rescore(tmp_path / "run", facts, facts.settings, CASES) == found
    assert _bytes(tmp_path / "run") == before


def test_a_judge_whose_reply_cannot_be_read_is_unjudged_and_no_data_point(run):
    found = run(judge=Judge())
    # each of Ada and Bob: Full and two Controls correct, two Drops partial; Cid: none
    assert found.statuses == {"scored": 10, "unjudged": 5}
    assert found.verdicts == {"correct": 6, "partial": 4, "unjudged": 5}
    figures = _figures(found)
    assert figures["full"] == (1, 2)
    assert figures["bnr"] == (1, 2)
    assert figures["drops_complete"] == (pytest.approx(2 / 3), 3)


def test_the_judge_sees_exact_matches_unless_the_paper_accepts_them_first(run):
    long, multihop = Judge(), Judge()
    run(judge=long, out="other", prompt="long")
    run(judge=multihop)
    # the same response to the same question is judged once, whatever the prompt
    assert len(long.asked) == 3
    assert all("I cannot tell" in asked for asked in long.asked)
    assert len(multihop.asked) == 3
    assert all("town\n" in asked for asked in multihop.asked)


def test_equal_results_whatever_the_order_of_items_and_replies(run, tmp_path):
    found = run(judge=Judge())
    read = readers(ITEMS)["graph lookup"]
    again = audit(
        CASES[::-1],
        Shuffled("graph", read),
        Judge(),
        _settings(ReaderEngine("graph", read), judge="judge:strict"),
        inputs=[],
        left_out={},
        out=tmp_path / "other",
        store=tmp_path / "elsewhere",
    )
    assert again == found
    assert _bytes(tmp_path / "other") == _bytes(tmp_path / "run")


class Threaded(ReaderEngine):
    """A reader of several workers."""

    def __init__(self, name, read, workers):
        super().__init__(name, read)
        self._workers = workers

    def ask(self, requests):
        with ThreadPoolExecutor(self._workers) as pool:
            yield from (done.result() for done in as_completed([pool.submit(self.answer, one) for one in requests]))


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_equal_results_whatever_the_number_of_workers(run, tmp_path, workers):
    read = readers(ITEMS)["last hop only"]
    found = run(ReaderEngine("last", read), conditions=("full", "drop_one", "control", "half", "window"))
    settings = _settings(ReaderEngine("last", read), conditions=found.settings.conditions)
    folders = {"out": tmp_path / "many", "store": tmp_path / f"store{workers}"}
    assert audit(CASES, Threaded("last", read, workers), None, settings, inputs=[], left_out={}, **folders) == found
    assert _bytes(tmp_path / "many") == _bytes(tmp_path / "run")


def test_failed_calls_are_pending_and_asked_alone_next_time(run, tmp_path):
    read = readers(ITEMS)["graph lookup"]
    found = run(Failing("graph", read, "Bob's book born"))
    assert found.statuses == {"scored": 10, "pending": 5}
    assert _figures(found)["bnr"] == (1, 2)
    errors = json.loads((tmp_path / "run" / "run.json").read_text())["errors"]
    assert errors == {"down": 4}  # both Controls are one prompt
    assert run(ReaderEngine("graph", read)).statuses == {"scored": 15}


def test_if_every_call_failed_nothing_is_recorded(run, tmp_path):
    with pytest.raises(DecoyQAError, match="every call to reader:graph failed: down"):
        run(Failing("graph", str, "Question"))
    assert not (tmp_path / "run").exists()


def test_other_settings_do_not_overwrite_a_run(run):
    run()
    with pytest.raises(DecoyQAError, match=r"other settings \(unit, seed\)"):
        run(unit="paragraph", seed=1)


def test_no_items_are_refused_with_the_reasons(run):
    with pytest.raises(DecoyQAError, match="no item is left to audit; 3 unanswerable"):
        run(cases=[], left_out={"unanswerable": 3})


def test_a_control_that_cannot_be_made_is_counted(run):
    short = replace(ITEMS[0], passages=ITEMS[0].passages[:2])
    found = run(cases=[Case("mine", short)], unit="paragraph")
    assert found.statuses == {"scored": 3, "unavailable": 2}
    assert _figures(found)["bnr"] == (1, 1)
    assert _figures(found)["control"] == (None, 0)


@pytest.mark.parametrize(
    ("reader", "figures"),
    [
        ("graph lookup", {"full": 1, "drop_one": 0, "control": 1, "bnr": 1, "dire_upper": 0}),
        ("last hop only", {"full": 1, "drop_one": 0.5, "control": 1, "bnr": 0.5, "dire_upper": 1}),
        ("closed book", {"full": 1, "drop_one": 1, "control": 1, "bnr": 0, "dire_upper": 1}),
        ("refuser", {"full": 0, "drop_one": 0, "control": 0, "bnr": None, "dire_upper": 0}),
    ],
)
def test_readers_whose_figures_are_known(run, reader, figures):
    engine = ReaderEngine(reader, readers(ITEMS)[reader])
    found = _figures(run(engine, conditions=("full", "drop_one", "control", "half")))
    assert {name: found[name][0] for name in figures} == figures


def test_both_sides_of_a_pair(run):
    twins = [Case("mine_twin", item) for item in ITEMS]
    found = run(cases=[*CASES, *twins], paired=True)
    assert _figures(found)["paired_increase"] == (0, 3)
    assert found.items == 6
