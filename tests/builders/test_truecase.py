"""Case restored from context: names as the texts write them, nothing raised by a sentence start."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.truecase import restore_case

NOBEL = (
    "List of Nobel laureates in Physics",
    "The first Nobel Prize in Physics was awarded in 1901. Physics was a young field, and the physics of rays was new. "
    "Wilhelm Röntgen received the Nobel Prize in Physics for the rays.",
)
FILM = (
    "Back to the Future",
    "Michael J. Fox played Marty in the film. It made $388 million, and the film won an Oscar.",
)


@pytest.mark.parametrize(
    ("question", "context", "expected"),
    [
        ("who got the first nobel prize in physics", NOBEL, "who got the first Nobel Prize in Physics"),
        ("what is the physics of rays", NOBEL, "what is the physics of rays"),
        ("who played marty in back to the future", FILM, "who played Marty in Back to the Future"),
        ("when did the film win an oscar", FILM, "when did the film win an Oscar"),
        ("what is croquet", ("Croquet", "Croquet is a sport. In croquet, balls are struck."), "what is croquet"),
        ("who won the world record", ("", "She went to the World Cup final."), "who won the world record"),
        ("how did nasa start", ("", "NASA began in 1958."), "how did NASA start"),
        ("who is smith", ("", "Later, Smith moved to York."), "who is Smith"),
        ("can i go to paris", (), "can I go to paris"),
        ("who wrote Emma", ("", "the WHO wrote EMMA"), "who wrote Emma"),
        (
            "when did the us enter the war",
            ("", "Let us see. In 1917 the US joined, and the US won."),
            "when did the US enter the war",
        ),
    ],
)
def test_case_comes_from_the_context(question: str, context: tuple[str, ...], expected: str) -> None:
    assert restore_case(question, context) == expected


@given(st.text(), st.lists(st.text(), max_size=4))
def test_only_case_changes(question: str, context: list[str]) -> None:
    assert restore_case(question, context).lower() == question.lower()


@given(st.text().filter(lambda text: text != text.lower()), st.lists(st.text(), max_size=3))
def test_mixed_case_stays(question: str, context: list[str]) -> None:
    assert restore_case(question, context) == question
