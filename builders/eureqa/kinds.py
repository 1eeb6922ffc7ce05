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


class Kinds:
    """What the entities of a snapshot may be, each looked up once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[int, frozenset[str]] = {}

    def __getitem__(self, entity: int) -> frozenset[str]:
        """Return an entity's kinds, by its class or else by what most of its edges say; empty for anything."""
        if entity not in self._known:
            self._known[entity] = self._look_up(entity)
        return self._known[entity]

    def _look_up(self, entity: int) -> frozenset[str]:
        numbers, classes = self._snapshot.class_numbers, self._snapshot.classes
        number = int(classes.of[entity])
        if number < 0:
            return allowed(hypernym(entity, self._snapshot))
        above = [(numbers[name], name) for name in ROOTS if numbers.get(name, number + 1) <= number]
        found = [(place, name) for place, name in above if number < int(classes.last[place])]
        return frozenset({ROOTS[max(found)[1]] if found else OTHER})

    def implausible_edge(self, chain: Chain[int, int]) -> Reason | None:
        """Reject a chain with an edge of which an end is of a kind that the relation cannot have there."""
        edges = ((layer.entity, edge) for layer in chain for edge in (layer.edge, layer.fact))
        fault = next((fault for entity, edge in edges if (fault := self._fault(entity, edge))), "")
        return Reason("implausible_edge", fault) if fault else None

    def _fault(self, entity: int, edge: Edge[int, int]) -> str:
        known = table().get(local_name(self._snapshot.relations[edge.relation]))
        if known is None:
            return ""
        ends = {edge.direction: entity, 1 - edge.direction: edge.other}
        for direction, noun in ((OUT, known.subject), (IN, known.object)):
            found, fine = self[ends[direction]], allowed(noun)
            if found and fine and not found & fine:
                return f"{self._snapshot.labels[ends[direction]]} as {noun} of {known.relation}"
        return ""
