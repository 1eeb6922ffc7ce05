"""How a release stands to what the Hub has: there already, or the successor of another with a version high enough."""

from builders.release.diff import diff, diff_lines
from builders.release.hub import Repository, State, explained
from builders.release.layout import Release
from builders.release.versions import Version, check_bump, read_version
from loaders.errors import DecoyQAError
from loaders.hub import fetch


def published(release: Release, repository: Repository, state: State) -> str:
    """Return the commit that the tag names if it holds this very release, an empty text if there is no such tag."""
    commit = state.tags.get(release.version.tag, "")
    if commit:
        changes = repository.changes(release.files, commit)
        differing = sorted({*changes.put, *changes.delete} - {"build.json"})
        if differing:
            raise DecoyQAError(
                f"{repository.name} has {release.version.tag} already, commit {commit}, and other files: "
                f"{', '.join(differing[:3])}{', ...' * bool(differing[3:])}; a release never changes, raise the version"
            )
    return commit


def differences(release: Release, name: str, state: State) -> list[str]:
    """Return the difference from the last release on the Hub; raises DecoyQAError if the version is too low for it."""
    last = max((version for tag in state.tags if (version := _version(tag))), default=None)
    if last is None:
        return [f"{name} has no release yet"]
    with explained(name):
        folder = fetch(name, last.tag)
    found = diff(folder, release.folder)
    wrong = check_bump(last, release.version, found.change)
    if wrong:
        raise DecoyQAError("; ".join([wrong, *diff_lines(found)[:-1]]))
    return diff_lines(found)


def _version(tag: str) -> Version | None:
    try:
        return read_version(tag.removeprefix("v")) if tag.startswith("v") else None
    except DecoyQAError:
        return None
