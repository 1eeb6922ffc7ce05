"""A chain told by a model: a sentence for each triple, asked with the real names, which are then masked (2.2)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from builders.eureqa.backend import OUT, Edge
from builders.eureqa.check import NameBook
from builders.eureqa.draft import Draft
from builders.eureqa.hypernyms import hypernym, is_person
from builders.eureqa.mask import Role, mask
from builders.eureqa.model_nouns import entities_of
from builders.eureqa.nouns import PERSONS
from builders.eureqa.phrases import sentence, spoken_words
from builders.eureqa.relations import local_name
from builders.eureqa.seeds import find_entity
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.voices import VERBALISE
from builders.eureqa.walk import Chain
from builders.eureqa.write import Told, placeholder, spoken_name, statement
from builders.steps import Dropped, Passed, Result
from builders.voices import Voice
from builders.written import read_text, unanswered
from eval.models.engine import Reply, Request
from loaders.records import Reason

FACT, RELATION = "fact", "relation"


@dataclass(frozen=True)
class Spoken:
    """One statement to be made: of which layer (from 0) and kind, and the edge that it tells."""

    layer: int
    kind: str
    entity: int
    edge: Edge[int, int]

    @property
    def name(self) -> str:
        """What verdicts call it: `relation 1`, `fact 1`, counted from 1."""
        return f"{self.kind} {self.layer + 1}"


def statements_of(chain: Chain[int, int]) -> Iterator[Spoken]:
    """Yield the statements of a chain in the order of its question."""
    for number, layer in enumerate(chain):
        yield Spoken(number, RELATION, layer.entity, layer.edge)
        yield Spoken(number, FACT, layer.entity, layer.fact)


def triple_values(statements: Iterable[Spoken], snapshot: Snapshot) -> list[dict[str, str]]:
    """Return what fills the prompt for each statement: the triple as it stands in the graph, in names."""
    return [_triple(one, snapshot) for one in statements]


def _triple(one: Spoken, snapshot: Snapshot) -> dict[str, str]:
    ends = (snapshot.labels[one.entity], snapshot.labels[one.edge.other])
    subject, object = ends if one.edge.direction == OUT else ends[::-1]
    return {"subject": subject, "relation": _relation_words(one, snapshot), "object": object}


def _relation_words(one: Spoken, snapshot: Snapshot) -> str:
    return spoken_words(local_name(snapshot.relations[one.edge.relation]))


def ruled_statements(chain: Chain[int, int], snapshot: Snapshot) -> tuple[str, ...]:
    """Return every statement of a chain by rules, with the real names."""
    return tuple(
        statement(one.edge, spoken_name(one.entity, snapshot), spoken_name(one.edge.other, snapshot), snapshot)
        for one in statements_of(chain)
    )


def statements_step(
    writer: Voice, snapshot: Snapshot, book: NameBook
) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that has all statements of a batch written at once, and masks them.

    Reasons: those of `read_text` and of `mask`; the detail begins with the statement's name. What was written is kept
    in either case, so that a rejected chain shows it.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        wanted = [list(statements_of(draft.chain)) for draft in drafts]
        requests = writer.requests(VERBALISE, triple_values((one for own in wanted for one in own), snapshot))
        answers = zip(requests, writer.ask(requests), strict=True)
        return [
            _told(draft, own, [next(answers) for _ in own], snapshot, book)
            for draft, own in zip(drafts, wanted, strict=True)
        ]

    return run


def _told(
    draft: Draft,
    statements: Sequence[Spoken],
    answers: Sequence[tuple[Request, Reply | None]],
    snapshot: Snapshot,
    book: NameBook,
) -> Result[Draft]:
    names = placeholders(draft)
    named, masked, first = [], [], None
    for one, (request, reply) in zip(statements, answers, strict=True):
        if reply is None:
            return unanswered(request)
        text, fault = read_text(reply, "Sentence")
        fault = fault or _echo(text, _relation_words(one, snapshot))
        hidden = text
        if fault is None:
            hidden, fault = mask(text, _roles(one, names, snapshot, book), *_context(one, names, snapshot))
        if fault and first is None:
            first = Reason(fault.code, f"{one.name}: {fault.detail}: {text}")
        named.append(text and sentence(text))
        masked.append(hidden and sentence(hidden))
    told = tell_with(draft, names, masked, snapshot)
    written = replace(draft, told=told, named=tuple(named))
    return Dropped(written, first) if first else Passed(written, f"{len(masked)} statements")


def _echo(text: str, relation: str) -> Reason | None:
    """A triple handed back is no sentence."""
    held = f", {relation}, "
    return Reason("prompt_echo", held.strip(" ,")) if held in text.lower() else None


def placeholders(draft: Draft) -> tuple[str, ...]:
    """Return the placeholders of a chain's entities, in chain order."""
    return tuple(placeholder(noun.word, place) for place, noun in enumerate(draft.nouns))


def _roles(one: Spoken, names: Sequence[str], snapshot: Snapshot, book: NameBook) -> tuple[Role, Role]:
    """Return who must be named: the layer's entity and, hidden too, the next one, or the fact's, which is shown."""
    other = one.edge.other
    hidden = one.kind == RELATION
    shown = names[one.layer + 1] if hidden else spoken_name(other, snapshot)
    return Role(book[one.entity], names[one.layer], True), Role(book[other], shown, hidden)


def _context(one: Spoken, names: Sequence[str], snapshot: Snapshot) -> tuple[frozenset[str], Callable[[str], bool]]:
    words = f"{_relation_words(one, snapshot)} {names[one.layer][:-2]} {names[one.layer + 1][:-2]}"
    return frozenset(words.lower().split()), lambda word: find_entity(word, snapshot) >= 0


def tell_with(draft: Draft, names: Sequence[str], statements: Sequence[str], snapshot: Snapshot) -> Told:
    """Return a chain in words, its statements given in the order of the question."""
    entities = entities_of(draft)
    asked = "Who" if _is_person(draft, snapshot) else "What"
    return Told(
        hypernyms=tuple(noun.word for noun in draft.nouns),
        placeholders=tuple(names),
        relations=tuple(statements[::2]),
        facts=tuple(statements[1::2]),
        closings=tuple(
            sentence(f"{name} is {spoken_name(entity, snapshot)}")
            for name, entity in zip(names[1:], entities[1:], strict=True)
        ),
        question=f"{asked} is {names[0]}?",
    )


def _is_person(draft: Draft, snapshot: Snapshot) -> bool:
    """Whether to ask `Who is`: by the class, else by the rules' noun or the last word of the model's."""
    entity, word = draft.chain[0].entity, draft.nouns[0].word
    ruled = hypernym(entity, snapshot)
    if is_person(entity, ruled, snapshot):
        return True
    return snapshot.class_of(entity) == "" and word.rpartition(" ")[2] in PERSONS
