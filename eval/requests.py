"""What a run asks of an artifact: its settings, its requests, and what a judge is asked of the replies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from eval.choice import Choice, checked_manifest, choose, read_chosen
from eval.models.engine import Engine, Reply, Request
from eval.prompting import template_hash
from eval.run_folder import Settings
from eval.tasks.judging import EXACT, JUDGE_TEMPLATES, judge_request
from eval.tasks.task import Ask, Task, plan, task_of
from loaders.errors import DecoyQAError

Place = tuple[str, str, str, str, str, int]


def prepare(artifact: Path, choice: Choice) -> tuple[Task, Settings, list[Ask]]:
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
        prompt_hashes=_prompt_hashes(task, prompts),
        samples=choice.samples,
        temperature=task.temperature if choice.temperature is None else choice.temperature,
        family=manifest["family"],
    )
    return task, settings, plan(task, rows, prompts, conditions, choice.samples)


def _prompt_hashes(task: Task, prompts: Sequence[str]) -> tuple[str, ...]:
    files = [file for name in prompts for file in task.templates(name)]
    judge = [template_hash("audit", file) for file in JUDGE_TEMPLATES] if task.judged else []
    return (*(template_hash(task.prompts or task.family, file) for file in files), *judge)


def check_judge(task: Task, judge_name: str) -> None:
    """Raise DecoyQAError where a judge is named for a family whose replies are scored by matching alone."""
    if judge_name != EXACT and not task.judged:
        raise DecoyQAError(f"--judge {judge_name}: replies of {task.family} are scored without a judge")


def with_engines(settings: Settings, task: Task, engine: Engine, judge: Engine | None) -> Settings:
    """Return the settings with who answers and who judges."""
    who = (judge.identity if judge else EXACT) if task.judged else ""
    return replace(settings, engine=engine.identity, judge=who)


def place_of(ask: Ask) -> Place:
    """Return what tells a run's replies apart."""
    return ask.config, ask.condition, ask.prompt, ask.row.id, ask.target, ask.sample


def request_of(ask: Ask, settings: Settings) -> Request:
    """Return the request whose reply an ask waits for."""
    return Request(
        settings.engine,
        ask.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=settings.seed,
        sample=ask.sample,
    )


def judge_requests(
    task: Task, asks: Sequence[Ask], settings: Settings, replies: Mapping[str, Reply]
) -> dict[Place, Request]:
    """Return what the judge is asked, by place."""
    found = ((ask, judgement_request(task, ask, settings, replies.get(request_of(ask, settings).key))) for ask in asks)
    return {place_of(ask): request for ask, request in found if request}


def judgement_request(task: Task, ask: Ask, settings: Settings, reply: Reply | None) -> Request | None:
    """Return what the judge is asked of one reply; none where nothing is due."""
    if not task.judged:
        return None
    return judge_request(settings.judge, task.judged(ask), ask.prompt, reply, settings.seed)
