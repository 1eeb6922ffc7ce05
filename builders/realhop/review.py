"""Rounds of review: what a checker rejects is pruned and the rest asked about again (I.3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from builders.realhop.draft import Draft
from builders.realhop.semantic import Opinions, ask_semantic
from builders.steps import Pending
from builders.voices import Voice
from loaders.records import Reason, Verdict

ROUNDS = 2  # removals before the item is given up (I.3)
Redraft = Callable[[Draft, Mapping[str, Reason]], Draft | Reason]


@dataclass(frozen=True)
class Reviewed:
    """A draft after review, with the last word on each question; `reason` or `pending` says why it goes no further."""

    draft: Draft
    verdicts: tuple[Verdict, ...] = ()
    rejected: tuple[tuple[str, Reason], ...] = ()  # competing paths that were pruned, by branch
    reason: Reason | None = None
    pending: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing has stopped it."""
        return self.reason is None and not self.pending


def review(
    checker: Voice, drafts: Sequence[Draft], redraft: Redraft, *, gates: bool, rounds: int = ROUNDS
) -> list[Reviewed]:
    """Ask about every draft of a batch; with `gates` what is rejected goes, and what stays is asked about again.

    `redraft` makes a draft again without all branches rejected so far, or says why it cannot. Reasons: its own, those
    of `semantic`, and `pruning_rounds_used`.
    """
    found = [Reviewed(draft) for draft in drafts]
    waiting = list(range(len(drafts)))
    for left in range(rounds, -1, -1):
        heard = ask_semantic(checker, [found[place].draft for place in waiting])
        again = []
        for place, opinions in zip(waiting, heard, strict=True):
            found[place] = _after(found[place], opinions, redraft, left) if gates else _noted(found[place], opinions)
            if gates and found[place].is_open and isinstance(opinions, Opinions) and opinions.branches:
                again.append(place)
        waiting = again
    return found


def _noted(before: Reviewed, opinions: Opinions | Pending) -> Reviewed:
    """Keep the last word on each question; one that is no longer asked keeps its own."""
    if isinstance(opinions, Pending):
        return replace(before, pending=opinions.detail)
    verdicts = {verdict.gate: verdict for verdict in (*before.verdicts, *opinions.verdicts)}
    return replace(before, verdicts=tuple(verdicts.values()))


def _after(before: Reviewed, opinions: Opinions | Pending, redraft: Redraft, left: int) -> Reviewed:
    noted = _noted(before, opinions)
    if isinstance(opinions, Pending):
        return noted
    if opinions.item:
        return replace(noted, reason=opinions.item)
    if not opinions.branches:
        return noted
    if left == 0:
        return replace(noted, reason=Reason("pruning_rounds_used", ", ".join(opinions.branches)))
    rejected = dict(before.rejected) | dict(opinions.branches)
    noted = replace(noted, rejected=tuple(rejected.items()))
    made = redraft(before.draft, rejected)
    return replace(noted, reason=made) if isinstance(made, Reason) else replace(noted, draft=made)
