"""Audit multi-hop items: ask a model under each condition, have the replies judged, write the run folder.

What is asked stands in `eval/tasks/audit.py`, the figures in `eval/metrics/audit.py`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.asking import ask_all
from eval.metrics.audit import audit_metrics
from eval.metrics.metric import Metric
from eval.models.engine import Engine, Reply, Request
from eval.models.estimate import Estimate, estimate, longest_reply
from eval.models.ledger import Ledger
from eval.models.prices import Prices
from eval.models.store import RequestStore
from eval.run_folder import AuditSettings, RunFacts, read_replies, refuse_other_run, stored_reply, write_run
from eval.tasks.audit import Ask, Case, plan, score
from eval.tasks.judging import EXACT, judge_request
from loaders.errors import DecoyQAError
from loaders.records import AuditOutcome

Replies = Mapping[str, Reply]


@dataclass(frozen=True)
class Audit:
    """An audit's settings, outcomes and figures, outcomes by status and by verdict, items left out by reason."""

    settings: AuditSettings
    outcomes: tuple[AuditOutcome, ...]
    metrics: tuple[Metric, ...]
    items: int
    statuses: Mapping[str, int]
    verdicts: Mapping[str, int]
    left_out: Mapping[str, int]


def audit(
    cases: Sequence[Case],
    engine: Engine,
    judge: Engine | None,
    settings: AuditSettings,
    *,
    inputs: Sequence[Path],
    left_out: Mapping[str, int],
    out: Path,
    store: Path,
    ledger: Ledger | None = None,
) -> Audit:
    """Ask what is not in the store, have it judged, score it and write the run folder in one rename.

    Without a judge the verdict is exact match. Raises DecoyQAError for a run folder of other settings, for no items,
    if every call failed, and what `Asker.ask` raises.
    """
    if not cases:
        raise DecoyQAError("no item is left to audit" + "".join(f"; {n} {why}" for why, n in left_out.items()))
    refuse_other_run(out, settings)
    ledger = ledger or Ledger()
    if judge:
        ledger.require_price(judge.identity)
    asks = _plan(cases, settings)
    with RequestStore(store) as stored:
        answers = ask_all("replies", engine, _requests(asks, settings), stored, ledger)
        if not answers.replies:
            raise DecoyQAError(f"every call to {settings.engine} failed: {next(iter(answers.failures.values())).error}")
        replies, failures = dict(answers.replies), dict(answers.failures)
        if judge:
            judged = ask_all("verdicts", judge, _judge_requests(asks, settings, replies), stored, ledger)
            replies, failures = replies | dict(judged.replies), failures | dict(judged.failures)
    errors = dict(Counter(sorted(failure.error for failure in failures.values())))
    runtime = engine.runtime + (f"; judge: {judge.runtime}" if judge and judge is not engine else "")
    facts = RunFacts(tuple(str(path.resolve()) for path in inputs), settings, runtime, errors, left_out)
    return _finish(out, facts, settings, asks, replies)


def preview(cases: Sequence[Case], settings: AuditSettings, store: Path, prices: Prices) -> list[Estimate]:
    """Return what `audit` would ask and what that costs at most, by condition and for the judge; write nothing.

    A reply that is not known yet is taken to be as long as it may be, and to need its judge.
    """
    asks, stored = _plan(cases, settings), RequestStore(store)
    steps: dict[str, list[Request]] = {condition: [] for condition in settings.conditions}
    supposed: dict[str, Reply] = {}
    for ask in asks:
        if request := _request(ask, settings):
            steps[ask.condition].append(request)
            supposed[request.key] = stored.get(request.key) or longest_reply(request)
    if settings.judge != EXACT:
        steps["judge"] = _judge_requests(asks, settings, supposed)
    return estimate(steps, stored, prices)


def rescore(run: Path, facts: RunFacts, settings: AuditSettings, cases: Sequence[Case]) -> Audit:
    """Compute outcomes and figures again from the run's stored replies; no model is opened."""
    replies = {one.request: one.reply for one in read_replies(run)}
    return _finish(run, facts, settings, _plan(cases, settings), replies)


def _plan(cases: Sequence[Case], settings: AuditSettings) -> list[Ask]:
    return plan(cases, settings.conditions, settings.prompt, settings.unit, settings.seed)


def _requests(asks: Sequence[Ask], settings: AuditSettings) -> list[Request]:
    return [request for ask in asks if (request := _request(ask, settings))]


def _judge_requests(asks: Sequence[Ask], settings: AuditSettings, replies: Replies) -> list[Request]:
    return [request for ask in asks if (request := _judge_request(ask, settings, replies))]


def _request(ask: Ask, settings: AuditSettings) -> Request | None:
    if ask.messages is None:
        return None
    return Request(settings.engine, ask.messages, max_tokens=settings.max_tokens, seed=settings.seed)


def _judge_request(ask: Ask, settings: AuditSettings, replies: Replies) -> Request | None:
    request = _request(ask, settings)
    reply = replies.get(request.key) if request else None
    return judge_request(settings.judge, ask.item, ask.prompt, reply, settings.seed)


def _finish(out: Path, facts: RunFacts, settings: AuditSettings, asks: Sequence[Ask], replies: Replies) -> Audit:
    """Score, write the run folder, and return what the command prints."""
    outcomes, kept = [], []
    for ask in asks:
        keys = [
            request.key if request else ""
            for request in (_request(ask, settings), _judge_request(ask, settings, replies))
        ]
        reply, judgement = (replies.get(key) for key in keys)
        outcomes.append(score(ask, keys[0], reply, keys[1], judgement))
        for prompt, given in ((ask.prompt, reply), ("judge", judgement)):
            if given:
                kept.append(stored_reply((ask.item.id, ask.config, ask.condition, prompt), given, ask.target))
    metrics = audit_metrics(outcomes)
    write_run(out, facts, kept, outcomes, metrics)
    return Audit(
        settings,
        tuple(outcomes),
        tuple(metrics),
        len({(one.config, one.id) for one in outcomes}),
        Counter(one.status for one in outcomes),
        Counter(one.verdict for one in outcomes if one.verdict),
        facts.left_out,
    )
