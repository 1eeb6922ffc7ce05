"""The backend over a SPARQL endpoint: entities, relations and classes are IRIs, questions travel in batches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.eureqa.backend import IN, OUT, Behind, Edge, Group, Place, facts_in_parts
from builders.eureqa.endpoint import Endpoint, TooMuchError
from builders.eureqa.replies import Replies
from builders.eureqa.sparql_http import Asker, Row
from builders.eureqa.sparql_queries import Question, groups, having, having_both, having_some, members, query
from builders.sources.dbpedia import ONTOLOGY, PROPERTY
from loaders.errors import DecoyQAError
from loaders.manifest import json_hash, write_json

BATCH = 100  # questions a query; from 50 to 200 a server spends most of its time on answers, not on requests
MOST_ROWS = 10_000  # what public endpoints return at most
FORMAT = 1

Answer = list[list[str]]  # rows of what a kind of question selects


@dataclass(frozen=True)
class SparqlBackend:
    """Answers from an endpoint, each question asked once and kept.

    Edges of pages that only redirect are left out here, where the index moves them to the page's target: a graph in
    which redirects are resolved, as DBpedia's releases are, has none.
    """

    asker: Asker
    replies: Replies
    batch: int = BATCH
    prefixes: tuple[str, ...] = (ONTOLOGY,)

    def relations(self, entities: Sequence[str]) -> list[Mapping[tuple[int, str], int]]:
        """Return each entity's number of neighbours by direction and relation."""
        kinds = [groups(direction, self.prefixes) for direction in (OUT, IN)]
        found = iter(self._answers([Question(kind, (entity,)) for entity in entities for kind in kinds]))
        return [
            {(direction, relation): int(n) for direction in (OUT, IN) for relation, n in sorted(next(found))}
            for _ in entities
        ]

    def neighbours(self, asked: Sequence[Group[str, str]]) -> list[list[str]]:
        """Return the neighbours of each group, sorted; their number was counted before, so none can be missing."""
        sizes = self.relations([group.entity for group in asked])
        questions = [
            Question(members(one.direction), (one.entity, one.relation), counts.get((one.direction, one.relation), 0))
            for one, counts in zip(asked, sizes, strict=True)
        ]
        return [sorted(row[0] for row in rows) for rows in self._answers(questions)]

    def facts(self, places: Sequence[Place[str, str]]) -> list[tuple[str, int]]:
        """Return the neighbour at each place, and how many entities have that edge to it."""
        return facts_in_parts(self, places)

    def count(self, patterns: Sequence[Edge[str, str]]) -> list[int]:
        """Return how many entities have each edge."""
        return self._numbers([Question(having(one.direction), (one.relation, one.other)) for one in patterns])

    def joint(self, pairs: Sequence[tuple[Edge[str, str], Edge[str, str]]]) -> list[int]:
        """Return how many entities have both edges of each pair."""
        counts = iter(self.count([edge for pair in pairs for edge in pair]))
        # The rarer edge first: a server that follows the order then looks at few entities.
        ordered = [pair if next(counts) <= next(counts) else pair[::-1] for pair in pairs]
        return self._numbers(
            [Question(having_both(one.direction, two.direction), (*one[1:], *two[1:])) for one, two in ordered]
        )

    def behind(self, asked: Sequence[Behind[str, str]]) -> list[int]:
        """Return how many entities each question leaves without its next entity's name."""
        return self._numbers(
            [
                Question(
                    having_some(one.fact.direction, one.direction, typed=bool(one.shown)),
                    (one.fact.relation, one.fact.other, one.relation, *([one.shown] if one.shown else [])),
                )
                for one in asked
            ]
        )

    def _numbers(self, questions: Sequence[Question]) -> list[int]:
        return [int(rows[0][0]) if rows else 0 for rows in self._answers(questions)]

    def _answers(self, questions: Sequence[Question]) -> list[Answer]:
        """Return the answers to questions, asking only what was never asked."""
        found: dict[str, Answer] = {one.key: self.replies.get(one.key) for one in questions}
        missing = {one.key: one for one in questions if found[one.key] is None}
        for batch in _batches(list(missing.values()), self.batch):
            found |= self._ask(batch)
        return [found[one.key] for one in questions]

    def _ask(self, batch: Sequence[Question]) -> dict[str, Answer]:
        """Ask once, and where no whole answer comes in halves; raises TooMuchError where not even one question fits."""
        try:
            answers = self._checked(batch, self.asker.select(query(batch)))
        except TooMuchError:
            if len(batch) == 1:
                raise
            half = len(batch) // 2
            return self._ask(batch[:half]) | self._ask(batch[half:])
        self.replies.put(answers.items())
        return answers

    def _checked(self, batch: Sequence[Question], rows: Sequence[Row]) -> dict[str, Answer]:
        problem, select = self.asker.endpoint.problem, batch[0].kind.select
        answers: list[Answer] = [[] for _ in batch]
        try:
            for row in rows:
                answers[int(row["i"])].append([row[name] for name in select])
        except (KeyError, ValueError, IndexError):
            raise DecoyQAError(problem(f"rows of ?i and ?{' ?'.join(select)}", f"{row}"[:200])) from None
        for one, answer in zip(batch, answers, strict=True):
            if one.rows is not None and len(answer) != one.rows:
                what = f"{len(answer):,}; is it cut, or did the data change?"
                raise TooMuchError(problem(f"{one.rows:,} neighbours of {' by '.join(one.names)}", what))
        return {one.key: answer for one, answer in zip(batch, answers, strict=True)}


def _batches(questions: Sequence[Question], most: int) -> Iterator[list[Question]]:
    """Yield questions that fit into one query, with no more rows than an endpoint returns."""
    batch: list[Question] = []
    for one in questions:
        rows = sum(known.rows or 0 for known in [*batch, one])
        if batch and (len(batch) == most or rows > MOST_ROWS):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def open_sparql(
    endpoint: Endpoint,
    graphs: Path,
    told: Callable[[int], None] = lambda requests: None,
    *,
    with_properties: bool = False,
) -> SparqlBackend:
    """Open an endpoint, with what it answered before; replies are kept in `graphs`, under the name of its snapshot.

    `told` hears of each request that is sent, by number.
    """
    prefixes = (ONTOLOGY, PROPERTY) if with_properties else (ONTOLOGY,)
    facts = {**endpoint.facts(), "format": FORMAT}
    folder = graphs / "sparql" / json_hash(facts)[:24]
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "endpoint.json", facts)
    return SparqlBackend(Asker(endpoint, told), Replies(folder), prefixes=prefixes)
