"""The record of a family's releases and errata, one TOML file, and the CHANGELOG.md and ERRATA.md made from it."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from loaders.errors import InputError

HISTORIES = Path(__file__).parent / "history"
_STRICT = ConfigDict(extra="forbid")

Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
Line = Annotated[str, StringConstraints(pattern=r"^[^\r\n]+$")]


@dataclass(frozen=True, config=_STRICT)
class Release:
    """What a release changed for those who use it; `date` is the day of its tag."""

    version: Version
    date: date
    changes: list[Line]


@dataclass(frozen=True, config=_STRICT)
class Erratum:
    """A fault in a published item. `withdrawn` leaves the item out of later builds, `known` keeps it and warns.

    `found_in` is the first version that has the fault; released versions keep the item, whatever is found.
    """

    config: Line
    id: Line
    kind: Literal["withdrawn", "known"]
    found_in: Version
    date: date
    reason: Line


@dataclass(frozen=True, config=_STRICT)
class History:
    """All releases and errata of a family, in the order of the file."""

    release: list[Release] = field(default_factory=list)
    erratum: list[Erratum] = field(default_factory=list)

    def withdrawn(self, config: str) -> dict[str, str]:
        """Return the reasons by id of a config's withdrawn items."""
        return {one.id: one.reason for one in self.erratum if one.config == config and one.kind == "withdrawn"}


def history_path(family: str) -> Path:
    """Return the file of our own releases of a family."""
    return HISTORIES / f"{family}.toml"


def read_history(path: Path) -> History:
    """Read a history; raises InputError where the file is no such TOML, or tells of a version or an item twice."""
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
        history = TypeAdapter(History).validate_python(text)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, None, "expected a readable history, TOML in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, None, f"expected TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(path, None, f"expected a history: {place}: {first['msg']}") from error
    _refuse_doubled(path, "version", [one.version for one in history.release])
    _refuse_doubled(path, "erratum", [f"{one.config}/{one.id}" for one in history.erratum])
    return history


def _refuse_doubled(path: Path, kind: str, names: Sequence[str]) -> None:
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InputError(path, None, f"expected each {kind} once, found {doubled[0]} again")


def changelog_text(history: History, version: str, facts: Sequence[str], canary: str) -> str:
    """Return CHANGELOG.md: the version at hand first, with facts of its manifest, then every other release."""
    own = [one for one in history.release if one.version == version]
    others = sorted((one for one in history.release if one.version != version), key=_number, reverse=True)
    heading = f"## {version}, {own[0].date}" if own else f"## {version}"
    sections = ["# Changelog", _lines(heading, [*(own[0].changes if own else ()), *facts])]
    sections += [_lines(f"## {one.version}, {one.date}", one.changes) for one in others]
    return "\n\n".join([*sections, f"Canary: `{canary}`"]) + "\n"


def errata_text(history: History, canary: str) -> str:
    """Return ERRATA.md: what is known to be wrong with published items, the newest first."""
    return "\n\n".join(["# Errata", *_errata(history.erratum), f"Canary: `{canary}`"]) + "\n"


def _errata(errata: Sequence[Erratum]) -> Iterator[str]:
    yield (
        "Released versions are never changed: a withdrawn item stays in the versions that hold it and is left out of "
        "later ones, where it is counted as `withdrawn`."
    )
    if not errata:
        yield "None so far."
        return
    head = [
        "| config | item | state | in versions from | found | what is wrong |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    newest = sorted(errata, key=lambda one: one.date, reverse=True)
    yield "\n".join([*head, *(_row(one) for one in newest)])


def _row(one: Erratum) -> str:
    cells = (f"`{one.config}`", f"`{one.id}`", one.kind, one.found_in, str(one.date), one.reason)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _number(release: Release) -> tuple[int, ...]:
    return tuple(int(part) for part in release.version.split("."))


def _lines(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([heading, "", *(f"- {line}" for line in lines)])
