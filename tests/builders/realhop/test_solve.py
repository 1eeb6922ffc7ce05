"""Bindings worked out by hand: chains, joins, fan-outs, symmetric relations, details beyond a query."""

import pytest

from builders.realhop.closure import closure
from builders.realhop.reading import read_text
from builders.realhop.solve import after, answers, queries, solve
from loaders.realhop import RealHop, RealHopRow


def _asked(*hops):
    made = tuple(RealHop(str(k), relation, "", tuple(rests), ()) for k, (relation, rests) in enumerate(hops, 1))
    return queries(RealHopRow("x", "x", "x", "", "", "", (), (), made, (), (), len(made), None, "", ""))


def _solutions(asked, text):
    found = solve(asked, closure(read_text(text).atoms))
    return sorted(tuple(one[query.slot] for query in asked) for one in found)


CHAIN = _asked(("#1 wrote Amber Nettle.", ""), ("#1 was born in #2.", "1"))
JOIN = _asked(("#1 wrote Amber Nettle.", ""), ("#2 is the capital of Nessaly.", ""), ("#1 performed #3 in #2.", "12"))
FAN = _asked(
    ("#1 wrote Amber Nettle.", ""),
    ("#2 is the father of #1.", "1"),
    ("#1 was born in #3.", "1"),
    ("#2 died in #4 near #3.", "23"),
)


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        (CHAIN, "Ann Lee wrote Amber Nettle. Ann Lee was born in Rome.", [("Ann Lee", "Rome")]),
        (CHAIN, "Amber Nettle was authored by Ann Lee. Ann Lee was born in Rome.", [("Ann Lee", "Rome")]),
        (CHAIN, "Ann Lee reviewed Amber Nettle. Ann Lee was born in Rome.", []),
        (CHAIN, "Ann Lee wrote Amber Nettle. Bo Lee was born in Rome.", []),
        (CHAIN, "Ann Lee wrote Amber Nettle in 1911. Ann Lee was born in Rome.", [("Ann Lee", "Rome")]),
        (
            CHAIN,
            "Ann Lee wrote Amber Nettle. Entry K41 of the Halden Register is about Ann Lee. The subject of entry K41 "
            "of the Halden Register was born in Rome.",
            [("Ann Lee", "Rome")],
        ),
        (
            CHAIN,
            "Ann Lee wrote Amber Nettle. Bo Ray wrote Amber Nettle. Ann Lee was born in Rome. Bo Ray was born in Bonn.",
            [("Ann Lee", "Rome"), ("Bo Ray", "Bonn")],
        ),
        (
            JOIN,
            "Ann Lee wrote Amber Nettle. Tolk is the capital of Nessaly. Ann Lee performed Low Bells in Tolk. Ann Lee "
            "performed High Bells in Rome. Bo Ray performed Gongs in Tolk.",
            [("Ann Lee", "Tolk", "Low Bells")],
        ),
        (
            FAN,
            "Ann Lee wrote Amber Nettle. Bo Lee is the father of Ann Lee. Ann Lee was born in Rome. Bo Lee died in "
            "Bonn near Rome. Bo Lee died in Ghent near Lille.",
            [("Ann Lee", "Bo Lee", "Rome", "Bonn")],
        ),
    ],
)
def test_solutions(asked, text, expected):
    assert _solutions(asked, text) == expected


def test_a_symmetric_relation_is_found_from_either_end():
    asked = _asked(("#1 borders Nessaly.", ""), ("#2 is the capital of #1.", "1"))
    assert _solutions(asked, "Nessaly borders Ostrel. Tolk is the capital of Ostrel.") == [("Ostrel", "Tolk")]


def test_back_to_the_constant():
    """Who is the child of the father of X? X too (the paper's Table 9)."""
    asked = _asked(("#1 is the parent of Ann Lee.", ""), ("#2 is the child of #1.", "1"))
    text = "Bo Lee is the parent of Ann Lee. Cy Lee is the child of Bo Lee."
    assert answers(asked, solve(asked, closure(read_text(text).atoms))) == ("Ann Lee", "Cy Lee")


def test_hops_that_rest_on_a_hop():
    assert [sorted(after(FAN, key)) for key in "1234"] == [["2", "3", "4"], ["4"], ["4"], []]


@pytest.mark.parametrize(
    ("relation", "rests"),
    [("#1 gloams Rome.", ""), ("Ann Lee wrote Amber Nettle.", ""), ("#1 wrote #2.", ""), ("#1 wrote Nettle.", "2")],
)
def test_a_hop_that_is_not_read(relation, rests):
    with pytest.raises(ValueError, match="hop 1"):
        _asked((relation, rests))
