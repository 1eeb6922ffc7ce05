"""Where the sentences of a written text end."""

import re

# A full stop behind these ends no sentence.
_ABBREVIATION = re.compile(r"\b(?:Capt|Prof|Univ|Sept|Lieut|Messrs|approx|Inc|Corp|Bros)\.$")
_SENTENCE_END = re.compile(r"(?:(?:[a-z]{3}|\d|[)\"”])\.|[!?])[\"”’)]*(?=\s+[\"“(]?[A-Z0-9])")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, as far as letters and full stops tell; `Dr. No` stays whole."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if not _ABBREVIATION.search(text[: found.end()])]
    return [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
