"""What stands at the ends of relations: nouns, the kinds of entities that they name, and the classes of the ontology.

A noun of the table is a word, or several with bars between them, the first of which names most of what stands there:
`place|organisation`.
"""

import re
from collections.abc import Mapping
from functools import cache

# Kinds of entities, each with the nouns that name it and with no other; a noun of several kinds stands in SEVERAL.
_ONE: Mapping[str, str] = {
    "person": """person actor adviser animator architect athlete cartoonist choreographer cinematographer coach composer
        director editor illustrator manager monarch narrator philosopher politician presenter saint scientist singer
        songwriter trainer wrestler writer astronaut author translator military-person film-editor""",
    "character": "character",
    "place": """place airport archipelago body-of-water bridge building canton city continent country county department
        district island launch-site mountain mountain-range municipality province region river road settlement stadium
        state town wine-region""",
    "organisation": """organisation agency air-force airline alliance armed-force band channel company constituency
        council military-unit network parliament chamber political-party radio-station record-label sports-league
        sports-team""",
    "work": """work album anthem book film software song television-series video-game work-of-art operating-system""",
    "people": "ethnic-group",
    "event": "event battle war competition film-festival sports-event election season",
    "award": "award",
    "language": "language language-family",
    "genre": "genre literary-genre music-genre",
    "disease": "disease",
    "species": "species class family genus kingdom order phylum animal horse",
    "food": "dish ingredient",
    "device": "device aircraft car engine instrument locomotive spacecraft vehicle",
    "sport": "sport",
    "currency": "currency",
    "colour": "colour",
    "job": "occupation position military-rank voice-type",
    "time": "time-zone",
    "star": "star constellation",
}
_SEVERAL: Mapping[str, str] = {
    "artist": "person organisation",
    "creator": "person organisation",
    "designer": "person organisation",
    "developer": "person organisation",
    "founder": "person organisation",
    "musician": "person organisation",
    "owner": "person organisation place",
    "producer": "person organisation",
    "publisher": "person organisation",
    "college": "organisation place",
    "league": "organisation event",
    "museum": "organisation place",
    "school": "organisation place",
    "university": "organisation place",
    "church": "organisation idea",
    "cause of death": "disease event idea",
    "era": "idea time",
    "format": "idea genre",
    "ideology": "idea",
    "movement": "idea genre organisation",
    "platform": "device work",
    "product": "idea device food work genre",
    "religion": "idea organisation people",
    "series": "work event",
    "subject": "idea place language people sport genre",
}
# Words that say too little, or too little without the other end, to stand for an entity.
DULL = frozenset(
    """thing person place work organisation event type category format era product class order service structure
    power""".split()
)
# Words that name a person where no class does.
PERSONS = frozenset(
    word.replace("-", " ")
    for word in [*_ONE["person"].split(), *(noun for noun, kinds in _SEVERAL.items() if "person" in kinds)]
) - {"owner", "publisher"}

# Classes whose own name is no word that a reader would use.
READABLE: Mapping[str, str] = {
    "AcademicJournal": "journal",
    "AdultActor": "actor",
    "AmericanFootballPlayer": "American football player",
    "AmericanFootballTeam": "American football team",
    "AmericanFootballLeague": "American football league",
    "Artwork": "work of art",
    "AutomobileEngine": "engine",
    "BodyOfWater": "body of water",
    "BroadcastNetwork": "television network",
    "ChristianBishop": "bishop",
    "ClassicalMusicArtist": "musician",
    "ClassicalMusicComposition": "composition",
    "CollegeCoach": "coach",
    "ComicsCharacter": "character",
    "ComicsCreator": "comics artist",
    "EducationalInstitution": "school",
    "EthnicGroup": "ethnic group",
    "FictionalCharacter": "character",
    "FormulaOneRacer": "racing driver",
    "GeopoliticalOrganisation": "organisation",
    "GovernmentAgency": "agency",
    "GovernmentalAdministrativeRegion": "region",
    "HistoricalCountry": "country",
    "HistoricBuilding": "building",
    "HistoricPlace": "place",
    "HockeyTeam": "ice hockey team",
    "HollywoodCartoon": "cartoon",
    "InformationAppliance": "device",
    "MemberOfParliament": "politician",
    "MilitaryConflict": "war",
    "MilitaryPerson": "soldier",
    "MovieDirector": "director",
    "MusicalArtist": "musician",
    "NationalSoccerClub": "national football team",
    "NCAATeamSeason": "season",
    "NationalAnthem": "anthem",
    "NationalFootballLeagueSeason": "season",
    "Non-ProfitOrganisation": "organisation",
    "PeriodicalLiterature": "periodical",
    "PlayboyPlaymate": "model",
    "PlayWright": "playwright",
    "PopulatedPlace": "place",
    "Royalty": "royal person",
    "ScreenWriter": "screenwriter",
    "Single": "song",
    "SoccerClub": "football club",
    "SoccerLeague": "football league",
    "SoccerManager": "football manager",
    "SoccerPlayer": "football player",
    "TelevisionShow": "television series",
    "TelevisionStation": "television channel",
    "TelevisionSeason": "season",
}
# Classes too wide to tell a reader anything, or wrong of many, with what an entity's relations may make of it instead
# and what it is called if they make nothing. DBpedia calls everybody with an office an OfficeHolder, and cities towns.
_REGIONS = "state county province district department canton municipality"
_WIDE: Mapping[str, tuple[str, str]] = {
    "Thing": ("", "thing"),
    "Agent": ("person organisation", "thing"),
    "Person": ("person", "person"),
    "Artist": ("person", "artist"),
    "OfficeHolder": ("person", "politician"),
    "Organisation": ("organisation", "organisation"),
    "Place": ("place", "place"),
    "PopulatedPlace": ("place", "place"),
    "Settlement": ("city", "town"),
    "AdministrativeRegion": (_REGIONS, "region"),
    "Region": (_REGIONS, "region"),
    "Work": ("work", "work"),
    "TopicalConcept": ("idea genre", "thing"),
    "Species": ("", "species"),
    "Activity": ("sport", "activity"),
    "Event": ("event", "event"),
    "Device": ("device", "device"),
}
WIDE = frozenset(_WIDE)


@cache
def kinds(noun: str) -> frozenset[str]:
    """Return the kinds of entities that a noun may name; empty for `thing`, which may be anything."""
    if "|" in noun:
        return frozenset().union(*(kinds(part) for part in noun.split("|")))
    if noun == "thing":
        return frozenset()
    word = noun.replace(" ", "-")
    one = (kind for kind, nouns in _ONE.items() if word in nouns.split())
    return frozenset(_SEVERAL[noun].split()) if noun in _SEVERAL else frozenset({next(one, "idea")})


@cache
def narrower(class_name: str) -> frozenset[str]:
    """Return the nouns, or the kinds of nouns, that may stand for an entity of a wide class."""
    return frozenset(word.replace("-", " ") for word in _WIDE[class_name][0].split())


def noun(class_name: str) -> str:
    """Return a class as a reader would say it: `BasketballPlayer` is `basketball player`."""
    if class_name in _WIDE:
        return _WIDE[class_name][1]
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", class_name)
    return READABLE.get(class_name) or " ".join(word if word.isupper() else word.lower() for word in words)
