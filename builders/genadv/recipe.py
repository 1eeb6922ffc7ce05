"""GenADV as lists of steps that can be held against the paper, with every setting and its section.

The lists exist twice: as the paper has them, a model writing, and as our rules do without one.
"""

from dataclasses import dataclass
from typing import NamedTuple

from builders.genadv import check, plan
from builders.genadv import check_written as written
from builders.genadv.ask import adversarial_sentence_step, answer_sentence_step, passage_step
from builders.genadv.draft import Draft
from builders.genadv.passages import Mix, Words
from builders.genadv.read import documents_step, statement_step
from builders.genadv.sentences import title_step
from builders.genadv.tools import Tools
from builders.genadv.write import adversarial_passage_step, conflict_passage, write_sentence
from builders.steps import Step, each
from builders.voices import Voice


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


class Steps(NamedTuple):
    """Steps that adversarial and conflict share, and what follows for each."""

    shared: list[Step[Draft]]
    adversarial: list[Step[Draft]]
    conflict: list[Step[Draft]]


def model_steps(recipe: GenADVRecipe, tools: Tools, seed: int, writer: Voice) -> Steps:
    """The paper's steps (sections 5.3.1 and 5.4.1) and our gates, a model writing."""
    passage = [
        Step("passage", passage_step(writer)),
        Step("passage_length", each(lambda draft: written.passage_length(draft, recipe.words))),
        Step("no_repeats", each(written.no_repeats)),
        Step("title", title_step(tools.nlp)),
        Step("no_answer_in_passage", each(written.no_answer_in_passage)),
    ]
    return Steps(
        shared=[
            Step("answer_sentence", answer_sentence_step(writer)),
            Step("answer_stated", each(written.answer_stated)),
            Step("one_sentence", written.one_sentence_step(tools.nlp)),
            Step("documents", documents_step(tools.document_nlp)),
            Step("entities", plan.entities_step(tools.similarity, tools.pool)),
        ],
        adversarial=[
            Step("enough_entities", each(lambda draft: check.enough_entities(draft, recipe.min_entities))),
            Step("adversarial_sentence", adversarial_sentence_step(writer)),
            Step("another_sentence", each(written.another_sentence)),
            Step("no_answer_in_sentence", each(written.no_answer_in_new_sentence)),
            Step("names_changed", each(written.names_changed)),
            Step("other_meaning", check.other_meaning_step(tools.similarity, recipe.max_sentence_similarity)),
            *passage,
            Step("question_not_named", each(written.question_not_named)),
            Step("decoy", check.decoy_step(tools.similarity)),
        ],
        conflict=[
            *_conflicting_sentence(recipe, tools, seed),
            *passage,
            Step("conflict_stated", each(written.conflict_stated)),
            Step("question_named", each(written.question_named)),
            Step("no_copy", each(lambda draft: written.no_copy(draft, recipe.max_document_overlap))),
        ],
    )


def rule_steps(recipe: GenADVRecipe, tools: Tools, seed: int) -> Steps:
    """The same by our rules; a conflicting passage is mixed from documents that stay in the context, a copy of none."""
    limit = recipe.max_entity_similarity
    return Steps(
        shared=[
            Step("statement", statement_step(tools.nlp)),
            Step("documents", documents_step(tools.document_nlp)),
            Step("entities", plan.entities_step(tools.similarity, tools.pool)),
        ],
        adversarial=[
            Step("enough_entities", each(lambda draft: check.enough_entities(draft, recipe.min_entities))),
            Step("replacement", plan.replacement_step(lambda d: d.mentions, tools.similarity, tools.pool, limit, seed)),
            Step("every_entity_changed", each(check.every_entity_changed)),
            Step("sentence", each(write_sentence)),
            Step("no_answer_in_sentence", each(check.no_answer_in_sentence)),
            Step("other_meaning", check.other_meaning_step(tools.similarity, recipe.max_sentence_similarity)),
            Step("passage", adversarial_passage_step(tools.similarity, recipe.words)),
            Step("decoy", check.decoy_step(tools.similarity)),
        ],
        conflict=[
            *_conflicting_sentence(recipe, tools, seed),
            Step("passage", each(lambda draft: conflict_passage(draft, recipe.mix))),
        ],
    )


def _conflicting_sentence(recipe: GenADVRecipe, tools: Tools, seed: int) -> list[Step[Draft]]:
    """Replace the answer's entity by a similar one of its type, whoever wrote the sentence (section 5.4.1)."""
    limit = recipe.max_entity_similarity
    return [
        Step("answerable", each(check.answerable)),
        Step("answer_is_entity", each(check.answer_is_entity)),
        Step("replacement", plan.replacement_step(plan.answer_mentions, tools.similarity, tools.pool, limit, seed)),
        Step("every_entity_changed", each(check.every_entity_changed)),
        Step("sentence", each(write_sentence)),
        Step("question_kept", each(check.question_kept)),
        Step("no_answer_in_sentence", each(check.no_answer_in_sentence)),
    ]
