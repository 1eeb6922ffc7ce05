"""Verb forms, regular and irregular."""

import pytest

from builders.grammar.inflect import past, plural_form, third_person


@pytest.mark.parametrize(
    ("base", "form"),
    [
        ("sink", "sank"), ("begin", "began"), ("get", "got"), ("lie", "lay"), ("put", "put"), ("found", "founded"),
        ("play", "played"), ("carry", "carried"), ("stop", "stopped"), ("visit", "visited"), ("refer", "referred"),
        ("open", "opened"), ("die", "died"), ("panic", "panicked"), ("fix", "fixed"), ("need", "needed"),
        ("broadcast", "broadcast"), ("sank", "sank"), ("died", "died"), ("agree", "agreed"), ("quit", "quit"),
    ],
)  # fmt: skip
def test_past(base: str, form: str) -> None:
    assert past(base) == form


@pytest.mark.parametrize(
    ("base", "form"),
    [
        ("play", "plays"), ("carry", "carries"), ("watch", "watches"), ("go", "goes"), ("do", "does"), ("have", "has"),
        ("are", "is"), ("were", "was"), ("pass", "passes"), ("fix", "fixes"), ("use", "uses"), ("teach", "teaches"),
        ("die", "dies"),
    ],
)  # fmt: skip
def test_third_person_and_back(base: str, form: str) -> None:
    assert third_person(base) == form
    assert plural_form(form) == base
