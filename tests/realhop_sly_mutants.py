"""Ways to spoil a proved item without a change to its graph: by wording, names, kinds and places: `SLY_MUTANTS`, each
with the reasons by which it may be rejected."""

import re
from dataclasses import replace

from realhop_rows import rewritten, told

from builders.realhop.reading import read_sentence
from loaders.realhop import CompetitorFact
from loaders.realhop_conditions import without_insertions

HOLLOW = "Ulla Strom"  # a name that no item has


def entry_says_more(row):
    """Whom an entry is about is told together with what a hop asks."""
    fact, name = _first_fact(row)
    for told_so in (f", who {fact}", f" who {fact}"):
        yield _recorded(row, f"Entry Q999 of the Halden Register is about {name}{told_so.replace(f'{name} ', '')}")


def said_with_an_adverb(row):
    """A path misses a hop's relation in one sentence, and has it in another, with an adverb."""
    fact, name = _first_fact(row)
    for branch in (path for path in row.competitors if path.break_hop == row.hops[0].hop_id):
        near = read_sentence(told(row, branch.facts[0]))
        if near and fact.startswith(name):
            yield _recorded(row, f"{near.args[0]} also{fact.removeprefix(name)}")


def said_of_two(row):
    """A distractor says a hop's relation of its answer and of somebody else at once."""
    fact, name = _first_fact(row)
    yield _recorded(row, fact.replace(name, f"{HOLLOW} and {name}"))


def near_miss_and_more(row):
    """A near miss and the hop's own relation share a subject."""
    fact, name = _first_fact(row)
    for branch in (path for path in row.competitors if path.break_hop == row.hops[0].hop_id):
        near = told(row, branch.facts[0])
        atom, own = read_sentence(near), fact.removeprefix(f"{name} ").split(" ")[0]
        if atom and fact.startswith(name) and near.startswith(atom.args[0]) and own not in ("is", "was"):
            verb = near.removeprefix(atom.args[0]).split(" ")[1]
            yield rewritten(row, near, near.replace(f" {verb} ", f" {verb} and {own} "))


def part_of_a_name(row):
    """A distractor says a hop's relation of the last word of its answer's name."""
    fact, name = _first_fact(row)
    yield _recorded(row, fact.replace(name, name.split(" ")[-1]))


def orphan_of_another_kind(row):
    """The orphan ends in a year where gold is a name, and in a name where gold is a value."""
    end = HOLLOW if any(sign.isdigit() for sign in row.answer) else "1911"
    for number, path in enumerate(row.competitors):
        last = next((text for text in (told(row, fact) for fact in path.facts) if path.endpoint in text), "")
        if path.family == "orphan" and last:
            changed = rewritten(row, last, last.replace(path.endpoint, end))
            orphan = replace(changed.competitors[number], endpoint=end)
            yield replace(changed, competitors=_put(changed.competitors, number, orphan))


def before_a_pronoun(row):
    """A path's sentence stands a second time, before a pronoun of the source's text."""
    fact = told(row, row.competitors[0].facts[0])
    for place, passage in enumerate(without_insertions(row).passages):
        for sentence in re.findall(r"(?<=\. )(?:He|She|It|They) [^.]*\.", passage.text):
            if sentence in row.passages[place].text:
                changed = rewritten(row, sentence, f"{fact} {sentence}")
                start = changed.passages[place].text.index(f"{fact} {sentence}")
                yield _with_record(changed, place, start, start + len(fact))


SLY_MUTANTS = {
    entry_says_more: ("unread_fact", "stray_fact"),
    said_with_an_adverb: ("stray_fact", "near_miss_is_synonym", "not_the_only_solution"),
    said_of_two: ("stray_fact",),
    near_miss_and_more: ("stray_fact",),
    part_of_a_name: ("names_alike", "survives_drop"),  # of a name of one word it is all
    orphan_of_another_kind: ("other_kind",),
    before_a_pronoun: ("unsafe_place",),
}


def _put(paths, number, path):
    return (*paths[:number], path, *paths[number + 1 :])


def _first_fact(row):
    """Return the first hop's fact, told in one sentence, and its answer."""
    hop = row.hops[0]
    return hop.relation.replace(f"#{hop.hop_id}", hop.answer), hop.answer


def _recorded(row, text):
    """Return the row with one more sentence of its first path, at the end of a passage without gold."""
    gold = {unit.passage for hop in row.hops for unit in hop.units}
    place = next(place for place in range(len(row.passages)) if place not in gold)
    passages = list(row.passages)
    start = len(passages[place].text) + 1
    passages[place] = replace(passages[place], text=f"{passages[place].text} {text}")
    return _with_record(replace(row, passages=tuple(passages)), place, start, start + len(text))


def _with_record(row, place, start, end):
    path = row.competitors[0]
    more = replace(path, facts=(*path.facts, CompetitorFact("more", place, start, end)))
    return replace(row, competitors=(more, *row.competitors[1:]))
