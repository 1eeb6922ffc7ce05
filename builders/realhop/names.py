"""Invented names by kind and origin, drawn for one item: no word of the item, no word twice."""

import random
import re
from collections.abc import Iterable
from itertools import product

from builders.realhop.graph import Plan
from builders.realhop.values import VALUE_KINDS, another_value
from loaders.draw import generator
from loaders.records import Item

# Beginnings, middles and endings by origin: of first names, of family names, of places.
_ORIGINS = (
    (
        "Bren Dag Fen Gro Hal Ith Jor Kel Lod Nor Orm Ragn Skel Torv Ulv Vid Wend Yngv",
        "a e o i ari eli oda uri",
        "dis vin gar lind mar rek sund var",
        "berg dahl gren holm lund rud stad vik",
        "fell ford havn mere stead thorpe wick fjord",
    ),
    (
        "Alb Bel Cor Dul Est Fal Gav Lis Mal Net Orn Pal Quer Ros Sal Tav Ver Zan",
        "a e i o ani eri ola ulu",
        "nia rio lia ro sa vo cel mira",
        "bardi cesti lotti menez rano stero valdo zuela",
        "dona gosa lante mora nuova rosa silva vera",
    ),
    (
        "Bor Cher Dobr Fed Gor Hrad Jas Kras Lub Mil Ost Prib Rad Stan Tver Vlod Yar Zhel",
        "a e i o adi emi ovi usa",
        "ka mil slav na tan nik mira dan",
        "chek dov linsky menko rovic sky tsev zhin",
        "brod grad insk min nitsa pol vets zhov",
    ),
    (
        "Ard Bahr Dar Esh Far Ghaz Hav Ish Jav Kav Lash Mehr Nar Parv Roz Sham Tahm Zar",
        "a e i u ami ere ila uda",
        "deh fen jan mad nesh ram shid zad",
        "bari dani ghani kari mandi nezar rashti vandi",
        "bad gan khar pur shahr tan van zor",
    ),
)
_ADJECTIVES = """Amber Ashen Azure Barren Bitter Brazen Bronze Burnt Candid Cobalt Copper Crimson Crooked Dappled Dim
Distant Dusky Ebony Fallow Feral Fragile Frosted Gilded Hollow Hushed Idle Indigo Ivory Jaded Latticed Lilac Lucid
Mellow Molten Muted Nimble Ochre Opal Painted Pallid Patient Pewter Plaited Quiet Ragged Restless Russet Sable Saffron
Scarlet Serene Shaded Silent Slender Solemn Sullen Sunken Tangled Tawny Tender Tepid Thorny Tranquil Umber Velvet
Verdant Violet Vivid Wandering Waning Weathered Wilted Wistful Woven Yearning""".split()
_NOUNS = """Acorn Almanac Anchor Anvil Aqueduct Archway Arrow Banner Beacon Bellows Birch Bramble Candle Canopy Chalice
Cinder Cloister Compass Coral Cradle Crevice Dagger Ember Falcon Feather Fern Furrow Gable Garland Goblet Harbor Hearth
Heron Hinge Hourglass Icicle Inkwell Juniper Kestrel Kettle Lantern Lattice Ledger Lichen Locket Loom Magpie Mallow
Mantle Meadow Mirror Mosaic Nettle Oar Orchard Osprey Parasol Pebble Pendulum Plume Quarry Quill Raven Reed Ripple
Rudder Saddle Satchel Sextant Shutter Sparrow Spindle Stairway Sundial Swallow Tapestry Thicket Thimble Thistle Torrent
Trellis Tulip Turret Vineyard Wagon Whistle Willow Wren""".split()
_BODIES = """Alliance Assembly Atelier Brigade Brotherhood Bureau Coalition Collective Combine Company Concern Conclave
Consortium Cooperative Directorate Enterprise Exchange Federation Fellowship Foundation Foundry Guild Holdings Institute
Laboratories Partners Partnership Registry Society Sodality Syndicate Trust Union Works Workshop""".split()
_OCCASIONS = """Affair Campaign Challenge Clash Contest Duel Encounter Endeavour Feud Gathering Meeting Muster Occasion
Ordeal Quest Rally Series Showdown Standoff Struggle Trials Tussle Venture Vigil""".split()
_SUBSTANCES = "ance ene idon ine ique ite itol ium ole one ora ost ule yx".split()
_WORD = re.compile(r"\w+")
DRAWS = 3000  # before a kind counts as used up


def _joined(*parts: str) -> tuple[str, ...]:
    """Every way to write one piece of each list behind the other."""
    return tuple("".join(pieces) for pieces in product(*(part.split() for part in parts)))


_FIRST = [_joined(start, middle, first) for start, middle, first, _, _ in _ORIGINS]
_FAMILY = [_joined(start, middle, family) for start, middle, _, family, _ in _ORIGINS]
_PLACE = [_joined(start, middle, place) for start, middle, _, _, place in _ORIGINS]
_ROOTS = [_joined(start, middle, "l n r s v") for start, middle, _, _, _ in _ORIGINS]


def words_of(texts: Iterable[str]) -> set[str]:
    """The words of texts, case folded."""
    return {word.casefold() for text in texts for word in _WORD.findall(text)}


class NamesExhaustedError(Exception):
    """An item needs more names of a kind than there are."""


class Namer:
    """Names for one item, in the order of the calls; the same seed, item, purpose and calls give the same names."""

    def __init__(self, item: Item, seed: int, purpose: str, taken: Iterable[str] = ()) -> None:
        self._draw = generator(seed, item.id, purpose)
        told = [text for passage in item.passages for text in (passage.title, passage.text)]
        hops = [text for hop in item.hops for text in (hop.relation, hop.answer)]
        self._used = words_of([item.question, *item.answers, *told, *hops, *taken])

    def name(self, kind: str, near: str = "") -> str:
        """The next name of a kind; a date, year or number takes the form of `near` and a value close to it.

        Raises NamesExhaustedError where no draw gives a new one, as there are only so many ordinals or years close by.
        """
        for _ in range(DRAWS):
            name = another_value(kind, near, self._draw) if kind in VALUE_KINDS else _name(kind, self._draw)
            words = words_of([name])
            if len(words) == len(_WORD.findall(name)) and not self._clashes(words, kind):
                self._used |= words
                return name
        raise NamesExhaustedError(f"no new {kind} like {near}")

    def _clashes(self, words: set[str], kind: str) -> bool:
        """Whether a word is in use; of a value only its longest figure counts, as months and small days run out."""
        figures = {word for word in words if word.isdigit()}
        counted = {max(figures, key=len)} if kind in VALUE_KINDS and figures else words
        return bool(counted & self._used)


def fresh_names(item: Item, plan: Plan, seed: int) -> Namer:
    """The names for an item's competing paths: none shares a word with the item or with the plan."""
    return Namer(item, seed, "competitors", [entity.name for entity in plan.entities])


def draw_names(item: Item, wanted: Iterable[tuple[str, str, str]], seed: int) -> dict[str, str]:
    """A name for each (key, kind, original) by its key; values take the form of the original."""
    namer = Namer(item, seed, "names")
    return {key: namer.name(kind, original) for key, kind, original in wanted}


def _name(kind: str, draw: random.Random) -> str:
    origin = draw.randrange(len(_ORIGINS))
    if kind == "person":
        return f"{draw.choice(_FIRST[origin])} {draw.choice(_FAMILY[origin])}"
    if kind == "place":
        return draw.choice(_PLACE[origin])
    if kind == "work":
        return f"{draw.choice(_ADJECTIVES)} {draw.choice(_NOUNS)}"
    root = draw.choice(_ROOTS[origin])
    if kind == "thing":
        return root + draw.choice(_SUBSTANCES)
    return f"{root}{draw.choice('aeio')} {draw.choice(_BODIES if kind == 'organization' else _OCCASIONS)}"
