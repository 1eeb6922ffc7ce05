"""Read a batch of cases with spaCy and the sentence model: statements, and what their documents say."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from builders.entities import Mention, mentions
from builders.genadv.draft import Draft, Reading, Sentence
from builders.genadv.passages import whole_sentences
from builders.genadv.seeds import Case, document_text
from builders.statements import statement
from builders.steps import Passed, Result
from builders.truecase import restore_case
from loaders.records import Reason

PIPE_BATCH = 64
_CAPITAL_WORD = re.compile(r"\b[A-ZÀ-ÖØ-Þ][^\W\d_]{2,}\b")
_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z]{3,}\b")


def statement_step(nlp: Any) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that turns question and answer into a sentence; reasons are those of `builders.statements`."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        cased = [restore_case(draft.case.question, _context(draft.case)) for draft in drafts]
        parsed = nlp.pipe(cased, batch_size=PIPE_BATCH)
        made = [_stated(draft, doc) for draft, doc in zip(drafts, parsed, strict=True)]
        texts = [result.draft.statement for result in made if isinstance(result, Passed)]
        reparsed = iter(nlp.pipe(texts, batch_size=PIPE_BATCH))
        return [_with_parse(result, reparsed) for result in made]

    return run


def _context(case: Case) -> list[str]:
    return [text for document in case.documents for text in (document.title, document.text) if text]


def _stated(draft: Draft, doc: Any) -> Result[Draft]:
    found = statement(doc, draft.case.answer)
    if isinstance(found, Reason):
        return found
    made = replace(draft, statement=found.text, answer_span=(found.answer_start, found.answer_end))
    return Passed(made, found.text)


def _with_parse(result: Result[Draft], parsed: Any) -> Result[Draft]:
    if not isinstance(result, Passed):
        return result
    return Passed(replace(result.draft, parsed=next(parsed)), result.evidence)


def documents_step(nlp: Any) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that reads the documents of a batch; a text that several cases share is read once."""

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        texts = list(dict.fromkeys(document.text for draft in drafts for document in draft.case.documents))
        docs = {text: _digest(doc) for text, doc in zip(texts, nlp.pipe(texts, batch_size=PIPE_BATCH), strict=True)}
        return [_read(draft, docs) for draft in drafts]

    return run


def _digest(doc: Any) -> tuple[tuple[str, ...], tuple[Mention, ...]]:
    return tuple(sentence.text for sentence in doc.sents), mentions(doc)


Digests = dict[str, tuple[tuple[str, ...], tuple[Mention, ...]]]


def _sentences(case: Case, docs: Digests) -> tuple[Sentence, ...]:
    return tuple(
        sentence
        for number, document in enumerate(case.documents)
        for sentence in whole_sentences(docs[document.text][0], number, document.title)
    )


def _tags(case: Case, docs: Digests) -> dict[str, Counter[str]]:
    tags: dict[str, Counter[str]] = {}
    for document in case.documents:
        for mention in docs[document.text][1]:
            tags.setdefault(mention.text, Counter())[mention.type] += 1
    return tags


def _words(case: Case, form: re.Pattern[str]) -> frozenset[str]:
    texts = (document_text(document) for document in case.documents)
    return frozenset(word.lower() for text in texts for word in form.findall(text))


def _read(draft: Draft, docs: Digests) -> Result[Draft]:
    common, capitals = _words(draft.case, _LOWER_WORD), _words(draft.case, _CAPITAL_WORD)
    reading = Reading(_sentences(draft.case, docs), _tags(draft.case, docs), common, capitals)
    return Passed(replace(draft, reading=reading), f"{len(reading.sentences)} whole sentences")
