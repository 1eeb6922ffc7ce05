"""croissant.json: files, hashes, columns and responsible-AI fields of an artifact, in Croissant 1.1 with RAI 1.0.

What cannot be known when an artifact is built is left out: the page's address, and the day of a release before it is
in the history. Files are named relative to croissant.json, so that a downloaded folder can be read offline.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cards.croissant_context import CONTEXT
from cards.header import Config
from cards.history import History
from cards.prose import Prose
from loaders.artifact import shard_paths
from loaders.manifest import sha256_of
from loaders.schema import kinds

CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
DATA_TYPES: Mapping[type, str] = {str: "sc:Text", bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
PARQUET = "application/x-parquet"
CREATOR = "The DecoyQA developers"


def croissant(
    folder: Path, prose: Prose, manifest: Mapping[str, Any], configs: Sequence[Config], history: History
) -> dict[str, Any]:
    """Return croissant.json of a folder that holds its Parquet files; each split is a record set."""
    version = manifest["version"]
    released = {one.version: one.date.isoformat() for one in history.release}
    licenses = sorted({source["license"] for source in manifest["sources"]} - {"unknown"})
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        "name": prose.title,
        "description": f"{prose.summary} {prose.warning}",
        "version": version.replace(".dev", "-dev"),  # a semantic version, as Croissant asks
        "license": [f"https://spdx.org/licenses/{name}.html" for name in licenses],
        "citeAs": prose.paper.citation,
        "creator": {"@type": "sc:Organization", "name": CREATOR},
        "inLanguage": "en",
        "keywords": ["question answering", *(tag.replace("-", " ") for tag in prose.tags)],
        **({"datePublished": released[version]} if version in released else {}),
        **_responsible(prose, manifest),
        "distribution": [resource for config in configs for resource in _resources(folder, config)],
        "recordSet": [_record_set(folder, config, split.name) for config in configs for split in config.splits],
    }


def _responsible(prose: Prose, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the RAI vocabulary."""
    sources = [
        f"{one['config']}: {manifest['catalogue'][one['source']]['title']}, {one['license']}, sha256 {one['sha256']}"
        for one in manifest["sources"]
    ]
    return {
        "rai:dataCollection": prose.collection,
        "rai:dataCollectionType": ["Secondary Data analysis"],
        "rai:dataCollectionRawData": "; ".join(sources),
        "rai:dataCollectionMissingData": prose.missing,
        "rai:dataPreprocessingProtocol": prose.method,
        "rai:dataManipulationProtocol": f"Synthetic text: {prose.writer(manifest['writer']).method} {prose.warning}",
        "rai:dataAnnotationProtocol": prose.annotation,
        "rai:annotationsPerItem": "none by people",
        "rai:machineAnnotationTools": [f"{role}: {tool}" for role, tool in sorted(manifest["tools"].items())],
        "rai:dataBiases": prose.biases,
        "rai:dataLimitations": prose.all_limits(manifest),
        "rai:dataUseCases": [*prose.uses, *(f"Not for: {misuse}" for misuse in prose.misuses)],
        "rai:personalSensitiveInformation": prose.personal,
        "rai:dataSocialImpact": prose.impact,
        "rai:dataReleaseMaintenancePlan": (
            "Released versions are never changed; CHANGELOG.md lists releases, ERRATA.md faults and withdrawn items. "
            f"Canary: {manifest['canary']}"
        ),
    }


def _resources(folder: Path, config: Config) -> Iterator[dict[str, Any]]:
    """Yield every Parquet file with its hash, and a file set for each split of several files."""
    for split in config.splits:
        paths = shard_paths(folder, config.name, split.name)
        yield from (_file(folder, path) for path in paths)
        if len(paths) > 1:
            name = f"{config.name}/{split.name}-files"
            includes = f"{config.name}/{split.name}-*.parquet"
            yield {
                "@type": "cr:FileSet",
                "@id": name,
                "name": name,
                "encodingFormat": PARQUET,
                "includes": includes,
            }


def _file(folder: Path, path: Path) -> dict[str, Any]:
    name = path.relative_to(folder).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": PARQUET,
        "sha256": sha256_of(path),
    }


def _record_set(folder: Path, config: Config, split: str) -> dict[str, Any]:
    paths = shard_paths(folder, config.name, split)
    name = f"{config.name}/{split}"
    source = {"fileSet": {"@id": f"{name}-files"}} if len(paths) > 1 else {"fileObject": _reference(folder, paths[0])}
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"Split `{split}` of config `{config.name}`.",
        "key": [{"@id": f"{name}/{key}"} for key in config.key],
        "field": list(_fields(name, config.record, source, ())),
    }


def _reference(folder: Path, path: Path) -> dict[str, str]:
    return {"@id": path.relative_to(folder).as_posix()}


def _fields(name: str, record: type, source: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield a field for each column; a nested record's fields are sub-fields, found by a path within the column."""
    for column, kind in kinds(record).items():
        path = (*above, column)
        field: dict[str, Any] = {
            "@type": "cr:Field",
            "@id": f"{name}/{'/'.join(path)}",
            "name": column,
            "description": kind.meaning,
        }
        if kind.is_list:
            field |= {"isArray": True, "arrayShape": "-1"}
        if kind.inner in DATA_TYPES:
            within = {"transform": {"jsonPath": ".".join(path[1:])}} if above else {}
            field |= {
                "dataType": DATA_TYPES[kind.inner],
                "source": {**source, "extract": {"column": path[0]}, **within},
            }
        else:
            field["subField"] = list(_fields(name, kind.inner, source, path))
        yield field
