"""Decide the decoy: which entities the statement has and what takes their place (sections 5.3.1 and 5.4.1)."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from builders.countries import alias_words
from builders.entities import VALUE_TYPES, Mention, mentions
from builders.genadv.draft import Draft
from builders.genadv.seeds import Case, document_text
from builders.genadv.values import other_value
from builders.pool import Pool
from builders.similarity import Similarity
from builders.steps import Passed, Result
from eval.answers import Matcher, tokens
from loaders.draw import generator
from loaders.genadv import Replacement
from loaders.records import Reason

TRIES = 20
_NAME = re.compile(r"(?:[A-ZÀ-ÖØ-Þ][\w.'’&-]*)(?:\s+(?:(?:of|the|and|de|la|von|van|in)\s+){0,2}[A-ZÀ-ÖØ-Þ][\w.'’&-]*)*")
_DATE = re.compile(r"\d{4}|(?:\d{1,2}\s+)?[A-Z][a-z]+(?:\s+\d{1,2})?,?\s+\d{4}(?:\s+UTC)?")


def find_entities(draft: Draft, type_of: Callable[[str], str]) -> tuple[Mention, ...]:
    """Return the statement's entities in order: as tagged there, else as the documents' tags or the pool type them.

    The answer's span counts as one entity where it is a name or a value, whatever part of it was tagged.
    """
    tagged = [found for found in mentions(draft.parsed) if _tells(found)]
    start, end = draft.answer_span
    answer = draft.statement[start:end]
    found = [mention for mention in tagged if mention.end <= start or mention.start >= end]
    found += _answer_mention(answer, start, tagged, draft, type_of)
    return tuple(sorted([*found, *_missed(draft, found, type_of)], key=lambda mention: mention.start))


def _tells(mention: Mention) -> bool:
    """Whether a tagged mention is a name with a capital or a value with something to change."""
    return mention.type in VALUE_TYPES or any(char.isupper() for char in mention.text)


def _answer_mention(
    answer: str, start: int, tagged: Sequence[Mention], draft: Draft, type_of: Callable[[str], str]
) -> list[Mention]:
    end = start + len(answer)
    inside = [mention for mention in tagged if mention.start < end and start < mention.end]
    kind = max(inside, key=lambda mention: (mention.end - mention.start, mention.type)).type if inside else ""
    kind = draft.read().types.get(answer, kind)
    if _DATE.fullmatch(answer):
        kind = "DATE"
    elif not kind and re.fullmatch(r"[\d,.]+", answer):
        kind = "CARDINAL"
    elif not kind and answer[:1].isupper() and not _is_common(answer, draft):
        kind = type_of(answer)
    return [Mention(answer, kind, start, end)] if kind and (kind in VALUE_TYPES or answer != answer.lower()) else []


def _is_common(answer: str, draft: Draft) -> bool:
    return all(word.lower() in draft.read().common for word in answer.split())


def _missed(draft: Draft, found: Sequence[Mention], type_of: Callable[[str], str]) -> list[Mention]:
    """Return capitalised names that no tagged mention covers; ordinary words that open the statement are none."""
    missed = []
    for match in _NAME.finditer(draft.statement):
        text, start = match.group().strip(), match.start()
        if start == 0:
            text, start = _without_opening_word(text, draft)
        free = not any(mention.start < start + len(text) and start < mention.end for mention in found)
        if len(text) > 2 and free:
            kind = draft.read().types.get(text) or type_of(text)
            missed += [Mention(text, kind, start, start + len(text))] if kind else []
    return missed


def _without_opening_word(text: str, draft: Draft) -> tuple[str, int]:
    opening = draft.parsed[0]
    if opening.pos_ == "PROPN":
        return text, 0
    rest = text[len(opening.text) :]
    return rest.strip(), len(text) - len(rest.lstrip())


def entities_step(similarity: Similarity, pool: Pool) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that fills `mentions` for a batch; names of unknown type are embedded once."""
    types: dict[str, str] = {}

    def type_of(name: str) -> str:
        if name not in types:
            types[name] = pool.type_of(similarity.encode([name])[0])
        return types[name]

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        return [_with_mentions(draft, find_entities(draft, type_of)) for draft in drafts]

    return run


def _with_mentions(draft: Draft, found: tuple[Mention, ...]) -> Passed[Draft]:
    return Passed(replace(draft, mentions=found), "; ".join(f"{mention.text} [{mention.type}]" for mention in found))


def answer_mentions(draft: Draft) -> tuple[Mention, ...]:
    """Return the mention that covers the answer, if there is one."""
    found = answer_mention(draft)
    return (found,) if found else ()


def answer_mention(draft: Draft) -> Mention | None:
    """Return the mention that covers the answer, or None where the answer is no entity."""
    start, end = draft.answer_span
    return next((mention for mention in draft.mentions if mention.start < end and start < mention.end), None)


def replacement_step(
    choose: Callable[[Draft], Sequence[Mention]], similarity: Similarity, pool: Pool, limit: float, seed: int
) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that replaces the chosen mentions; names of a whole batch are embedded at once.

    `limit` is the highest cosine of two names that are no aliases. Reasons: `no_replacement`.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        names = sorted({m.text for draft in drafts for m in choose(draft) if m.type not in VALUE_TYPES})
        vectors = dict(zip(names, similarity.encode(names), strict=True))

        def nearest(mention: Mention, allowed: Callable[[str], bool]) -> tuple[str, float]:
            return pool.nearest(vectors[mention.text], mention.type, limit, allowed)

        return [replace_mentions(draft, choose(draft), nearest, seed) for draft in drafts]

    return run


Nearest = Callable[[Mention, Callable[[str], bool]], tuple[str, float]]


def replace_mentions(draft: Draft, chosen: Iterable[Mention], nearest: Nearest, seed: int) -> Result[Draft]:
    """Give every chosen mention a replacement of its type; the same name gets the same one."""
    taken = forbidden_words(draft)
    seen = document_words(draft.case)
    made: dict[str, Replacement] = {}
    for mention in chosen:
        if mention.text not in made:
            new, cosine = _replacement(draft.case, mention, nearest, taken, seen, seed)
            if not new:
                return Reason("no_replacement", f"{mention.text} [{mention.type}]")
            made[mention.text] = Replacement(mention.text, mention.type, 0, 0, new, cosine)
            taken = taken | set(tokens(new))
    placed = [replace(made[m.text], start=m.start, end=m.end) for m in chosen]
    return Passed(replace(draft, replacements=tuple(placed)), "; ".join(f"{r.text} -> {r.replacement}" for r in placed))


def _replacement(
    case: Case, mention: Mention, nearest: Nearest, taken: set[str], seen: set[str], seed: int
) -> tuple[str, float | None]:
    if mention.type in VALUE_TYPES:
        return _value(case, mention, seed), None
    new, cosine = nearest(mention, lambda name: _is_other(name, mention, taken, seen))
    return new, round(cosine, 3)


def _is_other(name: str, mention: Mention, taken: set[str], seen: set[str]) -> bool:
    """Whether a pool name shares no token with question or statement, is no alias, and is not in the documents."""
    words = set(tokens(name))
    return words.isdisjoint(taken) and words.isdisjoint(alias_words(mention.text)) and not words <= seen


def _value(case: Case, mention: Mention, seed: int) -> str:
    """Return another value that no answer states and the question does not name; empty after `TRIES` draws."""
    draw = generator(seed, case.id, f"value {mention.text}")
    known = Matcher([*case.answers, mention.text])
    tried = (other_value(mention.text, draw) for _ in range(TRIES))
    fresh = (new for new in tried if new and not known.holds(new) and not Matcher([new]).holds(case.question))
    return next(fresh, "")


def forbidden_words(draft: Draft) -> set[str]:
    """Return the tokens that no replacement may share: those of question, statement and all answers."""
    return {token for text in (draft.case.question, draft.statement, *draft.case.answers) for token in tokens(text)}


def document_words(case: Case) -> set[str]:
    """Return all tokens of the case's documents."""
    return {token for document in case.documents for token in tokens(document_text(document))}
