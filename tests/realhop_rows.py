"""Hand-made REALHOP rows: passages in which `[[id|sentence]]` marks what is recorded, and the twin without it."""

import re
from dataclasses import replace

from loaders.realhop import Competitor, CompetitorFact, RealHop, RealHopRow, Unit
from loaders.records import Passage

_MARK = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")


def spans(text, place):
    """Return a marked text without its marks, and `(id, sentence, passage, start, end)` of every mark."""
    found, clean, last = [], "", 0
    for mark in _MARK.finditer(text):
        clean += text[last : mark.start()]
        found.append((mark[1], mark[2], place, len(clean), len(clean) + len(mark[2])))
        clean += mark[2]
        last = mark.end()
    return clean + text[last:], found


def row(question, passages, hops, paths, name="x", answer=None):
    """Return the `full` row: `hops` as `(id, relation, answer, depends_on)`, `paths` as `(id, family, protected, break,
    endpoint)`; units are marked `gK` or `gK.1`, facts of path P `P.K`."""
    texts, marks = [], []
    for place, text in enumerate(passages):
        clean, found = spans(text, place)
        texts.append(clean)
        marks += found
    units = [Unit(*mark) for mark in marks]
    gold = tuple(
        RealHop(key, relation, told, tuple(rests), tuple(u for u in units if u.unit_id.split(".")[0] == f"g{key}"))
        for key, relation, told, rests in hops
    )
    branches = tuple(
        Competitor(key, family, at, breaks, end, tuple(_fact(u) for u in units if u.unit_id.split(".")[0] == key))
        for key, family, at, breaks, end in paths
    )
    passages = tuple(Passage(f"Title {place}", text) for place, text in enumerate(texts))
    gold_answer = answer or hops[-1][2]
    return RealHopRow(
        name, name, name, "", question, gold_answer, (), passages, gold, branches, (), len(hops), None, "rules", "CC0"
    )


def _fact(unit):
    return CompetitorFact(unit.unit_id, unit.passage, unit.start, unit.end)


def source(passages, hops, name="x", question="Where was the author of Emma born?", answer="Steventon"):
    """Return the twin: the passages without what is marked, each hop's support the passage of its units."""
    marked = [spans(text, place)[1] for place, text in enumerate(passages)]
    texts = [re.sub(r"\s?\[\[[^\]]*\]\]", "", text).lstrip() for text in passages]
    places = {mark[0].split(".")[0]: mark[2] for found in marked for mark in found}
    gold = tuple(
        RealHop(key, relation, "", tuple(rests), (_whole(key, texts, places[f"g{key}"]),))
        for key, relation, _, rests in hops
    )
    shown = tuple(Passage(f"Title {place}", text) for place, text in enumerate(texts))
    return RealHopRow(name, name, name, "", question, answer, (), shown, gold, (), (), len(hops), None, "", "CC0")


def _whole(key, texts, place):
    return Unit(f"{key}", texts[place], place, 0, len(texts[place]))


def told(row, part):
    """Return the sentence of a unit or fact."""
    return row.passages[part.passage].text[part.start : part.end]


def rewritten(row, old, new):
    """Return the row with one recorded sentence put in another's place, spans moved along."""
    place = next(i for i, passage in enumerate(row.passages) if old in passage.text)
    at, more = row.passages[place].text.index(old), len(new) - len(old)

    def move(part):
        if part.passage != place or part.end <= at:
            return part
        if part.start > at:
            return replace(part, start=part.start + more, end=part.end + more)
        part = replace(part, end=part.end + more)
        return replace(part, fact=part.fact.replace(old, new, 1)) if isinstance(part, Unit) else part

    return replace(
        row,
        passages=tuple(
            replace(passage, text=passage.text.replace(old, new, 1)) if i == place else passage
            for i, passage in enumerate(row.passages)
        ),
        hops=tuple(replace(hop, units=tuple(map(move, hop.units))) for hop in row.hops),
        competitors=tuple(replace(path, facts=tuple(map(move, path.facts))) for path in row.competitors),
    )
