"""Case restored to a lower-case question from the texts that were retrieved for it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_WORD = re.compile(r"\w+(?:[’'.&-]\w+)*")
_SENTENCE_END = re.compile(r"[.!?:;|\"“”(\[\n][\s\"“”'‘(\[]*$")
_LONGEST = 7


class _Word(NamedTuple):
    form: str
    opens: bool  # first of a sentence or of a text, where a capital tells nothing


def restore_case(question: str, context: Sequence[str]) -> str:
    """Give a lower-case question the case that its context (titles and texts) shows away from sentence starts.

    A question that has a capital already, and every word that the context does not show, stays as it stands.
    """
    if question != question.lower():
        return question
    texts = [_words(text) for text in context]
    places = list(_WORD.finditer(question))
    names = [place.group() for place in places]
    phrases = _phrase_forms(names, texts)
    pieces, end, index = [], 0, 0
    while index < len(places):
        length, form = _best(names, index, phrases, texts)
        forms = form.split(" ") if form else names[index : index + 1]
        for place, cased in zip(places[index : index + length], forms, strict=True):
            pieces += [question[end : place.start()], "I" if cased == "i" else cased]
            end = place.end()
        index += length
    return "".join([*pieces, question[end:]])


def _words(text: str) -> list[_Word]:
    return [
        _Word(
            match.group(),
            match.start() == 0 or bool(_SENTENCE_END.search(text[max(0, match.start() - 4) : match.start()])),
        )
        for match in _WORD.finditer(text)
    ]


def _spans(count: int, start: int = 0) -> Iterator[tuple[int, int]]:
    for first in range(start, count):
        for last in range(first + 2, min(count, first + _LONGEST) + 1):
            yield first, last


def _phrase_forms(names: Sequence[str], texts: Sequence[Sequence[_Word]]) -> dict[str, Counter[str]]:
    """How often each run of two to seven words of the question stands in the texts, by cased form."""
    wanted = {" ".join(names[first:last]) for first, last in _spans(len(names))}
    heads = {tuple(phrase.split(" ")[:2]) for phrase in wanted}
    found: dict[str, Counter[str]] = {}
    for words in texts:
        lower = [word.form.lower() for word in words]
        for first in range(len(words) - 1):
            if (lower[first], lower[first + 1]) not in heads:
                continue
            for last in range(first + 2, min(len(words), first + _LONGEST) + 1):
                phrase = " ".join(lower[first:last])
                if phrase in wanted:
                    found.setdefault(phrase, Counter())[_name_form(words[first:last])] += 1
    return found


def _name_form(words: Sequence[_Word]) -> str:
    """The form of an occurrence; a first word that only opens its sentence is lowered unless a capital follows it."""
    rest = [word.form for word in words[1:]]
    first = words[0].form
    if words[0].opens and not rest[0][:1].isupper() and first[1:].islower():
        first = first.lower()
    return " ".join([first, *rest])


def _best(
    names: Sequence[str], index: int, phrases: dict[str, Counter[str]], texts: Sequence[Sequence[_Word]]
) -> tuple[int, str]:
    """Length and cased form of the longest name that starts here, or of the single word."""
    for last in range(min(len(names), index + _LONGEST), index + 1, -1):
        forms = phrases.get(" ".join(names[index:last]))
        if forms:
            form, times = forms.most_common(1)[0]
            parts = form.split(" ")
            if parts[0][:1].isupper() and parts[-1] != parts[-1].lower() and 2 * times >= forms.total():
                return last - index, form
    return 1, _single(names, index, texts)


def _single(names: Sequence[str], index: int, texts: Sequence[Sequence[_Word]]) -> str:
    """The most frequent form of one word where a capital tells something: alone, or as the last word of a longer name."""
    forms: Counter[str] = Counter()
    for words in texts:
        for at, word in enumerate(words):
            if word.form.lower() != names[index] or (word.opens and word.form[1:].islower()):
                continue
            after = words[at + 1].form if at + 1 < len(words) and not words[at + 1].opens else ""
            if word.form.islower() or not after[:1].isupper() or after.lower() in names[index + 1 : index + 2]:
                forms[word.form] += 1
    if not forms:
        return names[index]
    form, times = forms.most_common(1)[0]
    return form if times > forms[names[index]] else names[index]
