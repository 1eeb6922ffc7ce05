"""Whether an edge makes sense: real extracts say that a company directed a film, and the ontology knows better."""

from collections.abc import Mapping
from functools import cache

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.hypernyms import hypernym
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain
from loaders.records import Reason

PERSON, PLACE, WORK, GROUP, OTHER = "person", "place", "work", "group", "other"
# The classes that tell kinds apart; all others below the root are `other`.
ROOTS = {
    "Person": PERSON,
    "Place": PLACE,
    "Work": WORK,
    "Organisation": GROUP,
    "EthnicGroup": OTHER,
    "FictionalCharacter": OTHER,
}
# What may stand where the table has a noun; a noun that is not listed is `other`, `thing` is anything.
NOUNS: Mapping[frozenset[str], str] = {
    frozenset({PERSON}): """person actor adviser animator architect athlete choreographer cinematographer coach composer
        director editor illustrator manager monarch narrator philosopher politician presenter saint scientist singer
        songwriter trainer wrestler military-person film-editor""",
    frozenset({PERSON, GROUP}): """artist author band creator designer developer founder musician occupation owner
        producer publisher writer""",
    frozenset({GROUP}): """agency air-force airline alliance armed-force channel church company constituency council
        league military-unit network organisation parliament chamber political-party radio-station record-label
        sports-league sports-team""",
    frozenset({GROUP, PLACE}): "college school university museum place-of-work",
    frozenset({WORK}): """album anthem book film series software song television-series video-game work work-of-art
        object-of-art operating-system""",
    frozenset({PLACE}): """airport archipelago body-of-water bridge building canton city country county department
        district island launch-site mountain mountain-range municipality place province region river road stadium
        state town wine-region""",
}


@cache
def allowed(noun: str) -> frozenset[str]:
    """Return the kinds that a noun of the table may be; empty for anything."""
    if noun == "thing":
        return frozenset()
    word = noun.replace(" ", "-")
    return next((kinds for kinds, nouns in NOUNS.items() if word in nouns.split()), frozenset({OTHER}))


def kinds_of(entity: int, snapshot: Snapshot) -> frozenset[str]:
    """Return what an entity may be by its class, else by what most of its edges say; empty where nothing is known."""
    number = int(snapshot.classes.of[entity])
    if number < 0:
        return allowed(hypernym(entity, snapshot))
    found = [
        (above, name)
        for name in ROOTS
        if (above := _number(snapshot, name)) >= 0 and above <= number < int(snapshot.classes.last[above])
    ]
    return frozenset({ROOTS[max(found)[1]] if found else OTHER})


def _number(snapshot: Snapshot, name: str) -> int:
    return snapshot.class_numbers.get(name, -1)


def implausible_edge(chain: Chain[int, int], snapshot: Snapshot) -> Reason | None:
    """Reject a chain with an edge of which an end is of a kind that the relation cannot have there."""
    for layer in chain:
        for edge in (layer.edge, layer.fact):
            if fault := _fault(layer.entity, edge, snapshot):
                return Reason("implausible_edge", fault)
    return None


def _fault(entity: int, edge: Edge[int, int], snapshot: Snapshot) -> str:
    known = table().get(local_name(snapshot.relations[edge.relation]))
    if known is None:
        return ""
    nouns = {edge.direction: entity, 1 - edge.direction: edge.other}
    for direction, noun in ((OUT, known.subject), (IN, known.object)):
        found, fine = kinds_of(nouns[direction], snapshot), allowed(noun)
        if found and fine and not found & fine:
            return f"{snapshot.labels[nouns[direction]]} as {noun} of {known.relation}"
    return ""
