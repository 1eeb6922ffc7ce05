"""Hand-written items with a plan each: chains, joins, a hop that two others need, and one that has many answers."""

from builders.realhop.graph import Entity, HopPlan, Plan
from builders.realhop.reading import read_sentence
from loaders.records import Hop, Item, Passage, Span

TEXTS = (
    "Old Mill Road is a novel of 1911. Anna Berg wrote the book in Oslo. Critics in Norway praised Berg.",
    "Lake Vattern is a lake in Sweden. Boats cross Lake Vattern in summer.",
    'Anna Berg was born in Bergen. She moved to Oslo (the capital. "Big.") in 1901. Berg died there.',
    "Bergen is a city in Norway. It has a harbour. Bergen borders Os.",
    "Os is a town. Trains reach Os from Bergen.",
    "Hans Lund is a singer. Lund lives in Malmo.",
    "Malmo is a port in Sweden. Ferries leave Malmo daily.",
    "Karl Holm was a painter. Holm painted Malmo in 1890.",
    "Oslo is the capital of Norway. Trams cross Oslo.",
    "He was born on a farm and he never left",
)
NAMES = {
    "c1": ("Amber Lantern", "work", "Old Mill Road"),
    "c2": ("Delia Marrick", "person", "Karl Holm"),
    "c3": ("Ravenmoor", "place", "Lake Vattern"),
    "h1": ("Corin Vasse", "person", "Anna Berg"),
    "h2": ("Torvik", "place", "Bergen"),
    "h3": ("Quellmere", "place", "Os"),
    "h4": ("Sablemore", "place", "Malmo"),
}
_SHAPES = {
    "chain2": (("{h1} wrote {c1}.", ""), ("{h1} was born in {h2}.", "1")),
    "chain3": (("{h1} wrote {c1}.", ""), ("{h1} was born in {h2}.", "1"), ("{h2} borders {h3}.", "2")),
    "many2": (("{h1} borders {c3}.", ""), ("{h2} was born in {h1}.", "1")),
    "join3": (("{h1} wrote {c1}.", ""), ("{c2} died in {h2}.", ""), ("{h1} performed {h3} in {h2}.", "12")),
    "join4": (
        ("{h1} wrote {c1}.", ""),
        ("{h1} was born in {h2}.", "1"),
        ("{c2} died in {h3}.", ""),
        ("{h2} borders {h4} with {h3}.", "23"),
    ),
    "fan4": (
        ("{h1} wrote {c1}.", ""),
        ("{h1} was born in {h2}.", "1"),
        ("{h3} is the father of {h1}.", "1"),
        ("{h3} performed {h4} in {h2}.", "23"),
    ),
}
_KINDS = {"join3": {"h3": ("Hollow Quarry", "work", "Os")}, "fan4": {"h3": ("Brendis Ekholm", "person", "Os")}}
_KINDS["many2"] = {"h1": ("Torvik", "place", "Bergen"), "h2": ("Corin Vasse", "person", "Anna Berg")}
_KINDS["fan4"]["h4"] = ("Woven Thimble", "work", "Malmo")
SHAPES = tuple(_SHAPES)


def plan(shape: str, question: str = "") -> Plan:
    """Return the plan of a shape; hop K is supported by passage 2 * (K - 1), every second hop and the last hardened."""
    told = _SHAPES[shape]
    names = NAMES | _KINDS.get(shape, {})
    used = [key for key in names if any(f"{{{key}}}" in pattern for pattern, _ in told)]
    constants = " and ".join(names[key][0] for key in used if key.startswith("c"))
    hops = tuple(
        HopPlan(str(number), pattern, relation(pattern), tuple(rests), 2 * (number - 1), (len(told) - number) % 2 == 0)
        for number, (pattern, rests) in enumerate(told, 1)
    )
    entities = tuple(Entity(key, *names[key]) for key in used)
    asked = question or f"Which one is of {'a place beside ' * (shape == 'many2')}{constants}?"
    return Plan(shape, asked, entities, hops, "rules")


def relation(pattern: str) -> str:
    """Return the key of a pattern's relation."""
    atom = read_sentence(pattern)
    assert atom is not None, pattern
    return atom.relation


def item(shape: str) -> Item:
    """Return the item of a shape, ten passages of which the last has no place for a sentence."""
    passages = tuple(Passage(f"Title {place}", text) for place, text in enumerate(TEXTS))
    hops = []
    for number, (_, rests) in enumerate(_SHAPES[shape], 1):
        place = 2 * (number - 1)
        support = (Span(place, 0, len(TEXTS[place])),)
        hops.append(Hop(str(number), f"step {number}", NAMES[f"h{number}"][2], tuple(rests), support))
    return Item(shape, "Which?", hops[-1].answer, ("Aker",), passages, tuple(hops), True, "CC0-1.0", shape)
