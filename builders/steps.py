"""Run a recipe: named steps over a batch of drafts, in which every drop has a reason and is counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from loaders.records import Reason, Verdict

D = TypeVar("D")


@dataclass(frozen=True)
class Passed(Generic[D]):
    """A draft that goes on, with the evidence that the step saw; a step that only asks has its answer as `verdict`."""

    draft: D
    evidence: str = ""
    verdict: str = "pass"


@dataclass(frozen=True)
class Dropped(Generic[D]):
    """A draft that goes no further, with what the step had still written into it."""

    draft: D
    reason: Reason


@dataclass(frozen=True)
class Pending:
    """A draft that could not be decided now (a model call failed): it is asked again at the next run."""

    detail: str


Result = Passed[D] | Dropped[D] | Reason | Pending


@dataclass(frozen=True)
class Step(Generic[D]):
    """One named step; `run` takes the drafts that are still alive and gives one result each, in order."""

    name: str
    run: Callable[[Sequence[D]], Sequence[Result[D]]]
    version: int = 1


@dataclass(frozen=True)
class Trail(Generic[D]):
    """A draft with every verdict so far; `reason` or `pending` says why it went no further."""

    draft: D
    verdicts: tuple[Verdict, ...] = ()
    reason: Reason | None = None
    pending: bool = False

    @property
    def status(self) -> str:
        """Return kept, rejected or pending."""
        return "pending" if self.pending else "rejected" if self.reason else "kept"


def each(decide: Callable[[D], Result[D]]) -> Callable[[Sequence[D]], list[Result[D]]]:
    """Make a batch step of a function that decides one draft at a time."""
    return lambda drafts: [decide(draft) for draft in drafts]


def run_steps(trails: Sequence[Trail[D]], steps: Iterable[Step[D]]) -> list[Trail[D]]:
    """Take every live draft through the steps until one of them drops it; the order of drafts is kept."""
    trails = list(trails)
    for step in steps:
        alive = [i for i, trail in enumerate(trails) if trail.status == "kept"]
        results = step.run([trails[i].draft for i in alive]) if alive else []
        for i, result in zip(alive, results, strict=True):
            trails[i] = _after(trails[i], step, result)
    return trails


def _after(trail: Trail[D], step: Step[D], result: Result[D]) -> Trail[D]:
    if isinstance(result, Passed):
        verdict = Verdict(step.name, step.version, result.verdict, result.evidence)
        return replace(trail, draft=result.draft, verdicts=(*trail.verdicts, verdict))
    if isinstance(result, Dropped):
        return _after(replace(trail, draft=result.draft), step, result.reason)
    if isinstance(result, Pending):
        verdict = Verdict(step.name, step.version, "pending", result.detail)
        return replace(trail, verdicts=(*trail.verdicts, verdict), pending=True)
    verdict = Verdict(step.name, step.version, "fail", f"{result.code}: {result.detail}")
    return replace(trail, verdicts=(*trail.verdicts, verdict), reason=result)


@dataclass(frozen=True)
class Count:
    """What one step did with what entered it: entered = kept + pending + the sum of rejected."""

    step: str
    entered: int
    kept: int
    pending: int
    rejected: Mapping[str, int]


def funnel(verdicts: Iterable[Sequence[Verdict]]) -> list[Count]:
    """Count per step, in the order in which steps first appear; a step's reasons are sorted by name."""
    counts: dict[str, Counter[str]] = {}
    for trail in verdicts:
        for verdict in trail:
            counts.setdefault(verdict.gate, Counter())[_outcome(verdict)] += 1
    return [_count(step, outcomes) for step, outcomes in counts.items()]


def _outcome(verdict: Verdict) -> str:
    """Return the reason of a fail, `=pending`, or `=pass` for everything that lets a draft go on."""
    if verdict.verdict == "fail":
        return verdict.evidence.partition(":")[0]
    return "=pending" if verdict.verdict == "pending" else "=pass"


def _count(step: str, outcomes: Counter[str]) -> Count:
    rejected = {name: outcomes[name] for name in sorted(outcomes) if not name.startswith("=")}
    return Count(step, outcomes.total(), outcomes["=pass"], outcomes["=pending"], rejected)


def batches(values: Iterable[D], size: int) -> Iterator[list[D]]:
    """Yield the values in lists of `size`; the last one may be shorter."""
    batch: list[D] = []
    for value in values:
        batch.append(value)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
