"""Whether an edge makes sense: real extracts say that a company directed a film, and the ontology knows better."""

from collections.abc import Mapping

from builders.eureqa.backend import IN, OUT, Edge
from builders.eureqa.hypernyms import likely_kinds
from builders.eureqa.nouns import kinds
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain
from loaders.records import Reason

# The classes that tell kinds apart, the lowest one of an entity counts; all others are ideas, Agent and Thing anything.
ROOTS: Mapping[str, str] = {
    "Activity": "sport",
    "Award": "award",
    "CelestialBody": "star",
    "Colour": "colour",
    "Currency": "currency",
    "Deity": "character",
    "Device": "device",
    "Disease": "disease",
    "EthnicGroup": "people",
    "Event": "event",
    "FictionalCharacter": "character",
    "Food": "food",
    "Genre": "genre",
    "Holiday": "event",
    "Language": "language",
    "MeanOfTransportation": "device",
    "Organisation": "organisation",
    "Person": "person",
    "PersonFunction": "job",
    "Place": "place",
    "ProgrammingLanguage": "work",
    "Species": "species",
    "SportsSeason": "event",
    "TimePeriod": "time",
    "Work": "work",
}
ANYTHING = frozenset({"Agent", "Thing"})


class Kinds:
    """What the entities of a snapshot may be, each looked up once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[int, frozenset[str]] = {}

    def __getitem__(self, entity: int) -> frozenset[str]:
        """Return an entity's kinds, by its class or else by what most of its edges say; empty for anything."""
        if entity not in self._known:
            self._known[entity] = kinds_of(entity, self._snapshot)
        return self._known[entity]

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
            found, fine = self[ends[direction]], kinds(noun)
            if found and fine and not found & fine:
                return f"{self._snapshot.labels[ends[direction]]} as {noun} of {known.relation}"
        # What came before a person was a person, and before a company no battle.
        alike = known.subject == known.object and all(self[end] for end in ends.values())
        if alike and not self[entity] & self[edge.other]:
            labels = [self._snapshot.labels[end] for end in (entity, edge.other)]
            return f"{labels[0]} and {labels[1]} at the ends of {known.relation}"
        return ""


def kinds_of(entity: int, snapshot: Snapshot) -> frozenset[str]:
    """Return what an entity may be: what the lowest telling class above it says, else what its relations say."""
    classes = snapshot.classes
    number = int(classes.of[entity])
    if number < 0:
        return likely_kinds(entity, snapshot)
    if snapshot.class_names[number] in ANYTHING:
        return frozenset()
    above = [place for place in range(number + 1) if number < int(classes.last[place])]
    telling = [ROOTS[name] for place in above if (name := snapshot.class_names[place]) in ROOTS]
    if not telling and len(above) == 1:  # nothing is known of its class: the table of classes was not given
        return likely_kinds(entity, snapshot)
    return frozenset({telling[-1] if telling else "idea"})
