"""Answers that follow from facts: hops as queries over `#k`, and every way to bind them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from builders.realhop.reading import Atom, read_sentence
from eval.answers import normalise
from loaders.realhop import RealHopRow

Binding = dict[str, str]  # the name that stands for each `#k`


@dataclass(frozen=True)
class Query:
    """One hop as it is asked; its answer stands in it as `#k`, k its id."""

    hop_id: str
    atom: Atom
    depends_on: tuple[str, ...]

    @property
    def slot(self) -> str:
        """How the hop's answer is called in all queries."""
        return f"#{self.hop_id}"

    @property
    def constants(self) -> tuple[str, ...]:
        """The names of the question in this hop."""
        return tuple(arg for arg in self.atom.args if not is_slot(arg))


def queries(row: RealHopRow) -> tuple[Query, ...]:
    """Return a row's hops as queries; raises ValueError for one that is not read or misses what it rests on."""
    found = []
    for hop in row.hops:
        atom = read_sentence(hop.relation)
        slots = {f"#{key}" for key in (hop.hop_id, *hop.depends_on)}
        if atom is None or {arg for arg in atom.args if is_slot(arg)} != slots:
            raise ValueError(f"hop {hop.hop_id}: {hop.relation}")
        found.append(Query(hop.hop_id, atom, hop.depends_on))
    return tuple(found)


def is_slot(arg: str) -> bool:
    """Whether an argument is a hop's answer, `#k`."""
    return arg.startswith("#")


def after(asked: Sequence[Query], hop_id: str) -> frozenset[str]:
    """Return the ids of the hops that rest on a hop, near or far."""
    found = {hop_id}
    for query in asked:
        if found & set(query.depends_on):
            found.add(query.hop_id)
    return frozenset(found - {hop_id})


def solve(asked: Iterable[Query], facts: Collection[Atom]) -> list[Binding]:
    """Return every binding under which all queries are facts."""
    return solve_from((query, facts) for query in asked)


def solve_from(steps: Iterable[tuple[Query, Collection[Atom]]]) -> list[Binding]:
    """Return every binding under which each query is one of its own facts."""
    bindings: list[Binding] = [{}]
    for query, facts in steps:
        like = [fact for fact in facts if says(fact, query.atom)]
        found = (unified(query.atom.args, fact.args, known) for known in bindings for fact in like)
        bindings = list({tuple(sorted(one.items())): one for one in found if one is not None}.values())
    return bindings


def says(fact: Atom, asked: Atom) -> bool:
    """Whether a fact has the relation and the frame that are asked for; what it says beyond them does no harm."""
    return fact.relation == asked.relation and f"{fact.frame} ".startswith(f"{asked.frame} ")


def unified(asked: Sequence[str], told: Sequence[str], known: Binding) -> Binding | None:
    """Return the binding with the slots of a query bound to a fact's names, or None where names differ."""
    bound = dict(known)
    for slot, name in zip(asked, told, strict=False):
        expected = bound.setdefault(slot, name) if is_slot(slot) else slot
        if normalise(expected) != normalise(name):
            return None
    return bound


def answers(asked: Sequence[Query], bindings: Iterable[Binding]) -> tuple[str, ...]:
    """Return what bindings give for the last hop, each once, sorted."""
    return tuple(sorted({one[asked[-1].slot] for one in bindings}))
