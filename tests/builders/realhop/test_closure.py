"""What follows from atoms: the columns one by one, and what holds of any set of atoms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.realhop.closure import closure
from builders.realhop.reading import Atom, read_sentence, read_text
from builders.realhop.tables import relations

ATOMS = st.builds(
    Atom,
    st.sampled_from(sorted(relations())),
    st.sampled_from(["{} <> {}", "{} first <> {}", "{} not <> {}"]),
    st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD")),
)


def follows(text: str, said: str) -> bool:
    """Whether a sentence follows from a text."""
    return read_sentence(said) in closure(read_text(text).atoms)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ana sang Weston.", "Ana performed Weston."),  # entails
        ("Ana is the author of Weston.", "Ana wrote Weston."),
        ("Ana is the wife of Bob.", "Bob married Ana."),  # entails, then symmetric
        ("Dravel borders Weston.", "Weston shares a border with Dravel."),  # symmetric, another form
        ("Dravel employs Ana.", "Ana works for Dravel."),  # inverse
        ("Ana works for Dravel.", "Ana is employed by Dravel."),
        ("Bob is the father of Ana.", "Ana is the child of Bob."),
        ("Dravel is located in Weston. Weston is located in Tessin.", "Dravel is located in Tessin."),  # transitive
        ("Dravel is located in Weston.", "Weston contains Dravel."),
        ("Dravel is the birthplace of Ana.", "Ana was born in Dravel."),
        ("Dravel is the largest city in Weston. Weston lies in Tessin.", "Dravel is found in Tessin."),
    ],
)
def test_what_follows(text: str, said: str) -> None:
    assert follows(text, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ana performed Weston.", "Ana sang Weston."),  # entails is one way
        ("Bob is the father of Ana.", "Ana is the father of Bob."),
        ("Ana did not marry Bob.", "Ana married Bob."),
        ("Dravel borders Weston. Weston borders Tessin.", "Dravel borders Tessin."),  # not transitive
        ("Dravel is located in Weston. Tessin is located in Weston.", "Dravel is located in Tessin."),
        ("Ana sang Weston with Cleo.", "Cleo performed Weston."),
    ],
)
def test_what_does_not_follow(text: str, said: str) -> None:
    assert read_sentence(said) is not None
    assert not follows(text, said)


def test_nothing_lies_in_itself() -> None:
    loop = read_text("Dravel is located in Weston. Weston is located in Dravel.").atoms
    assert {atom.args for atom in closure(loop)} == {("Dravel", "Weston"), ("Weston", "Dravel")}


@given(st.sets(ATOMS, max_size=6), st.sets(ATOMS, max_size=3))
def test_it_ends_keeps_all_adds_nothing_twice_and_grows_with_what_it_is_given(one: set[Atom], more: set[Atom]) -> None:
    closed = closure(one)
    assert one <= closed
    assert closure(closed) == closed
    assert closed <= closure(one | more)
    assert {arg for atom in closed for arg in atom.args} == {arg for atom in one for arg in atom.args}


@given(st.permutations([Atom("located_in", "{} <> {}", tuple(pair)) for pair in ("AB", "BC", "CD", "DE")]))
def test_the_order_of_the_atoms_makes_no_difference(atoms: list[Atom]) -> None:
    assert len([atom for atom in closure(atoms) if atom.relation == "located_in"]) == 10
