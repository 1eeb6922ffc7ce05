"""Open-domain questions with their documents, read strictly and streaming from every form they are published in."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from builders.sources.catalogue import SOURCES, Source
from builders.sources.columns import Expected, first_of, identifier, parse_list, required, shown, string
from builders.sources.documents import read_documents
from builders.sources.files import sha256
from builders.sources.rows import Row, read_rows
from loaders.errors import DecoyQAError, InputError
from loaders.records import Question

__all__ = ["SOURCES", "Source", "check_config", "read_questions", "sha256"]

# Accepted column names, the first one filled wins: where PopQA has gold `paragraphs`, its retrieved `ctxs` are read.
IDS = ("id", "question_id", "qId", "QuestionId", "_id")
QUESTIONS = ("question", "qText", "Question")
ANSWERS = ("answers", "answer", "possible_answers", "ground_truth", "golden_answers", "gold_answers", "Answer")
DOCUMENTS = ("ctxs", "context", "documents", "passages", "paragraphs")
SUBJECTS = ("subj", "s_wiki_title")  # `subj` is the name as the question has it, `s_wiki_title` may be disambiguated


def check_config(name: str) -> None:
    """Raise DecoyQAError unless a config's name, which becomes a folder, is ASCII letters, digits and underscores."""
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise DecoyQAError(f"config {name!r}: expected a name of letters, digits and underscores")


def read_questions(path: Path, source: str, config: str) -> Iterator[Question]:
    """Yield a file's questions with raw answers and non-empty documents; ids are the source's own, else hashes.

    Raises InputError with file, row and what was expected; DecoyQAError for a bad config name.
    """
    check_config(config)
    if source not in SOURCES:
        raise InputError(path, None, f"expected a known source ({', '.join(SOURCES)}), found {source!r}")
    return _questions(path, config, read_rows(path, (*QUESTIONS, *ANSWERS)))


def _questions(path: Path, config: str, rows: Iterable[Row]) -> Iterator[Question]:
    seen: dict[str, int] = {}
    for row in rows:
        try:
            question = to_question(row.columns, config)
        except Expected as error:
            raise InputError(path, row.number, str(error)) from None
        first = seen.setdefault(question.id, row.number)
        if first != row.number:
            raise InputError(
                path, row.number, f"expected an id of its own, found that of row {first} again: {question.id}"
            )
        yield question


def to_question(row: Mapping[str, Any], config: str) -> Question:
    """Return the record of one row; raise `Expected` where a column is missing or holds something else."""
    text = string("question", required("question", QUESTIONS, row)[1]).strip()
    if not text:
        raise Expected("expected a question, found an empty text")
    answers = read_answers(*required("answers", ANSWERS, row))
    own_id = identifier("id", first_of(IDS, row)[1])
    column, documents = first_of(DOCUMENTS, row)
    return Question(
        id=own_id or hashed_id(config, text, answers),
        source_id=own_id,
        question=text,
        answers=answers,
        documents=read_documents(column, documents) if column else (),
        relation=string("relation", row.get("prop") or ""),
        subject=string("subject", first_of(SUBJECTS, row)[1] or ""),
    )


def read_answers(column: str, value: object) -> tuple[str, ...]:
    """Return the raw answers from a list, a list written as text, TriviaQA's object, or one string (`answer` only)."""
    if isinstance(value, dict):
        value = _trivia_answers(value)
    elif isinstance(value, str):
        single = column in ("answer", "Answer") and not value.lstrip().startswith("[")
        value = [value] if single else parse_list("answers", value)
    if not isinstance(value, list):
        raise Expected(f"expected the answers in {column} as a list, found {shown(value)}")
    return tuple(string("answers", answer) for answer in value)


def _trivia_answers(answer: Mapping[str, Any]) -> list[Any]:
    """Return TriviaQA's aliases, as DPR's file has them, led by the value where it is none of them."""
    # The authors' file has capitals, the Hub's has none.
    value, aliases = (first_of((name, name.lower()), answer)[1] for name in ("Value", "Aliases"))
    if not isinstance(value, str) or not isinstance(aliases, list):
        raise Expected(f"expected the answer as an object with Value and a list Aliases, found {shown(answer)}")
    return aliases if value in aliases else [value, *aliases]


def hashed_id(config: str, question: str, answers: tuple[str, ...]) -> str:
    """Return the id of a question without one: config and 12 hex digits of the sha256 of question and answers."""
    canonical = json.dumps([question, list(answers)], ensure_ascii=False, separators=(",", ":"))
    return f"{config}-{hashlib.sha256(canonical.encode('utf-8')).hexdigest()[:12]}"
