"""The `script` branch: a classic loading script for `datasets` before 4 that reads the Parquet files of a tag.

It stands on a branch of its own: on main, `datasets` 2 and 3 would run it in place of reading the data.
"""

import re
import sys
from pathlib import Path
from pprint import pformat
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builders.release.versions import read_version
from loaders.artifact import replacing_folder
from loaders.errors import DecoyQAError
from loaders.release import Release, open_release

TEMPLATES = Path(__file__).parent / "templates"
README = """# Loading script of {repo}

For `datasets` before 4. The data, their card and all releases are on `main`; this branch holds the script alone.

{canary}
"""


def write_script_branch(artifact: Path, repo: str, out: Path) -> list[Path]:
    """Write what the branch holds, in place of the folder `out`: NAME.py of the repository ORG/NAME, and a README.md.

    Raises DecoyQAError where the artifact is not as it was written or its version is not that of a release.
    """
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repo, re.ASCII):
        raise DecoyQAError(f"repository {repo!r}: ORG/NAME expected")
    release = open_release(artifact)
    texts = {
        f"{repo.partition('/')[2]}.py": script_text(release, repo),
        "README.md": README.format(repo=repo, canary=release.manifest["canary"]),
    }
    with replacing_folder(out) as folder:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    return [out / name for name in texts]


def script_text(release: Release, repo: str) -> str:
    """Return the script, which knows every config, split and shard of a release with its sha256."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["literal"] = lambda value: pformat(value, width=120, sort_dicts=False)
    version, files = read_version(release.version), _files(release)
    return environment.get_template("script.py.jinja").render(
        repo=repo,
        version=version,
        tag=version.tag,
        canary=release.manifest["canary"],
        title=f"DecoyQA {release.manifest['family']}",
        name=f"DecoyQA{release.manifest['family'].title()}",
        default=next(iter(files)),
        schemas=_schemas(release),
        files=files,
    )


def _files(release: Release) -> dict[str, dict[str, list[tuple[str, str]]]]:
    sums = {file["path"]: file["sha256"] for file in release.manifest["files"]}
    return {
        config: {split: [(path, sums[path]) for path in _paths(release, config, split)] for split in splits}
        for config, splits in release.splits.items()
    }


def _paths(release: Release, config: str, split: str) -> list[str]:
    return [path.relative_to(release.folder).as_posix() for path in release.shards(config, split)]


def _schemas(release: Release) -> list[tuple[dict[str, Any], list[str]]]:
    """Return each schema once, in the form of `Features.from_dict`, with the configs that have it."""
    found: list[tuple[dict[str, Any], list[str]]] = []
    for config, splits in release.splits.items():
        schema = pq.read_schema(release.shards(config, next(iter(splits)))[0])
        columns = {field.name: _feature(field.type) for field in schema}
        configs = next((configs for known, configs in found if known == columns), None)
        if configs is None:
            found.append((columns, [config]))
        else:
            configs.append(config)
    return found


def _feature(kind: pa.DataType) -> Any:
    if pa.types.is_list(kind):
        return [_feature(kind.value_type)]
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    return {"dtype": {"double": "float64"}.get(str(kind), str(kind)), "_type": "Value"}


if __name__ == "__main__":
    try:
        print(*write_script_branch(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])), sep="\n")
    except DecoyQAError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
