import re
from calendar import monthrange
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.genadv.values import MONTHS, ORDINALS, TENS, UNITS, WEEKDAYS, other_value, value_forms

seeds = st.integers(0, 10_000)
numbers = st.integers(0, 3_000_000)


def values(text: str, draws: int = 200) -> set[str]:
    return {other_value(text, Random(seed)) for seed in range(draws)}


@given(st.integers(1010, 2022), seeds)
def test_another_year_of_the_same_time_and_never_of_the_future(year: int, seed: int) -> None:
    other = int(other_value(str(year), Random(seed)))
    assert 3 <= abs(other - year) <= 9
    assert other <= 2030


def test_a_year_to_come_moves_back() -> None:
    assert all(int(value) < year for year in (2029, 2030) for value in values(str(year)))


def test_decades_stay_decades() -> None:
    assert all(re.fullmatch(r"\d{3}0s", value) for value in values("1960s"))
    decades = (1870, 1880, 1890, 1900, 1910, 1920, 1930, 1990, 2000, 2010, 2020)
    assert values("the 1960s") == {f"the {decade}s" for decade in decades}


def test_a_full_date_keeps_its_month_and_its_spelling() -> None:
    for value in values("14 May 1972"):
        found = re.fullmatch(r"(\d{1,2}) May (\d{4})", value)
        assert found is not None
        assert (int(found[1]), int(found[2])) != (14, 1972)
        assert int(found[1]) != 14
        assert int(found[2]) != 1972
    assert all(re.fullmatch(r"May \d{1,2}, 18[789]\d", value) for value in values("May 24, 1883"))
    assert all(re.fullmatch(r"AD \d{2,3}", value) for value in values("AD 79"))
    assert all(re.fullmatch(r"Summer 19\d\d", value) for value in values("Summer 1972"))


def test_a_month_or_weekday_alone_gives_another_one_in_its_case() -> None:
    assert values("March") == set(MONTHS) - {"March"}
    assert values("Monday") == set(WEEKDAYS) - {"Monday"}
    assert values("monday") == {day.lower() for day in WEEKDAYS} - {"monday"}


def test_words_give_words_of_their_class() -> None:
    assert values("six") == set(UNITS) - {"six"}
    assert values("Six") == {word.capitalize() for word in UNITS} - {"Six"}
    assert values("third") == set(ORDINALS) - {"third"}
    assert values("three hundred") == {f"{word} hundred" for word in UNITS} - {"three hundred"}
    tens_and_units = {f"{ten}-{unit}" for ten in TENS for unit in UNITS if ten != "forty" and unit != "six"}
    assert values("forty-six", 2000) == tens_and_units


def test_ordinals_in_digits_carry_their_own_ending() -> None:
    endings = {"10th", "11th", "12th", "13th", "14th", "15th", "16th", "17th", "18th", "20th", "21st", "22nd", "23rd"}
    assert values("19th") == endings | {"24th", "25th", "26th", "27th", "28th"}
    assert {"2nd", "3rd", "11th", "12th", "13th"} <= values("4th")
    assert values("160th") == {"96th", "112th", "128th", "192nd", "208th", "224th"}


def test_numbers_keep_commas_decimals_and_units() -> None:
    assert values("1,500") == {"900", "1,050", "1,200", "1,800", "1,950", "2,100"}
    assert all(re.fullmatch(r"\$\d+ million", value) for value in values("$5 million"))
    assert all(re.fullmatch(r"\d+\.\d\d", value) and not value.startswith("9.") for value in values("9.58"))
    assert values("7:30") == {f"{hour}:30" for hour in range(1, 12) if hour != 7}
    assert all(1 <= int(value) <= 31 for value in values("31"))


@pytest.mark.parametrize("text", ["today", "half", "noon", "several", "the day before", ""])
def test_what_carries_no_value_that_we_know_gives_nothing(text: str) -> None:
    assert values(text, 20) == {""}


@given(numbers, seeds)
def test_never_the_same_number(number: int, seed: int) -> None:
    for text in (str(number), f"{number:,}", f"{number}.25", f"{number} miles"):
        other = other_value(text, Random(seed))
        assert other
        assert other.replace(",", "").split(".")[0].split()[0] != str(number)


@given(st.text(st.characters(exclude_categories=["Cs", "No"]), max_size=40), seeds)
def test_any_text_is_taken_and_the_same_draw_gives_the_same_value(text: str, seed: int) -> None:
    one = other_value(text, Random(seed))
    assert one == other_value(text, Random(seed))
    assert one != text or not text


@pytest.mark.parametrize("text", ["10²", "①"])
def test_digits_that_are_no_number(text: str) -> None:
    assert other_value(text, Random(0)) != text


def test_forms_of_a_value_and_of_its_parts() -> None:
    assert value_forms("14 May 1972", "22 May 1965") == {"14 May 1972": "22 May 1965", "1972": "1965"}
    assert value_forms("six", "nine") == {"six": "nine", "6": "9"}
    assert value_forms("6", "9") == {"6": "9", "six": "nine"}
    assert value_forms("third", "fifth") == {"third": "fifth", "3rd": "5th"}
    assert value_forms("1914 to 1918", "1920 to 1923") == {
        "1914 to 1918": "1920 to 1923",
        "1914": "1920",
        "1918": "1923",
    }
    assert value_forms("20 players", "24 players") == {"20 players": "24 players"}


def test_another_day_exists_in_its_month() -> None:
    for text in ("28 February 1950", "25 April 1912"):
        for value in values(text):
            day, month, year = value.split()
            assert int(day) <= monthrange(int(year), MONTHS.index(month) + 1)[1], value


def test_a_span_of_years_ends_after_it_begins() -> None:
    for value in values("1939-1945"):
        first, last = map(int, value.split("-"))
        assert first < last, value


def test_a_century_is_none_of_the_future() -> None:
    assert all(int(value[:2]) <= 21 for value in values("19th century"))


def test_a_year_keeps_four_digits() -> None:
    assert all(len(value) == 4 for value in values("1005"))


def test_spelled_ordinals_beyond_twelfth() -> None:
    assert values("nineteenth", 5) != {""}


def test_the_word_of_a_number_changes_whatever_the_new_number_is() -> None:
    assert "twelve" in value_forms("12", "20")
    assert "third" in value_forms("3rd", "5th")
