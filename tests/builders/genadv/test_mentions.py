import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders.genadv.mentions import Renaming, Rewriter

BOHR = Rewriter((Renaming("Niels Bohr", "PERSON", "Alan Mercer"),))


def rewriter(name: str, kind: str, new: str, *aliases: str, common: str = "") -> Rewriter:
    return Rewriter((Renaming(name, kind, new, aliases),), frozenset(common.split()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Niels Bohr was born.", "Alan Mercer was born."),
        ("It was Bohr who spoke.", "It was Mercer who spoke."),
        ("Niels spoke.", "Mercer spoke."),
        ("Niels Henrik David Bohr spoke.", "Alan Mercer spoke."),
        ("Sir Niels Bohr and Professor Bohr", "Sir Alan Mercer and Professor Mercer"),
        ("Mr. Bohr, (Bohr) and “Bohr”", "Mr. Mercer, (Mercer) and “Mercer”"),
        ("Bohr's model, Niels Bohr’s model", "Mercer's model, Alan Mercer’s model"),
        ("the Bohr-Einstein debates", "the Mercer-Einstein debates"),
        ("Niels\n Bohr", "Alan Mercer"),
        ("the Niels Bohr Institute", "the Alan Mercer Institute"),
        ("NIELS BOHR", "Alan Mercer"),
    ],
)
def test_every_mention_of_a_person(text: str, expected: str) -> None:
    assert BOHR.rewrite(text) == expected
    assert BOHR.mentioned(text)
    assert BOHR.left(expected) == []


@pytest.mark.parametrize("text", ["Bohrium is heavy.", "Nielsen drew it.", "He spoke.", "", "bohr"])
def test_what_is_no_mention_stays(text: str) -> None:
    assert BOHR.rewrite(text) == text
    assert not BOHR.mentioned(text)


def test_aliases_read_under_the_new_name() -> None:
    bolt = rewriter("Usain Bolt", "PERSON", "Carl Lewis", "Lightning Bolt", "Bolt", "Usain St Leo Bolt")
    text = "Lightning Bolt, Usain St Leo Bolt, Bolt and Usain Bolt ran like a bolt."
    assert bolt.rewrite(text) == "Carl Lewis, Carl Lewis, Lewis and Carl Lewis ran like a bolt."
    city = rewriter("Copenhagen", "GPE", "Oslo", "København")
    assert city.rewrite("København is the Copenhagen of old") == "Oslo is the Oslo of old"


def test_acronyms_become_acronyms() -> None:
    society = rewriter("Royal Astronomical Society", "ORG", "Imperial Cancer Fund")
    assert society.rewrite("The RAS met; RAS's hall") == "The ICF met; ICF's hall"
    assert rewriter("World Trade Body", "ORG", "Oxfam").rewrite("the WTB") == "the Oxfam"
    assert rewriter("Lake Bled", "LOC", "Lake Como").rewrite("the LB") == "the LB"  # two letters stand for too much


def test_words_and_runs_of_a_longer_name() -> None:
    society = rewriter("Royal Astronomical Society", "ORG", "Imperial Cancer Fund")
    assert society.rewrite("the Astronomical Society met") == "the Imperial Cancer Fund met"
    assert society.rewrite("the Royal Society and the Society") == "the Royal Society and the Society"
    lake = rewriter("Lake Bled", "LOC", "Lake Como")
    assert lake.rewrite("He left. Bled is a town by the Lake.") == "He left. Lake Como is a town by the Lake."
    treaty = rewriter("Treaty of Rome", "LAW", "Pact of Munich")
    assert treaty.rewrite("The Treaty of Rome; Rome fell") == "The Pact of Munich; Rome fell"
    assert treaty.left("Rome fell") == []


def test_a_part_of_a_name_inside_another_name_is_no_mention() -> None:
    lake = rewriter("Lake Bled", "LOC", "Lake Como")
    text = "Bled Castle and Old Bled"
    assert lake.rewrite(text) == text
    assert lake.left(text) == []
    assert lake.left("in Bled itself") == ["Bled"]


def test_a_surname_counts_inside_another_name() -> None:
    assert BOHR.rewrite("his brother Harald Bohr") == "his brother Harald Mercer"
    assert BOHR.left("his brother Harald Bohr") == ["Bohr"]


def test_no_replacement_is_replaced_again() -> None:
    chain = (Renaming("Rome", "GPE", "Paris"), Renaming("Paris", "GPE", "Lyon"), Renaming("Lyon", "GPE", "Rome"))
    for order in (chain, chain[::-1]):
        assert Rewriter(order).rewrite("Rome, Paris, Lyon and Rome") == "Paris, Lyon, Rome and Paris"


def test_of_two_entities_the_longer_mention_counts() -> None:
    both = Rewriter((Renaming("York", "GPE", "Ely"), Renaming("New York City", "GPE", "Great Boston")))
    assert both.rewrite("from York to New York City") == "from Ely to Great Boston"


def test_articles_follow_the_new_name() -> None:
    oslo = rewriter("Copenhagen", "GPE", "Oslo")
    assert oslo.rewrite("a Copenhagen museum. A Copenhagen man") == "an Oslo museum. An Oslo man"
    berlin = rewriter("Oslo", "GPE", "Berlin")
    assert berlin.rewrite("an Oslo museum. An Oslo man") == "a Berlin museum. A Berlin man"
    assert berlin.rewrite("data Oslo, banana Oslo") == "data Berlin, banana Berlin"


def test_an_article_that_belongs_to_the_name_goes_with_it() -> None:
    play = rewriter("A Doll's House", "WORK_OF_ART", "The White Guard")
    assert play.rewrite("Ibsen wrote A Doll's House.") == "Ibsen wrote The White Guard."


def test_values_change_in_full_and_by_their_year() -> None:
    date = rewriter("14 May 1972", "DATE", "22 May 1965")
    assert date.rewrite("On 14 May 1972, or 14 MAY 1972; in 1972") == "On 22 May 1965, or 22 May 1965; in 1965"
    assert date.left("in 1972") == ["1972"]
    assert date.left("on 14 May") == []
    assert rewriter("six", "CARDINAL", "nine").rewrite("all six, or 6, not sixteen") == "all nine, or 9, not sixteen"


def test_generic_and_ordinary_words_tell_nothing() -> None:
    union = rewriter("United Kingdom", "GPE", "France")
    assert union.rewrite("the United States and the Kingdom") == "the United States and the Kingdom"
    assert union.left("the United States and the Kingdom") == []
    bridge = rewriter("Golden Bridge", "FAC", "Iron Gate", common="golden")
    assert bridge.left("Golden leaves") == []
    assert rewriter("Golden Bridge", "FAC", "Iron Gate").left("in Golden now") == ["Golden"]


def test_a_word_that_the_new_name_shares_is_not_left() -> None:
    shared = Rewriter((Renaming("Niels Bohr", "PERSON", "Aage Petersen"), Renaming("Oslo", "GPE", "Bohr")))
    assert shared.left("in Bohr") == []


def test_without_renamings_a_text_stays() -> None:
    assert Rewriter(()).rewrite("Niels Bohr") == "Niels Bohr"
    assert Rewriter(()).left("Niels Bohr") == []


names = st.sampled_from(["Zorvath", "Quimble", "Jexter", "Wyndor", "Fulgrim", "Ostrane", "Belvoir", "Tarkand"])
forms = st.sampled_from(["{0} {1}", "{1}", "{0}", "{1}'s", "{0} {1}’s", "Dr {1}", "{0} K. {1}", "{0} {1}-like"])
lower = st.text("abcdefghijklm ,.;-", max_size=20)


@given(names, names, names, names, st.lists(st.tuples(lower, forms), max_size=6), lower)
def test_no_word_of_the_old_name_stands_where_nothing_is_left(
    given: str, last: str, new_given: str, new_last: str, pieces: list[tuple[str, str]], end: str
) -> None:
    assume(len({given, last, new_given, new_last}) == 4)
    person = rewriter(f"{given} {last}", "PERSON", f"{new_given} {new_last}")
    text = " ".join(f"{before} {form.format(given, last)}" for before, form in pieces) + f" {end}"
    written = person.rewrite(text)
    assert person.left(written) == []
    assert not re.search(rf"\b(?:{given}|{last})\b", written)
    assert person.rewrite(written) == written
    assert person.mentioned(text) == bool(pieces)


@given(st.text("abcdefghijklm ABNR.,'’-0123456789\n", max_size=80))
def test_a_text_without_mentions_comes_out_as_it_went_in(text: str) -> None:
    two = Rewriter((Renaming("Zorvath Quimble", "PERSON", "Niels Bohr"), Renaming("Ostrane", "GPE", "Lyon")))
    assert two.rewrite(text) == text
    assert two.left(text) == []


@pytest.mark.parametrize(
    ("old", "kind", "new", "text", "expected"),
    [
        pytest.param("Frozen", "WORK_OF_ART", "Kagemusha", "the frozen lake", "the frozen lake", id="ordinary word"),
        pytest.param("six", "CARDINAL", "nine", "Six men ran.", "Nine men ran.", id="capital at the start"),
        pytest.param("six", "CARDINAL", "nine", "sixty-six men", "sixty-six men", id="part of another number"),
        pytest.param("Tom Hope", "PERSON", "Al Ray", "Bob Hope", "Bob Ray", id="a relative changes along"),
        pytest.param("Tom Lawrence", "GPE", "Oslo", "T. E. Lawrence", "T. E. Lawrence", id="initials before a part"),
        pytest.param("Michael Jackson", "PERSON", "Tom Petty", "Michael Jordan", "Michael Jordan", id="given name"),
        pytest.param("Niels Bohr", "PERSON", "Alan Ray", "Bohr, Niels", "Ray, Alan", id="surname first"),
        pytest.param("Niels Bohr", "PERSON", "Alan Ray", "BOHR", "RAY", id="surname in capitals"),
        pytest.param(
            "A Doll's House", "WORK_OF_ART", "Rigoletto", "A Doll’s House", "Rigoletto", id="curly apostrophe"
        ),
        pytest.param("Berlin", "GPE", "Uppsala", "a Berlin bar", "an Uppsala bar", id="an before U"),
    ],
)
def test_mentions_that_look_alike(old: str, kind: str, new: str, text: str, expected: str) -> None:
    assert rewriter(old, kind, new).rewrite(text) == expected


def test_a_country_changes_with_its_other_names_and_adjectives() -> None:
    one = rewriter("United Kingdom", "GPE", "France")
    text = "The United Kingdom, or UK, has a British king; Great Britain is an island."
    assert one.rewrite(text) == "The France, or France, has a French king; France is an island."
