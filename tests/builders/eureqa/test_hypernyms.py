"""What hand-made entities are called: by class, by their edges, and where neither says anything."""

import pytest
from eureqa_small import entity, small

from builders.eureqa.hypernyms import hypernym, is_person, likely_kinds
from builders.eureqa.nouns import PERSONS, READABLE, WIDE, kinds, narrower, noun
from builders.eureqa.snapshot import Snapshot

GRAPH = """Alien starring Weaver
    Aliens starring Weaver
    Alien director Scott
    Alien starring Scott
    Scott birthPlace Shields
    Cheshire1 birthPlace Chester
    Cheshire2 ceremonialCounty Cheshire
    France capital Paris
    Paris twinTown Rome
    Cream bandMember Clapton
    Cream genre Blues
    Blues stylisticOrigin Folk
    Clapton recordLabel Polydor
    Lemmon award Oscar
    Emmy presenter Academy
    Ohio state Ohio2
    Nobody foo Thing1
"""
TYPES = {
    "Film": "Alien Aliens",
    "Person": "Weaver Scott Cheshire1",
    "Settlement": "Shields Paris Chester",
    "AdministrativeRegion": "Cheshire",
    "Country": "France",
    "Band": "Cream",
    "MusicGenre": "Blues",
    "OfficeHolder": "Lemmon",
    "Agent": "Academy",
    "Award": "Oscar",
}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH, TYPES)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Alien", "film"),  # by class
        ("Blues", "music genre"),
        ("Weaver", "actor"),  # a Person who stars in two films
        ("Scott", "actor"),  # one film each as director and actor: the first by name
        ("Cheshire1", "person"),  # born somewhere, and no more
        ("Paris", "city"),  # a Settlement that is a capital
        ("Chester", "town"),  # one that is not
        ("Cheshire", "county"),  # a region, and the county of a town
        ("Cream", "band"),
        ("Clapton", "musician"),  # without a class: a member of a band, on a label
        ("Polydor", "record label"),
        ("Folk", "music genre"),
        ("Emmy", "award"),  # without a class: presented by somebody, as awards are
        ("Lemmon", "politician"),  # an OfficeHolder who got an award: nothing better is known
        ("Academy", "presenter"),
        ("Rome", "town"),
        ("Ohio2", "state"),
        ("Thing1", "thing"),  # no class, and a relation that nobody knows
    ],
)
def test_what_an_entity_is_called(snapshot: Snapshot, name: str, word: str) -> None:
    assert hypernym(entity(name, snapshot), snapshot) == word


def test_a_noun_for_few_of_many_edges_is_not_taken() -> None:
    born = "\n".join(f"P birthPlace C{i}\nQ birthPlace D{i}" for i in range(9))
    snapshot = small(f"{born}\nF starring P\nF starring Q\nG starring Q\nH starring Q", {"Person": "P Q"})
    assert hypernym(entity("P", snapshot), snapshot) == "person"  # 1 of 10 edges
    assert hypernym(entity("Q", snapshot), snapshot) == "actor"  # 3 of 12


def test_the_likeliest_kind_decides_over_the_commonest_noun() -> None:
    # Two edges say film, and three say place in words that differ, one of them a city.
    snapshot = small("X starring A\nX director B\nC location X\nD birthPlace X\nE capital X")
    assert likely_kinds(entity("X", snapshot), snapshot) == {"place"}
    assert hypernym(entity("X", snapshot), snapshot) == "city"


def test_the_first_of_several_words_is_what_most_are_called() -> None:
    snapshot = small("Joyce influenced Kerouac\nJoyce influenced Burgess")
    assert hypernym(entity("Joyce", snapshot), snapshot) == "person"
    assert likely_kinds(entity("Joyce", snapshot), snapshot) == {"person", "language", "genre", "idea", "organisation"}


def test_who_is_asked_for_of_persons_and_characters_only(snapshot: Snapshot) -> None:
    asked = {name: is_person(entity(name, snapshot), hypernym(entity(name, snapshot), snapshot), snapshot) for name in (
        "Weaver", "Cheshire1", "Clapton", "Cream", "Alien", "Paris", "Thing1")}  # fmt: skip
    assert {name for name, yes in asked.items() if yes} == {"Weaver", "Cheshire1", "Clapton"}
    assert is_person(entity("Alien", snapshot), "character", snapshot)


def test_classes_read_as_words() -> None:
    assert noun("BasketballPlayer") == "basketball player"
    assert noun("SoccerClub") == "football club"
    assert noun("GovernmentAgency") == "agency"
    assert noun("NCAATeamSeason") == "season"
    assert noun("HTMLPage") == "HTML page"
    assert all(word == word.strip() and not word.isupper() for word in READABLE.values())


def test_kinds_of_nouns() -> None:
    assert kinds("thing") == frozenset()
    assert kinds("film") == {"work"}
    assert kinds("musician") == {"person", "organisation"}
    assert kinds("place|organisation") == {"place", "organisation"}
    assert kinds("military person") == {"person"}
    assert kinds("a noun that nobody listed") == {"idea"}
    assert all("person" in kinds(word) for word in PERSONS)
    assert narrower("Settlement") == {"city"}
    assert all(noun(name) for name in WIDE)
