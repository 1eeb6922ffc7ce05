"""A graph of two hundred made-up entities, and a writer, a checker and a namer of seeds who know it."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from builders.eureqa.assemble import CONSTRUCTION
from builders.eureqa.build import build
from builders.eureqa.material import Options
from builders.eureqa.recipe import EureQARecipe
from builders.eureqa.voices import ChainEngines
from builders.sources.dbpedia import ONTOLOGY, RDF_TYPE, RESOURCE, SUBCLASS
from eval.models.engine import Failure, Reply, Request
from loaders.artifact import read_rows
from loaders.eureqa import ChainCandidate, EureQARow
from loaders.manifest import read_manifest

PARENTS = {
    "Film": "Work",
    "Work": "Thing",
    "City": "Place",
    "Place": "Thing",
    "Actor": "Person",
    "Person": "Agent",
    "Band": "Organisation",
    "Company": "Organisation",
    "Organisation": "Agent",
    "Agent": "Thing",
}
KINDS = {"Film": 60, "Actor": 60, "Person": 30, "City": 16, "Company": 14, "Band": 20}
# Relations with the classes at their ends, how many a subject has, and how the good writer puts them.
RELATIONS = (
    ("starring", "Film", ("Actor",), 3, "{s} stars {o}."),
    ("director", "Film", ("Person", "Actor"), 1, "{o} directed {s}."),
    ("distributor", "Film", ("Company",), 1, "{s} was distributed by {o}."),
    ("birthPlace", "Actor", ("City",), 1, "{s} was born in {o}."),
    ("spouse", "Actor", ("Person", "Actor"), 1, "{s} is or was married to {o}."),
    ("bandMember", "Band", ("Person", "Actor"), 3, "{o} is a member of {s}."),
    ("hometown", "Band", ("City",), 1, "{s} comes from {o}."),
    ("headquarter", "Company", ("City",), 1, "The seat of {s} is in {o}."),
)
SPOKEN = {re.sub(r"([A-Z])", lambda found: f" {found[1].lower()}", name): text for name, *_, text in RELATIONS}
WRITER, CHECKER, SEEDER = "toy:writer", "toy:checker", "toy:seeder"
Say = Callable[[str], str | list[str] | None]


def words() -> Iterator[str]:
    """Yield made-up words of which no two begin alike."""
    syllables = [f"{c}{v}" for c in "bdfgklmnprstvz" for v in "aeiou"]
    pairs = [f"{a}{b}" for a in syllables for b in syllables if a != b]
    random.Random(3).shuffle(pairs)
    return (f"{pair.capitalize()}{end}" for pair, end in zip(pairs, "nrlks" * 1000, strict=False))


def entities() -> dict[str, list[str]]:
    """Return local names by class; people have two words, every third film has a bracket."""
    new = words()
    return {
        kind: [
            f"{next(new)}_{next(new)}"
            if kind in ("Actor", "Person")
            else next(new) + ("_(film)" if kind == "Film" and not i % 3 else "")
            for i in range(number)
        ]
        for kind, number in KINDS.items()
    }


def write_world(folder: Path) -> tuple[Path, Path]:
    """Write edges and types."""
    draw, named = random.Random(5), entities()
    edges = [
        f"<{RESOURCE}{subject}> <{ONTOLOGY}{relation}> <{RESOURCE}{object}> ."
        for relation, kind, ends, number, _ in RELATIONS
        for subject in named[kind]
        for object in draw.sample([one for end in ends for one in named[end]], number)
        if object != subject
    ]
    types = [f"<{RESOURCE}{one}> <{RDF_TYPE}> <{ONTOLOGY}{kind}> ." for kind, names in named.items() for one in names]
    above = [f"<{ONTOLOGY}{one}> <{SUBCLASS}> <{ONTOLOGY}{other}> ." for one, other in PARENTS.items()]
    files = (folder / "edges.nt", folder / "types.nt")
    for file, lines in zip(files, (edges, types + above), strict=True):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return files


def tell(subject: str, relation: str, object: str) -> str:
    """Tell a triple as the good writer does."""
    return SPOKEN[relation].replace("{s}", subject).replace("{o}", object)


def asked_triple(prompt: str) -> tuple[str, str, str] | None:
    """Return the triple that a prompt asks to be told."""
    found = re.search(r"Triple: \(([^,]+), ([^,]+), ([^,]+)\)\nSentence:\Z", prompt)
    return (found[1], found[2], found[3]) if found else None


def good(prompt: str) -> str | list[str] | None:
    """Reply as somebody who does all jobs well."""
    if triple := asked_triple(prompt):
        return tell(*triple)
    if prompt.endswith("Kind:"):
        return "stuntman"
    if prompt.startswith("Is this statement correct?"):
        return "Yes."
    return "\n".join(f"{i}. {name.replace('_', ' ')}" for i, name in enumerate(entities()["Film"][:9], 1))


class Spoken:
    """An engine whose replies a function chooses by the prompt: a text, a text that was cut (in a list), or None."""

    runtime = "tests"

    def __init__(self, say: Say = good, identity: str = WRITER) -> None:
        self.identity, self.say = identity, say
        self.asked: list[str] = []

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        """Answer in order; `asked` remembers every prompt."""
        for request in requests:
            self.asked.append(self.heard(request))
            said = self.say(self.asked[-1])
            text, finish = (said[0], "length") if isinstance(said, list) else (said, "stop")
            if text is None:
                yield Failure(request.key, "the server is down")
            else:
                yield Reply(request.key, text, finish, 50, len(text.split()), "{}", model=f"{self.identity}-1")

    def heard(self, request: Request) -> str:
        """Return what of a request chooses the reply: its last message."""
        return request.messages[-1].content

    def close(self) -> None:
        """Nothing to free."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Built:
    """A finished build: its folder, what was asked, and what the files say."""

    def __init__(self, folder: Path, engines: Mapping[str, Spoken]) -> None:
        self.folder, self.engines, self.manifest = folder, engines, read_manifest(folder)

    @property
    def config(self) -> dict[str, Any]:
        """What the manifest says of the hard config."""
        return next(config for config in self.manifest["configs"] if config["name"] == "hard")

    def rows(self, split: str = "d5") -> list[EureQARow]:
        """Return rows of the hard config."""
        return read_rows(self.folder, "hard", split, EureQARow)

    def chains(self) -> list[ChainCandidate]:
        """Return the chains of the hard config that were told, kept or not."""
        found = read_rows(self.folder, "hard_construction", CONSTRUCTION, ChainCandidate)
        return [one for one in found if any(v.gate == "target" and v.verdict == "pass" for v in one.verdicts)]


def options(files: tuple[Path, Path], home: Path, engines: ChainEngines, **rest: Any) -> Options:
    """Return the options of a build of two hard chains and no easy one."""
    recipe = EureQARecipe(hard_chains=2, easy_chains=0, seeds=12, walks_per_seed=8, seeds_per_category=9)
    given: dict[str, Any] = {"recipe": recipe, "similarity": "tests", **rest}
    return Options(files[:1], files[1:], out=home / "out", home=home, engines=engines, **given)


def build_with(
    files: tuple[Path, Path], home: Path, say: Say = good, engines: ChainEngines | None = None, **rest: Any
) -> Built:
    """Build with engines that all speak as `say` does."""
    opened: dict[str, Spoken] = {}

    def opener(name: str, _: object) -> Spoken:
        opened[name] = Spoken(say, name)
        return opened[name]

    given = options(files, home, engines or ChainEngines(WRITER), **rest)
    return Built(build(given, lambda line: None, opener=opener), opened)
