import pytest

from builders.genadv.cues import asked_type, asks_who, types_around


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who was the father of akbar", "PERSON"),
        ("Who wrote Dracula?", "PERSON"),
        ("and who won?", "PERSON"),
        ("In what city was Niels Bohr born?", "GPE"),
        ("what country was simon bolivar born in?", "GPE"),
        ("which river flows through the middle of budapest", "LOC"),
        ("What island did Napoleon die on?", "LOC"),
        ("what college did alan turing study at?", "ORG"),
        ("Which football club won?", "ORG"),
        ("Which Norwegian playwright wrote it?", "PERSON"),
        ("Which Dutch sea captain reached Tasmania?", "PERSON"),
        ("Which 1954 film did he direct?", "WORK_OF_ART"),
        ("when did the brooklyn bridge open", ""),
        ("What is Rosalind Franklin's occupation?", ""),
        ("how many moons has mars", ""),
        ("where is whoville", ""),
    ],
)
def test_the_type_that_a_question_asks_for(question: str, expected: str) -> None:
    assert asked_type(question) == expected


def test_who_stands_at_the_beginning() -> None:
    assert asks_who("who led it")
    assert asks_who("So who led it?")
    assert not asks_who("the man who led it")
    assert not asks_who("whose hat is it")


def around(text: str, name: str) -> set[str]:
    start = text.index(name)
    return set(types_around(text, start, start + len(name)))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Maria was born in Delft.", "Maria", {"PERSON"}),
        ("Maria was born in Delft.", "Delft", {"GPE"}),
        ("It was played by Maria.", "Maria", {"PERSON"}),
        ("The capital of Sicily is Palermo.", "Sicily", {"GPE"}),
        ("Maria was the director of Ordet.", "Ordet", {"WORK_OF_ART"}),
        ("Maria was the director of Ordet.", "Maria", {"PERSON"}),
        ("Danube flows through Budapest.", "Budapest", set()),
        ("Maria", "Maria", set()),
    ],
)
def test_the_types_that_the_words_around_a_name_speak_for(text: str, name: str, expected: set[str]) -> None:
    assert around(text, name) == expected
