"""A controlled sentence as names and words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from builders.realhop.function_words import FUNCTION_WORDS

ENTRY = r"entry [A-Z]\d+ of the Halden Register"
_MONTH = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_TOKEN = re.compile(
    rf"""(?P<entry>(?:[Tt]he[ ]subject[ ]of[ ])?{ENTRY.replace(" ", "[ ]")})
    |(?P<arg>\{{\w+\}}|\#\d+|"[^"]+"|“[^”]+”
        |\d{{1,2}}[ ]{_MONTH}(?:[ ]\d{{1,4}})?|{_MONTH}[ ]\d{{1,2}},[ ]\d{{4}}|{_MONTH}[ ]\d{{4}}
        |\d{{4}}[–-]\d{{2,4}}
        |[$€£]?\d+(?:[,.]\d+)*(?:st|nd|rd|th)?(?:[ ]?%)?)
    |(?P<possessive>['’]s?(?!\w))
    |(?P<word>[^\W\d_](?:[\w-]|['’](?!s\b)(?=\w))*)
    |(?P<comma>,)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A name (or date, number, `#k`, key, entry) or a word; `sentence[start:end]` is `text`, in code points."""

    text: str
    start: int
    end: int
    is_arg: bool


def tokenised(sentence: str) -> tuple[Token, ...] | None:
    """Return the tokens of a sentence that ends with a full stop; None where it holds any other sign."""
    if not sentence.endswith("."):
        return None
    tokens: list[Token] = []
    at = 0
    body = sentence[:-1]
    while at < len(body):
        found = _TOKEN.match(body, at)
        if not found:
            return None
        tokens.append(_token(found, not tokens))
        at = found.end()
        at += len(body[at:]) - len(body[at:].lstrip(" "))
    return tuple(_joined(sentence, tokens))


def _token(found: re.Match[str], first: bool) -> Token:
    text = found[0]
    if found.lastgroup == "entry":
        return Token("entry" + text[text.lower().index("entry ") + 5 :], found.start(), found.end(), True)
    is_name = found.lastgroup == "word" and text[0].isupper() and not (first and text.lower() in FUNCTION_WORDS)
    is_arg = is_name or found.lastgroup == "arg"
    lowered = "'s" if found.lastgroup == "possessive" else text if is_arg else text.lower()
    return Token(lowered, found.start(), found.end(), is_arg)


def _joined(sentence: str, tokens: Sequence[Token]) -> list[Token]:
    """Put neighbouring capitalised words into one name."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last and token.is_arg and last.is_arg and token.text[0].isupper() and last.text[0].isupper():
            joined[-1] = Token(sentence[last.start : token.end], last.start, token.end, True)
        else:
            joined.append(token)
    return joined
