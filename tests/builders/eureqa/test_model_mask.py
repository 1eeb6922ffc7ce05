"""Names hidden in sentences: every form of a name gives way to the placeholder, and a trace of it is a named reason."""

import pytest

from builders.eureqa.check import Names
from builders.eureqa.mask import Masked, Role, mask

NAS = Role(Names("Nas", ("Nasir Jones",)), "Musician A", True)
FILM = Role(Names("The Nutt House (film)"), "Film A", True)
SPIELBERG = Role(Names("Steven Spielberg"), "Director A", True)
JAWS = Role(Names("Jaws (film)"), "Film B", True)
BEATLES = Role(Names("The Beatles"), "Band A", True)
OASIS = Role(Names("Don't Look Back (album)"), "Album B", True)
QUEENS = Role(Names("Queensbridge"), "Queensbridge", False)
STORM = Role(Names("Storm Warning (1951 film)"), "Storm Warning (1951 film)", False)
STATES = Role(Names("United States"), "Country B", True)


def masked(text: str, *roles: Role, spoken: str = "") -> Masked:
    return mask(text, roles, frozenset(spoken.split()), lambda word: word == "Hollywood")


@pytest.mark.parametrize(
    ("text", "roles", "expected"),
    [
        ("Nas was born in Queensbridge.", (NAS, QUEENS), "Musician A was born in Queensbridge."),
        ("Nas's home is Queensbridge.", (NAS, QUEENS), "Musician A's home is Queensbridge."),
        ("Nas’s home is Queensbridge.", (NAS, QUEENS), "Musician A’s home is Queensbridge."),
        ("Nas' home is Queensbridge.", (NAS, QUEENS), "Musician A's home is Queensbridge."),
        ("Nasir Jones was born in Queensbridge.", (NAS, QUEENS), "Musician A was born in Queensbridge."),
        ("nas was born in queensbridge.", (NAS, QUEENS), "Musician A was born in Queensbridge."),
        ('"Jaws" is by Steven Spielberg.', (SPIELBERG, JAWS), "Film B is by Director A."),
        ("Steven_Spielberg directed Jaws_(film).", (SPIELBERG, JAWS), "Director A directed Film B."),
        ("Steven Spielberg directed *Jaws*.", (SPIELBERG, JAWS), "Director A directed Film B."),
        ("The Nutt House (film) stars Nas.", (FILM, NAS), "Film A stars Musician A."),
        ("Nas acts in the Nutt House.", (FILM, NAS), "Musician A acts in Film A."),
        ("The drummer of the Beatles left Nas.", (BEATLES, NAS), "The drummer of Band A left Musician A."),
        ("The Beatles’ label is Nas.", (BEATLES, NAS), "Band A's label is Musician A."),
        ("Don’t Look Back is by The Beatles.", (BEATLES, OASIS), "Album B is by Band A."),
        ("Storm Warning stars Nas.", (NAS, STORM), "Storm Warning (1951 film) stars Musician A."),
        ("Storm Warning (1951 film) stars Nas.", (NAS, STORM), "Storm Warning (1951 film) stars Musician A."),
        ("Nas comes from the United States.", (NAS, STATES), "Musician A comes from Country B."),
    ],
)
def test_every_form_of_a_name_gives_way(text: str, roles: tuple[Role, ...], expected: str) -> None:
    assert masked(text, *roles) == (expected, None)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Mamma Mia!", "Nas stars in Mamma Mia! today.", "Musician A stars in Film B today."),
        ("Warner Bros.", "Nas signed with Warner Bros. as a boy.", "Musician A signed with Film B as a boy."),
        ("Levi's", "Nas wears Levi's in it.", "Musician A wears Film B in it."),
        ("A Night at the Opera", "Nas sings on A Night at the Opera.", "Musician A sings on Film B."),
        ("Amélie", "Nas stars in Amelie.", "Musician A stars in Film B."),
        ("It (novel)", "Nas wrote It when it rained.", "Musician A wrote Film B when it rained."),
    ],
)
def test_a_name_goes_with_its_own_marks(name: str, text: str, expected: str) -> None:
    found = masked(text, NAS, Role(Names(name), "Film B", True))
    assert found.text == expected


@pytest.mark.parametrize(
    ("text", "roles", "reason"),
    [
        ("Steven Spielberg directed Jaws, a triumph for Spielberg.", (SPIELBERG, JAWS), "mask_trace"),
        ("Steven Spielberg directed Jaws as spielberg does.", (SPIELBERG, JAWS), "mask_trace"),
        ("Steven Spielberg directed Jaws in a Spielbergian way.", (SPIELBERG, JAWS), "mask_trace"),
        ("Steven Spielberg directed Jaws (see StevenSpielberg).", (SPIELBERG, JAWS), "mask_trace"),
        ("Nas, an American rapper, lives in the United States.", (NAS, STATES), "mask_trace"),
        ("He directed Jaws.", (SPIELBERG, JAWS), "name_missing"),
        ("Spielberg directed Jaws.", (SPIELBERG, JAWS), "name_missing"),
        ("Nas was born there.", (NAS, QUEENS), "name_missing"),
        ("Queensbridge is in it.", (Role(Names("It (novel)"), "Novel A", True), QUEENS), "name_missing"),
        ("Nas and Jay were born in Queensbridge.", (NAS, QUEENS), "statement_adds_names"),
        ("Nas was born in Queensbridge in 1973.", (NAS, QUEENS), "statement_adds_names"),
        ("American rapper Nas was born in Queensbridge.", (NAS, QUEENS), "statement_adds_names"),
        ("Hollywood made Nas leave Queensbridge.", (NAS, QUEENS), "statement_adds_names"),
        ("Nas was born in Queensbridge. He raps.", (NAS, QUEENS), "not_one_sentence"),
        ("Was Nas born in Queensbridge?", (NAS, QUEENS), "not_one_sentence"),
        ("Jaws is based on Jaws.", (JAWS, Role(Names("Jaws (novel)"), "Novel B", True)), "name_missing"),
    ],
)
def test_a_trace_or_an_addition_is_a_reason(text: str, roles: tuple[Role, ...], reason: str) -> None:
    fault = masked(text, *roles).fault
    assert fault is not None
    assert fault.code == reason


def test_namesakes_are_told_apart_by_their_brackets() -> None:
    novel = Role(Names("Jaws (novel)"), "Novel A", True)
    assert masked("Jaws (film) is based on Jaws (novel).", novel, JAWS) == ("Film B is based on Novel A.", None)


def test_words_of_the_relation_and_of_kinds_are_no_additions() -> None:
    text = "Nas is the TV producer of Queensbridge."
    assert masked(text, NAS, QUEENS).fault is not None
    assert masked(text, NAS, QUEENS, spoken="tv producer") == ("Musician A is the TV producer of Queensbridge.", None)
