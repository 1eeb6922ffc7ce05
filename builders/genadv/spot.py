"""Find the entities of a statement (section 5.3.1, step 1), with the help of the documents, which show more of them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from builders.entities import NAME_TYPES, VALUE_TYPES, Mention, mentions
from builders.genadv.cues import asked_type, asks_who, types_around
from builders.genadv.draft import Draft
from eval.answers import tokens

_WORD = r"[A-ZÀ-ÖØ-Þ][\w.'’&-]*"
_NAME = re.compile(rf"{_WORD}(?:\s+(?:(?:of|the|de|la|le|von|van|du|di|da|del)\s+){{0,2}}{_WORD})*")
_QUOTED = re.compile(r"(?<!\w)['‘\"“]([A-Z](?:[^'‘’\"“”]|['’](?=\w)){1,80})['’\"”](?!\w)")
_DATE = re.compile(r"\d{4}|(?:\d{1,2}\s+)?[A-Z][a-z]+(?:\s+\d{1,2})?\s*,?\s+\d{4}(?:\s+UTC)?")
_TITLE_TAIL = re.compile(r"\s*\(.*\)$")
_RANKS = frozenset("president king queen prince princess sir lord lady dr mr mrs ms st pope emperor the a an".split())
# Weights of a vote, beside 1 for each tag in the documents (2 where the whole name was tagged).
ASKED_WEIGHT, WHO_WEIGHT, AROUND_WEIGHT, TAG_WEIGHT = 8, 4, 10, 2


class _Place(NamedTuple):
    """A stretch of the statement that may be an entity, with the tag that it was given, if any."""

    start: int
    end: int
    tag: str = ""


def find_entities(draft: Draft, nearest_type: Callable[[str], str]) -> tuple[Mention, ...]:
    """Return the statement's entities in order, none overlapping another.

    The answer comes first, then the longest of: quoted names, titles and names of the documents, tagged entities,
    runs of capitalised words. A name's type is a vote of its tags in statement and documents and of `nearest_type`.
    """
    tagged = [mention for mention in mentions(draft.parsed) if _can_change(mention, draft.parsed)]
    chosen = answer_entity(draft, tagged, nearest_type)
    taken = [draft.answer_span]  # also where the answer is no entity, so that no part of it passes for one
    for place in sorted(set(_places(draft, tagged)), key=_longest_tagged_first):
        if all(place.end <= start or end <= place.start for start, end in taken):
            taken.append((place.start, place.end))
            chosen.append(_typed(draft, place, nearest_type))
    return tuple(sorted(chosen, key=lambda mention: mention.start))


def _longest_tagged_first(place: _Place) -> tuple[int, int, bool, str]:
    return place.start - place.end, place.start, not place.tag, place.tag


def _can_change(mention: Mention, parsed: Any) -> bool:
    """Whether a tagged mention is a name with a capital or a value; `first` in `first aired` is no ordinal."""
    if mention.type == "ORDINAL":
        span = parsed.char_span(mention.start, mention.end, alignment_mode="expand")
        return span is not None and span[0].pos_ != "ADV"
    return mention.type in VALUE_TYPES or any(char.isupper() for char in mention.text)


def _places(draft: Draft, tagged: Sequence[Mention]) -> Iterator[_Place]:
    text, reading = draft.statement, draft.read()
    yield from (_Place(found.start(1), found.end(1)) for found in _QUOTED.finditer(text))
    titles = {_TITLE_TAIL.sub("", document.title) for document in draft.case.documents}
    yield from _standing_in(text, (title for title in titles if _is_name(title, draft)))
    yield from _standing_in(text, (name for name in reading.tags if _is_name(name, draft)))
    for mention in tagged:
        yield (
            _whole_name(text, mention)
            if mention.type in NAME_TYPES
            else _Place(mention.start, mention.end, mention.type)
        )
    yield from (place for found in _NAME.finditer(text) if (place := _run(draft, found)) is not None)


def _is_name(name: str, draft: Draft) -> bool:
    return len(name) > 2 and name[0].isupper() and not _is_common(name, draft)


def _is_common(name: str, draft: Draft) -> bool:
    """Whether the documents use every word of it in lower case too."""
    return all(word in draft.read().common or len(word) < 3 for word in name.lower().split())


def _standing_in(text: str, names: Iterable[str]) -> Iterator[_Place]:
    for name in names:
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield _Place(found.start(), found.end())


def _whole_name(text: str, mention: Mention) -> _Place:
    """Take in capitalised neighbours that the tagger left out: `Emmy` of `Emmy Noether`."""
    before = re.search(rf"((?:{_WORD}\s)+)$", text[: mention.start])
    after = re.match(rf"((?:\s{_WORD})+)", text[mention.end :])
    words = before.group().split() if before else []
    while words and (words[0].lower() in _RANKS or (before is not None and len(before.group()) == mention.start)):
        if words[0].lower() not in _RANKS and words[0].lower() not in _OPENERS:
            break
        words.pop(0)
    start = mention.start - sum(len(word) + 1 for word in words)
    tail = after.group() if after else ""
    return _Place(start, start + len(_bare(text[start : mention.end + len(tail)])), mention.type)


_OPENERS = frozenset("in on at from by for with during after before of to as when it he she they there this".split())


def _bare(name: str) -> str:
    """Return the name without a possessive ending, a closing quote or a full stop."""
    return re.sub(r"(?:['’]s?|\.)+$", "", name)


def _run(draft: Draft, found: re.Match[str]) -> _Place | None:
    """Return a run of capitalised words, without an ordinary word that only opens the statement."""
    start, text = found.start(), _bare(found.group())
    if start == 0 and draft.parsed[0].pos_ != "PROPN":
        rest = text[len(draft.parsed[0].text) :]
        start, text = len(text) - len(rest.lstrip()), rest.lstrip()
    return _Place(start, start + len(text)) if len(text) > 2 else None


def _typed(draft: Draft, place: _Place, nearest_type: Callable[[str], str]) -> Mention:
    name = draft.statement[place.start : place.end]
    kind = place.tag if place.tag in VALUE_TYPES else vote(draft, place, "", nearest_type)
    return Mention(name, kind, place.start, place.end)


def answer_entity(draft: Draft, tagged: Sequence[Mention], nearest_type: Callable[[str], str]) -> list[Mention]:
    """Return the answer as an entity, without leading words such as `at` or `the`; nothing if it is none."""
    start, end = draft.answer_span
    start += _leading_words(draft.statement[start:end])
    answer = draft.statement[start:end]
    inside = [mention for mention in tagged if mention.start < end and start < mention.end]
    tag = max(inside, key=lambda mention: (mention.end - mention.start, mention.type)).type if inside else ""
    if _DATE.fullmatch(answer):
        tag = "DATE"
    elif not tag and re.fullmatch(r"[\d,.]+", answer):
        tag = "CARDINAL"
    if tag in VALUE_TYPES:
        return [Mention(answer, tag, start, end)]
    if not any(char.isupper() for char in answer) or _is_common(answer, draft):
        return []
    place = _Place(start, end, tag)
    return [Mention(answer, vote(draft, place, asked_type(draft.case.question), nearest_type), start, end)]


def _leading_words(answer: str) -> int:
    """Return the length of the prepositions and articles before an answer's first name or figure."""
    found = re.match(r"(?i:(?:in|on|at|by|from|during|the|a|an)\s+)+(?=[A-ZÀ-ÖØ-Þ\d])", answer)
    return found.end() if found else 0


def vote(draft: Draft, place: _Place, asked: str, nearest_type: Callable[[str], str]) -> str:
    """Return the type with most votes; a tie goes to the first in the alphabet.

    Votes come from the documents' tags of the same name (1 each), the tag in the statement, what the question asks
    for, the words around the name, and the nearest names of the pool. Behind `the` stands no person and no place.
    """
    name = draft.statement[place.start : place.end]
    votes = _tags_in_documents(draft, name)
    votes[nearest_type(name)] += 1
    weights = [(place.tag, TAG_WEIGHT), (asked, WHO_WEIGHT if asks_who(draft.case.question) else ASKED_WEIGHT)]
    weights += [(kind, AROUND_WEIGHT) for kind in types_around(draft.statement, place.start, place.end)]
    for kind, weight in weights:
        votes[kind] += weight
    if name.startswith("The ") or draft.statement[: place.start].lower().endswith("the "):
        votes["PERSON"] = votes["GPE"] = 0
    found = [kind for kind in votes if kind in NAME_TYPES and votes[kind]]
    return min(found, key=lambda kind: (-votes[kind], kind)) if found else "ORG"


def _tags_in_documents(draft: Draft, name: str) -> Counter[str]:
    votes: Counter[str] = Counter()
    words = set(tokens(name))
    for other, tags in draft.read().tags.items():
        theirs = set(tokens(other))
        if theirs and (theirs <= words or words <= theirs):
            votes.update({kind: count * (2 if theirs == words else 1) for kind, count in tags.items()})
    return votes
