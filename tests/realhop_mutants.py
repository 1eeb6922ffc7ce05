"""Ways to spoil a proved REALHOP item, each with the reason by which it must be rejected: `MUTANTS`."""

from dataclasses import replace

from realhop_rows import rewritten, told

from builders.realhop.reading import read_sentence
from builders.realhop.relations import reworded
from builders.realhop.solve import queries
from builders.realhop.tables import relations
from loaders.realhop import Unit
from loaders.realhop_conditions import cut, span_of, without_insertions


def synonym_for_near_miss(row):
    """A competing path's near miss says the hop's own relation in other words."""
    for told_so, key in _near_misses(row):
        for text in reworded(told_so, key):
            yield rewritten(row, told_so, text)


def entailing_for_near_miss(row):
    """It says a relation that entails the hop's."""
    for told_so, key in _near_misses(row):
        for other in relations().values():
            if key in other.entails and reworded(told_so, other.key):
                yield rewritten(row, told_so, reworded(told_so, other.key)[0])


def inverse_for_near_miss(row):
    """It says a relation that is the inverse of the hop's, with the names changed over."""
    for told_so, key in _near_misses(row):
        first, *others = read_sentence(told_so).args
        for other in relations().values():
            if key == other.inverse and len(others) == 1 and reworded(told_so, other.key):
                text = reworded(told_so, other.key)[0]
                swapped = text.replace(first, "@").replace(others[0], first).replace("@", others[0])
                yield rewritten(row, told_so, swapped)


def endpoint_is_an_alias(row):
    """Gold has a competing path's end as an alias."""
    yield from (replace(row, answer_aliases=(path.endpoint.upper(),)) for path in row.competitors)


def unit_deleted(row):
    """One evidence unit is gone, with its record."""
    yield from (cut(row, [span_of(unit)]) for hop in row.hops for unit in hop.units)


def unit_lost(row):
    """One evidence unit is gone, its record stays."""
    for hop in row.hops:
        for unit in hop.units:
            yield replace(cut(row, [span_of(unit)]), hops=row.hops)


def competitor_fact_deleted(row):
    """One sentence of a competing path is gone, with its record."""
    yield from (cut(row, [span_of(fact)]) for path in row.competitors for fact in path.facts)


def fact_repeated(row):
    """A gold fact stands in a distractor too."""
    place = _distractor(row)
    for hop in row.hops:
        yield _appended(row, place, " ".join(unit.fact for unit in hop.units))


def fact_outside(row):
    """A hop's units stand in a passage that does not support it, and are recorded there."""
    for hop in row.hops:
        place = _distractor(row)
        left = cut(row, [span_of(unit) for unit in hop.units])
        start = len(left.passages[place].text) + 1
        units = []
        for unit in hop.units:
            units.append(Unit(unit.unit_id, unit.fact, place, start, start + len(unit.fact)))
            start += len(unit.fact) + 1
        moved = _appended(left, place, " ".join(unit.fact for unit in units))
        hops = (replace(one, units=tuple(units)) if one.hop_id == hop.hop_id else one for one in moved.hops)
        yield replace(moved, hops=tuple(hops))


def constant_missing(row):
    """The question has another name where a hop has its constant."""
    for name in _constants(row):
        yield replace(row, question=row.question.replace(name, "Vince Gill"))


def constant_left_original(row):
    """A constant is a name of the retained text, in the question, the hops and the facts."""
    text = without_insertions(row).passages[_distractor(row)].text
    word = next(word for word in text.split() if word.istitle() and word.isalpha() and len(word) > 3)
    for name in _constants(row):
        changed = row
        while any(name in passage.text for passage in changed.passages):
            sentence = next(told(changed, part) for part in _parts(changed) if name in told(changed, part))
            changed = rewritten(changed, sentence, sentence.replace(name, word))
        hops = (replace(hop, relation=hop.relation.replace(name, word)) for hop in changed.hops)
        yield replace(changed, question=row.question.replace(name, word), hops=tuple(hops))


def span_shifted(row):
    """One span is off by one."""
    for number, hop in enumerate(row.hops):
        for i, unit in enumerate(hop.units):
            off = replace(unit, start=unit.start + 1, end=unit.end + 1)
            units = (*hop.units[:i], off, *hop.units[i + 1 :])
            yield replace(row, hops=(*row.hops[:number], replace(hop, units=units), *row.hops[number + 1 :]))
    for number, path in enumerate(row.competitors):
        off = replace(path.facts[0], start=path.facts[0].start - 1, end=path.facts[0].end - 1)
        spoilt = replace(path, facts=(off, *path.facts[1:]))
        yield replace(row, competitors=(*row.competitors[:number], spoilt, *row.competitors[number + 1 :]))


MUTANTS = {
    synonym_for_near_miss: "near_miss_is_synonym",
    entailing_for_near_miss: "near_miss_entails",
    inverse_for_near_miss: "near_miss_is_inverse",
    endpoint_is_an_alias: "endpoint_is_gold",
    unit_deleted: "no_solution",
    unit_lost: "span_not_its_sentence",
    competitor_fact_deleted: "path_incomplete",
    fact_repeated: "survives_drop",
    fact_outside: "unit_outside_support",
    constant_missing: "constant_not_in_question",
    constant_left_original: "loose_mention",
    span_shifted: "span_not_its_sentence",
}


def _near_misses(row):
    asked = {query.hop_id: query.atom.relation for query in queries(row)}
    for path in row.competitors:
        for fact in path.facts if path.break_hop else ():
            atom = read_sentence(told(row, fact))
            if atom and atom.relation not in asked.values():
                yield told(row, fact), asked[path.break_hop]


def _parts(row):
    return [*(u for hop in row.hops for u in hop.units), *(fact for path in row.competitors for fact in path.facts)]


def _constants(row):
    return dict.fromkeys(name for query in queries(row) for name in query.constants)


def _distractor(row):
    supports = {unit.passage for hop in row.hops for unit in hop.units}
    return next(place for place in range(len(row.passages)) if place not in supports)


def _appended(row, place, text):
    passages = list(row.passages)
    passages[place] = replace(passages[place], text=f"{passages[place].text} {text}")
    return replace(row, passages=tuple(passages))
