"""Keep or drop, and why: the named gates of the paper (section 5.3.1) and ours."""

from collections.abc import Callable, Sequence

import numpy as np

from builders.genadv.draft import Draft
from builders.genadv.plan import answer_mention
from builders.genadv.write import question_cosines
from builders.similarity import Similarity
from builders.steps import Passed, Result
from eval.answers import normalise
from loaders.records import Reason


def enough_entities(draft: Draft, minimum: int) -> Result[Draft]:
    """With a single entity, replacing it would contradict the answer (section 5.3.1, step 1)."""
    if len(draft.mentions) < minimum:
        return Reason("too_few_entities", f"{len(draft.mentions)} of {minimum}")
    return Passed(draft, str(len(draft.mentions)))


def answerable(draft: Draft) -> Result[Draft]:
    """Conflicts are made for answerable questions only (section 5.4)."""
    return Passed(draft) if draft.case.answerable else Reason("not_answerable", "no document holds an answer")


def answer_is_entity(draft: Draft) -> Result[Draft]:
    """A conflict replaces the answer's entity (section 5.4.1)."""
    mention = answer_mention(draft)
    if mention is None:
        return Reason("answer_not_an_entity", draft.case.answer)
    return Passed(draft, f"{mention.text} [{mention.type}]")


def every_entity_changed(draft: Draft) -> Result[Draft]:
    """No entity may come out as it went in."""
    same = [found.text for found in draft.replacements if normalise(found.text) == normalise(found.replacement)]
    return Reason("entity_unchanged", ", ".join(same)) if same else Passed(draft, str(len(draft.replacements)))


def no_answer_in_sentence(draft: Draft) -> Result[Draft]:
    """The sentence may hold no answer or alias (section 5.3.1, step 2), nor a telling part of a replaced name."""
    if held := draft.case.matcher.first(draft.sentence):
        return Reason("answer_in_sentence", held)
    left = draft.rewriter.left(draft.sentence)
    return Reason("entity_left", ", ".join(left)) if left else Passed(draft)


def question_kept(draft: Draft) -> Result[Draft]:
    """A conflict changes the answer and nothing that the question names (section 5.4.1)."""
    only = draft.replacements[0]
    expected = f"{draft.statement[: only.start]}{only.replacement}{draft.statement[only.end :]}"
    if normalise(expected) != normalise(draft.sentence):
        return Reason("question_changed", draft.sentence)
    return Passed(draft)


def other_meaning_step(similarity: Similarity, limit: float) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the gate on the cosine of statement and sentence: `too_similar` at 0.8 or higher (section 5.3.1, step 2)."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        before = similarity.encode([draft.statement for draft in drafts])
        after = similarity.encode([draft.sentence for draft in drafts])
        cosines = np.sum(before * after, axis=1)
        return [
            _other_meaning(draft, round(float(cosine), 3), limit) for draft, cosine in zip(drafts, cosines, strict=True)
        ]

    return run


def _other_meaning(draft: Draft, cosine: float, limit: float) -> Result[Draft]:
    return Reason("too_similar", f"{cosine:.3f}") if cosine >= limit else Passed(draft, f"{cosine:.3f}")


def decoy_step(similarity: Similarity) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the gate that a decoy is nearer to the question than the item's random document (`not_a_decoy`)."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        cosines = question_cosines(drafts, similarity)
        return [_is_decoy(draft, ours, other) for draft, (ours, other) in zip(drafts, cosines, strict=True)]

    return run


def _is_decoy(draft: Draft, ours: float, other: float) -> Result[Draft]:
    evidence = f"cosine to the question {ours:.3f}, random document {other:.3f}"
    if draft.random is None:
        return Reason("no_random_document", "nothing to compare with")
    return Passed(draft, evidence) if ours > other else Reason("not_a_decoy", evidence)
