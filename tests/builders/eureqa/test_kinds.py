"""Edges that make no sense are found by class, and by what an entity's other edges say."""

import pytest
from eureqa_small import edge, entity, small

from builders.eureqa.backend import Edge
from builders.eureqa.kinds import Kinds, kinds_of
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain, Layer
from loaders.records import Reason

GRAPH = """Alien director Scott
    Alien starring Weaver
    Aliens starring Weaver
    Jaws director Universal
    Universal distributor Jaws
    Alien distributor Universal
    Scott birthPlace Shields
    Pneumonia birthPlace Shields
    Scott deathCause Pneumonia
    Weaver deathCause Pneumonia
    Bush deathCause Pneumonia
    Clinton deathCause Pneumonia
    Nobody deathCause Pneumonia
    Bush predecessor Clinton
    Bush predecessor Texas
    Jaws fooBar Shields
    Ghost starring Nobody
    Ghost2 starring Nobody
    Ghost director Shields
    Somebody director Weaver
    Zoo owner Shields
    Anything basedOn Spirit
"""
TYPES = {
    "Film": "Alien Aliens Jaws",
    "Person": "Scott Weaver Bush Clinton",
    "Company": "Universal",
    "Settlement": "Shields",
    "AdministrativeRegion": "Texas",
    "Agent": "Spirit",
}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH, TYPES)


def layer(name: str, way: str, fact: str, snapshot: Snapshot) -> Layer[int, int]:
    edges: tuple[Edge[int, int], ...] = (edge(way, snapshot), edge(fact, snapshot))
    return Layer(entity(name, snapshot), *edges, 2, 2, 2, 1, 0)


def judged(*layers: tuple[str, str, str], snapshot: Snapshot) -> Reason | None:
    chain: Chain[int, int] = tuple(layer(*one, snapshot) for one in layers)
    return Kinds(snapshot).implausible_edge(chain)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Alien", {"work"}),
        ("Scott", {"person"}),
        ("Universal", {"organisation"}),
        ("Shields", {"place"}),
        ("Spirit", set()),  # an Agent may be anybody
        ("Ghost", {"work"}),  # no class: two films' relations, at which it is the subject
        ("Nobody", {"person"}),  # no class: stars twice, as actors, bands and dogs do, and died once
        ("Pneumonia", {"disease", "event", "idea"}),  # no class: many died of it, and one edge is wrong
    ],
)
def test_what_an_entity_may_be(snapshot: Snapshot, name: str, kinds: set[str]) -> None:
    assert kinds_of(entity(name, snapshot), snapshot) == kinds


@pytest.mark.parametrize(
    ("layers", "fault"),
    [
        ([("Alien", "director Scott", "starring Weaver")], None),
        ([("Jaws", "director Universal", "fooBar Shields")], "Universal as director of director"),
        ([("Universal", "<director Jaws", "distributor Jaws")], "Universal as director of director"),
        ([("Universal", "<distributor Alien", "distributor Jaws")], "Universal as film of distributor"),
        ([("Bush", "predecessor Clinton", "predecessor Texas")], "Bush and Texas at the ends of predecessor"),
        ([("Bush", "predecessor Clinton", "predecessor Clinton")], None),
        ([("Jaws", "fooBar Shields", "fooBar Shields")], None),  # nothing is known of the relation
        ([("Alien", "starring Weaver", "director Scott"), ("Ghost", "starring Nobody", "director Shields")],
         "Shields as director of director"),
        ([("Anything", "basedOn Spirit", "basedOn Spirit")], None),
        ([("Somebody", "director Weaver", "director Weaver")], None),
    ],
)  # fmt: skip
def test_an_edge_between_the_wrong_kinds_is_named(
    snapshot: Snapshot, layers: list[tuple[str, str, str]], fault: str | None
) -> None:
    found = judged(*layers, snapshot=snapshot)
    assert found == (Reason("implausible_edge", fault) if fault else None)


def test_the_lowest_telling_class_counts() -> None:
    snapshot = small("Java influenced Python\nOrc portrayer Ann", {"Language": "Java Python"})
    assert kinds_of(entity("Java", snapshot), snapshot) == {"language"}
