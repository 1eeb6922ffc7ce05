"""Decide the decoy: which entities the statement has and what takes their place (sections 5.3.1 and 5.4.1)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from builders.countries import alias_words, is_country
from builders.entities import VALUE_TYPES, Mention
from builders.genadv.draft import Draft
from builders.genadv.seeds import Case, document_text
from builders.genadv.spot import find_entities
from builders.genadv.values import other_value
from builders.pool import Pool
from builders.similarity import Similarity
from builders.steps import Passed, Result, each
from eval.answers import Matcher, tokens
from loaders.draw import generator
from loaders.genadv import Replacement
from loaders.records import Reason

TRIES = 20


def entities_step(similarity: Similarity, pool: Pool) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that fills `mentions` for a batch; each name is embedded once."""
    types: dict[str, str] = {}

    def nearest_type(name: str) -> str:
        if name not in types:
            types[name] = pool.type_of(similarity.encode([name])[0])
        return types[name]

    return each(lambda draft: _with_mentions(draft, find_entities(draft, nearest_type)))


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
    # A surname alone is followed by a surname alone.
    surname = mention.type == "PERSON" and " " not in mention.text
    return new.split()[-1] if new and surname else new, round(cosine, 3)


def _is_other(name: str, mention: Mention, taken: set[str], seen: set[str]) -> bool:
    """Whether a pool name shares no token with question or statement, is no alias, and is not in the documents.

    A country stands for a country only, another place for another place.
    """
    words = set(tokens(name))
    if mention.type == "GPE" and is_country(name) != is_country(mention.text):
        return False
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
