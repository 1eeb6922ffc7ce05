"""Whole builds through a SPARQL endpoint: the index's items, answers kept, no secret told, endpoints that fail."""

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from eureqa_small import SAMPLE, Letters, build_small

from builders.cli import main
from builders.eureqa.backend import OUT
from builders.eureqa.build import walker
from builders.eureqa.by_iri import other_counts
from builders.eureqa.load import load_snapshot
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.sparql_http import Asker
from builders.eureqa.walk import WalkSettings
from builders.verify import problems, rebuild_problems
from loaders.artifact import read_rows
from loaders.errors import DecoyQAError
from loaders.eureqa import SPLITS, ChainCandidate, EureQARow
from loaders.manifest import read_manifest

if TYPE_CHECKING:
    from sparql_server import FaultyProxy

World = Any  # of conftest.py
FEW: dict[str, Any] = {"limit": 8, "walks_per_seed": 2, "shallow_chains": 2, "endpoint_rate": math.inf}
# Of the sample: each gives a chain within two walks, the last one an easy one too.
SEEDS = ("Chicago", "Led_Zeppelin", "Hamburg", "Liverpool", "Manchester_United_F.C.", "Glam_rock")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return load_snapshot([SAMPLE], [], tmp_path_factory.mktemp("graphs"), lambda edges: None)


@pytest.fixture(scope="module")
def facts(sample: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's facts as a release of DBpedia would hold them: redirects are resolved."""
    graph, names, path = sample.graph, sample.entities, tmp_path_factory.mktemp("facts") / "facts.nt"
    with path.open("w", encoding="utf-8") as lines:
        for subject in range(graph.entities):
            for direction, relation in graph.relations(subject):
                for object in graph.neighbours(subject, direction, relation) if direction == OUT else ():
                    lines.write(f"<{names[subject]}> <{sample.relations[relation]}> <{names[int(object)]}> .\n")
    return path


@pytest.fixture
def sample_endpoint(facts: Path, tmp_path: Path) -> Iterator[str]:
    from sparql_server import Oxigraph

    with Oxigraph([facts], tmp_path) as url:
        yield url


def seeds_file(folder: Path, *names: str) -> Path:
    path = folder / "seeds.txt"
    path.write_text("\n".join(names), encoding="utf-8")
    return path


@pytest.fixture
def proxy(oxigraph: str) -> "Iterator[FaultyProxy]":
    from sparql_server import FaultyProxy

    with FaultyProxy(oxigraph) as proxy:
        yield proxy


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builders.eureqa.sparql.Asker", partial(Asker, sleep=lambda seconds: None))


def rows_of(folder: Path) -> dict[tuple[str, str], list[EureQARow]]:
    found = ((config["name"], split) for config in read_manifest(folder)["configs"] for split in config["rows"])
    return {place: read_rows(folder, *place, EureQARow) for place in found}


def chains_of(folder: Path, config: str) -> list[ChainCandidate]:
    return read_rows(folder, f"{config}_construction", "chains", ChainCandidate)


def test_the_items_are_those_of_the_index_and_are_made_again_without_the_endpoint(
    sample_endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = FEW | {"seeds": seeds_file(tmp_path, *SEEDS)}
    plain = build_small([SAMPLE], tmp_path / "index", **few)
    url = sample_endpoint.replace("http://", "http://reader:hunter2@") + "?key=s3cret"
    asked = build_small([SAMPLE], tmp_path / "asked", endpoint=url, **few)
    rows = rows_of(asked)
    assert rows == rows_of(plain)
    assert {("hard", split) for split in SPLITS} | {("easy", "d5")} == set(rows)
    for config in ("hard", "easy"):
        pairs = list(zip(chains_of(asked, config), chains_of(plain, config), strict=True))
        assert all((a.id, a.layers, a.status) == (b.id, b.layers, b.status) for a, b in pairs)
        assert all((a.verdicts[0].gate, a.verdicts[0].verdict) == ("recount", "pass") for a, _ in pairs)
        assert all(a.verdicts[1:] == b.verdicts for a, b in pairs)

    manifest = read_manifest(asked)
    assert manifest["endpoint"]["name"] == sample_endpoint
    assert f"through the SPARQL endpoint `{sample_endpoint}`" in (asked / "README.md").read_text(encoding="utf-8")
    assert "endpoint" not in read_manifest(plain)
    assert manifest["recipe_sha256"] != read_manifest(plain)["recipe_sha256"]
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "oxigraph"]
    assert len(kept) > 20
    assert not any(word in path.read_bytes() for path in kept for word in (b"hunter2", b"s3cret"))

    assert problems(asked) == []
    monkeypatch.setattr("builders.eureqa.build.open_similarity", lambda name: Letters())
    monkeypatch.setattr("cards.pages.draw_figures", lambda *_: None)
    monkeypatch.setattr(Asker, "_once", lambda *_: pytest.fail("the endpoint was asked"))
    assert rebuild_problems(asked, tmp_path / "asked" / "home") == []
    with pytest.raises(DecoyQAError, match="expected answers that were kept, found none to SELECT"):
        rebuild_problems(asked, tmp_path / "elsewhere")


def test_a_build_that_was_stopped_goes_on_and_a_second_one_asks_nothing(
    world: World, proxy: "FaultyProxy", tmp_path: Path
) -> None:
    def build() -> Path:
        return build_small(world.files[:1], tmp_path, types=world.files[1:], endpoint=proxy.url, **FEW)

    proxy.fault = lambda query: "400" if len(proxy.queries) > 30 else ""
    with pytest.raises(DecoyQAError, match=r"http://127\.0\.0\.1:\d+/sparql: expected an answer, found HTTP 400"):
        build()
    assert not (tmp_path / "out").exists()
    *answered, refused = proxy.queries
    proxy.fault = lambda query: ""
    folder = build()
    again = proxy.queries[31:]
    assert again[0] == refused
    assert not set(again) & set(answered)
    assert problems(folder) == []
    build()
    assert len(proxy.queries) == 31 + len(again)


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["build", "eureqa", *map(str, words)])
    return found.exit_code, " ".join(found.output.split())


def check_refused(world: World, url: str, out: Path, expected: str) -> None:
    files = ("--input", world.files[0], "--types", world.files[1], "--limit", 5)
    code, text = run(*files, "--endpoint", url, "--endpoint-rate", 10_000, "--out", out)
    assert code == 2
    assert expected in text.partition("rror: ")[2]
    assert not out.exists()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("html", "expected SPARQL results as JSON, found text/html: <html><body>Welcome to the wiki"),
        ("other-json", 'expected SPARQL results as JSON, found other JSON: {"error": "no such thing"}'),
        ("503", "expected an answer, found HTTP 503: as told, nobody"),
        ("206", "expected a whole answer, found the part that was ready at a time limit"),
        ("s1tat", "expected a whole answer, found the part that was ready at a time limit"),
        ("empty", "expected SPARQL results as JSON, found nothing"),
        ("hangup", "expected an answer, found"),
    ],
)
def test_an_endpoint_that_is_none_stops_the_build_before_anything_is_written(
    world: World,
    proxy: "FaultyProxy",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    expected: str,
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    proxy.fault = lambda query: fault
    check_refused(world, proxy.url, tmp_path / "out", f"{proxy.url}: {expected}")


@pytest.mark.usefixtures("impatient")
def test_nobody_there_and_another_graph_are_told(
    world: World, sample_endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sparql_server import free_port

    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    check_refused(world, f"http://127.0.0.1:{free_port()}/sparql", tmp_path / "out", "Connection refused")
    check_refused(
        world, sample_endpoint, tmp_path / "out", "expected the graph of --input, found none of 5 seeds, as <"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--endpoint", "http://127.0.0.1/sparql"), "expected --input FILE, with --endpoint too"),
        (("--input", SAMPLE, "--endpoint", "ftp://x:hunter2@y/"), "to begin with http:// or https://"),
        (("--input", SAMPLE, "--endpoint-graph", "http://dbpedia.org"), "give the URL with --endpoint"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[Any, ...], expected: str
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    code, text = run("--source", "sample", *words, "--out", tmp_path / "out")
    assert code == 2
    assert expected in text
    assert "hunter2" not in text
    assert list(tmp_path.iterdir()) == []


def test_counts_that_differ_from_the_snapshots_are_told_by_layer(world: World) -> None:
    chains: list[Any] = [
        chain
        for settings in (WalkSettings(), WalkSettings(hard=False), WalkSettings(strict=True))
        for chain in walker(world.snapshot, world.rules, settings, 3)(world.seeds(20), 0)
        if len(chain) == 5
    ]
    assert len(chains) > 10
    assert not any(other_counts(chain, world.rules, world.snapshot) for chain in chains)
    chain, layer = chains[0], chains[0][2]
    changed = (*chain[:2], layer._replace(n_fact=layer.n_fact + 1), *chain[3:])
    reason = other_counts(changed, world.rules, world.snapshot)
    assert reason is not None
    told = f"n_fact of layer 3: {layer.n_fact + 1} there, {layer.n_fact} in the snapshot"
    assert (reason.code, reason.detail) == ("other_counts", told)


def test_an_endpoint_that_has_more_loses_the_chains_that_it_makes_doubtful(facts: Path, tmp_path: Path) -> None:
    from sparql_server import Oxigraph

    few = FEW | {"seeds": seeds_file(tmp_path, "Chicago"), "easy_chains": 0}
    (kept,) = chains_of(build_small([SAMPLE], tmp_path / "index", **few), "hard")
    layer, newcomer = kept.layers[0], "http://dbpedia.org/resource/Newcomer"
    subject, object = (newcomer, layer.fact_entity)[:: -1 if layer.fact_direction == "in" else 1]
    more = tmp_path / "more.nt"
    more.write_text(f"<{subject}> <{layer.fact_relation}> <{object}> .\n", encoding="utf-8")
    with (
        Oxigraph([facts, more], tmp_path) as url,
        pytest.raises(DecoyQAError, match="no chain was kept: recount: other_counts 1;"),
    ):
        build_small([SAMPLE], tmp_path / "asked", endpoint=url, **few)
