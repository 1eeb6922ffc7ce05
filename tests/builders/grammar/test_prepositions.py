"""Prepositions by the form of the answer."""

import pytest

from builders.grammar.prepositions import season, when, where

TIMES = """
in: 1912 / 44 BC / April 1912 / July–October 2012 / 1939–1945 / the 1960s / the 18th century / early 2014 / summer 1914
in the: late 1960s / 18th century / second season
on: 15 April 1912 / April 15, 1912 / April 15,\u00a01912 / July 1, 1890 / Christmas Day / Friday / 8/10/1874
at: 7:30 pm / noon / Super Bowl LII
at the: 2012 World Series
from: 1914 to 1918
during: the Bronze Age
: in 1912 / two years ago / after the war / annually
"""
PLACES = """
in: Paris / Italy / space / kidneys
in the: United States / liver / Indian Ocean
at: Yale University / the top of the tower
on: the coast of Maine / Baker Street
: in Paris / north of Rome / 12 miles north of Rome / dorsally on the forearm
"""


def pairs(table: str) -> list[tuple[str, str]]:
    rows = [line.partition(": ") for line in table.strip().splitlines()]
    return [(answer, f"{prep} " if prep else "") for prep, _, answers in rows for answer in answers.split(" / ")]


@pytest.mark.parametrize(("answer", "preposition"), pairs(TIMES))
def test_when(answer: str, preposition: str) -> None:
    assert when(answer) == preposition


@pytest.mark.parametrize("answer", ["Leap of Faith", "Cannes, France", "TBA"])
def test_no_known_form_of_a_time(answer: str) -> None:
    assert when(answer) is None


@pytest.mark.parametrize(("answer", "preposition"), pairs(PLACES))
def test_where(answer: str, preposition: str) -> None:
    assert where(answer) == preposition


def test_season_names_what_a_bare_number_counts() -> None:
    assert season("season", "7") == "in season \ue000"
    assert season("season", "season 7") == "in \ue000"
    assert season("season", "winter") == "in \ue000"
    assert season("episode", "The Door") == "in the episode \ue000"
