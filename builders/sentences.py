"""Where the sentences of a written text end."""

import re

# A full stop behind these ends no sentence.
_ABBREVIATION = re.compile(r"\b(?:Capt|Prof|Univ|Sept|Lieut|Messrs|approx|Inc|Corp|Bros)\.$")
_LONGEST = 10  # code points that an abbreviation may take
_SENTENCE_END = re.compile(r"(?:(?:[a-z]{3}|\d|[)\"”])\.|[!?])[\"”’)]*(?=\s+[\"“(]?[A-Z0-9])")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, as far as letters and full stops tell; `Dr. No` stays whole."""
    found = (one.end() for one in _SENTENCE_END.finditer(text))
    ends = [end for end in found if not _ABBREVIATION.search(text, max(0, end - _LONGEST), end)]
    return [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
