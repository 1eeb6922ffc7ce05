"""Where sentences end, and what the first one is about."""

import pytest

from builders.entities import Mention
from builders.genadv.sentences import subject
from builders.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Douglas won the medal.", 1),
        ("Douglas won the medal", 1),
        ("Douglas won. He taught in Oslo.", 2),
        ("Douglas won in 1936. He taught! Did he? Yes.", 4),
        ('He said "never." Then he went.', 2),
        ("Dr. No and St. Helena lie by No. 5 of Mr. J. R. Smith.", 1),
        ("Capt. Scott met Prof. Nansen.", 1),
        ("The U.S. Army came at 5 p.m. with Baker vs. Carr.", 1),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    found = split_sentences(text)
    assert len(found) == count
    assert " ".join(found) == text


def mention(text: str, kind: str) -> Mention:
    return Mention(text, kind, 0, len(text))


@pytest.mark.parametrize(
    ("sentence", "found", "title"),
    [
        ("In 1936, Jesse Douglas won.", [mention("1936", "DATE"), mention("Jesse Douglas", "PERSON")], "Jesse Douglas"),
        ("The Norwegian Amundsen left.", [mention("Norwegian", "NORP"), mention("Amundsen", "PERSON")], "Amundsen"),
        ("Copper is a metal.", [], "Copper"),
        ("The harbour bridge, begun in 1923, is long.", [mention("1923", "DATE")], "harbour bridge"),
    ],
)
def test_the_subject_is_the_first_name_or_what_stands_before_the_verb(
    sentence: str, found: list[Mention], title: str
) -> None:
    assert subject(sentence, found) == title
