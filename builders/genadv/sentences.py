"""What the first sentence of a written text is about, which is the passage's title."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from builders.entities import NAME_TYPES, Mention, mentions
from builders.genadv.draft import Draft
from builders.sentences import split_sentences
from builders.steps import Passed, Result


def title_step(nlp: Any) -> Callable[[Sequence[Draft]], list[Result[Draft]]]:
    """Make the step that gives a model's passage its title, which the paper leaves open.

    A reader sees title and text of every document. A passage without a title would stand out among those that have
    one, so it gets the name with which its first sentence begins, as an article has; it gets none where most of the
    question's documents have none.
    """

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        parsed = nlp.pipe([split_sentences(draft.passage)[0] for draft in drafts])
        return [_titled(draft, doc) for draft, doc in zip(drafts, parsed, strict=True)]

    return run


def _titled(draft: Draft, first: Any) -> Result[Draft]:
    titles = [document.title for document in draft.case.documents if document.title]
    title = subject(first.text, mentions(first)) if len(titles) * 2 > len(draft.case.documents) else ""
    return Passed(replace(draft, title=title), title)


def subject(sentence: str, found: Sequence[Mention]) -> str:
    """Return the first name of a sentence, else its words before the verb that most articles begin with."""
    names = [m.text for m in found if m.type in NAME_TYPES - {"NORP", "LANGUAGE"}]
    if names:
        return names[0]
    words = re.split(r"\s(?:is|was|are|were|has|had)\s|[,(]", sentence, maxsplit=1)[0]
    return re.sub(r"^(?:The|An?|In) ", "", words.strip(" ."))[:60]
