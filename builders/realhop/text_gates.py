"""Gates on the text itself: exact spans, sentences that are read, a question that holds its constants and no more."""

import re
from collections.abc import Iterable, Sequence

from builders.realhop.reading import read_sentence, read_text
from builders.realhop.solve import Query, says
from builders.realhop.told import names_in_play, parts, retained, sentence
from eval.answers import Matcher, tokens
from loaders.control import sentences
from loaders.realhop import RealHopRow
from loaders.realhop_conditions import as_item, span_of, without_insertions
from loaders.records import Reason

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def span_off(row: RealHopRow) -> Reason | None:
    """A recorded span is exactly one sentence of its passage, and a unit's `fact` is that sentence."""
    item = as_item(row)
    there = {span for place in range(len(row.passages)) for span in sentences(item, place)}
    for part in parts(row):
        if span_of(part) not in there or getattr(part, "fact", sentence(row, part)) != sentence(row, part):
            return Reason("span_not_its_sentence", sentence(row, part))
    return None


def unread_fact(row: RealHopRow) -> Reason | None:
    """Every recorded sentence is read, alone or as the first of two units."""
    for part in parts(row):
        told = sentence(row, part)
        if read_text(told, told.split()[:1]).unread:
            return Reason("unread_fact", told)
    return None


def outside_support(row: RealHopRow, source: RealHopRow) -> Reason | None:
    """All units of a hop stand where the source supports it, so that a Drop takes them."""
    places = {hop.hop_id: {unit.passage for unit in hop.units} for hop in source.hops}
    for hop in row.hops:
        if strays := [unit.unit_id for unit in hop.units if unit.passage not in places.get(hop.hop_id, ())]:
            return Reason("unit_outside_support", ", ".join(strays))
    return None


def text_changed(row: RealHopRow, source: RealHopRow) -> Reason | None:
    """Without what is recorded the passages are the source's, character by character."""
    left = without_insertions(row).passages
    changed = [str(place) for place, pair in enumerate(zip(left, source.passages, strict=False)) if pair[0] != pair[1]]
    if changed or len(left) != len(source.passages):
        return Reason("text_changed", f"passages {', '.join(changed)}")
    return None


def constants_missing(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    """The question holds every constant of its hops."""
    constants = (name for query in asked for name in query.constants)
    missing = [name for name in constants if not Matcher([name]).holds(row.question)]
    return Reason("constant_not_in_question", ", ".join(missing)) if missing else None


def answer_in_question(row: RealHopRow) -> Reason | None:
    """The question names no hop's answer."""
    found = Matcher([*(hop.answer for hop in row.hops), row.answer, *row.answer_aliases]).first(row.question)
    return Reason("answer_in_question", found) if found else None


def left_original(row: RealHopRow) -> Reason | None:
    """No name of the question outside of its hops stands in the retained text, to which it would tie the question.

    A name is a capitalised word that the retained text has in no other spelling, or a number.
    """
    text = " ".join(retained(row))
    known = {token for hop in row.hops for token in tokens(hop.relation)}
    there = set(_WORD.findall(text))
    for word in _WORD.findall(row.question):
        is_name = word[0].isdigit() or (word[0].isupper() and word.lower() not in there)
        if is_name and word in there and known.isdisjoint(tokens(word)):
            return Reason("constant_left_original", word)
    return None


def loose_mention(row: RealHopRow, asked: Sequence[Query]) -> Reason | None:
    """No name in play, nor a word of one, stands in retained text that says no hop's relation: who knows what it says.

    What says the relation of a hop is a fact like any other, and the solver has seen it.
    """
    names = names_in_play(row, asked)
    whole, word = Matcher(names), _words(names)
    for told in retained(row):
        found = word.search(told) if word else None
        mention = whole.first(told) or (found and found[0])
        atom = read_sentence(told) if mention else None
        if mention and not (atom and any(says(atom, query.atom) for query in asked)):
            return Reason("loose_mention", f"{mention}: {told}")
    return None


def _words(names: Iterable[str]) -> re.Pattern[str] | None:
    """Match one capitalised word of a name; the words of dates and counts, such as `March`, are no mention."""
    plain = (name for name in names if not any(sign.isdigit() for sign in name))
    found = {word for name in plain for word in _WORD.findall(name) if word[0].isupper()}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, found)))})\b") if found else None
