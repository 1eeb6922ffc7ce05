"""Case restored to a lower-case question from the texts that were retrieved for it."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_WORD = re.compile(r"\w+(?:[’'.&-]\w+)*")
_SENTENCE_END = re.compile(r"[.!?:;|\"“”(\[\n][\s\"“”'‘(\[]*$")
_ARTICLES = frozenset({"the", "a", "an", "in", "on", "at", "this", "his", "her", "its"})
_JOINING = frozenset({"of", "in", "the", "and", "for", "on"})
_LONGEST = 7  # words in a name

_Forms = dict[str, Counter[str]]


class _Word(NamedTuple):
    form: str
    opens: bool  # first of a sentence or of a text, where a capital tells nothing


def restore_case(question: str, context: Sequence[str]) -> str:
    """Give a lower-case question the case that its context (titles and texts) shows away from sentence starts.

    A question that has a capital already, and every word that the context does not show, stays as it stands.
    """
    if question != question.lower():
        return question
    texts = [words for text in context if (words := _words(text))]
    places = list(_WORD.finditer(question))
    names = [place.group() for place in places]
    phrases, singles = _phrase_forms(names, texts), _single_forms(names, texts)
    pieces, end, index = [], 0, 0
    while index < len(places):
        forms = _longest_name(names, index, phrases) or [_word_form(names[index], singles)]
        for place, form in zip(places[index : index + len(forms)], forms, strict=True):
            pieces += [question[end : place.start()], form]
            end = place.end()
        index += len(forms)
    return "".join([*pieces, question[end:]])


def _words(text: str) -> list[_Word]:
    return [
        _Word(
            match.group(),
            bool(match.start() == 0 or _SENTENCE_END.search(text, max(0, match.start() - 4), match.start())),
        )
        for match in _WORD.finditer(text)
    ]


def _phrase_forms(names: Sequence[str], texts: Sequence[Sequence[_Word]]) -> _Forms:
    """How often each run of two to seven words of the question stands in the texts, by cased form."""
    runs = [(first, last) for first in range(len(names)) for last in range(first + 2, first + _LONGEST + 1)]
    wanted = {tuple(names[first:last]) for first, last in runs if last <= len(names)}
    heads = {run[:2] for run in wanted}
    lower_case = {word.form for words in texts for word in words}
    found: _Forms = {}
    for words in texts:
        lower = tuple(word.form.lower() for word in words)
        for first in range(len(words) - 1):
            for last in range(first + 2, min(len(words), first + _LONGEST) + 1):
                if lower[first : first + 2] not in heads:
                    break
                title = last - first == len(words) and lower[first] not in lower_case
                if lower[first:last] in wanted and (title or _tells(words[first], words[first + 1])):
                    form = " ".join(word.form for word in words[first:last])
                    found.setdefault(form.lower(), Counter())[form] += 1
    return found


def _tells(first: _Word, second: _Word) -> bool:
    """Whether the first word's capital is its own: inside a sentence, or where another capital follows."""
    return not first.opens or (second.form[:1].isupper() and first.form.lower() not in _ARTICLES)


def _longest_name(names: Sequence[str], index: int, phrases: _Forms) -> list[str] | None:
    """The cased words of the longest run from `index` that the texts mostly write as a name."""
    for last in range(min(len(names), index + _LONGEST), index + 1, -1):
        forms = phrases.get(" ".join(names[index:last]))
        if forms:
            form, times = forms.most_common(1)[0]
            words = form.split(" ")
            if words[0][:1].isupper() and words[-1] != words[-1].lower() and 2 * times >= forms.total():
                return words
    return None


def _single_forms(names: Sequence[str], texts: Sequence[Sequence[_Word]]) -> _Forms:
    """How often each word of the question stands in the texts, by form, capitals of longer names left out."""
    pairs = set(pairwise(names))
    found: _Forms = {name: Counter() for name in names}
    edge = _Word("", True)
    for words in texts:
        for before, word, after in zip(_name_before(words), words, [*words[1:], edge], strict=True):
            lower = word.form.lower()
            if lower not in found or (word.opens and word.form[1:].islower()):
                continue
            lone_left = not before.form[:1].isupper() or before.opens or (before.form.lower(), lower) in pairs
            lone_right = not after.form[:1].isupper() or after.opens or (lower, after.form.lower()) in pairs
            if word.form.islower() or (lone_left and lone_right):
                found[lower][word.form] += 1
    return found


def _name_before(words: Sequence[_Word]) -> list[_Word]:
    """The word before each, looking over "of", "in" ... to a capital that starts the same name ("Prize in Physics")."""
    edge = _Word("", True)
    before = [edge, *words[:-1]]
    over = [edge, edge, *words[:-2]]
    return [
        far if near.form in _JOINING and far.form[:1].isupper() and not far.opens else near
        for near, far in zip(before, over, strict=False)
    ][: len(words)]


def _word_form(name: str, singles: _Forms) -> str:
    if name == "i":
        return "I"
    forms = singles[name]
    form, times = forms.most_common(1)[0] if forms else (name, 1)
    return form if times > forms[name] else name
