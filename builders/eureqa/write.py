"""A chain told layer by layer without names (section 2.2): statements, placeholders, question and closing line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from builders.eureqa.backend import OUT, Edge
from builders.eureqa.hypernyms import hypernym, is_person
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain

# Names that an English sentence gives an article.
_WITH_THE = re.compile(
    r"(United (States|Kingdom|Nations|Arab Emirates)|Netherlands|Philippines|Bahamas|Maldives|Gambia|Bronx|Vatican)\b"
    r"|.*\b(Republic|Empire|Islands|Union|Kingdom|Navy|Army|Air Force|Academy|Institute|Revolution|Mountains|Alps"
    r"|River|Ocean|Sea|War|Emirates)$"
    r"|(University|Museum|Republic|Kingdom|Isle|College|Province|Order|House|Battle|Church) of "
    r"|.*\b(Party|Church|War|Republic) \("
)


@dataclass(frozen=True)
class Told:
    """A chain in words: placeholders for the entities in their order, and two statements per layer."""

    hypernyms: tuple[str, ...]
    placeholders: tuple[str, ...]
    relations: tuple[str, ...]
    facts: tuple[str, ...]
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
        facts=tuple(
            statement(layer.fact, name, in_sentence(snapshot.labels[layer.fact.other]), snapshot)
            for name, layer in zip(names, chain, strict=False)
        ),
        question=f"{asked} is {names[0]}?",
    )


def placeholder(word: str, place: int) -> str:
    """Return a hypernym with its letter, in chain order: `Film B`."""
    return f"{word[:1].upper()}{word[1:]} {ascii_uppercase[place]}"


def statement(edge: Edge[int, int], me: str, other: str, snapshot: Snapshot) -> str:
    """Return an edge as a sentence, told from its subject or its object, whichever `me` is."""
    name = local_name(snapshot.relations[edge.relation])
    known = table().get(name)
    if known is not None:
        text = known.out if edge.direction == OUT else known.into
    else:
        spoken = spoken_words(name)
        text = f"{{s}} has the {spoken} {{o}}" if edge.direction == OUT else f"{{o}} is the {spoken} of {{s}}"
    subject, object = (me, other) if edge.direction == OUT else (other, me)
    return sentence(text.replace("{s}", "\0").replace("{o}", object).replace("\0", subject))


def spoken_words(name: str) -> str:
    """Return a relation's name as words: `notableStudent` is `notable student`."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)).lower()


def sentence(text: str) -> str:
    """Return text with a capital in front and one full stop behind."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def in_sentence(label: str) -> str:
    """Return a name with the article that a sentence needs."""
    return f"the {label}" if _WITH_THE.match(label) and not label.lower().startswith("the ") else label


def closing_line(told: Told, depth: int, label: str) -> str:
    """Return the line that names the entity behind the last layer: `Film F is You So Crazy.`"""
    return sentence(f"{told.placeholders[depth]} is {in_sentence(label)}")


def question_text(told: Told, depth: int, label: str) -> str:
    """Return the question at a depth: what is asked, the statements of layers 1 to `depth`, and the closing line."""
    statements = _pairs(told.relations[:depth], told.facts[:depth])
    return " ".join([told.question, *statements, closing_line(told, depth, label)])


def questions(chain: Chain[int, int], told: Told, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the question at every depth, from 1."""
    ends = (snapshot.labels[layer.edge.other] for layer in chain)
    return tuple(question_text(told, depth, label) for depth, label in enumerate(ends, 1))


def _pairs(relations: Sequence[str], facts: Sequence[str]) -> list[str]:
    return [text for pair in zip(relations, facts, strict=True) for text in pair]
