"""A name as it stands in a sentence: with the article that English gives it, common nouns in small letters."""

import re
from collections.abc import Mapping

from builders.countries import is_adjective

# Nouns whose names are common nouns: `Blues rock` is `blues rock` inside a sentence. Those of jobs have an article.
COMMON = frozenset(
    """disease food genre industry ingredient instrument product sport colour subject field service
    activity""".split()
) | {"music genre", "literary genre", "cause of death", "form of government", "architectural style"}
JOBS = frozenset({"occupation", "position", "military rank", "voice type"})
# Words that keep their capital, besides the adjectives of countries: names of people and places, and other adjectives.
_PROPER = frozenset(
    """african afro alzheimer alzheimer's anglo asian bible britpop buddhism celtic chicago christian christianity
    christmas darwinism delta detroit european gaelic georgian gothic gregorian hindi hinduism hodgkin's islam islamic
    jewish judaism latin marxism memphis miami nashville native new parkinson's punjabi roman romanesque scottish tamil
    tudor victorian welsh western zen""".split()
)

_ARTICLED = re.compile(r"(the|a|an) ", re.IGNORECASE)
_BRACKET = r"( \(.*\))?$"
_PLACES = re.compile(
    r"(United (States|Kingdom|Arab Emirates).*|Netherlands|Philippines|Bahamas|Maldives|Gambia|Seychelles|Comoros"
    r"|Bronx|Vatican|Balkans|Caribbean|Middle East|West Indies|West Bank|Levant|Alhambra|Colosseum|Louvre|Pantheon"
    r"|Parthenon|Matterhorn|Sahara|Hermitage)$"
    r"|(Isle|City|Province|Republic|Kingdom|Empire|Duchy|Grand Duchy|Principality|Union|Dominion|District|Gulf|Bay"
    r"|Strait|Straits|University|State|Federation|Territory|Confederate States|Federated States|Church|House|Museum"
    r"|Palace|London Borough|Metropolitan Borough|Royal Borough) of |River |Strait "
    r"|.*\b(Republic|Empire|Islands|Isles|Union|Kingdom|Emirates|Confederation|Monarchy|Mountains|Alps|Pyrenees|Andes"
    r"|Himalayas|River|Ocean|(?<!-)Sea|Channel|Canal|Gulf|Desert|Peninsula|Bay Area|Strip|Highlands|Midlands|Tower"
    rf"|Building|Museum|Gallery|Opera House|Monument|Memorial|Theatre|Territory|Quarter){_BRACKET}"
    r"|(?!London|Tower|Westminster).*\bBridge$"
)
_GROUPS = re.compile(
    r"(University|College|School|Institute|Academy|Ministry|Department|Bank|Church|Order|Parliament|Senate|House"
    r"|Congress|Government|Museum|Association|Register|Royal [A-Z]\w+|National Gallery|Federal [A-Z]\w+) (of|for) "
    r"|.*\b(Institute|Academy|Conservatory|Conservatoire|School) of |United States |Hollywood Walk of Fame"
    r"|(United Nations|European Union|Royal (Navy|Air Force)|Vatican|BBC|CIA|FBI)$"
    r"|.*\b(Company|Agency|Commission|Council|Ministry|Union|League|Association|Federation|Foundation|Orchestra"
    r"|Philharmonic|Congress|Senate|Parliament|Assembly|Service|Navy|Army|Air Force|Armed Forces|Museum|Gallery"
    rf"|Observatory|Library){_BRACKET}"
    rf"|.*\b(Catholic|Orthodox|Methodist|Episcopal|Presbyterian|Apostolic|Reformed|Anglican) Church{_BRACKET}"
    r"|.* (national .* team|family)$"
)
_WARS = (
    r"(?!World War |Operation ).*\b(War|Wars|Revolution|Crusades?|Rebellion|Uprising|Campaign|Front|Conflict|Battle"
    r"|Siege|[Ii]nvasion|Intervention|Mutiny|Insurgency|Intifada)\b"
)
_EVENTS = r".*\b(Olympics|Games|World Cup|Championships?|Festival|Awards?|Cup|Grand Prix|Final|Open|Series)\b"
_LEAGUES = re.compile(
    r"(?!Major League).*\b(League|Association|Championship|Division|Bundesliga|Eredivisie|Conference)\b"
)
_TEAMS = re.compile(r".*(s|\b(Heat|Jazz|Magic|Thunder|Wild|Lightning|Avalanche|Sox))$")
_ALWAYS = re.compile("")
_LEAGUE_SPORTS = ("American football", "baseball", "basketball", "ice hockey", "Canadian football")
AMERICAN_TEAMS = frozenset({*(f"{sport} team" for sport in _LEAGUE_SPORTS), "sports team"})
# By the noun of an entity where that tells, else by its kinds.
_BY_NOUN: Mapping[str, re.Pattern[str]] = {
    "political party": re.compile(
        r"(?!Fine|Fianna|Sinn).*\b(Party|Democrats|Union|Alliance|Congress|League|Front|Movement)\b"
    ),
    "mountain range": re.compile(r".*(s|Mountain Range|Massif)$"),
    **dict.fromkeys(AMERICAN_TEAMS, re.compile(rf"{_TEAMS.pattern}|.* national .*team$")),
    **dict.fromkeys(("sports league", "football league", "American football league", "league"), _LEAGUES),
    **dict.fromkeys(("military unit", "armed force", "legislature", "parliament", "river", "sea"), _ALWAYS),
    **dict.fromkeys(("band", "record label", "football club"), re.compile(r".* national .*team$")),
}
_BY_KIND: Mapping[str, re.Pattern[str]] = {
    "place": _PLACES,
    "organisation": _GROUPS,
    "event": re.compile(f"{_WARS}|{_EVENTS}"),
    "award": re.compile(
        r".*\b(Award|Awards|Prize|Medal|Order|Cross|Trophy|Cup|Honours|Honors|Heart|Star|Palme d'Or|Golden Lion"
        r"|Golden Bear|Hall of Fame|Walk of Fame|Legion|Ballon d'Or|Golden Boot|Shri|Ratna|Bhushan|Vibhushan)\b"
    ),
    "language": re.compile(r".* language$"),
    "idea": re.compile(r".*\b(Church|Communion|Renaissance|Enlightenment|Ages?)$"),
}


def in_sentence(label: str, noun: str, kinds: frozenset[str]) -> str:
    """Return a name as it stands inside a sentence, by what questions call the entity and by its kinds."""
    if noun in JOBS:
        return _with_indefinite(_small(label))
    if noun == "currency":
        return f"the {_small(label)}"
    if noun in COMMON:
        return _small(label)
    if _ARTICLED.match(label):
        return label
    patterns = [_BY_NOUN[noun]] if noun in _BY_NOUN else [_BY_KIND[kind] for kind in kinds if kind in _BY_KIND]
    return f"the {label}" if any(one.match(label) for one in patterns) else label


def is_plural(label: str, noun: str) -> bool:
    """Whether a name takes a plural verb: peoples, and teams and bands whose name is a plural."""
    teams = noun in AMERICAN_TEAMS and label.endswith("s") and " national " not in label
    return noun == "ethnic group" or teams or (noun == "band" and label.startswith("The ") and label.endswith("s"))


def _with_indefinite(name: str) -> str:
    return name if name[:1].isupper() else f"{indefinite(name)} {name}"


def indefinite(word: str) -> str:
    """Return `a` or `an`, by the letters of what follows."""
    return "an" if re.match(r"(?!uni|eu|one|use|u[bst]i)[aeiou]|hour|hon", word.lower()) else "a"


def _small(label: str) -> str:
    """Return a common noun with a small first letter; names and abbreviations in it keep it as it is."""
    words = re.findall(r"[^\s()/-]+", label)
    if any(word != word.lower() for word in words[1:]) or not words[:1] or words[0][1:] != words[0][1:].lower():
        return label
    first = words[0].lower()
    return label if first in _PROPER or is_adjective(first) or len(first) == 1 else f"{label[:1].lower()}{label[1:]}"
