"""RDF files as a stream of statements: N-Triples and Turtle, plain or packed, broken lines told by number."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from builders.sources.files import check_file, open_bytes
from loaders.errors import InputError, MissingExtraError

FORMATS = {".nt": "N-Triples", ".ttl": "Turtle"}
# A dump has a broken line now and then; a file that is something else has little besides.
BROKEN_SHARE, BROKEN_ALLOWED = 0.01, 100
SHOWN = 5


class Statement(NamedTuple):
    """One triple; `kind` is the object's: `iri`, `blank`, or for a literal `@` and its language tag, if it has one."""

    subject: str
    predicate: str
    object: str
    kind: str


@dataclass
class Broken:
    """The lines of a file that the parser could not read: how many, and the first few with what was wrong."""

    count: int = 0
    first: list[tuple[int, str]] = field(default_factory=list)


def read_statements(path: Path, broken: Broken) -> Iterator[Statement]:
    """Yield a file's statements as they are read; IRIs with characters that they may not have are taken as they stand.

    N-Triples goes on behind a broken line and counts it. Raises InputError for a file that cannot be read or unpacked
    to its end, for Turtle that is broken anywhere, and for more broken lines than a dump can have.
    """
    check_file(path)
    name = _format(path)
    statements = _Statements(path, name)
    read = 0
    while True:
        try:
            for found in statements:
                read += 1
                yield found
            return
        except SyntaxError as error:
            _count(broken, error, path, name, read)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(path, None, f"expected a whole file; after {read:,} triples: {error}") from None


def _format(path: Path) -> str:
    name = next((FORMATS[suffix] for suffix in path.suffixes[::-1] if suffix in FORMATS), None)
    if name is None:
        raise InputError(path, None, "expected a name in .nt or .ttl, plain or with .gz, .bz2 or .zst behind it")
    return name


def _count(broken: Broken, error: SyntaxError, path: Path, name: str, read: int) -> None:
    row, what = error.lineno, str(error.msg).partition(": ")[2] or str(error.msg)
    if name == "Turtle":
        raise InputError(path, row, f"expected Turtle: {what}") from None
    broken.count += 1
    broken.first += [(row or 0, what)] if len(broken.first) < SHOWN else []
    if broken.count > max(BROKEN_ALLOWED, BROKEN_SHARE * read):
        row, what = broken.first[0]
        found = f"{broken.count:,} broken lines before {read:,} good ones"
        raise InputError(path, row, f"expected N-Triples, found {found}; the first: {what}") from None


class _Statements:
    """The parser's own iterator goes on behind an error, which a generator around it could not."""

    def __init__(self, path: Path, name: str) -> None:
        try:
            import pyoxigraph
        except ImportError:
            raise MissingExtraError("pyoxigraph", "pip install 'decoyqa[graph]'") from None
        form = pyoxigraph.RdfFormat.TURTLE if name == "Turtle" else pyoxigraph.RdfFormat.N_TRIPLES
        self._quads = iter(pyoxigraph.parse(input=open_bytes(path), format=form, lenient=True))
        self._literal, self._blank = pyoxigraph.Literal, pyoxigraph.BlankNode

    def __iter__(self) -> Iterator[Statement]:
        return self

    def __next__(self) -> Statement:
        found = next(self._quads)
        subject, object = found.subject, found.object
        kind: Any = type(object)
        word = f"@{object.language or ''}" if kind is self._literal else "blank" if kind is self._blank else "iri"
        name = f"_:{subject.value}" if type(subject) is self._blank else subject.value
        return Statement(name, found.predicate.value, object.value, word)
