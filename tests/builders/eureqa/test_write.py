"""Golden sentences in both directions, relations that the table does not know, and a chain told from end to end."""

import pytest
from eureqa_small import edge, entity, small
from hypothesis import example, given
from hypothesis import strategies as st

from builders.eureqa.backend import IN, OUT
from builders.eureqa.phrases import fallback, filled, phrase, sentence, spoken_words
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain, Layer
from builders.eureqa.write import fact_statement, placeholder, question_text, questions, spoken_name, tell

GRAPH = """Alien director Ridley_Scott
    Alien starring Sigourney_Weaver
    Alien distributor 20th_Century_Fox
    Sigourney_Weaver birthPlace New_York_City
    Sigourney_Weaver almaMater Yale_University
    Sigourney_Weaver occupation Actor
    Cream_(band) bandMember Eric_Clapton
    Cream_(band) genre Blues_rock
    Eric_Clapton instrument Guitar
    The_Beatles recordLabel Parlophone
    The_Beatles hometown Liverpool
    Liverpool country United_Kingdom
    United_Kingdom officialLanguage English_language
    New_York_Yankees location New_York_City
    New_York_Yankees owner Ann
    Germans language German_language
    Germans populationPlace United_States
    Ann award Palme_d'Or
    Ann notableStudent Bob
    Ann paintedBy Bob
    Danube riverMouth Black_Sea
    Ann battle American_Civil_War
"""
TYPES = {
    "Film": "Alien",
    "Person": "Ridley_Scott Sigourney_Weaver Ann Bob",
    "Company": "20th_Century_Fox",
    "City": "New_York_City Liverpool",
    "Band": "Cream_(band) The_Beatles",
    "MusicalArtist": "Eric_Clapton",
    "MusicGenre": "Blues_rock",
    "Country": "United_Kingdom United_States",
    "Language": "English_language German_language",
    "EthnicGroup": "Germans",
    "Award": "Palme_d'Or",
    "River": "Danube",
    "MilitaryConflict": "American_Civil_War",
    "BaseballTeam": "New_York_Yankees",
}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH, TYPES)


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ("director Ridley_Scott", "X was directed by Ridley Scott."),
        ("<director Alien", "X directed Alien."),
        ("starring Sigourney_Weaver", "X stars Sigourney Weaver."),
        ("<starring Alien", "X stars in Alien."),
        ("distributor 20th_Century_Fox", "X was distributed by 20th Century Fox."),
        ("<distributor Alien", "X distributed Alien."),
        ("birthPlace New_York_City", "X was born in New York City."),
        ("<birthPlace Sigourney_Weaver", "Sigourney Weaver was born in X."),
        ("almaMater Yale_University", "X studied at Yale University."),
        ("occupation Actor", "X worked as an actor."),
        ("bandMember Eric_Clapton", "X has or had Eric Clapton as a member."),
        ("<bandMember Cream_(band)", "X is or was a member of Cream (band)."),
        ("genre Blues_rock", "One genre of X is blues rock."),
        ("<genre Cream_(band)", "X is a genre of Cream (band)."),
        ("instrument Guitar", "The music of X features guitar."),
        ("<recordLabel The_Beatles", "X is or was the label of The Beatles."),
        ("<hometown The_Beatles", "X is the home of The Beatles."),
        ("country United_Kingdom", "The country of X is the United Kingdom."),
        ("officialLanguage English_language", "The English language is an official language of X."),
        ("<officialLanguage United_Kingdom", "X is an official language of the United Kingdom."),
        ("<location New_York_Yankees", "The New York Yankees are located in X."),  # a team's name is a plural
        ("<owner New_York_Yankees", "X owns the New York Yankees."),
        ("populationPlace United_States", "The United States is home to X."),
        ("<populationPlace Germans", "X is home to Germans."),
        ("<language Germans", "X is used by Germans."),
        ("award Palme_d'Or", "X received the Palme d'Or."),
        ("notableStudent Bob", "Bob was a notable student of X."),
        ("<notableStudent Ann", "X was a notable student of Ann."),
        ("paintedBy Bob", "X was painted by Bob."),  # not in the table
        ("<paintedBy Ann", "Ann was painted by X."),
        ("riverMouth Black_Sea", "X flows into the Black Sea."),
        ("<riverMouth Danube", "The Danube flows into X."),
        ("battle American_Civil_War", "X fought in the American Civil War."),
    ],
)
def test_golden_sentences_in_both_directions(snapshot: Snapshot, about: str, text: str) -> None:
    assert fact_statement(edge(about, snapshot), "X", snapshot) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notablePupil", "{o} is a notable pupil of {s}"),
        ("editorInChief", "{o} is an editor in chief of {s}"),
        ("memberOf", "{s} is a member of {o}"),
        ("builtBy", "{s} was built by {o}"),
        ("locatedIn", "{s} is located in {o}"),
        ("isHeldIn", "{s} is held in {o}"),
        ("hasJunctionWith", "{s} has the junction with {o}"),
        ("TVShow", "{o} is a tv show of {s}"),
        ("by", "{o} is a by of {s}"),
        ("東京", "{o} is a 東京 of {s}"),
    ],
)
def test_a_relation_that_nobody_knows_is_told_by_its_name(name: str, text: str) -> None:
    assert phrase(name, OUT) == phrase(name, IN) == fallback(name) == text


@example(" ")
@given(st.text(min_size=1, max_size=20))
def test_every_name_of_a_relation_gives_a_sentence_with_both_ends(name: str) -> None:
    text = fallback(name)
    assert spoken_words(name)
    assert "{s}" in text
    assert "{o}" in text


def test_names_are_filled_in_as_they_stand() -> None:
    assert filled("{s} stars {o}", "{o} \\1", "{s}") == "{o} \\1 stars {s}."
    assert filled("{s} is or was led by {o}", "the Bulls", "Ann", plural=True) == "The Bulls are or were led by Ann."
    assert filled("{s} plays or played for {o}", "Germans", "Y", plural=True) == "Germans play or played for Y."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("film A is Warner Bros.", "Film A is Warner Bros."),
        ("mamma Mia!", "Mamma Mia!"),
        ("iPod is a product of X", "iPod is a product of X."),
        ("k.d. lang sings", "K.d. lang sings."),
    ],
)
def test_a_sentence_has_a_capital_and_one_stop(text: str, found: str) -> None:
    assert sentence(text) == found


def chain(snapshot: Snapshot) -> Chain[int, int]:
    """Alien, by Scott, stars Weaver; who was born in New York, where the Yankees are, and studied at Yale."""

    def layer(name: str, way: str, fact: str) -> Layer[int, int]:
        return Layer(entity(name, snapshot), edge(way, snapshot), edge(fact, snapshot), 2, 2, 2, 1, 0)

    return (
        layer("Alien", "starring Sigourney_Weaver", "director Ridley_Scott"),
        layer("Sigourney_Weaver", "birthPlace New_York_City", "almaMater Yale_University"),
        layer("New_York_City", "<location New_York_Yankees", "<birthPlace Sigourney_Weaver"),
    )


def test_a_chain_told_at_every_depth(snapshot: Snapshot) -> None:
    told = tell(chain(snapshot), snapshot)
    assert told.hypernyms == ("film", "actor", "city", "baseball team")
    assert told.placeholders == ("Film A", "Actor B", "City C", "Baseball team D")
    assert told.closings == (
        "Actor B is Sigourney Weaver.",
        "City C is New York City.",
        "Baseball team D is the New York Yankees.",
    )
    assert questions(told) == (
        "What is Film A? Film A stars Actor B. Film A was directed by Ridley Scott. Actor B is Sigourney Weaver.",
        "What is Film A? Film A stars Actor B. Film A was directed by Ridley Scott. Actor B was born in City C."
        " Actor B studied at Yale University. City C is New York City.",
        "What is Film A? Film A stars Actor B. Film A was directed by Ridley Scott. Actor B was born in City C."
        " Actor B studied at Yale University. Baseball team D is located in City C."
        " Sigourney Weaver was born in City C. Baseball team D is the New York Yankees.",
    )
    assert question_text(told, 1) == questions(told)[0]


def test_a_person_is_asked_for_by_who(snapshot: Snapshot) -> None:
    assert tell(chain(snapshot)[1:], snapshot).question == "Who is Actor A?"


def test_letters_follow_the_chain() -> None:
    assert [placeholder("film", i) for i in range(6)] == [f"Film {letter}" for letter in "ABCDEF"]
    assert placeholder("TV show", 1) == "TV show B"


def test_a_name_keeps_the_bracket_that_tells_namesakes_apart(snapshot: Snapshot) -> None:
    assert spoken_name(entity("Cream_(band)", snapshot), snapshot) == "Cream (band)"
