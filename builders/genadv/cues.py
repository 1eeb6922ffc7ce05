"""What the words of a question and of a statement say of an entity's type, whatever a tagger thinks of its name."""

import re
from collections.abc import Iterator

# The noun behind `which` or `what`.
ASKED = {
    "GPE": "city town village country state county province capital nation",
    "LOC": "river lake mountain ocean sea island continent desert",
    "ORG": "university college company club team band school organisation organization",
    "PERSON": """person man woman actor actress singer writer author poet playwright painter artist composer president
        king queen emperor captain explorer astronaut scientist mathematician player footballer sprinter boxer driver
        politician general director architect""",
    "WORK_OF_ART": "film movie book novel song album opera painting musical",
}
# What stands before a name, and what behind it.
AROUND = (
    ("PERSON", "", r" (?:is|was) (?:born|married|buried|the (?:director|author|father|mother|composer|producer))"),
    ("PERSON", "", r" (?:died|studied|married|wrote|composed|painted|directed|played|sang)\b"),
    ("PERSON", r"(?:married to|played by|written by|directed by|composed by|the (?:son|father|mother|wife) of) ", ""),
    ("PERSON", rf"\b(?:{'|'.join(ASKED['PERSON'].split())}) ", ""),
    ("GPE", r"(?:born in|capital of|located in|citizen of|(?:city|town|state|country) of) ", ""),
    ("WORK_OF_ART", r"the (?:director|author|composer|producer|screenwriter|genre|score|soundtrack|plot) of ", ""),
)
_TYPE_OF_NOUN = {noun: kind for kind, nouns in ASKED.items() for noun in nouns.split()}


def asked_type(question: str) -> str:
    """Return the type of entity that a question asks for, as far as its words tell; else an empty text."""
    text = question.lower()
    if asks_who(question):
        return "PERSON"
    asked = re.search(r"\b(?:which|what)\s+((?:\w+\s+){0,2}\w+)", text)
    nouns = asked.group(1).split() if asked else []
    return next((_TYPE_OF_NOUN[noun] for noun in reversed(nouns) if noun in _TYPE_OF_NOUN), "")


def asks_who(question: str) -> bool:
    """Whether a question begins with `who`: its answer is a person, but may be a team or a company."""
    return re.match(r"(?:\w+ )?who\b", question.lower()) is not None


def types_around(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the types that the words around a name at [start, end) speak for."""
    for kind, before, behind in AROUND:
        if re.search(f"{before}$", text[:start]) and re.match(behind, text[end:]):
            yield kind
