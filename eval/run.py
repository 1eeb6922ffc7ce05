"""Ask a model the items of an artifact and write the run folder; score a run folder again without asking."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.metrics.genadv import genadv_metrics
from eval.metrics.metric import Metric
from eval.models.engine import Reply, Request, open_engine
from eval.models.store import RequestStore, ask_all
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
from eval.tasks.genadv import ASKED, CONDITIONS, Ask, plan, score, split_of
from loaders.artifact import read_rows, shard_paths
from loaders.errors import DecoyQAError
from loaders.genadv import SPLITS, GenADVRow
from loaders.manifest import changed_files, read_manifest

# A single word or term is asked for; whoever needs more than this is not answering the question.
MAX_TOKENS = 64

Rows = Mapping[tuple[str, str], Sequence[GenADVRow]]
Place = tuple[str, str, str, str]


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
    *,
    out: Path,
    store: Path,
    configs: Sequence[str] | None = None,
    prompts: Sequence[str] | None = None,
    conditions: Sequence[str] | None = None,
    limit: int | None = None,
    max_tokens: int = MAX_TOKENS,
    seed: int = 0,
) -> Evaluation:
    """Ask what is not in the store, score every reply and write the run folder in one rename.

    `limit` keeps the first ids of each config's `retrieved` split, in all splits. Raises DecoyQAError for an artifact
    that is not as written, a choice that it cannot meet, a run folder of other settings, or if every call failed.
    """
    manifest = _checked_manifest(artifact)
    rows = _read(artifact, configs, limit)
    chosen = _choose(rows, prompts, conditions)
    with open_engine(engine_name) as engine:
        settings = Settings(
            content_id=manifest["content_id"],
            version=manifest["version"],
            engine=engine.identity,
            configs=tuple(sorted({config for config, _ in rows})),
            prompts=chosen[0],
            conditions=chosen[1],
            limit=limit,
            max_tokens=max_tokens,
            seed=seed,
            prompt_hashes=tuple(template_hash("genadv", name) for name in chosen[0]),
        )
        refuse_other_run(out, settings)
        asks = plan(rows, *chosen)
        requests = [_request(ask, settings) for ask in asks]
        with counting("replies") as progress, closing(RequestStore(store)) as stored:
            replies, failures = ask_all(engine, requests, stored, progress)
        runtime = engine.runtime
    if not replies:
        raise DecoyQAError(f"every call to {engine_name} failed: {failures[0].error}")
    errors = dict(Counter(sorted(failure.error for failure in failures)))
    facts = RunFacts((str(artifact.resolve()),), settings, runtime, errors, {})
    answered = {_place(ask): replies[one.key] for ask, one in zip(asks, requests, strict=True) if one.key in replies}
    return _finish(out, facts, settings, asks, answered)


def rescore(run: Path, artifact: Path | None = None) -> Evaluation:
    """Compute outcomes and figures of a run folder again from its stored replies; no model is opened.

    The artifact is the one that the run names, or the same one elsewhere; raises DecoyQAError if it is another.
    """
    facts = read_facts(run)
    settings = facts.settings
    if not isinstance(settings, Settings):
        raise DecoyQAError(f"{run} is an audit, not the evaluation of an artifact")
    artifact = artifact or Path(facts.inputs[0])
    if _checked_manifest(artifact)["content_id"] != settings.content_id:
        raise DecoyQAError(f"{artifact} is not the artifact of {run}: their content ids differ")
    asks = plan(_read(artifact, settings.configs, settings.limit), settings.prompts, settings.conditions)
    answered = {(one.config, one.condition, one.prompt, one.id): one.reply for one in read_replies(run)}
    return _finish(run, facts, settings, asks, answered)


def _finish(
    out: Path, facts: RunFacts, settings: Settings, asks: Sequence[Ask], answered: Mapping[Place, Reply]
) -> Evaluation:
    """Score, write the run folder, and return what the command prints."""
    replies = [_stored(ask, answered[_place(ask)]) for ask in asks if _place(ask) in answered]
    outcomes = [score(ask, _request(ask, settings).key, answered.get(_place(ask))) for ask in asks]
    metrics = genadv_metrics(outcomes)
    write_run(out, facts, replies, outcomes, metrics)
    counts = Counter(outcome.status for outcome in outcomes)
    return Evaluation(tuple(metrics), counts["scored"], counts["truncated"], counts["pending"])


def _checked_manifest(artifact: Path) -> dict[str, Any]:
    """Return the manifest of an artifact whose bytes are as written: a run names what it asked by content id."""
    manifest = read_manifest(artifact)
    if changed := changed_files(artifact):
        raise DecoyQAError(f"{artifact} is not as it was written ({len(changed)} files): {changed[0]}")
    if missing := [name for name in ("content_id", "version") if name not in manifest]:
        raise DecoyQAError(f"{artifact}: its manifest does not state {' and '.join(missing)}")
    return manifest


def _read(artifact: Path, configs: Sequence[str] | None, limit: int | None) -> Rows:
    """Read all splits of the configs, all of them by default, down to the ids that `limit` keeps."""
    if limit is not None and limit < 1:
        raise DecoyQAError(f"a limit of {limit} leaves nothing to ask")
    found = sorted(path.name for path in artifact.iterdir() if shard_paths(artifact, path.name, "retrieved"))
    if unknown := sorted(set(configs or ()) - set(found)) or ([] if found else ["retrieved"]):
        raise DecoyQAError(f"{artifact} has no {', '.join(unknown)}; it has: {', '.join(found) or 'no rows'}")
    rows: dict[tuple[str, str], Sequence[GenADVRow]] = {}
    for config in dict.fromkeys(configs or found):
        kept = {row.id for row in read_rows(artifact, config, "retrieved", GenADVRow)[:limit]}
        for split in SPLITS:
            if shard_paths(artifact, config, split):
                rows[config, split] = [row for row in read_rows(artifact, config, split, GenADVRow) if row.id in kept]
    return rows


def _choose(
    rows: Rows, prompts: Sequence[str] | None, conditions: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return prompts and conditions in their fixed order; raises DecoyQAError where one named would not be asked."""
    for kind, words, known in (("prompt", prompts, tuple(ASKED)), ("condition", conditions, CONDITIONS)):
        if unknown := [word for word in words or () if word not in known]:
            raise DecoyQAError(f"unknown {kind} {unknown[0]!r}; known: {', '.join(known)}")
    splits = {split for _, split in rows}
    there = [one for one in CONDITIONS if split_of(one) in splits and (conditions is None or one in conditions)]
    if absent := [one for one in conditions or () if one not in there]:
        raise DecoyQAError(f"the artifact has no split {absent[0]!r} in the chosen configs")
    asked = [name for name in ASKED if (prompts is None or name in prompts) and set(ASKED[name]) & set(there)]
    if idle := [name for name in prompts or () if name not in asked]:
        raise DecoyQAError(f"prompt {idle[0]!r} is asked under {', '.join(ASKED[idle[0]])}; choose one of these too")
    return tuple(asked), tuple(there)


def _place(ask: Ask) -> Place:
    return ask.config, ask.condition, ask.prompt, ask.row.id


def _request(ask: Ask, settings: Settings) -> Request:
    return Request(settings.engine, ask.messages, max_tokens=settings.max_tokens, seed=settings.seed)


def _stored(ask: Ask, reply: Reply) -> StoredReply:
    return stored_reply((ask.row.id, ask.config, ask.condition, ask.prompt), reply)
