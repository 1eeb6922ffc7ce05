"""`decoyqa publish`: an artifact becomes a release on the Hub, one commit under a tag that never moves.

Validate, refuse a tag that is there, one commit on the head that was seen, tag it, compare refs, load it back. What
fails leaves nothing visible or a commit without a tag, and the next call goes on from there.
"""

from collections.abc import Callable
from pathlib import Path

from builders.release.hub import Repository, is_offline
from builders.release.layout import Release, read_release
from builders.release.loadback import load_back
from builders.release.standing import differences, published
from builders.release.validate import pending, release_problems
from loaders.artifact import replacing_folder
from loaders.errors import DecoyQAError

Say = Callable[[str], None]


def check(folder: Path, say: Say) -> Release:
    """Validate an artifact without asking the Hub; says each problem and raises DecoyQAError if there is one."""
    found = release_problems(folder)
    for line in found:
        say(line)
    if found:
        raise DecoyQAError(f"{folder} cannot be published: {len(found)} problem(s)")
    release = read_release(folder)
    say(f"{folder}: {len(release.files)} files, every check passed")
    for line in pending(release.manifest) or ["nothing is pending"]:
        say(line)
    return release


def publish(release: Release, name: str, private: bool, say: Say) -> str:
    """Publish a checked artifact as ORG/NAME and return its commit.

    Raises DecoyQAError where the tag is there with other content, the version is too low for what changed, the Hub
    refuses or fails, or what is loaded back differs.
    """
    repository, tag = Repository(name), release.version.tag
    state = repository.state()
    commit = published(release, repository, state)
    if commit:
        say(f"{name} {tag} is published already")
    else:
        for line in differences(release, name, state):
            say(line)
        commit = _commit(release, repository, state.head or repository.create(private), say)
        _tag(repository, tag, commit)
        say(f"{name}: tagged {tag}")
    _load_back(release, name, commit, say)
    return commit


def _commit(release: Release, repository: Repository, head: str, say: Say) -> str:
    changes = repository.changes(release.files, head)
    if not changes:
        say(f"{repository.name}: commit {head} holds this release already, without its tag")
        return head
    commit = repository.commit(changes, head, f"{release.manifest['family']} {release.version}")
    say(f"{repository.name}: commit {commit}, {len(changes.put)} files put, {len(changes.delete)} deleted")
    return commit


def _tag(repository: Repository, tag: str, commit: str) -> None:
    """Tag the commit and see that the Hub shows it so; a lost answer counts as little as one that came."""
    failure = DecoyQAError(f"{repository.name}: the Hub took the tag {tag} and does not show it")
    try:
        repository.tag(tag, commit)
    except DecoyQAError as error:
        failure = error
    named = repository.state().tags.get(tag)
    if named is None:
        raise failure
    if named != commit:
        raise DecoyQAError(f"{repository.name}: somebody else has made {tag} in the meantime, commit {named}")


def _load_back(release: Release, name: str, commit: str, say: Say) -> None:
    found = load_back(name, release.version.tag, release.manifest["family"])
    expected = (commit, release.manifest["manifest_sha256"])
    if (found.commit, found.manifest_sha256) != expected:
        raise DecoyQAError(
            f"{name} {release.version.tag}: commit {found.commit} was loaded back, not what was published"
        )
    say(f"{name} {release.version.tag}: loaded back, the sha256 of all {found.files} files is that of the manifest")


def dry_run(release: Release, name: str, to: Path, say: Say) -> Path:
    """Write the folder that would be pushed to `to`/ORG/NAME/X.Y.Z and say what would change on the Hub; return it.

    Raises DecoyQAError as `publish` would.
    """
    target = to / name / str(release.version)
    with replacing_folder(target) as folder:
        for path, data in release.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data.read_bytes() if isinstance(data, Path) else data)
    say(f"{target}: the {len(release.files)} files that would be pushed")
    repository = Repository(name)
    if is_offline():
        say("HF_HUB_OFFLINE is set: not compared with the Hub")
        return target
    state = repository.state()
    if published(release, repository, state):
        say(f"{name} {release.version.tag} is published already")
        return target
    for line in differences(release, name, state):
        say(line)
    if state.head:
        changes = repository.changes(release.files, state.head)
        say(f"{name}: {len(changes.put)} files would be put, {len(changes.delete)} deleted")
    return target
