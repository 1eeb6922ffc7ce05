"""Build one source's part: from validated questions to rows by split, candidates, and the counts of the card."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from builders.genadv.candidates import make_candidates
from builders.genadv.checker import opinion_counts
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.rows import rows_of
from builders.genadv.seeds import Case, Seeds, recall, seeds
from builders.genadv.tools import Tools
from builders.genadv.voices import Voices
from builders.parts import Answering, answering, build_shards, by_role, part_key, read_facts, read_shards, write_facts
from builders.steps import batches, funnel
from cards.history import History
from loaders.genadv import SPLITS, Candidate, GenADVRow
from loaders.records import Provenance, Question, Verdict

CASES_PER_SHARD = 64
# A step asks for all cases of a shard at once: several times as many as an endpoint answers at a time, so that few
# calls wait for the slowest. What a kill costs is reading the documents again, no reply.
CASES_PER_ASKED_SHARD = 1024
CONSTRUCTION = "candidates"
MODELS = "models"
# The first step of every question, before any condition is tried.
DOOR = "answers_and_documents"


@dataclass(frozen=True)
class Settings:
    """What decides a part's rows besides its input."""

    recipe: GenADVRecipe
    seed: int
    limit: int | None
    tools: Tools
    voices: Voices = field(default_factory=Voices)
    history: History = field(default_factory=History)


@dataclass(frozen=True)
class Part:
    """A finished part on disk."""

    folder: Path
    facts: dict[str, Any]

    def rows(self, split: str) -> list[GenADVRow]:
        """Return one split's rows in the source's order."""
        return read_shards(self.folder, split, GenADVRow)

    def candidates(self) -> list[Candidate]:
        """Return every candidate, the questions rejected at the door first."""
        return [
            *read_shards(self.folder / "door", CONSTRUCTION, Candidate),
            *read_shards(self.folder, CONSTRUCTION, Candidate),
        ]


def build_part(
    questions: Sequence[Question],
    origin: Provenance,
    settings: Settings,
    parts: Path,
    done: Callable[[int, bool], None],
) -> Part:
    """Build the part or go on where an earlier run stopped; `done` hears how many cases were made or found."""
    withdrawn = settings.history.withdrawn(origin.config)
    started = seeds(questions[: settings.limit], settings.recipe.k, settings.seed, withdrawn)
    folder = parts / f"genadv-{part_key(part_facts(origin, settings))}"
    everything = sorted(started.lenders, key=lambda case: case.id)

    def make(batch: Sequence[Case]) -> dict[str, list[Any]]:
        return make_shard(batch, everything, origin.license, settings)

    jobs = list(batches(started.cases, CASES_PER_ASKED_SHARD if settings.voices.asked else CASES_PER_SHARD))
    build_shards(folder, jobs, make, lambda batch, found: done(len(batch), found), count_pending)
    door = [turned_away(question, reason.code, reason.detail) for question, reason in started.rejected]
    build_shards(folder / "door", [door] if door else [], lambda rows: {CONSTRUCTION: rows}, lambda _, found: None)
    if door:
        done(len(door), False)
    answered = read_shards(folder, MODELS, Answering)
    write_facts(folder, describe(started, read_shards(folder, CONSTRUCTION, Candidate), answered, origin))
    return Part(folder, read_facts(folder))


def count_pending(rows: Mapping[str, Sequence[Any]]) -> int:
    """Return how many candidates of a shard wait for a model."""
    return sum(candidate.status == "pending" for candidate in rows[CONSTRUCTION])


def part_facts(origin: Provenance, settings: Settings) -> dict[str, Any]:
    """Return what the part's key is made of."""
    return {
        "origin": asdict(origin),
        "recipe": asdict(settings.recipe),
        "tools": settings.tools.identities.as_dict(),
        "seed": settings.seed,
        "limit": settings.limit,
        "voices": settings.voices.facts(),
        "prompts": settings.voices.prompt_hashes(),
        "withdrawn": settings.history.withdrawn(origin.config),
    }


def make_shard(
    batch: Sequence[Case], everything: Sequence[Case], license: str, settings: Settings
) -> dict[str, list[Any]]:
    """Return rows by split, the candidates of one batch, and the models that answered."""
    settings.voices.forget_models()
    found = make_candidates(batch, everything, settings.recipe, settings.tools, settings.seed, settings.voices)
    by_id: dict[str, list[Candidate]] = {}
    for candidate in found:
        by_id.setdefault(candidate.id, []).append(candidate)
    rows = [rows_of(case, by_id[case.id], license) for case in batch]
    splits = {split: [row[split] for row in rows if split in row] for split in SPLITS}
    return {**splits, CONSTRUCTION: found, MODELS: answering(settings.voices)}


def turned_away(question: Question, code: str, detail: str) -> Candidate:
    """Return the record of a question that has no answers or no documents."""
    verdict = Verdict(DOOR, 1, "fail", f"{code}: {detail}")
    return Candidate(
        id=question.id,
        condition="retrieved",
        status="rejected",
        reason=code,
        question=question.question,
        answers=question.answers,
        answerable=False,
        statement="",
        replacements=(),
        sentence="",
        title="",
        passage="",
        document_ids=(),
        writer="none",
        verdicts=(verdict,),
    )


def describe(
    started: Seeds, candidates: Sequence[Candidate], answered: Sequence[Answering], origin: Provenance
) -> dict[str, Any]:
    """Return the counts that manifest and card show of one config."""
    cases = started.cases
    return {
        "origin": asdict(origin),
        "questions": len(cases) + len(started.rejected),
        "cases": len(cases),
        "recall": recall(cases),
        "unanswerable_share": 1 - recall(cases) if cases else 0.0,
        "documents_per_case": _histogram(len(case.documents) for case in cases),
        "next_rank": _histogram(case.next_ranked.rank for case in cases if case.next_ranked),
        "dropped_answers": _histogram(reason.code for reason in started.dropped_answers),
        "funnel": {"retrieved": [_door(started)], **_funnels(candidates)},
        "pending": sum(candidate.status == "pending" for candidate in candidates),
        "opinions": opinion_counts(candidates),
        "models": by_role(answered),
    }


def _histogram(values: Iterable[object]) -> dict[str, int]:
    return {str(value): count for value, count in sorted(Counter(values).items(), key=lambda pair: str(pair[0]))}


def _door(started: Seeds) -> dict[str, Any]:
    reasons = Counter(reason.code for _, reason in started.rejected)
    total = len(started.cases) + len(started.rejected)
    return {"step": DOOR, "entered": total, "kept": len(started.cases), "pending": 0, "rejected": dict(reasons)}


def _funnels(candidates: Sequence[Candidate]) -> dict[str, list[dict[str, Any]]]:
    conditions = dict.fromkeys(candidate.condition for candidate in candidates)
    return {
        name: [asdict(count) for count in funnel(c.verdicts for c in candidates if c.condition == name)]
        for name in conditions
    }
