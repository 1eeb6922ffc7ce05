"""Audit multi-hop items: ask a model under each condition, have the replies judged, write the run folder.

What is asked stands in `eval/tasks/audit.py`, the figures in `eval/metrics/audit.py`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eval.metrics.audit import audit_metrics
from eval.metrics.metric import Metric
from eval.models.engine import Engine, Reply, Request
from eval.models.store import RequestStore, ask_all
from eval.progress import counting
from eval.run_folder import AuditSettings, RunFacts, read_replies, refuse_other_run, stored_reply, write_run
from eval.tasks.audit import Ask, Case, plan, score
from eval.tasks.judging import judge_messages, needs_judge
from loaders.errors import DecoyQAError
from loaders.records import AuditOutcome

# A verdict and one short sentence.
JUDGE_TOKENS = 256

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
) -> Audit:
    """Ask what is not in the store, have it judged, score it and write the run folder in one rename.

    Without a judge the verdict is exact match. Raises DecoyQAError for a run folder of other settings, for no items,
    or if every call failed.
    """
    if not cases:
        raise DecoyQAError("no item is left to audit" + "".join(f"; {n} {why}" for why, n in left_out.items()))
    refuse_other_run(out, settings)
    asks = _plan(cases, settings)
    requests = [request for ask in asks if (request := _request(ask, settings))]
    with counting("replies") as progress, closing(RequestStore(store)) as stored:
        replies, failures = ask_all(engine, requests, stored, progress)
        if not replies:
            raise DecoyQAError(f"every call to {settings.engine} failed: {failures[0].error}")
        if judge:
            wanted = [request for ask in asks if (request := _judge_request(ask, settings, replies))]
            with counting("verdicts") as progress:
                judged, failed = ask_all(judge, wanted, stored, progress)
            replies, failures = replies | judged, failures + failed
    errors = dict(Counter(sorted(failure.error for failure in failures)))
    runtime = engine.runtime + (f"; judge: {judge.runtime}" if judge and judge is not engine else "")
    facts = RunFacts(tuple(str(path.resolve()) for path in inputs), settings, runtime, errors, left_out)
    return _finish(out, facts, settings, asks, replies)


def rescore(run: Path, facts: RunFacts, settings: AuditSettings, cases: Sequence[Case]) -> Audit:
    """Compute outcomes and figures again from the run's stored replies; no model is opened."""
    replies = {one.request: one.reply for one in read_replies(run)}
    return _finish(run, facts, settings, _plan(cases, settings), replies)


def _plan(cases: Sequence[Case], settings: AuditSettings) -> list[Ask]:
    return plan(cases, settings.conditions, settings.prompt, settings.unit, settings.seed)


def _request(ask: Ask, settings: AuditSettings) -> Request | None:
    if ask.messages is None:
        return None
    return Request(settings.engine, ask.messages, max_tokens=settings.max_tokens, seed=settings.seed)


def _judge_request(ask: Ask, settings: AuditSettings, replies: Replies) -> Request | None:
    """Return what the judge is asked about the reply; none without a judge, without a reply, or where none is due."""
    request = _request(ask, settings)
    reply = replies.get(request.key) if request else None
    if settings.judge == "exact" or reply is None or not needs_judge(ask.item, ask.prompt, reply):
        return None
    return Request(settings.judge, judge_messages(ask.item, reply), max_tokens=JUDGE_TOKENS, seed=settings.seed)


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
