"""Which chains make a fair question: enough different relations, and no name in it that shows a hidden one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from builders.countries import aliases
from builders.eureqa.draft import Draft
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain
from eval.answers import Matcher, tokens
from loaders.records import Reason

# Parts of names, and words in the brackets behind them, that many unrelated things share.
COMMON = frozenset(Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8").split())
# Words at the end of a name that it can do without: `Rock music` is `rock`, `French language` is `French`.
GENERIC = frozenset({"music", "language", "people", "records", "pictures"})
# Letters that two words must share from the start to count as forms of one.
STEM = 5


@dataclass(frozen=True)
class Names:
    """What an entity is called: its label, the label without what tells namesakes apart, and its other names."""

    label: str
    others: tuple[str, ...] = ()

    @cached_property
    def matcher(self) -> Matcher:
        """Looks for every name."""
        return Matcher(self.all)

    @cached_property
    def plain_matcher(self) -> Matcher:
        """Looks for the plain name."""
        return Matcher((self.plain,))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The starts of the telling words by which another form of a word is found: `German` in `Germany`."""
        return frozenset(word[:STEM] for word in self.telling if len(word) >= STEM)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words of the label by which it could be recognised."""
        return telling_words(self.label)

    @property
    def plain(self) -> str:
        """The label without a bracket at its end: `The Nutt House (film)` is `The Nutt House`."""
        return plain_label(self.label)

    @property
    def all(self) -> tuple[str, ...]:
        """Every name, the plain one first; a country's with its adjectives, a long name's with its initials."""
        short = (initials(self.plain), without_generic(self.plain))
        return tuple(dict.fromkeys((self.plain, self.label, *self.others, *aliases(self.plain), *filter(None, short))))


def plain_label(label: str) -> str:
    """Return a label without the bracket that tells namesakes apart."""
    head = label.rpartition(" (")[0] if label.endswith(")") else label
    return head or label


class NameBook:
    """What a snapshot calls its entities, each looked up once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[int, Names] = {}

    def __getitem__(self, entity: int) -> Names:
        if entity not in self._known:
            self._known[entity] = Names(self._snapshot.labels[entity], self._snapshot.aliases_of(entity))
        return self._known[entity]


def few_relations(chain: Chain[int, int], family: Mapping[int, int], minimum: int) -> Reason | None:
    """A chain that goes to and fro along one relation asks the same thing five times."""
    edges = {family[layer.edge.relation] for layer in chain}
    everything = edges | {family[layer.fact.relation] for layer in chain}
    if len(everything) < minimum or len(edges) < 2:
        return Reason("few_relations", f"{len(edges)} along the chain, {len(everything)} with facts")
    return None


def name_shown(chain: Chain[int, int], book: NameBook) -> Reason | None:
    """No name that a question shows, at any depth, may hold or share a telling word with a name that it hides.

    Depth d hides the entities of layers 1 to d, and shows their facts' entities and the next one.
    """
    hidden: list[Names] = []
    facts: list[Names] = []
    for depth, layer in enumerate(chain, 1):
        hidden.append(book[layer.entity])
        facts.append(book[layer.fact.other])
        shown = [*facts, book[layer.edge.other]]
        for one in hidden:
            if held := shown_by(one, shown):
                return Reason("name_shown", f"depth {depth}: {one.label} by {held}")
    return None


def shown_by(hidden: Names, shown: Sequence[Names]) -> str:
    """Return the label that gives a hidden name away, empty where none does."""
    for one in shown:
        if hidden.matcher.holds(one.label) or one.plain_matcher.holds(hidden.label) or _share_a_word(hidden, one):
            return one.label
    return ""


def _share_a_word(one: Names, other: Names) -> bool:
    """Whether two names have a telling word in common, or two forms of one, or one is the other's initials."""
    if one.telling & other.telling or one.plain == initials(other.plain):
        return True
    return bool(one.stems & other.stems) and any(_are_forms(a, b) for a in one.telling for b in other.telling)


def _are_forms(word: str, other: str) -> bool:
    """Whether two words start alike up to the last letter of the shorter: `Germans`, `Germany`, `Germanic`."""
    shared = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return shared >= max(STEM, min(len(word), len(other)) - 1)


def name_left(draft: Draft, book: NameBook) -> Reason | None:
    """No question, at any depth, may hold a name of an entity that it hides (section 2.2)."""
    for depth, question in enumerate(draft.questions, 1):
        for layer in draft.chain[:depth]:
            if held := book[layer.entity].matcher.first(question):
                return Reason("name_left", f"depth {depth}: {held}")
    return None


def initials(name: str) -> str:
    """Return the initials of a name of three capitalised words or more: `National Broadcasting Company` is `NBC`."""
    first = [word[0] for word in name.split() if word[0].isupper()]
    return "".join(first) if len(first) >= 3 else ""


def without_generic(name: str) -> str:
    """Return a name without a last word that it can do without, empty where it has none."""
    head, _, last = name.rpartition(" ")
    return head if last.lower() in GENERIC else ""


def telling_words(name: str) -> frozenset[str]:
    """Return the words of a name by which it could be recognised."""
    return frozenset(word for word in tokens(name) if len(word) > 2 and word not in COMMON)
