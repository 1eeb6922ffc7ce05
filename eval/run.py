"""Ask a model the items of an artifact and write the run folder; score a run folder again without asking."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from eval.asking import ask_all, open_judge
from eval.choice import Choice, checked_manifest, read_chosen
from eval.metrics.metric import Metric
from eval.models.engine import DEFAULTS, EngineOptions, Reply, Request, open_engine
from eval.models.estimate import Estimate, estimate, longest_reply
from eval.models.ledger import Ledger
from eval.models.prices import Prices
from eval.models.store import RequestStore
from eval.requests import (
    Place,
    check_judge,
    judge_requests,
    judgement_request,
    place_of,
    prepare,
    request_of,
    with_engines,
)
from eval.run_folder import (
    RunFacts,
    Settings,
    read_facts,
    read_replies,
    refuse_other_run,
    stored_reply,
    write_run,
)
from eval.tasks.judging import EXACT
from eval.tasks.task import Ask, Task, plan, task_of
from loaders.errors import DecoyQAError

JUDGE = "judge"


@dataclass(frozen=True)
class Evaluation:
    """A run's figures, and how many replies were scored, cut at the token limit, not judged, or are still pending."""

    metrics: tuple[Metric, ...]
    scored: int
    truncated: int
    unjudged: int
    pending: int


def evaluate(
    artifact: Path,
    engine_name: str,
    choice: Choice | None = None,
    *,
    out: Path,
    store: Path,
    options: EngineOptions = DEFAULTS,
    ledger: Ledger | None = None,
    judge_name: str = EXACT,
) -> Evaluation:
    """Ask what is not in the store, have it judged where the family wants that, score it, write the run folder at once.

    Raises DecoyQAError for an artifact that is not as written, a choice that it cannot meet, a run folder of other
    settings, if every call failed, and what `Asker.ask` raises.
    """
    ledger = ledger or Ledger()
    task, settings, asks = prepare(artifact, choice or Choice())
    check_judge(task, judge_name)
    with (
        open_engine(engine_name, options) as engine,
        open_judge(judge_name, engine_name, engine, options) as judge,
        RequestStore(store) as stored,
    ):
        settings = with_engines(settings, task, engine, judge)
        refuse_other_run(out, settings)
        if judge:
            ledger.require_price(judge.identity)
        answers = ask_all("replies", engine, [request_of(ask, settings) for ask in asks], stored, ledger)
        if not answers.replies:
            raise DecoyQAError(f"every call to {engine_name} failed: {next(iter(answers.failures.values())).error}")
        replies, failures = dict(answers.replies), dict(answers.failures)
        if judge:
            wanted = judge_requests(task, asks, settings, replies)
            judged = ask_all("verdicts", judge, list(wanted.values()), stored, ledger)
            replies, failures = replies | dict(judged.replies), failures | dict(judged.failures)
        runtime = engine.runtime + (f"; judge: {judge.runtime}" if judge and judge is not engine else "")
    errors = dict(Counter(sorted(failure.error for failure in failures.values())))
    facts = RunFacts((str(artifact.resolve()),), settings, runtime, errors, {})
    answered = {place_of(ask): reply for ask in asks if (reply := replies.get(request_of(ask, settings).key))}
    return _finish(task, out, facts, settings, asks, answered, replies)


def preview(
    artifact: Path,
    engine_name: str,
    choice: Choice | None = None,
    *,
    store: Path,
    options: EngineOptions = DEFAULTS,
    prices: Prices,
    judge_name: str = EXACT,
) -> list[Estimate]:
    """Return what `evaluate` would ask and what it costs at most, by prompt and condition and for the judge.

    Nothing is written. A reply that is not known yet is taken to be as long as it may be, and to need its judge.
    """
    task, settings, asks = prepare(artifact, choice or Choice())
    check_judge(task, judge_name)
    with (
        open_engine(engine_name, options) as engine,
        open_judge(judge_name, engine_name, engine, options) as judge,
    ):
        settings = with_engines(settings, task, engine, judge)
    stored = RequestStore(store)
    steps: dict[str, list[Request]] = {}
    for prompt, condition in product(settings.prompts, settings.conditions):
        if chosen := [ask for ask in asks if (ask.prompt, ask.condition) == (prompt, condition)]:
            steps[f"{prompt}, {condition}"] = [request_of(ask, settings) for ask in chosen]
    if settings.judge not in ("", EXACT):
        requests = [request_of(ask, settings) for ask in asks]
        supposed = {one.key: stored.get(one.key) or longest_reply(one) for one in requests}
        steps["judge"] = list(judge_requests(task, asks, settings, supposed).values())
    return estimate(steps, stored, prices)


def rescore(run: Path, artifact: Path | None = None) -> Evaluation:
    """Compute outcomes and figures of a run folder again from its stored replies; no model is opened.

    The artifact is the one that the run names, or the same one elsewhere; raises DecoyQAError if it is another.
    """
    facts = read_facts(run)
    settings = facts.settings
    if not isinstance(settings, Settings):
        raise DecoyQAError(f"{run} is an audit, not the evaluation of an artifact")
    artifact = artifact or Path(facts.inputs[0])
    manifest = checked_manifest(artifact)
    if manifest["content_id"] != settings.content_id:
        raise DecoyQAError(f"{artifact} is not the artifact of {run}: their content ids differ")
    task = task_of(manifest)
    rows = read_chosen(task, artifact, settings.configs, settings.limit)
    asks = plan(task, rows, settings.prompts, settings.conditions, settings.samples)
    stored = read_replies(run)
    places = {(one.config, one.condition, one.prompt, one.id, one.target, one.sample): one.reply for one in stored}
    return _finish(task, run, facts, settings, asks, places, {one.request: one.reply for one in stored})


def _finish(
    task: Task,
    out: Path,
    facts: RunFacts,
    settings: Settings,
    asks: Sequence[Ask],
    answered: Mapping[Place, Reply],
    by_key: Mapping[str, Reply],
) -> Evaluation:
    """Score, write the run folder, and return what the command prints; `by_key` has the judge's replies."""
    kept, outcomes = [], []
    for ask in asks:
        reply = answered.get(place_of(ask))
        asked = judgement_request(task, ask, settings, reply)
        judgement = by_key.get(asked.key) if asked else None
        verdict = (asked.key if asked else "", judgement) if task.judged else ()
        outcomes.append(task.score(ask, request_of(ask, settings).key, reply, *verdict))
        for prompt, given in ((ask.prompt, reply), (JUDGE, judgement)):
            if given:
                place = (ask.row.id, ask.config, ask.condition, prompt)
                kept.append(stored_reply(place, given, ask.target, ask.sample))
    metrics = task.metrics(outcomes, asks)
    write_run(out, facts, kept, outcomes, metrics)
    counts = Counter(outcome.status for outcome in outcomes)
    return Evaluation(tuple(metrics), *(counts[name] for name in ("scored", "truncated", "unjudged", "pending")))
