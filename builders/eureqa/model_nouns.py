"""What a question calls an entity whose class says nothing, asked of a model (section 2.2, Figure 8's purpose)."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from builders.countries import is_adjective
from builders.eureqa.check import NameBook, Names
from builders.eureqa.draft import Draft, Noun
from builders.eureqa.hypernyms import hypernym
from builders.eureqa.nouns import DULL, WIDE
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import KIND
from builders.steps import Passed, Result
from builders.voices import Voice
from builders.written import read_text, unanswered
from eval.answers import tokens
from eval.models.engine import Reply, Request
from loaders.records import Reason

CLASS, MODEL, RULES = "class", "model", "rules"
WORDS = 3
_NOUN = re.compile(r"[a-z]+(?:-[a-z]+)*|[A-Z]{2,4}")  # a word, or an abbreviation such as TV
_ARTICLE = re.compile(r"\A(?:a|an|the) ", re.IGNORECASE)


def entities_of(draft: Draft) -> tuple[int, ...]:
    """Return the entities of a chain in their order, the one of the last closing line too."""
    return (*(layer.entity for layer in draft.chain), draft.chain[-1].edge.other)


def says_nothing(entity: int, snapshot: Snapshot) -> bool:
    """Whether an entity has no class, or one too wide to tell a reader anything."""
    return snapshot.class_of(entity) in {"", *WIDE}


def kind_values(entities: Sequence[int], snapshot: Snapshot) -> list[dict[str, str]]:
    """Return what fills the prompt for each entity."""
    return [{"name": snapshot.labels[entity]} for entity in entities]


def nouns_step(
    writer: Voice | None, snapshot: Snapshot, book: NameBook
) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that finds a noun for every entity: of its class, else of the model, else by our rules.

    Without a writer no model is asked. A reply that is no noun of use is counted by its reason, and the rules' noun
    stands.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        everything = dict.fromkeys(entity for draft in drafts for entity in entities_of(draft))
        wide = [entity for entity in everything if writer and says_nothing(entity, snapshot)]
        asked: dict[int, Request] = {}
        said: dict[int, Reply | None] = {}
        if writer and wide:
            requests = writer.requests(KIND, kind_values(wide, snapshot))
            asked, said = dict(zip(wide, requests, strict=True)), dict(zip(wide, writer.ask(requests), strict=True))
        nouns = {entity: _noun(entity, said, snapshot, book) for entity in everything}
        return [_named(draft, nouns, asked) for draft in drafts]

    return run


def _noun(entity: int, said: dict[int, Reply | None], snapshot: Snapshot, book: NameBook) -> Noun | None:
    ruled = hypernym(entity, snapshot)
    if entity not in said:
        return Noun(ruled, RULES if says_nothing(entity, snapshot) else CLASS)
    reply = said[entity]
    if reply is None:
        return None
    found = read_noun(reply, book[entity])
    return Noun(ruled, found.code) if isinstance(found, Reason) else Noun(found, MODEL)


def _named(draft: Draft, nouns: dict[int, Noun | None], asked: dict[int, Request]) -> Result[Draft]:
    found: list[Noun] = []
    for entity in entities_of(draft):
        noun = nouns[entity]
        if noun is None:
            return unanswered(asked[entity])
        found.append(noun)
    counts = Counter(noun.source for noun in found)
    evidence = ", ".join(f"{source} {n}" for source, n in sorted(counts.items()))
    return Passed(replace(draft, nouns=tuple(found)), evidence)


def read_noun(reply: Reply, names: Names) -> str | Reason:
    """Return the noun that a reply gives, without article and full stop.

    Reasons: those of `read_text`, `not_a_noun` (more than three words, a name or an adjective of a country among
    them), `noun_too_wide`, `noun_holds_name`.
    """
    text, fault = read_text(reply, "Kind")
    if fault:
        return fault
    words = _ARTICLE.sub("", text.strip(" .\"'")).split()
    if words and words[0][1:] == words[0][1:].lower():
        words[0] = words[0].lower()
    noun = " ".join(words)
    if not 1 <= len(words) <= WORDS or not all(_NOUN.fullmatch(word) and not is_adjective(word) for word in words):
        return Reason("not_a_noun", noun)
    if noun in DULL:
        return Reason("noun_too_wide", noun)
    if set(tokens(noun)) & {token for name in names.all for token in tokens(name)}:
        return Reason("noun_holds_name", noun)
    return noun
