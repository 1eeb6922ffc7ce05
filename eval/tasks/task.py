"""What the harness must know of a family: what is asked under which condition, and what a reply is worth."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from eval.answers import exact_match, f1, substring_accuracy
from eval.metrics.metric import Metric
from eval.models.engine import Message
from loaders.errors import DecoyQAError
from loaders.records import Item

# A new family is one file with `TASK`, and one line here.
FAMILIES = {"genadv": "eval.tasks.genadv", "eureqa": "eval.tasks.eureqa", "realhop": "eval.tasks.realhop"}

Rows = Mapping[tuple[str, str], Sequence[Any]]


@dataclass(frozen=True)
class Ask:
    """One row under one condition and prompt, and what the model is told; `sample` counts draws of one question.

    `target` tells several rows of one item and condition apart, such as the hop that is gone; empty elsewhere.
    """

    config: str
    condition: str
    prompt: str
    row: Any
    messages: tuple[Message, ...]
    sample: int = 0
    target: str = ""


@dataclass(frozen=True)
class Task:
    """A family as the harness sees it.

    `asked` names the conditions of each prompt; `split_of` the split whose rows a condition asks; `base` the split
    whose first items `limit` keeps, by what `pair` returns of a row; `templates` the files of a prompt, for the record,
    in the folder `prompts` (the family's own where empty). `by_default` are the conditions that are asked where none is
    named, all of them where empty. `derive` returns (config, target, row) of what a condition asks where that is not
    simply the rows of a split. `judged` returns what a judge is asked about; then `score` takes its request and reply
    too. Without it replies are scored by matching alone.
    """

    family: str
    record: type
    splits: tuple[str, ...]
    base: str
    pair: Callable[[Any], str]
    conditions: tuple[str, ...]
    asked: Mapping[str, tuple[str, ...]]
    split_of: Callable[[str], str]
    render: Callable[[str, Any], str]
    score: Callable[..., Any]  # (ask, request, reply[, judge's request, judge's reply]) -> outcome
    metrics: Callable[[Sequence[Any], Sequence[Ask]], list[Metric]]
    templates: Callable[[str], tuple[str, ...]]
    max_tokens: int
    temperature: float = 0.0
    prompts: str = ""
    by_default: tuple[str, ...] = ()
    derive: Callable[[str, Rows], Iterator[tuple[str, str, Any]]] | None = None
    judged: Callable[[Ask], Item] | None = None

    def rows_under(self, condition: str, rows: Rows) -> Iterator[tuple[str, str, Any]]:
        """Yield config, target and row of everything that a condition asks."""
        if self.derive:
            yield from self.derive(condition, rows)
            return
        for (config, split), split_rows in rows.items():
            if split == self.split_of(condition):
                yield from ((config, "", row) for row in split_rows)


def task_of(manifest: Mapping[str, Any]) -> Task:
    """Return the task of an artifact's family; raises DecoyQAError for one that this version cannot ask."""
    family = str(manifest.get("family"))
    if family not in FAMILIES:
        raise DecoyQAError(f"family {family!r} cannot be asked; known: {', '.join(FAMILIES)}")
    return cast(Task, import_module(FAMILIES[family]).TASK)


def plan(task: Task, rows: Rows, prompts: Sequence[str], conditions: Sequence[str], samples: int = 1) -> list[Ask]:
    """Return what is asked of rows keyed by (config, split); each prompt keeps to its conditions.

    Sorted by prompt text: those that share a long prefix follow each other, whatever the order of the rows.
    """
    asks = [
        Ask(config, condition, prompt, row, (Message("user", task.render(prompt, row)),), sample, target)
        for prompt in prompts
        for condition in task.asked[prompt]
        if condition in conditions
        for config, target, row in task.rows_under(condition, rows)
        for sample in range(samples)
    ]
    return sorted(asks, key=_order)


def _order(ask: Ask) -> tuple[str | int, ...]:
    return ask.messages[0].content, ask.config, ask.condition, ask.row.id, ask.target, ask.sample


def published_scores(text: str, golds: Sequence[str]) -> tuple[float, float, float]:
    """Return substring accuracy, EM and F1; all 0 for an empty reply, which would equal an answer without a word."""
    if not text:
        return 0.0, 0.0, 0.0
    return substring_accuracy(text, golds), exact_match(text, golds), f1(text, golds)
