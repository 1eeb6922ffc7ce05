"""Ask a model the items of an artifact and write the run folder; score a run folder again without asking."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from eval.choice import Choice, checked_manifest, choose, read_chosen
from eval.metrics.metric import Metric
from eval.models.asker import Asker
from eval.models.engine import DEFAULTS, EngineOptions, Reply, Request, open_engine
from eval.models.estimate import Estimate, estimate
from eval.models.ledger import Ledger
from eval.models.prices import Prices
from eval.models.store import RequestStore
from eval.progress import counting
from eval.prompting import template_hash
from eval.run_folder import (
    RunFacts,
    Settings,
    StoredReply,
    read_facts,
    read_replies,
    refuse_other_run,
    stored_reply,
    write_run,
)
from eval.tasks.task import Ask, Task, plan, task_of
from loaders.errors import DecoyQAError

Place = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Evaluation:
    """A run's figures, and how many replies were scored, cut at the token limit, or are still pending."""

    metrics: tuple[Metric, ...]
    scored: int
    truncated: int
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
) -> Evaluation:
    """Ask what is not in the store, score every reply and write the run folder in one rename.

    Raises DecoyQAError for an artifact that is not as written, a choice that it cannot meet, a run folder of other
    settings, if every call failed, and what `Asker.ask` raises.
    """
    ledger = ledger or Ledger()
    task, settings, asks = _prepare(artifact, choice or Choice())
    with open_engine(engine_name, options) as engine:
        settings = replace(settings, engine=engine.identity)
        refuse_other_run(out, settings)
        requests = [_request(ask, settings) for ask in asks]
        with (
            counting("replies", ledger.note) as progress,
            Asker(engine, RequestStore(store), ledger, progress) as asker,
        ):
            answers = asker.ask(requests)
        runtime = engine.runtime
    if not answers.replies:
        raise DecoyQAError(f"every call to {engine_name} failed: {next(iter(answers.failures.values())).error}")
    errors = dict(Counter(sorted(failure.error for failure in answers.failures.values())))
    facts = RunFacts((str(artifact.resolve()),), settings, runtime, errors, {})
    pairs = zip(asks, requests, strict=True)
    answered = {_place(ask): answers.replies[one.key] for ask, one in pairs if one.key in answers.replies}
    return _finish(task, out, facts, settings, asks, answered)


def preview(
    artifact: Path,
    engine_name: str,
    choice: Choice | None = None,
    *,
    store: Path,
    options: EngineOptions = DEFAULTS,
    prices: Prices,
) -> list[Estimate]:
    """Return what `evaluate` would ask and what that costs at most, by prompt and condition; write nothing."""
    _, settings, asks = _prepare(artifact, choice or Choice())
    with open_engine(engine_name, options) as engine:
        settings = replace(settings, engine=engine.identity)
    steps: dict[str, list[Request]] = {}
    for prompt, condition in product(settings.prompts, settings.conditions):
        if chosen := [ask for ask in asks if (ask.prompt, ask.condition) == (prompt, condition)]:
            steps[f"{prompt}, {condition}"] = [_request(ask, settings) for ask in chosen]
    return estimate(steps, RequestStore(store), prices)


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
    answered = {(one.config, one.condition, one.prompt, one.id, one.sample): one.reply for one in read_replies(run)}
    return _finish(task, run, facts, settings, asks, answered)


def _prepare(artifact: Path, choice: Choice) -> tuple[Task, Settings, list[Ask]]:
    """Read and check everything before a model is opened: the settings but for their engine, and what is asked."""
    manifest = checked_manifest(artifact)
    task = task_of(manifest)
    rows = read_chosen(task, artifact, choice.configs, choice.limit)
    prompts, conditions = choose(task, rows, choice.prompts, choice.conditions)
    settings = Settings(
        content_id=manifest["content_id"],
        version=manifest["version"],
        engine="",
        configs=tuple(sorted({config for config, _ in rows})),
        prompts=prompts,
        conditions=conditions,
        limit=choice.limit,
        max_tokens=choice.max_tokens or task.max_tokens,
        seed=choice.seed,
        prompt_hashes=tuple(template_hash(task.family, file) for name in prompts for file in task.templates(name)),
        samples=choice.samples,
        temperature=task.temperature if choice.temperature is None else choice.temperature,
        family=manifest["family"],
    )
    return task, settings, plan(task, rows, prompts, conditions, choice.samples)


def _finish(
    task: Task,
    out: Path,
    facts: RunFacts,
    settings: Settings,
    asks: Sequence[Ask],
    answered: Mapping[Place, Reply],
) -> Evaluation:
    """Score, write the run folder, and return what the command prints."""
    replies = [_stored(ask, answered[_place(ask)]) for ask in asks if _place(ask) in answered]
    outcomes = [task.score(ask, _request(ask, settings).key, answered.get(_place(ask))) for ask in asks]
    metrics = task.metrics(outcomes, asks)
    write_run(out, facts, replies, outcomes, metrics)
    counts = Counter(outcome.status for outcome in outcomes)
    return Evaluation(tuple(metrics), counts["scored"], counts["truncated"], counts["pending"])


def _place(ask: Ask) -> Place:
    return ask.config, ask.condition, ask.prompt, ask.row.id, ask.sample


def _request(ask: Ask, settings: Settings) -> Request:
    return Request(
        settings.engine,
        ask.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=settings.seed,
        sample=ask.sample,
    )


def _stored(ask: Ask, reply: Reply) -> StoredReply:
    return stored_reply((ask.row.id, ask.config, ask.condition, ask.prompt), reply, sample=ask.sample)
