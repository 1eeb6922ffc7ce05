"""What a question calls an entity that it does not name: a readable class, else what its relations make of it."""

import re
from collections import Counter

from builders.eureqa.backend import IN
from builders.eureqa.relations import local_name, table
from builders.eureqa.snapshot import Snapshot

# Classes whose own name is no word that a reader would use.
READABLE = {
    "AcademicJournal": "journal",
    "AdministrativeRegion": "region",
    "AdultActor": "actor",
    "AmericanFootballPlayer": "American football player",
    "AmericanFootballTeam": "American football team",
    "Artwork": "work of art",
    "Band": "band",
    "BodyOfWater": "body of water",
    "ClassicalMusicArtist": "musician",
    "ClassicalMusicComposition": "composition",
    "CollegeCoach": "coach",
    "EducationalInstitution": "school",
    "EthnicGroup": "people",
    "FictionalCharacter": "character",
    "FormulaOneRacer": "racing driver",
    "GeopoliticalOrganisation": "organisation",
    "GovernmentAgency": "agency",
    "GovernmentalAdministrativeRegion": "region",
    "MemberOfParliament": "politician",
    "MilitaryConflict": "conflict",
    "MusicalArtist": "musician",
    "MusicGenre": "music genre",
    "NCAATeamSeason": "season",
    "NationalFootballLeagueSeason": "season",
    "OfficeHolder": "politician",
    "PeriodicalLiterature": "periodical",
    "PopulatedPlace": "place",
    "PrimeMinister": "prime minister",
    "ProtectedArea": "protected area",
    "RecordLabel": "record label",
    "Settlement": "town",
    "Single": "song",
    "SoccerClub": "football club",
    "SoccerManager": "football manager",
    "SoccerPlayer": "football player",
    "TelevisionShow": "television series",
    "TelevisionSeason": "season",
    "WrittenWork": "written work",
    "VideoGame": "video game",
}
# Too wide to tell a reader anything: a relation says more.
WIDE = frozenset({"Agent", "Person", "Place", "Thing", "TopicalConcept", "Work", "Organisation", "Species", "Activity"})
DULL = frozenset({"thing", "person", "place", "work", "organisation", "type", "category", "format", "era", "company"})
PERSONS = frozenset(
    """person actor adviser animator architect artist athlete author choreographer cinematographer coach composer
    designer director editor illustrator manager monarch musician narrator philosopher politician presenter producer
    saint scientist singer songwriter trainer wrestler writer football-manager film-editor military-person
    """.split()
)


def hypernym(entity: int, snapshot: Snapshot) -> str:
    """Return the noun for an entity: of its class where that says something, else of its relations, else the class."""
    known = snapshot.class_of(entity)
    if known and known not in WIDE:
        return noun(known)
    found = _by_relations(entity, snapshot, only_persons=known == "Person")
    return found or (noun(known) if known not in ("", "Agent", "TopicalConcept") else "thing")


def noun(class_name: str) -> str:
    """Return a class as a reader would say it: `BasketballPlayer` is `basketball player`."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", class_name)
    return READABLE.get(class_name) or " ".join(word if word.isupper() else word.lower() for word in words)


def _by_relations(entity: int, snapshot: Snapshot, *, only_persons: bool) -> str:
    """Return what most of an entity's edges say that it is; the first by name where several say it equally often."""
    votes: Counter[str] = Counter()
    for (direction, relation), n in snapshot.graph.relations(entity).items():
        known = table().get(local_name(snapshot.relations[relation]))
        if known is not None:
            votes[known.object if direction == IN else known.subject] += n
    telling = {word: n for word, n in votes.items() if word not in DULL and (not only_persons or word in PERSONS)}
    return min(telling, key=lambda word: (-telling[word], word), default="")


def is_person(entity: int, word: str, snapshot: Snapshot) -> bool:
    """Whether to ask `Who is`: the class lies below Person or, where none is known, the noun is one of a person."""
    number, person = int(snapshot.classes.of[entity]), snapshot.class_numbers.get("Person", -1)
    if number < 0 or person < 0:
        return word in PERSONS
    return person <= number < int(snapshot.classes.last[person])
