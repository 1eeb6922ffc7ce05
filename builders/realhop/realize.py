"""Whole sentences put between those of a passage, which keeps its title and text in order (appendix I.3)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from builders.realhop.graph import Fact
from builders.realhop.units import units
from builders.sentences import split_sentences
from loaders.draw import generator
from loaders.records import Item, Passage, Span

_PROPER_END = re.compile(r"[.!?][\"'”’)\]]*$")
# A full stop behind these ends no sentence; `split_sentences` knows the others.
_ABBREVIATION = re.compile(r"\b(?:feat|prod|vols|eds|etc|incl|trans|dept|Dept|Assn|Hist|Bldg|[A-Z])\.$")
_TAIL = 20  # code points in which a sentence's end shows
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# What points back to a sentence before, such as the pronouns with a wrong antecedent of appendix J.1.
_WORDS = """he she it they we him her hers them his its their theirs himself herself itself themselves this that these
those such here there then thus therefore hence however also too both neither either another other others same former
latter afterwards later subsequently meanwhile instead moreover furthermore additionally nevertheless but and or so one
ones each most many some several all few none who which whose where"""
_ANAPHORS = frozenset(_WORDS.split())
_PERSONS = frozenset("he she him her hers his himself herself".split())
_NEXT = "Next."


def boundaries(text: str) -> tuple[int, ...]:
    """Return the code points of a passage at which a sentence may be put in, none where there is no safe place.

    A place is safe if what stands before it ends a sentence outside of brackets and quotation marks, and if the next
    sentence does not point back (section J.1: the errors left were pronouns with a wrong antecedent).
    """
    body, at = text.rstrip(), 0
    places: list[int] = []
    sentences = split_sentences(f"{body} {_NEXT}")
    for number, sentence in enumerate(sentences, 1):
        at_end = number == len(sentences) and sentence == _NEXT
        start = len(body) if at_end else text.index(sentence.removesuffix(f" {_NEXT}"), at)
        before = text[:start].rstrip()
        if body and not points_back(sentence) and _ends_well(before):
            places.append(len(before))
        at = start + 1
    return tuple(places)


def points_back(sentence: str) -> bool:
    """Whether a sentence needs the one before it, as far as words tell.

    That is: a pronoun, a demonstrative or `the` with a common noun comes before any name, or a he or a she has no name
    at the head of the sentence.
    """
    words = _WORD.findall(sentence)
    named = [place for place in range(1, len(words)) if words[place][0].isupper()][:1]
    if _PERSONS & {word.casefold() for word in words} and named != [1]:
        return True
    for word, following in pairwise([*words[: named[0] + 1 if named else None], "."]):
        if word.casefold() in _ANAPHORS or (word.casefold() == "the" and following.islower()):
            return True
    return False


def _ends_well(before: str) -> bool:
    """Whether a sentence may follow: nothing stands before, or a finished sentence with all brackets closed."""
    if not before:
        return True
    end = max(0, len(before) - _TAIL)
    finished = _PROPER_END.search(before, end) and not _ABBREVIATION.search(before, end)
    closed = before.count("(") == before.count(")") and before.count("[") == before.count("]")
    quoted = before.count('"') % 2 or before.count("“") != before.count("”")
    return bool(finished) and closed and not quoted


@dataclass(frozen=True)
class Realized:
    """The passages with everything put in, and where each unit stands."""

    passages: tuple[Passage, ...]
    spans: Mapping[str, Span]


def realize(item: Item, facts: Iterable[Fact], hosts: Mapping[str, int], seed: int) -> Realized:
    """Put the units of all facts into their hosts, each at a drawn place, gold and competitors alike."""
    told: dict[int, dict[str, str]] = {}
    for fact in facts:
        told.setdefault(hosts[fact.fact_id], {}).update(units(fact))
    passages = list(item.passages)
    spans: dict[str, Span] = {}
    for place, sentences in told.items():
        draw = generator(seed, item.id, f"places in passage {place}")
        text, ranges = insert(passages[place].text, sentences, draw)
        passages[place] = replace(passages[place], text=text)
        spans |= {unit: Span(place, start, end) for unit, (start, end) in ranges.items()}
    return Realized(tuple(passages), spans)


def insert(text: str, sentences: Mapping[str, str], draw: Random) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return a passage with sentences put in at drawn safe places in drawn order, and each one's range by its id.

    Raises ValueError where the passage has no safe place.
    """
    safe = boundaries(text)
    if not safe:
        raise ValueError("no safe place in the passage")
    ids = sorted(sentences)
    draw.shuffle(ids)
    placed = sorted(((draw.choice(safe), order, unit) for order, unit in enumerate(ids)), reverse=True)
    ranges: dict[str, tuple[int, int]] = {}
    for at, _, unit in placed:
        sentence = sentences[unit]
        text = f"{text[:at]} {sentence}{text[at:]}" if at else f"{sentence} {text}"
        moved = len(sentence) + 1
        ranges = {other: (start + moved, end + moved) for other, (start, end) in ranges.items()}
        ranges[unit] = (at + bool(at), at + bool(at) + len(sentence))
    return text, ranges


def restored(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """Return a passage without inserted sentences, each with the one space that came with it.

    That is the space before it, of a sentence at the very start the one after it; what remains is the source's text
    character by character.
    """
    for start, end in sorted(ranges, reverse=True):
        text = text[: start - 1] + text[end:] if start else text[end + 1 :]
    return text
