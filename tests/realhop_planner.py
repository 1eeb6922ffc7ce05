"""Three made-up multi-hop items, what an honest planner says of each, and an engine that says what it is told to."""

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from model_world import Spoken

from builders.voices import Hearer, Sampling, Voice
from eval.models.ledger import Ledger
from eval.models.store import RequestStore
from loaders.records import Hop, Item, Passage, Span

PLANNER, CHECKER = "toy:planner", "toy:checker"
Proposal = dict[str, Any]

_TEXTS = {
    "Night Ferry": "Night Ferry is a novel of 1951 about a pilot. Ann Lee wrote it in two winters. It sold well.",
    "Ann Lee": "Ann Lee was a novelist. Her father Tom Lee kept a shop. She had no other family.",
    "Tom Lee": "Tom Lee sold tea and tobacco. He was born in Leeds. The shop was closed after his death.",
    "Grey Harbor": "Grey Harbor is a song. In the 1984 film Tide it is performed by Ida Moss. The film was long.",
    "Ida Moss": "Ida Moss is a singer. She is the spouse of Carl Dunn. Both of them live near the sea.",
    "Weather": "Rain fell on many towns. Snow did not. Hail was seen once in spring.",
}


def item(id: str, question: str, hops: list[tuple[str, str, str, tuple[str, ...]]], answer: str) -> Item:
    """Return an item of (relation, answer, title of the support, dependencies) with all of the texts as passages."""
    titles = list(_TEXTS)
    return Item(
        id=id,
        question=question,
        answer=answer,
        answer_aliases=(),
        passages=tuple(Passage(title, text) for title, text in _TEXTS.items()),
        hops=tuple(
            Hop(str(k), relation, said, needs, (Span(titles.index(support), 0, len(_TEXTS[support])),))
            for k, (relation, said, support, needs) in enumerate(hops, 1)
        ),
        answerable=True,
        source_license="CC-BY-4.0",
        source_id=id,
    )


CHAIN = item(
    "chain",
    "Where was the father of the author of Night Ferry born?",
    [
        ("Night Ferry >> author", "Ann Lee", "Night Ferry", ()),
        ("#1 >> father", "Tom Lee", "Ann Lee", ("1",)),
        ("where was #2 born", "Leeds", "Tom Lee", ("2",)),
    ],
    "Leeds",
)
SONG = item(
    "song",
    "Who is the spouse of the performer of Grey Harbor in the 1984 film Tide?",
    [
        ("who performed grey harbor in the 1984 film tide", "Ida Moss", "Grey Harbor", ()),
        ("#1 >> spouse", "Carl Dunn", "Ida Moss", ("1",)),
    ],
    "Carl Dunn",
)
JOIN = item(
    "join",
    "Who is the spouse of the person who wrote Night Ferry and performed Grey Harbor with Carl Dunn?",
    [
        ("Night Ferry >> author", "Ann Lee", "Night Ferry", ()),
        ("Who performed Grey Harbor with #1 and Carl Dunn?", "Ida Moss", "Grey Harbor", ("1",)),
        ("who is the spouse of #1 and #2", "Jo Hart", "Ida Moss", ("1", "2")),
    ],
    "Jo Hart",
)


def constant(key: str, text: str, kind: str) -> Proposal:
    """Return a constant of a proposal."""
    return {"key": key, "text": text, "kind": kind}


def hop(number: int, depends_on: list[int], sentence: str, kind: str, units: int) -> Proposal:
    """Return a hop of a proposal."""
    return {"hop": number, "depends_on": depends_on, "sentence": sentence, "answer_kind": kind, "units": units}


HONEST: Mapping[str, Proposal] = {
    "chain": {
        "constants": [constant("c1", "Night Ferry", "work")],
        "hops": [
            hop(1, [], "{h1} wrote {c1}.", "person", 2),
            hop(2, [1], "The father of {h1} is {h2}.", "person", 1),
            hop(3, [2], "{h2} was born in {h3}.", "place", 2),
        ],
        "question": "Where was the father of the author of {c1} born?",
    },
    "song": {
        "constants": [
            constant("c1", "Grey Harbor", "work"),
            constant("c2", "1984", "year"),
            constant("c3", "Tide", "work"),
        ],
        "hops": [
            hop(1, [], "{h1} performed {c1} in the {c2} film {c3}.", "person", 1),
            hop(2, [1], "{h2} is the spouse of {h1}.", "person", 2),
        ],
        "question": "Who is the spouse of the performer of {c1} in the {c2} film {c3}?",
    },
    "join": {
        "constants": [
            constant("c1", "Night Ferry", "work"),
            constant("c2", "Grey Harbor", "work"),
            constant("c3", "Carl Dunn", "person"),
        ],
        "hops": [
            hop(1, [], "{h1} wrote {c1}.", "person", 1),
            hop(2, [1], "{h2} performed {c2} with {h1} and {c3}.", "person", 2),
            hop(3, [1, 2], "{h3} is the spouse of {h1} and {h2}.", "person", 2),
        ],
        "question": "Who is the spouse of the person who wrote {c1} and performed {c2} with {c3}?",
    },
}


def lying(name: str, change: Callable[[Proposal], Any]) -> str:
    """Return the honest proposal of an item after a change made to it, as a reply."""
    proposal = copy.deepcopy(HONEST[name])
    change(proposal)
    return json.dumps(proposal)


def honest(prompt: str) -> str:
    """Reply to the planner's prompt as somebody who does the job well."""
    asked = prompt.rpartition("Question: ")[2]
    return next(json.dumps(HONEST[one.id]) for one in (CHAIN, SONG, JOIN) if asked.startswith(one.question))


def voice(engine: Spoken, store: Path, sampling: Sampling | None = None) -> Voice:
    """Return an engine in a role, with its replies kept in a folder."""
    hearer = Hearer(engine, RequestStore(store), Ledger(), lambda *_: None)
    return Voice(hearer, sampling or Sampling(temperature=0.0, max_tokens=1024), 0)
