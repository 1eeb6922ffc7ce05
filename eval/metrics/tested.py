"""An item with the verdicts of all its conditions: what the figures of an audit are computed from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loaders.records import AuditOutcome

Verdict = float | None


@dataclass(frozen=True)
class Tested:
    """One item of one side; verdicts are 1, 0, or null where there is none, by condition and target."""

    config: str
    id: str
    source_id: str
    prompt: str
    n_hops: int
    answer_elsewhere: bool
    full: Verdict
    took_endpoint: Verdict
    verdicts: Mapping[str, Mapping[str, Verdict]]

    def complete(self, condition: str) -> list[float]:
        """Return the verdicts of a condition in the order of targets; empty if one is missing or none was asked."""
        given = self.verdicts.get(condition, {})
        found = [given[target] for target in sorted(given)]
        return [] if None in found else [one for one in found if one is not None]

    def rate(self, condition: str) -> float:
        """Return the mean verdict of a complete condition."""
        found = self.complete(condition)
        return sum(found) / len(found)


def tested(outcomes: Iterable[AuditOutcome]) -> list[Tested]:
    """Gather outcomes by item, in the order of side and id."""
    by_item: defaultdict[tuple[str, str], list[AuditOutcome]] = defaultdict(list)
    for one in outcomes:
        by_item[one.config, one.id].append(one)
    return [_tested(by_item[key]) for key in sorted(by_item)]


def _tested(outcomes: list[AuditOutcome]) -> Tested:
    verdicts: defaultdict[str, dict[str, Verdict]] = defaultdict(dict)
    for one in outcomes:
        verdicts[one.condition][one.target] = one.correct
    first = outcomes[0]
    full = next((one for one in outcomes if one.condition == "full"), None)
    return Tested(
        config=first.config,
        id=first.id,
        source_id=first.source_id,
        prompt=first.prompt,
        n_hops=first.n_hops,
        answer_elsewhere=first.answer_elsewhere,
        full=full.correct if full else None,
        took_endpoint=full.took_endpoint if full else None,
        verdicts=verdicts,
    )
