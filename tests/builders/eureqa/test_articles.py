"""Names as they stand in a sentence."""

import pytest

from builders.eureqa.articles import in_sentence, indefinite, is_plural

NONE: frozenset[str] = frozenset()


def kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("label", "noun", "kind", "spoken"),
    [
        ("United States", "country", "place", "the United States"),
        ("United States Virgin Islands", "country", "place", "the United States Virgin Islands"),
        ("Netherlands", "country", "place", "the Netherlands"),
        ("France", "country", "place", "France"),
        ("Vatican City", "country", "place", "Vatican City"),
        ("Ottoman Empire", "country", "place", "the Ottoman Empire"),
        ("Kingdom of Hungary (1526–1867)", "country", "place", "the Kingdom of Hungary (1526–1867)"),
        ("The Bahamas", "country", "place", "The Bahamas"),
        ("River Thames", "river", "place", "the River Thames"),
        ("Danube", "river", "place", "the Danube"),
        ("English Channel", "body of water", "place", "the English Channel"),
        ("Southend-on-Sea", "town", "place", "Southend-on-Sea"),
        ("Lake Erie", "lake", "place", "Lake Erie"),
        ("Golden Gate Bridge", "place", "place", "the Golden Gate Bridge"),
        ("Tower Bridge", "building", "place", "Tower Bridge"),
        ("Adirondack Mountains", "mountain range", "place", "the Adirondack Mountains"),
        ("London Borough of Tower Hamlets", "place", "place", "the London Borough of Tower Hamlets"),
        ("University of Bologna", "university", "organisation", "the University of Bologna"),
        ("Yale University", "university", "organisation", "Yale University"),
        ("Massachusetts Institute of Technology", "university", "organisation", "the Massachusetts Institute of Technology"),  # noqa: E501
        ("Phillips Exeter Academy", "school", "organisation", "Phillips Exeter Academy"),
        ("American Broadcasting Company", "television network", "organisation", "the American Broadcasting Company"),
        ("The Walt Disney Company", "company", "organisation", "The Walt Disney Company"),
        ("Bad Company", "band", "organisation", "Bad Company"),
        ("Warner Bros.", "company", "organisation", "Warner Bros."),
        ("Democratic Party (United States)", "political party", "organisation", "the Democratic Party (United States)"),
        ("Fine Gael", "political party", "organisation", "Fine Gael"),
        ("Catholic Church", "religion", "organisation", "the Catholic Church"),
        ("Wehrmacht", "military unit", "organisation", "the Wehrmacht"),
        ("United States Department of Defense", "agency", "organisation", "the United States Department of Defense"),
        ("New York Yankees", "baseball team", "organisation", "the New York Yankees"),
        ("Miami Heat", "basketball team", "organisation", "the Miami Heat"),
        ("Real Madrid Baloncesto", "basketball team", "organisation", "Real Madrid Baloncesto"),
        ("Arsenal F.C.", "football club", "organisation", "Arsenal F.C."),
        ("Brazil national football team", "football club", "organisation", "the Brazil national football team"),
        ("Premier League", "football league", "organisation", "the Premier League"),
        ("Major League Soccer", "football league", "organisation", "Major League Soccer"),
        ("La Liga", "football league", "organisation", "La Liga"),
        ("American Civil War", "war", "event", "the American Civil War"),
        ("World War II", "war", "event", "World War II"),
        ("War of the Spanish Succession", "war", "event", "the War of the Spanish Succession"),
        ("Operation Overlord", "war", "event", "Operation Overlord"),
        ("1984 Summer Olympics", "sports event", "event", "the 1984 Summer Olympics"),
        ("Academy Award for Best Actor", "award", "award", "the Academy Award for Best Actor"),
        ("Palme d'Or", "award", "award", "the Palme d'Or"),
        ("French language", "language", "language", "the French language"),
        ("Yiddish", "language", "language", "Yiddish"),
        ("Euro", "currency", "currency", "the euro"),
        ("Swiss franc", "currency", "currency", "the Swiss franc"),
        ("The Boardwalk Empire", "television series", "work", "The Boardwalk Empire"),
        ("Boardwalk Empire", "television series", "work", "Boardwalk Empire"),
        ("Charlie Wilson's War", "film", "work", "Charlie Wilson's War"),
        ("A River Runs Through It", "film", "work", "A River Runs Through It"),
        ("Germans", "ethnic group", "people", "Germans"),
        ("Blues rock", "music genre", "genre", "blues rock"),
        ("K-pop", "music genre", "genre", "K-pop"),
        ("UK garage", "music genre", "genre", "UK garage"),
        ("Latin jazz", "music genre", "genre", "Latin jazz"),
        ("American folk music", "music genre", "genre", "American folk music"),
        ("Alzheimer's disease", "disease", "disease", "Alzheimer's disease"),
        ("Cardiac arrest", "cause of death", "idea", "cardiac arrest"),
        ("Actor", "occupation", "job", "an actor"),
        ("Film director", "occupation", "job", "a film director"),
        ("Forward (association football)", "position", "job", "a forward (association football)"),
        ("Unionist", "occupation", "job", "a unionist"),
        ("Guitar", "instrument", "device", "guitar"),
        ("Metaphysics", "subject", "idea", "metaphysics"),
        ("Ann Archer", "actor", "person", "Ann Archer"),
    ],
)  # fmt: skip
def test_a_name_in_a_sentence(label: str, noun: str, kind: str, spoken: str) -> None:
    assert in_sentence(label, noun, kinds(kind)) == spoken


def test_of_what_nothing_is_known_the_name_stays_as_it_is() -> None:
    assert in_sentence("Grand Canal", "thing", NONE) == "Grand Canal"


@pytest.mark.parametrize(
    ("label", "noun", "plural"),
    [
        ("Germans", "ethnic group", True),
        ("Overseas Chinese", "ethnic group", True),
        ("Chicago Bulls", "basketball team", True),
        ("Miami Heat", "basketball team", False),
        ("The Beatles", "band", True),
        ("Genesis (band)", "band", False),
        ("Queens of the Stone Age", "band", False),
        ("Reservoir Dogs", "film", False),
        ("Netherlands", "country", False),
    ],
)
def test_the_number_of_a_name(label: str, noun: str, plural: bool) -> None:
    assert is_plural(label, noun) is plural


def test_a_or_an() -> None:
    words = "actor engineer editor umpire unionist European one-man hour guitarist".split()
    assert [indefinite(word) for word in words] == ["an", "an", "an", "an", "a", "a", "a", "an", "a"]
