"""GenADV as a list of steps that can be held against the paper, with every setting and its section."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from builders.genadv import check, plan
from builders.genadv.draft import Draft, candidate
from builders.genadv.others import take_next_ranked, take_random
from builders.genadv.passages import Mix, Words
from builders.genadv.read import documents_step, statement_step
from builders.genadv.seeds import Case
from builders.genadv.tools import Tools
from builders.genadv.write import adversarial_passage_step, conflict_passage, write_sentence
from builders.steps import Step, Trail, each, run_steps
from loaders.genadv import Candidate

WRITER = "rules"


@dataclass(frozen=True)
class GenADVRecipe:
    """Settings; the paper's where it gives them, ours where it leaves the step to a model."""

    k: int = 5  # retrieved documents, section 4.1
    min_entities: int = 2  # section 5.3.1, step 1
    max_sentence_similarity: float = 0.8  # section 5.3.1, step 2
    max_entity_similarity: float = 0.8  # section 5.4.1
    min_passage_words: int = 50  # Table 10
    max_passage_words: int = 100  # Table 10
    max_words_per_document: int = 35  # ours: a conflicting passage is no copy of one document
    min_conflict_documents: int = 2  # ours
    max_document_overlap: float = 0.6  # ours
    considered_sentences: int = 14  # ours: how many sentences a conflicting passage is chosen from
    random_tries: int = 200  # ours
    version: int = 1  # raised when the same settings would give other items

    @property
    def words(self) -> Words:
        """Return the bounds on a written passage."""
        return Words(self.min_passage_words, self.max_passage_words)

    @property
    def mix(self) -> Mix:
        """Return the rules of a conflicting passage's mixture."""
        return Mix(
            self.words,
            self.max_words_per_document,
            self.max_document_overlap,
            self.min_conflict_documents,
            self.considered_sentences,
        )


def shared_steps(tools: Tools) -> list[Step[Draft]]:
    """Steps that adversarial and conflict share: answer sentence and its entities (section 5.3.1, step 1)."""
    return [
        Step("statement", statement_step(tools.nlp)),
        Step("documents", documents_step(tools.document_nlp)),
        Step("entities", plan.entities_step(tools.similarity, tools.pool)),
    ]


def adversarial_steps(recipe: GenADVRecipe, tools: Tools, seed: int) -> list[Step[Draft]]:
    """Section 5.3.1, steps 1 to 3, and our gates."""
    limit = recipe.max_entity_similarity
    return [
        Step("enough_entities", each(lambda draft: check.enough_entities(draft, recipe.min_entities))),
        Step("replacement", plan.replacement_step(lambda d: d.mentions, tools.similarity, tools.pool, limit, seed)),
        Step("every_entity_changed", each(check.every_entity_changed)),
        Step("sentence", each(write_sentence)),
        Step("no_answer_in_sentence", each(check.no_answer_in_sentence)),
        Step("other_meaning", check.other_meaning_step(tools.similarity, recipe.max_sentence_similarity)),
        Step("passage", adversarial_passage_step(tools.similarity, recipe.words)),
        Step("decoy", check.decoy_step(tools.similarity)),
    ]


def conflict_steps(recipe: GenADVRecipe, tools: Tools, seed: int) -> list[Step[Draft]]:
    """Section 5.4.1; the passage is ours, mixed from documents that stay in the context but no copy of any."""
    limit = recipe.max_entity_similarity
    return [
        Step("answerable", each(check.answerable)),
        Step("answer_is_entity", each(check.answer_is_entity)),
        Step("replacement", plan.replacement_step(plan.answer_mentions, tools.similarity, tools.pool, limit, seed)),
        Step("every_entity_changed", each(check.every_entity_changed)),
        Step("sentence", each(write_sentence)),
        Step("question_kept", each(check.question_kept)),
        Step("no_answer_in_sentence", each(check.no_answer_in_sentence)),
        Step("passage", each(lambda draft: conflict_passage(draft, recipe.mix))),
    ]


def make_candidates(
    cases: Sequence[Case], everything: Sequence[Case], recipe: GenADVRecipe, tools: Tools, seed: int
) -> list[Candidate]:
    """Return the candidates of a batch of cases, four per case, in the order of cases and conditions.

    `everything` holds all cases of the source, from whose documents the random ones are drawn.
    """
    random_step = Step("random", each(lambda draft: take_random(draft, everything, seed, recipe.random_tries)))
    randoms = run_steps([Trail(Draft(case, "random")) for case in cases], [random_step])
    topk = run_steps([Trail(Draft(case, "topk")) for case in cases], [Step("next_ranked", each(take_next_ranked))])
    drafts = [Trail(Draft(case, "adversarial", random=t.draft.random)) for case, t in zip(cases, randoms, strict=True)]
    shared = run_steps(drafts, shared_steps(tools))
    adversarial = run_steps(shared, adversarial_steps(recipe, tools, seed))
    conflict = run_steps([_as_conflict(trail) for trail in shared], conflict_steps(recipe, tools, seed))
    quartets = zip(adversarial, conflict, randoms, topk, strict=True)
    return [_candidate(trail) for quartet in quartets for trail in quartet]


def _as_conflict(trail: Trail[Draft]) -> Trail[Draft]:
    return replace(trail, draft=replace(trail.draft, condition="conflict"))


def _candidate(trail: Trail[Draft]) -> Candidate:
    writer = WRITER if trail.draft.condition in ("adversarial", "conflict") else "none"
    return candidate(trail.draft, trail.verdicts, trail.status, trail.reason, writer)
