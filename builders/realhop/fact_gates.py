"""Gates on what recorded sentences say beside the graph: wording, names, kinds of names, places."""

import re
from collections.abc import Mapping, Sequence

from builders.realhop.reading import Atom, is_about, read_sentence
from builders.realhop.realize import boundaries
from builders.realhop.solve import Binding, Query
from builders.realhop.tables import misses
from builders.realhop.told import names_in_play, parts, sentence
from builders.realhop.values import names_month
from eval.answers import normalise
from loaders.realhop import RealHopRow
from loaders.realhop_conditions import recorded
from loaders.records import Reason


def stray_fact(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    """A recorded sentence says a hop's relation, or a near miss in its place, as the hop says it, and no word more.

    `A also wrote B`, `A and C wrote B` and `A parodied and wrote B` give a reader what no query finds.
    """
    for part in parts(row):
        told = sentence(row, part)
        atom = read_sentence(told)
        if not is_about(told) and not (atom and any(_in_place(atom, query.atom) for query in asked)):
            return Reason("stray_fact", told)
    return None


def _in_place(told: Atom, asked: Atom) -> bool:
    near = (miss.near_miss for miss in misses().get(asked.relation, ()))
    return told.frame == asked.frame and told.relation in (asked.relation, *near)


def names_alike(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    """No name in play is a part of another: a reader would take `Vasse` for `Corin Vasse`."""
    names = {f" {normalise(name)} ": name for name in names_in_play(row, asked)}
    for words, name in names.items():
        if longer := next((other for key, other in names.items() if words in key and words != key), None):
            return Reason("names_alike", f"{name}, {longer}")
    return None


def other_kind(row: RealHopRow, path: str, found: Sequence[Binding]) -> Reason | None:
    """In place of a date a path has a date, of a number a number, of a name a name: form rules none out."""
    gold = {f"#{hop.hop_id}": hop.answer for hop in row.hops}
    for slot, name in (pair for binding in found for pair in binding.items()):
        if _form(name) != _form(gold[slot]):
            return Reason("other_kind", f"{path}: {name} in place of {gold[slot]}")
    return None


def _form(name: str) -> str:
    if not re.search(r"\d", name):
        return "name"
    return "date" if names_month(name) else "number"


def unsafe_place(row: RealHopRow, source: RealHopRow) -> Reason | None:
    """Recorded sentences stand at safe places of the source's passage: no pronoun gets another antecedent."""
    for place, starts in _inserted(row).items():
        safe = boundaries(source.passages[place].text)
        if astray := [start for start, before in starts if before not in safe]:
            return Reason("unsafe_place", f"passage {place}: {row.passages[place].text[astray[0] :][:60]}")
    return None


def _inserted(row: RealHopRow) -> Mapping[int, list[tuple[int, int]]]:
    """Return where sentences start in each passage, with the code points of the source's text that stand before."""
    found: dict[int, list[tuple[int, int]]] = {}
    taken: dict[int, int] = {}
    for span in sorted(recorded(row), key=lambda span: (span.passage, span.start)):
        more = taken.get(span.passage, 0)
        found.setdefault(span.passage, []).append((span.start, max(0, span.start - 1 - more)))
        taken[span.passage] = more + span.end - span.start + 1
    return found
