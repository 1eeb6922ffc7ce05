"""GenADV: which prompt is asked under which condition, and what a reply is worth (paper section 5, appendices A, B).

The prompt files hold the wording of Table 9 and of appendix B. Where the paper shows ’unanswerable’ and ‘conflict’ they
have straight quotes: the unpaired ones are what typesetting makes of a typed apostrophe. The line breaks of the
closed-book prompt, which appendix B gives in running text, are those of Table 9.
"""

from collections.abc import Mapping

from eval.answers import Matcher, abstains, accuracy, tokens
from eval.metrics.genadv import genadv_metrics
from eval.models.engine import Reply
from eval.models.parse import final_text
from eval.prompting import fill, template
from eval.tasks.task import Ask, Task, published_scores
from loaders.genadv import SPLITS, GenADVRow
from loaders.records import Document, Outcome

CLOSED_BOOK = "closed_book"
CONDITIONS = (*SPLITS, CLOSED_BOOK)
ASKED: Mapping[str, tuple[str, ...]] = {
    "normal": SPLITS,
    "unans": ("retrieved", "adversarial", "random", "topk"),
    "conflict": ("retrieved", "conflict"),
    "closed-book": (CLOSED_BOOK,),
}
ABSTAIN_WORDS = {"unans": "unanswerable", "conflict": "conflict"}


def render(name: str, row: GenADVRow) -> str:
    """Fill a prompt for one row."""
    values = {"documents": "\n".join(map(_shown, row.documents)), "question": row.question}
    return fill(template("genadv", name), values)


def _shown(document: Document) -> str:
    """A blank line, the title, the text: nothing that tells an inserted document from a retrieved one."""
    return "\n".join(["", document.title, document.text] if document.title else ["", document.text])


def split_of(condition: str) -> str:
    """Return the split whose rows a condition asks: the closed book takes each question once, from `retrieved`."""
    return "retrieved" if condition == CLOSED_BOOK else condition


def score(ask: Ask, request: str, reply: Reply | None) -> Outcome:
    """Return what a reply is worth; without a reply the outcome is pending and has no scores.

    A reply that was cut at the token limit counts as an empty one. Abstaining is looked for before any gold answer, and
    a reply that abstains gives no answer. Where abstaining is due, the abstain word is the gold answer (section 5.2).
    """
    row: GenADVRow = ask.row
    word = ABSTAIN_WORDS.get(ask.prompt, "")
    due = _abstention_due(ask)
    place = (row.id, ask.config, ask.condition, ask.prompt, ask.sample, request)
    if reply is None:
        return Outcome(*place, "pending", "", row.answerable, False, None, None, None, None, None, due)
    text = final_text(reply)
    abstained = bool(word) and _abstains(text, word, row)
    held = 0.0 if abstained else accuracy(text, row.answers)
    golds = (word,) if due else () if abstained else row.answers
    status = "truncated" if reply.finish_reason == "length" else "scored"
    return Outcome(
        *place,
        *(status, text, row.answerable, abstained),
        float(abstained) if due else held,
        *published_scores(text, golds),
        took_decoy=_took_decoy(text, row, abstained) if ask.condition == "conflict" else None,
        abstention_due=due,
        held_gold=held,
    )


def _abstention_due(ask: Ask) -> bool:
    """Whether no document shown holds an answer (a next-ranked one may bring it), or one contradicts the others."""
    if ask.prompt == "conflict":
        return ask.condition == "conflict"
    return ask.prompt == "unans" and not (ask.row.answerable or any(one.holds_answer for one in ask.row.documents))


def _abstains(text: str, word: str, row: GenADVRow) -> bool:
    """Whether the abstain word stands in the reply outside of a longer answer (`Korean conflict` names a war)."""
    if not abstains(text, word):
        return False
    names = [name for name in (*row.answers, row.conflict_answer) if word in tokens(name) and tokens(name) != (word,)]
    for start, end, _ in reversed(Matcher(names).spans(text)):
        text = f"{text[:start]};{text[end:]}"
    return abstains(text, word)


def _took_decoy(text: str, row: GenADVRow, abstained: bool) -> float:
    return float(not abstained and accuracy(text, [row.conflict_answer]) > accuracy(text, row.answers))


TASK = Task(
    family="genadv",
    record=GenADVRow,
    splits=SPLITS,
    base=SPLITS[0],
    pair=lambda row: str(row.id),
    conditions=CONDITIONS,
    asked=ASKED,
    split_of=split_of,
    render=render,
    score=score,
    metrics=lambda outcomes, asks: genadv_metrics(outcomes),
    templates=lambda prompt: (prompt,),
    max_tokens=64,  # a single word or term is asked for; whoever needs more is not answering the question
)
