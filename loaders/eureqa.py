"""The EureQA family: its rows (configs `hard` and `easy`, splits by depth), and `load()`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from loaders.benchmark import Benchmark
from loaders.records import Verdict
from loaders.release import open_release

SPLITS = ("d1", "d2", "d3", "d4", "d5")
CANARY = "decoyqa-eureqa-canary 2f7d0c5a-6f1e-5c38-8a14-d1f0b3a9c7e6: benchmark data, keep out of training sets"


@dataclass(frozen=True)
class Layer:
    """One layer of a chain: an entity, its relation to the next one, and a fact about it (paper section 2.1).

    Counts are over the whole snapshot; a direction is `out` where the layer's entity is the subject, `in` where it is
    the object of the triple.
    """

    entity: Annotated[str, "IRI of the entity that the layer describes"]
    label: Annotated[str, "its name"]
    hypernym: Annotated[str, "what the question calls it, such as `film`"]
    placeholder: Annotated[str, "hypernym and letter, such as `Film B`"]
    relation: Annotated[str, "IRI of the relation to the next entity"]
    relation_direction: Annotated[str, "`out` or `in`"]
    next_entity: Annotated[str, "IRI of the next layer's entity"]
    fact_relation: Annotated[str, "IRI of the fact's relation"]
    fact_direction: Annotated[str, "`out` or `in`"]
    fact_entity: Annotated[str, "IRI of the fact's other entity, which the question names"]
    relation_statement: Annotated[str, "the relation as a sentence, both ends as placeholders"]
    fact_statement: Annotated[str, "the fact as a sentence, the layer's entity as a placeholder"]
    n_relation: Annotated[int, "entities with this relation to the next entity"]
    n_fact: Annotated[int, "entities of which the fact holds"]
    n_joint: Annotated[int, "entities of which both hold: 1"]
    n_next: Annotated[int, "entities to which the layer's entity has the relation"]
    n_class: Annotated[int, "entities with the fact and the relation to some entity of the next one's class; at most 2"]
    sparql: Annotated[str, "a query that counts the four, for any endpoint with the snapshot"]


@dataclass(frozen=True)
class Candidates:
    """What an ideal retriever finds for one visible pattern of the question (section 5.5)."""

    pattern: Annotated[str, "subject, relation and object, the unknown one as `?`"]
    names: Annotated[tuple[str, ...], "at most 20 entities that fit, the right one among them"]


@dataclass(frozen=True)
class WithoutStatement:
    """How many answers remain when one statement is left out."""

    statement: Annotated[str, "`relation` or `fact`, and the layer's number from 1, such as `fact 2`"]
    n_answers: Annotated[int, "answers that the rest allows, over the whole snapshot; capped as the card says"]


@dataclass(frozen=True)
class EureQARow:
    """One question at one depth (section 2.2)."""

    id: Annotated[str, "chain and depth; unique in the config"]
    chain_id: Annotated[str, "pairs the depths of a chain"]
    question: Annotated[str, "the question, its statements and the closing line"]
    answer: Annotated[str, "name of the first layer's entity, without what tells namesakes apart"]
    answer_aliases: Annotated[tuple[str, ...], "other names of it"]
    depth: Annotated[int, "number of layers, 1 to 5"]
    category: Annotated[str, "kind of the seed entity"]
    layers: Annotated[tuple[Layer, ...], "the layers 1 to `depth`"]
    closing: Annotated[str, "the line that names the last entity"]
    closing_entity: Annotated[str, "IRI of the entity that the closing line names"]
    candidates: Annotated[tuple[Candidates, ...], "what the condition `retrieved` shows, one entry per visible pattern"]
    n_answers_without_closing: Annotated[int, "answers that the statements alone allow; capped as the card says"]
    n_answers_without: Annotated[tuple[WithoutStatement, ...], "the same without each single statement"]
    similarity: Annotated[float | None, "mean cosine of the answer's name with every name in the question"]
    writer: Annotated[str, "who wrote the statements"]
    source_license: Annotated[str, "licence of the snapshot"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


@dataclass(frozen=True)
class ChainCandidate:
    """One walked chain with every gate's verdict, kept or not."""

    id: Annotated[str, "id of the chain"]
    config: Annotated[str, "`hard` or `easy`"]
    seed_entity: Annotated[str, "IRI at which the walk started"]
    category: Annotated[str, "kind of the seed entity"]
    walk: Annotated[int, "0-based number of the walk from this seed"]
    status: Annotated[str, "kept, rejected or pending"]
    reason: Annotated[str, "named reason of a rejected chain; empty otherwise"]
    layers: Annotated[tuple[Layer, ...], "the layers that were found"]
    questions: Annotated[tuple[str, ...], "the question at each depth that was written"]
    verdicts: Annotated[tuple[Verdict, ...], "steps and gates in their order"]
    canary: Annotated[str, "marks the row as benchmark data that should stay out of training sets"] = CANARY


class EureQA(Benchmark[EureQARow]):
    """A loaded EureQA benchmark: configs are difficulties, splits are depths, paired by the chain."""

    record = EureQARow
    pair = "chain_id"

    def candidates(self, config: str) -> list[ChainCandidate]:
        """Return every complete chain of a config with its verdicts, the rejected ones too."""
        return self.release.rows(f"{config}_construction", "chains", ChainCandidate)


def load(where: str | Path, revision: str = "") -> EureQA:
    """Load an EureQA benchmark: `load("ORG/NAME", "v1.0.0")` from the Hub, or `load(FOLDER)`.

    See `loaders.genadv.load` for what is checked and what raises DecoyQAError.
    """
    return EureQA(open_release(where, revision, "eureqa"))
