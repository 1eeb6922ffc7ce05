"""REALHOP: what is asked of each side and ablation, whole and with a hop's evidence gone (sections 5 to 7, appendix K).

Solver and judge are those of an audit. A Drop's condition has the name of its arm: `drop` for `full`, `source_drop`,
`gold_only_drop` ...; targets are hops.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval.metrics.realhop import ARMS, realhop_metrics
from eval.models.engine import Reply
from eval.tasks import audit
from eval.tasks.task import Ask, Rows, Task
from loaders.deletion import count_tokens
from loaders.realhop import SPLITS, RealHopRow
from loaders.realhop_conditions import ABLATIONS, UNIT, as_item, controlled, dropped, only
from loaders.records import AuditOutcome, Item, Passage

# The paper asks both sides with all Drops and Controls of everything; ablations of a sample (section 7).
BY_DEFAULT = tuple(name for arm in ("full", "source") for name in ARMS[arm].conditions)
CONDITIONS = (*BY_DEFAULT, *(name for arm in ABLATIONS for name in ARMS[arm].conditions))
SEED = 0  # of a source Control, which no artifact holds


@dataclass(frozen=True)
class Shown:
    """What a condition shows of an item: `item` is its arm whole, `passages` are what is left of them."""

    item: Item
    passages: tuple[Passage, ...]
    answer_elsewhere: bool

    @property
    def id(self) -> str:
        """The item's id."""
        return self.item.id

    @property
    def removed_tokens(self) -> int:
        """Tokens of the arm that are not shown, titles included."""
        return _tokens(self.item.passages) - _tokens(self.passages)


def _tokens(passages: Sequence[Passage]) -> int:
    return sum(count_tokens(passage.title) + count_tokens(passage.text) for passage in passages)


def derive(condition: str, rows: Rows) -> Iterator[tuple[str, str, Shown]]:
    """Yield config, hop and what is shown of every item; a hop whose Control cannot be made is left out.

    Drops and Controls of the rebuilt item are those of the artifact; all others are cut from the rows of their arm.
    """
    name = next(name for name, arm in ARMS.items() if condition in arm.conditions)
    for config in sorted({config for config, _ in rows}):
        arms = {row.id: _arm(name, row) for row in rows.get((config, _split(name)), ())}
        elsewhere = {id: audit.answer_elsewhere(as_item(row), UNIT) for id, row in arms.items()}
        for id, hop, row in _rows(condition, name, config, arms, rows):
            yield config, hop, Shown(as_item(arms[id]), row.passages, elsewhere[id])


def _split(arm: str) -> str:
    return "source" if arm == "source" else "full"


def _arm(name: str, row: RealHopRow) -> RealHopRow:
    return only(row, ABLATIONS[name]) if name in ABLATIONS else row


def _rows(
    condition: str, name: str, config: str, arms: dict[str, RealHopRow], rows: Rows
) -> Iterator[tuple[str, str, RealHopRow]]:
    """Yield id, hop and the row that is shown."""
    if condition == name:
        yield from ((id, "", row) for id, row in arms.items())
    elif condition in SPLITS:
        stored = rows.get((config, condition), ())
        yield from ((row.id, row.target_hop, row) for row in stored if row.id in arms)
    elif condition == ARMS[name].drop:
        yield from ((id, hop.hop_id, dropped(row, hop.hop_id)) for id, row in arms.items() for hop in row.hops)
    else:
        others = {row.id: row for row in rows.get((config, "full"), ())}
        pairs = ((id, row, hop) for id, row in arms.items() if id in others for hop in row.hops)
        found = ((id, hop.hop_id, controlled(row, others[id], hop.hop_id, SEED)) for id, row, hop in pairs)
        yield from ((id, hop, row) for id, hop, row in found if row)


def split_of(condition: str) -> str:
    """Return the split without which a condition cannot be asked."""
    if condition in SPLITS:
        return condition
    return _split(next(name for name, arm in ARMS.items() if condition in arm.conditions))


def render(prompt: str, row: Shown) -> str:
    """Fill a solver's prompt."""
    return audit.render(prompt, row.item.question, row.passages)


def score(ask: Ask, request: str, reply: Reply | None, judge_request: str, judgement: Reply | None) -> AuditOutcome:
    """Return what a reply is worth, as in an audit."""
    row: Shown = ask.row
    place = (ask.config, ask.condition, ask.target, ask.prompt)
    asked = audit.Ask(*place, row.item, row.answer_elsewhere, row.removed_tokens, ask.messages)
    return replace(audit.score(asked, request, reply, judge_request, judgement), sample=ask.sample)


def judged(ask: Ask) -> Item:
    """Return what a judge is asked about."""
    item: Item = ask.row.item
    return item


def metrics(outcomes: Sequence[AuditOutcome], asks: Sequence[Any]) -> list[Any]:
    """Return every figure that the outcomes allow."""
    return list(realhop_metrics(outcomes))


TASK = Task(
    family="realhop",
    record=RealHopRow,
    splits=SPLITS,
    base="full",
    pair=lambda row: str(row.id),
    conditions=CONDITIONS,
    asked={"multihop": CONDITIONS},
    split_of=split_of,
    render=render,
    score=score,
    metrics=metrics,
    templates=lambda prompt: (prompt,),
    max_tokens=64,
    prompts="audit",
    by_default=BY_DEFAULT,
    derive=derive,
    judged=judged,
)
