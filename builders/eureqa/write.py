"""A chain told layer by layer without names (section 2.2): statements, placeholders, question and closing line."""

from dataclasses import dataclass
from string import ascii_uppercase

from builders.eureqa.articles import in_sentence, is_plural
from builders.eureqa.backend import OUT, Edge
from builders.eureqa.hypernyms import hypernym, is_person
from builders.eureqa.kinds import kinds_of
from builders.eureqa.phrases import filled, phrase, sentence
from builders.eureqa.relations import local_name
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain


@dataclass(frozen=True)
class Told:
    """A chain in words: placeholders for the entities in their order, two statements and a closing line per layer.

    The closing line of a layer names the entity behind it; a question has that of its last layer.
    """

    hypernyms: tuple[str, ...]
    placeholders: tuple[str, ...]
    relations: tuple[str, ...]
    facts: tuple[str, ...]
    closings: tuple[str, ...]
    question: str


def tell(chain: Chain[int, int], snapshot: Snapshot) -> Told:
    """Tell a chain by rules; the first entity is asked for, the last one is left for the closing line to name."""
    entities = [*(layer.entity for layer in chain), chain[-1].edge.other]
    words = tuple(hypernym(entity, snapshot) for entity in entities)
    names = tuple(placeholder(word, i) for i, word in enumerate(words))
    asked = "Who" if is_person(entities[0], words[0], snapshot) else "What"
    return Told(
        hypernyms=words,
        placeholders=names,
        relations=tuple(statement(layer.edge, names[i], names[i + 1], snapshot) for i, layer in enumerate(chain)),
        facts=tuple(fact_statement(layer.fact, name, snapshot) for name, layer in zip(names, chain, strict=False)),
        closings=tuple(
            sentence(f"{name} is {spoken_name(entity, snapshot)}")
            for name, entity in zip(names[1:], entities[1:], strict=True)
        ),
        question=f"{asked} is {names[0]}?",
    )


def placeholder(word: str, place: int) -> str:
    """Return a hypernym with its letter, in chain order: `Film B`."""
    return f"{word[:1].upper()}{word[1:]} {ascii_uppercase[place]}"


def statement(edge: Edge[int, int], me: str, other: str, snapshot: Snapshot, *, plural: bool = False) -> str:
    """Return an edge as a sentence, told from its subject or its object, whichever `me` is; `other` may be plural."""
    text = phrase(local_name(snapshot.relations[edge.relation]), edge.direction)
    ends, first = ((me, other), "{o}") if edge.direction == OUT else ((other, me), "{s}")
    return filled(text, *ends, plural=plural and text.startswith(first))


def fact_statement(fact: Edge[int, int], me: str, snapshot: Snapshot) -> str:
    """Return a fact as a sentence, its other end named."""
    label, word = snapshot.labels[fact.other], hypernym(fact.other, snapshot)
    return statement(fact, me, spoken_name(fact.other, snapshot), snapshot, plural=is_plural(label, word))


def spoken_name(entity: int, snapshot: Snapshot) -> str:
    """Return an entity's name with the article and the small letter that a sentence gives it."""
    return in_sentence(snapshot.labels[entity], hypernym(entity, snapshot), kinds_of(entity, snapshot))


def question_text(told: Told, depth: int) -> str:
    """Return the question at a depth: what is asked, the statements of layers 1 to `depth`, and the closing line."""
    pairs = zip(told.relations[:depth], told.facts[:depth], strict=True)
    return " ".join([told.question, *(text for pair in pairs for text in pair), told.closings[depth - 1]])


def questions(told: Told) -> tuple[str, ...]:
    """Return the question at every depth, from 1."""
    return tuple(question_text(told, depth) for depth in range(1, len(told.closings) + 1))
