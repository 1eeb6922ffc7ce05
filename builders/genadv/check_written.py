"""Gates on what a model wrote, each with a reason of its own: those of section 5.3.1 and Table 10, and ours."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from builders.countries import is_adjective
from builders.entities import VALUE_TYPES
from builders.genadv.draft import Draft
from builders.genadv.mentions import Renaming, Rewriter
from builders.genadv.passages import Words, overlap, repeats
from builders.genadv.plan import answer_mention
from builders.genadv.write import STOPWORDS, names_left, visible_text
from builders.sentences import split_sentences
from builders.steps import Passed, Result
from eval.answers import Matcher, normalise, tokens
from loaders.records import Reason


def one_sentence_step(nlp: Any) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that parses the answer sentence and wants it to be one. Reason: `not_one_sentence`."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        parsed = nlp.pipe([draft.statement for draft in drafts])
        return [_one_sentence(replace(draft, parsed=doc)) for draft, doc in zip(drafts, parsed, strict=True)]

    return run


def _one_sentence(draft: Draft) -> Result[Draft]:
    found = split_sentences(draft.statement)
    return Passed(draft) if len(found) == 1 else Reason("not_one_sentence", f"{len(found)} sentences")


def answer_stated(draft: Draft) -> Result[Draft]:
    """The answer sentence must hold the answer, or else an alias of it. Reason: `answer_missing`."""
    for answers in ([draft.case.answer], draft.case.answers):
        for start, end, _ in Matcher(answers).spans(draft.statement):
            return Passed(replace(draft, answer_span=(start, end)), draft.statement[start:end])
    return Reason("answer_missing", draft.case.answer)


def another_sentence(draft: Draft) -> Result[Draft]:
    """The model must have changed something. Reason: `same_sentence`."""
    same = normalise(draft.sentence) == normalise(draft.statement)
    return Reason("same_sentence", draft.sentence) if same else Passed(draft)


def names_changed(draft: Draft) -> Result[Draft]:
    """No name that had to be replaced may stand in the new sentence. Reason: `entity_unchanged`.

    Values and adjectives of countries may: in the paper's example (Table 5) the first Nobel Prize gives way to the
    first Fields Medal.
    """
    names = [m.text for m in draft.mentions if m.type not in VALUE_TYPES and not is_adjective(m.text)]
    same = [name for name in dict.fromkeys(names) if Matcher([name]).holds(draft.sentence)]
    return Reason("entity_unchanged", ", ".join(same)) if same else Passed(draft)


def no_answer_in_new_sentence(draft: Draft) -> Result[Draft]:
    """The sentence may hold no answer (section 5.3.1, step 2). Reasons: `answer_in_sentence`, `alias_in_sentence`."""
    return _answer_inside(draft, draft.sentence, "sentence") or Passed(draft)


def no_answer_in_passage(draft: Draft) -> Result[Draft]:
    """Nor may the passage (step 3). Reasons: `answer_in_passage`, `alias_in_passage`, `entity_left` (a part of it)."""
    text = visible_text(draft)
    if reason := _answer_inside(draft, text, "passage"):
        return reason
    left = draft.answer_rewriter.left(text)
    return Reason("entity_left", ", ".join(left)) if left else Passed(draft)


def _answer_inside(draft: Draft, text: str, where: str) -> Reason | None:
    if held := Matcher([draft.case.answer]).first(text):
        return Reason(f"answer_in_{where}", held)
    held = draft.case.matcher.first(text)
    return Reason(f"alias_in_{where}", held) if held else None


def passage_length(draft: Draft, words: Words) -> Result[Draft]:
    """Table 10 asks for 50 to 100 words. Reasons: `passage_too_short`, `passage_too_long`."""
    count = len(draft.passage.split())
    if count < words.low:
        return Reason("passage_too_short", f"{count} words")
    return Reason("passage_too_long", f"{count} words") if count > words.high else Passed(draft, f"{count} words")


def no_repeats(draft: Draft) -> Result[Draft]:
    """No sentence of the passage may say again what another says. Reason: `repeated_sentences`."""
    found = split_sentences(draft.passage)
    return Reason("repeated_sentences", f"among {len(found)}") if repeats(found) else Passed(draft)


def question_not_named(draft: Draft) -> Result[Draft]:
    """An adversarial passage that names what the question names may contradict the answer: `question_name_left`."""
    left = names_left(draft, visible_text(draft))
    return Reason("question_name_left", ", ".join(left)) if left else Passed(draft)


def question_named(draft: Draft) -> Result[Draft]:
    """A conflicting passage speaks of what was asked: it mentions another entity of the sentence than the answer.

    Where the sentence has none, the passage shares a word with the question. Reason: `question_not_in_passage`.
    """
    text = visible_text(draft)
    others = [m for m in draft.mentions if m != answer_mention(draft)]
    asked = [m for m in others if m.type not in VALUE_TYPES] or others
    if asked:
        renamings = tuple(Renaming(m.text, m.type, "X") for m in asked)
        named = Rewriter(renamings, draft.read().common).mentioned(text)
        return Passed(draft) if named else Reason("question_not_in_passage", ", ".join(m.text for m in asked))
    shared = sorted((set(tokens(draft.case.question)) - STOPWORDS) & set(tokens(text)))
    return Passed(draft, ", ".join(shared)) if shared else Reason("question_not_in_passage", draft.case.question)


def conflict_stated(draft: Draft) -> Result[Draft]:
    """A conflicting passage gives the answer that took the true one's place. Reason: `conflict_answer_missing`."""
    new = draft.replacements[0].replacement
    return Passed(draft, new) if Matcher([new]).holds(visible_text(draft)) else Reason("conflict_answer_missing", new)


def no_copy(draft: Draft, limit: float) -> Result[Draft]:
    """Nor is it a near copy of a document that stays in the context. Reason: `copy_of_document`."""
    copied = max(overlap(draft.passage, document) for document in draft.case.documents)
    evidence = f"{copied:.3f} of the tokens stand in one document"
    return Reason("copy_of_document", evidence) if copied >= limit else Passed(draft, evidence)
