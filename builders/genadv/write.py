"""Put the decoy into words by rules: adversarial and conflicting sentences and passages (sections 5.3.1 and 5.4.1)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from builders.countries import is_adjective
from builders.genadv.draft import Draft, Sentence
from builders.genadv.mentions import GENERIC
from builders.genadv.passages import Mix, Words, closest_choices, mixtures, overlap
from builders.genadv.seeds import document_text
from builders.similarity import Similarity, Vectors
from builders.steps import Passed, Result
from eval.answers import tokens
from loaders.records import Document, Reason

STOPWORDS = frozenset(
    """who what when where which whose whom why how is was are were be been do does did has have had will would can
    could in on at of for to from by with as and or the a an that this it its he she they his her their name
    many much""".split()
)


def write_sentence(draft: Draft) -> Result[Draft]:
    """Rewrite every mention of the replaced entities in the statement."""
    sentence = draft.rewriter.rewrite(draft.statement)
    return Passed(replace(draft, sentence=sentence[:1].upper() + sentence[1:]), sentence)


def adversarial_passage_step(similarity: Similarity, words: Words) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that writes the passage: the sentences closest to the statement, every mention replaced.

    Reasons: `too_few_whole_sentences`, `question_not_in_documents`, or why the closest passage failed:
    `answer_in_passage`, `entity_left`, `name_repeated`, `question_name_left`, `passage_length`.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        targets = similarity.encode([draft.statement for draft in drafts])
        texts = list(dict.fromkeys(sentence.text for draft in drafts for sentence in draft.read().sentences))
        vectors = similarity.encode(texts)
        row = {text: i for i, text in enumerate(texts)}
        rows = [vectors[[row[sentence.text] for sentence in draft.read().sentences]] for draft in drafts]
        return [adversarial_passage(*given, words) for given in zip(drafts, rows, targets, strict=True)]

    return run


def adversarial_passage(draft: Draft, vectors: Vectors, target: Vectors, words: Words) -> Result[Draft]:
    """Take the closest choice of sentences that names what is asked about and leaks nothing.

    A passage in which nothing that the question names is replaced would contradict the answer rather than miss it.
    `vectors` holds a unit row for each whole sentence, `target` the statement's.
    """
    reading = draft.read()
    choices = closest_choices(reading.sentences, vectors, target, words)
    if not choices:
        return Reason("too_few_whole_sentences", f"{sum(s.words for s in reading.sentences)} words in whole sentences")
    texts = (" ".join(reading.sentences[i].text for i in choice) for choice in choices)
    asked = draft.question_rewriter
    telling = ((choice, text) for choice, text in zip(choices, texts, strict=True) if asked.mentioned(text))
    first: Reason | None = None
    for choice, text in telling:
        result = _rewritten(draft, [reading.sentences[i] for i in choice], text, words)
        if not isinstance(result, Reason):
            return result
        first = first or result
    return first or Reason("question_not_in_documents", "no passage mentions what the question names")


def _rewritten(draft: Draft, sentences: Sequence[Sentence], text: str, words: Words) -> Result[Draft]:
    rewriter = draft.rewriter
    sources = _sources(draft, sentences)
    title, passage = rewriter.rewrite(sources[0].title), rewriter.rewrite(text)
    if reason := _leak(draft, title, passage):
        return reason
    if left := names_left(draft, f"{title}\n{passage}"):
        return Reason("question_name_left", ", ".join(left))
    if reason := _wrong_length(passage, words):
        return reason
    written = replace(draft, title=title, passage=passage, sources=sources)
    return Passed(written, f"{len(passage.split())} words from {len(sources)} document(s)")


def names_left(draft: Draft, text: str) -> list[str]:
    """Return the names of the question that still stand in a text: it may be about the very thing that was asked.

    A word of the question is a name where the documents write it with a capital only; adjectives of countries, and
    words that are part of many names, tell nothing.
    """
    reading = draft.read()
    new = {token for found in draft.replacements for token in tokens(found.replacement)}
    words = {word.lower() for word in re.findall(r"[^\W\d_]{3,}", draft.case.question)} - STOPWORDS - GENERIC - new
    names = sorted(word for word in words if word in reading.capitals and word not in reading.common)
    return [name for name in names if not is_adjective(name) and re.search(rf"\b{name.capitalize()}\b", text)]


def conflict_passage(draft: Draft, mix: Mix) -> Result[Draft]:
    """Put sentences of several documents behind the conflicting sentence, the answer replaced in all of them.

    Reasons: `too_few_documents`, or why the first mixture failed: `answer_in_passage`, `entity_left`,
    `name_repeated`, `passage_length`, `copy_of_document`.
    """
    reading = draft.read()
    order = _by_shared_words(draft.case.question, reading.sentences)
    found = mixtures(draft.sentence, reading.sentences, order, mix)
    first: Reason | None = None
    for chosen, _ in zip(found, range(mix.considered * 10), strict=False):
        result = _conflicting(draft, chosen, mix)
        if isinstance(result, Passed):
            return result
        first = first or (result if isinstance(result, Reason) else None)
    return first or Reason("too_few_documents", f"no mixture of whole sentences from {mix.documents} documents fits")


def _by_shared_words(question: str, sentences: Sequence[Sentence]) -> list[int]:
    """Return sentence numbers, those first that share most content words with the question."""
    content = set(tokens(question)) - STOPWORDS
    shared = [len(content & set(tokens(sentence.text))) for sentence in sentences]
    return sorted(range(len(sentences)), key=lambda i: (-shared[i], i))


def _conflicting(draft: Draft, chosen: Sequence[Sentence], mix: Mix) -> Result[Draft]:
    rewriter = draft.rewriter
    passage = " ".join([draft.sentence, *(rewriter.rewrite(sentence.text) for sentence in chosen)])
    sources = _sources(draft, chosen)
    title = rewriter.rewrite(sources[0].title)
    if reason := _leak(draft, title, passage):
        return reason
    if reason := _wrong_length(passage, mix.words):
        return reason
    copied = max(overlap(passage, document) for document in draft.case.documents)
    if copied >= mix.max_overlap:
        return Reason("copy_of_document", f"{copied:.3f} of the tokens stand in one document")
    written = replace(draft, title=title, passage=passage, sources=sources)
    return Passed(written, f"{len(passage.split())} words from {len(sources)} documents, overlap {copied:.3f}")


def _sources(draft: Draft, sentences: Sequence[Sentence]) -> tuple[Document, ...]:
    """Return the documents that lend the sentences, in the order of their first sentence."""
    return tuple(draft.case.documents[i] for i in dict.fromkeys(sentence.document for sentence in sentences))


def _wrong_length(passage: str, words: Words) -> Reason | None:
    count = len(passage.split())
    return None if words.low <= count <= words.high else Reason("passage_length", f"{count} words after replacing")


def _leak(draft: Draft, title: str, passage: str) -> Reason | None:
    text = f"{title}\n{passage}"
    if held := draft.case.matcher.first(text):
        return Reason("answer_in_passage", held)
    if left := draft.rewriter.left(text):
        return Reason("entity_left", ", ".join(left))
    repeated = draft.rewriter.repeated(text)
    return Reason("name_repeated", repeated) if repeated else None


def visible_text(draft: Draft) -> str:
    """Return title and passage as a reader sees them."""
    return f"{draft.title}\n{draft.passage}"


def question_cosines(drafts: Sequence[Draft], similarity: Similarity) -> list[tuple[float, float]]:
    """Return for each draft the cosine of its question with its passage and with its random document."""
    randoms = [document_text(draft.random) if draft.random else "" for draft in drafts]
    questions = similarity.encode([draft.case.question for draft in drafts])
    ours, others = (similarity.encode(texts) for texts in ([visible_text(draft) for draft in drafts], randoms))
    return [
        (round(float(a), 3), round(float(b), 3))
        for a, b in zip(np.sum(questions * ours, axis=1), np.sum(questions * others, axis=1), strict=True)
    ]
