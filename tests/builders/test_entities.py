from types import SimpleNamespace
from typing import Any

import pytest

from builders.entities import (
    EMBEDDED_PIPELINE,
    Mention,
    find_mentions,
    load_pipeline,
    majority_types,
    mentions,
    pipeline_identity,
    plain_text,
    pool_names,
    usable_name,
)
from loaders.errors import MissingExtraError


def parsed(text: str, *tags: tuple[str, str]) -> Any:
    entities = [
        SimpleNamespace(text=name, label_=kind, start_char=text.index(name), end_char=text.index(name) + len(name))
        for name, kind in tags
    ]
    return SimpleNamespace(ents=entities)


@pytest.mark.parametrize(
    ("text", "tagged", "expected"),
    [
        ("saw the Baltic Sea's coast", "the Baltic Sea's", "Baltic Sea"),
        ("saw “The Wall” there", "“The Wall”", "Wall"),
        ("saw an Oslo, there", "an Oslo,", "Oslo"),
        ("saw a the Rhine", "a the Rhine", "Rhine"),
        ("saw (Oslo) there", "(Oslo)", "Oslo"),
        ("saw St. John's there", "St. John's", "St. John"),
        ("saw Rhine there", "Rhine", "Rhine"),
        ("saw Yes! there", "Yes!", "Yes!"),
    ],
)
def test_edges_are_no_part_of_a_name(text: str, tagged: str, expected: str) -> None:
    (found,) = mentions(parsed(text, (tagged, "LOC")))
    assert found.text == expected == text[found.start : found.end]
    assert found.type == "LOC"


def test_a_mention_of_edges_alone_is_none() -> None:
    assert mentions(parsed("saw the “ ” there", ("“ ”", "ORG"))) == ()


def test_the_most_frequent_type_counts_and_a_tie_goes_by_name() -> None:
    found = [Mention("Rhine", kind, 0, 5) for kind in ("ORG", "LOC", "LOC", "GPE")]
    tie = [Mention("Oslo", kind, 0, 4) for kind in ("PERSON", "GPE", "PERSON", "GPE")]
    assert majority_types([*found, *tie]) == {"Rhine": "LOC", "Oslo": "GPE"}
    assert majority_types([*reversed(tie), *found]) == {"Rhine": "LOC", "Oslo": "GPE"}
    assert majority_types([]) == {}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (" = Robert Boulter = ", "Robert Boulter"),
        (" = = Early life = = ", "Early life"),
        (" a well @-@ known 1 @,@ 500 @.@ 5 m film ", "a well-known 1,500.5 m film"),
        (" He said , that it 's good ; it did n't rain . ", "He said, that it's good; it didn't rain."),
        (" The city ( of old ) lies [ there ] ! ", "The city (of old) lies [there]!"),
        (" the <unk> of Oslo ", "the <unk> of Oslo"),
        ("", ""),
        ("It was plain before (or so).", "It was plain before (or so)."),
    ],
)
def test_wikitext_as_prose(line: str, expected: str) -> None:
    assert plain_text(line) == expected


@pytest.mark.parametrize(
    ("text", "kind", "usable"),
    [
        ("Ada Byron", "PERSON", True),
        ("Ada King Byron", "PERSON", True),
        ("Jørn Utzon", "PERSON", True),
        ("Jean-Luc O’Neill", "PERSON", True),
        ("Byron", "PERSON", False),
        ("Ada van Byron", "PERSON", False),
        ("Ada Anne King Byron", "PERSON", False),
        ("Ada B.", "PERSON", False),
        ("Oslo", "GPE", True),
        ("Village", "GPE", False),
        ("Bank of Oslo", "ORG", True),
        ("Village Bank", "ORG", True),
        ("the bank", "ORG", False),
        ("A B C D E F Gg", "ORG", False),
        ("Apollo 11", "PRODUCT", False),
        ("<unk> Oslo", "GPE", False),
        ("1901", "DATE", False),
        ("X", "ORG", False),
    ],
)
def test_names_that_can_stand_for_others(text: str, kind: str, usable: bool) -> None:
    assert usable_name(Mention(text, kind, 0, len(text)), {"village", "bank"}) is usable


def test_pool_names_are_sorted_and_typed_by_majority() -> None:
    found = [
        *(Mention("Turku", kind, 0, 5) for kind in ("GPE", "PERSON", "GPE")),
        Mention("Oslo", "GPE", 0, 4),
        Mention("Bank of Oslo", "ORG", 0, 12),
        Mention("Ring", "GPE", 0, 4),
        Mention("1901", "DATE", 0, 4),
    ]
    assert pool_names(found, {"ring"}) == {"GPE": ["Oslo", "Turku"], "ORG": ["Bank of Oslo"]}


def test_a_pipeline_that_is_not_there_names_what_installs_it() -> None:
    with pytest.raises(MissingExtraError, match="python -m spacy download en_core_web_nowhere"):
        load_pipeline("en_core_web_nowhere")


@pytest.mark.model
def test_the_embedded_pipeline() -> None:
    nlp, light = load_pipeline(EMBEDDED_PIPELINE), load_pipeline(EMBEDDED_PIPELINE, for_documents=True)
    assert load_pipeline(EMBEDDED_PIPELINE) is nlp
    assert pipeline_identity(nlp) == pipeline_identity(light)
    assert pipeline_identity(nlp).startswith("spacy:en_core_web_sm")
    assert "parser" in nlp.pipe_names
    assert not {"parser", "tagger", "lemmatizer"} & set(light.pipe_names)
    texts = ["Albert Einstein moved to Berlin in 1914.", "", "Angela Merkel met Barack Obama in Berlin. They spoke."]
    found = [[(m.text, m.type) for m in each] for each in find_mentions(texts, light)]
    assert found[0] == [("Albert Einstein", "PERSON"), ("Berlin", "GPE"), ("1914", "DATE")]
    assert found[1] == []
    assert ("Berlin", "GPE") in found[2]
    assert len(list(light(texts[2]).sents)) == 2
