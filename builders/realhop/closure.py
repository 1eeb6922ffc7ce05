"""What follows from atoms under the columns of the relations table."""

from collections.abc import Iterable

from builders.realhop.reading import Atom
from builders.realhop.tables import relations

_PLAIN = "{} <> {}"


def closure(atoms: Iterable[Atom]) -> frozenset[Atom]:
    """Return the atoms with all that follows by `entails`, `inverse`, `symmetric` and `transitive`.

    Synonyms are forms of one relation already. Names and frames stay those that are there, so it ends.
    """
    known: set[Atom] = set()
    waiting = list(atoms)
    while waiting:
        atom = waiting.pop()
        if atom not in known:
            known.add(atom)
            waiting += _alone(atom)
            waiting += _chained(atom, known)
    return frozenset(known)


def _alone(atom: Atom) -> list[Atom]:
    """Return what follows from one atom."""
    relation = relations()[atom.relation]
    follows = [Atom(key, atom.frame, atom.args) for key in relation.entails]
    if atom.frame.startswith(_PLAIN):
        swapped = (atom.args[1], atom.args[0], *atom.args[2:])
        follows += [Atom(atom.relation, atom.frame, swapped)] * relation.symmetric
        follows += [Atom(relation.inverse, atom.frame, swapped)] * bool(relation.inverse)
    return follows


def _chained(atom: Atom, known: set[Atom]) -> list[Atom]:
    """Return what a transitive relation makes of an atom and its neighbours; nobody is their own neighbour."""
    if not relations()[atom.relation].transitive or atom.frame != _PLAIN:
        return []
    like = [one for one in known if one.relation == atom.relation and one.frame == _PLAIN]
    first, last = atom.args
    pairs = [(one.args[0], last) for one in like if one.args[1] == first]
    pairs += [(first, one.args[1]) for one in like if one.args[0] == last]
    return [Atom(atom.relation, _PLAIN, pair) for pair in pairs if pair[0] != pair[1]]
