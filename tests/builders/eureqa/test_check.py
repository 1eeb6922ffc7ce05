"""Names that give a hidden one away, names that do not, and chains that go to and fro."""

import pytest
from eureqa_small import edge, entity, small

from builders.eureqa.check import (
    COMMON,
    NameBook,
    Names,
    few_relations,
    initials,
    name_left,
    name_shown,
    plain_label,
    shown_by,
    telling_words,
)
from builders.eureqa.draft import Draft
from builders.eureqa.seeds import Seed
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain, Layer
from loaders.records import Reason


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("Nas", "The Don (Nas song)"),  # in a bracket
        ("The Don (Nas song)", "The Don"),
        ("The Nutt House (film)", "The Nutt House"),
        ("Michael Jackson", "Michael Jackson's Thriller"),  # possessive
        ("Juventus F.C.", "Juventus Stadium"),
        ("Rob Reiner", "Carl Reiner"),  # a surname
        ("Punjab, Pakistan", "Pakistan"),  # what comes behind a comma
        ("New York", "Mount Vernon, New York"),
        ("Beyoncé", "Beyonce Live"),  # accents
        ("Jay-Z", "Jay Z"),
        ("AC/DC", "AC DC: Let There Be Rock"),
        ("U2", "U2 3D"),
        ("A.I.", "AI"),
        ("Germany", "German Army"),  # a country's adjective
        ("France", "French Guiana"),
        ("Germans", "Germany"),  # forms of one word
        ("Vietnam War", "Vietnamese people"),
        ("Brazil", "Brazilians"),
        ("The Walt Disney Company", "Disneyland"),
        ("National Broadcasting Company", "NBC News"),  # initials
        ("NBC", "National Broadcasting Company"),
        ("Rock music", "Folk rock"),  # a name that can do without its last word
        ("French language", "French Connection"),
        ("Blues", "Blues rock"),
        ("Led Zeppelin IV", "Led Zeppelin"),
        ("Warner Bros. Records", "Time Warner"),
    ],
)
def test_a_shown_name_gives_the_hidden_one_away(hidden: str, shown: str) -> None:
    assert shown_by(Names(hidden), [Names("Something else"), Names(shown)]) == shown


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("Capitol Records", "RCA Records"),
        ("Trance music", "Country music"),
        ("Alternative rock", "Garage rock"),
        ("French people", "English people"),
        ("University of Kent", "University of Hull"),
        ("American Civil War", "Korean War"),
        ("John Adams (composer)", "John Williams"),
        ("Austria", "Australia"),  # alike, and nothing to do with each other
        ("Nas", "Nashville"),
        ("It (novel)", "The Green Mile (novel)"),
        ("Chester", "Manchester"),
    ],
)
def test_what_names_share_with_many_gives_nothing_away(hidden: str, shown: str) -> None:
    assert shown_by(Names(hidden), [Names(shown)]) == ""


def test_other_names_count_too() -> None:
    queen = Names("Elizabeth II", ("Lilibet", "Queen of England"))
    assert shown_by(queen, [Names("Lilibet Road")]) == "Lilibet Road"
    assert shown_by(queen, [Names("Road")]) == ""


def test_a_book_of_names_holds_redirects() -> None:
    snapshot = small("Beatles hometown Liverpool", redirects={"The_Fab_Four": "Fab_4", "Fab_4": "Beatles"})
    assert NameBook(snapshot)[entity("Beatles", snapshot)].all[:4] == ("Beatles", "Fab 4", "The Fab Four")


def test_parts_of_a_name() -> None:
    assert plain_label("The Nutt House (film)") == "The Nutt House"
    assert plain_label("(film)") == "(film)"
    assert plain_label("Paris, Texas") == "Paris, Texas"
    assert telling_words("The Lord of the Rings (film series)") == {"rings"}
    assert initials("University of California, Los Angeles") == "UCLA"
    assert initials("New York") == ""
    assert not {"germany", "beatles", "reiner"} & COMMON


GRAPH = """Alien director Scott
    Alien starring Weaver
    Alien distributor Fox
    Weaver birthPlace New_York
    Weaver knownFor Alien_Day
    Weaver almaMater Yale
    New_York twinTown Rome
    New_York leader York_Minster
"""


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH)


def layers(snapshot: Snapshot, *told: tuple[str, str, str]) -> Chain[int, int]:
    return tuple(
        Layer(entity(name, snapshot), edge(way, snapshot), edge(fact, snapshot), 2, 2, 2, 1, 0)
        for name, way, fact in told
    )


def test_names_are_guarded_at_every_depth(snapshot: Snapshot) -> None:
    alien, weaver = ("Alien", "starring Weaver", "director Scott"), ("Weaver", "birthPlace New_York", "almaMater Yale")
    book = NameBook(snapshot)
    assert name_shown(layers(snapshot, alien, weaver), book) is None
    later = layers(snapshot, alien, ("Weaver", "birthPlace New_York", "knownFor Alien_Day"))
    assert name_shown(later, book) == Reason("name_shown", "depth 2: Alien by Alien Day")
    own = layers(snapshot, alien, weaver, ("New_York", "twinTown Rome", "leader York_Minster"))
    assert name_shown(own, book) == Reason("name_shown", "depth 3: New York by York Minster")


def test_a_name_that_is_hidden_later_may_show_before(snapshot: Snapshot) -> None:
    # At depth 1 the closing line names Weaver, who is hidden from depth 2 on.
    chain = layers(snapshot, ("Alien", "starring Weaver", "director Scott"))
    assert name_shown(chain, NameBook(snapshot)) is None


def test_a_name_left_in_a_question_is_found_at_its_depth(snapshot: Snapshot) -> None:
    chain = layers(
        snapshot, ("Alien", "starring Weaver", "director Scott"), ("Weaver", "birthPlace New_York", "almaMater Yale")
    )
    draft = Draft(Seed(0, "Work"), 0, chain, questions=("Who is A? Weaver's own.", "B is Ms. Weaver’s."))
    assert name_left(draft, NameBook(snapshot)) == Reason("name_left", "depth 2: Weaver")
    clean = Draft(Seed(0, "Work"), 0, chain, questions=("Alienated.", "Weavers."))
    assert name_left(clean, NameBook(snapshot)) is None


def test_a_chain_needs_different_relations(snapshot: Snapshot) -> None:
    chain = layers(
        snapshot, ("Alien", "starring Weaver", "director Scott"), ("Weaver", "<starring Alien", "almaMater Yale")
    )
    family = {number: number for number in range(len(snapshot.relations))}
    assert few_relations(chain, family, 3) == Reason("few_relations", "1 along the chain, 3 with facts")
    other = (chain[0], chain[1]._replace(edge=edge("birthPlace New_York", snapshot)))
    assert few_relations(other, family, 4) is None
    assert few_relations(other, family, 5) == Reason("few_relations", "2 along the chain, 4 with facts")
    same = dict.fromkeys(family, 0)
    assert few_relations(other, same, 1) == Reason("few_relations", "1 along the chain, 1 with facts")
