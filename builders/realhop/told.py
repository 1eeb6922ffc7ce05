"""What a row's passages tell: recorded sentences, and the facts that follow from all of the text."""

from collections.abc import Iterable

from builders.realhop.closure import closure
from builders.realhop.reading import Atom, read_text
from builders.realhop.solve import Query
from loaders.control import sentences
from loaders.realhop import CompetitorFact, RealHopRow, Unit
from loaders.realhop_conditions import as_item, recorded

Part = Unit | CompetitorFact


def parts(row: RealHopRow) -> tuple[Part, ...]:
    """Return every unit and every competitor's sentence."""
    return (
        *(unit for hop in row.hops for unit in hop.units),
        *(fact for path in row.competitors for fact in path.facts),
    )


def sentence(row: RealHopRow, part: Part) -> str:
    """Return the text of a recorded span."""
    return row.passages[part.passage].text[part.start : part.end]


def atoms(row: RealHopRow, told: Iterable[Part]) -> tuple[Atom, ...]:
    """Return what recorded sentences say together."""
    return read_text("\n".join(sentence(row, part) for part in told)).atoms


def gold_atoms(row: RealHopRow) -> tuple[Atom, ...]:
    """Return what the units of all hops say."""
    return atoms(row, (unit for hop in row.hops for unit in hop.units))


def all_atoms(row: RealHopRow) -> tuple[Atom, ...]:
    """Return what the passages say as they stand, retained text too."""
    return read_text("\n".join(passage.text for passage in row.passages)).atoms


def facts(row: RealHopRow) -> frozenset[Atom]:
    """Return what follows from the passages under the table."""
    return closure(all_atoms(row))


def retained(row: RealHopRow) -> list[str]:
    """Return titles and the sentences that are not recorded."""
    ours, item = recorded(row), as_item(row)
    spans = (span for place in range(len(row.passages)) for span in sentences(item, place) if span not in ours)
    texts = (row.passages[span.passage].text[span.start : span.end] for span in spans)
    return [*(passage.title for passage in row.passages), *texts]


def names_in_play(row: RealHopRow, asked: Iterable[Query]) -> tuple[str, ...]:
    """Return the constants of the question, the hops' answers, and every name in a recorded fact."""
    named = (arg for atom in atoms(row, parts(row)) for arg in atom.args)
    constants = (name for query in asked for name in query.constants)
    return tuple(dict.fromkeys((*constants, *(hop.answer for hop in row.hops), *named)))
