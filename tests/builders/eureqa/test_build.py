"""Whole builds: a graph of which every chain can be worked out, layers against plain loops, same bytes, bad input."""

import bz2
import gzip
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from eureqa_small import SAMPLE, build_small

from builders.cli import main
from builders.eureqa.build import find_chains
from builders.eureqa.invariants import invariant_problems
from builders.eureqa.material import Options, read_material
from builders.eureqa.recipe import EureQARecipe
from builders.sources.dbpedia import ONTOLOGY, RESOURCE, Dump, read_edges
from builders.verify import problems
from eval.answers import holds_answer
from loaders.artifact import read_rows
from loaders.eureqa import SPLITS, ChainCandidate, EureQARow, Layer
from loaders.manifest import read_manifest

slow = pytest.mark.skipif("DECOYQA_SLOW_TESTS" not in os.environ, reason="takes a minute; set DECOYQA_SLOW_TESTS=1")
Triple = tuple[str, str, str]

# Five towns in a ring of roads, each with two neighbours; what else is said of a town is true of it and of the next but
# one, so that every fact is hard, and every road with a fact names one town.
TOWNS = ("Ardmore", "Brinley", "Corvane", "Delwick", "Elstead", "Farnham", "Gorsley", "Hexham")
PAINTERS = ("Ann", "Bela", "Cleo", "Dora", "Ed", "Fay", "Gus", "Hal")


def triple(subject: str, relation: str, object: str) -> str:
    return f"<{RESOURCE}{subject}> <{ONTOLOGY}{relation}> <{RESOURCE}{object}> ."


def ring() -> Iterator[str]:
    """Yield triples: town i is twinned with i+1 and i+3, its painter lives in it and in i+2, taught by two others."""
    n = len(TOWNS)
    for i, (town, painter) in enumerate(zip(TOWNS, PAINTERS, strict=True)):
        for step in (1, 3):
            yield triple(town, "twinTown", TOWNS[(i + step) % n])
        for step in (0, 2):
            yield triple(painter, "residence", TOWNS[(i + step) % n])
            yield triple(painter, "influencedBy", PAINTERS[(i + step + 1) % n])
        yield triple(town, "river", ("Avon", "Esk")[i % 2])
        yield triple(painter, "award", ("Laurel", "Quill", "Ribbon")[i % 3])
    names = {"Settlement": TOWNS, "Person": PAINTERS, "River": ("Avon", "Esk"), "Award": ("Laurel", "Quill", "Ribbon")}
    for name, members in names.items():
        yield from (f"<{RESOURCE}{one}> a <{ONTOLOGY}{name}> ." for one in members)


PLAIN = "\n".join([line for line in ring() if "ontology" in line and " a " not in line] * 400).encode()


def written(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def ring_artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ring")
    return build_small([written(folder / "ring.ttl", ring())], folder)


@pytest.fixture(scope="module")
def sample_artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small([SAMPLE], tmp_path_factory.mktemp("sample"), limit=60)


def plain_triples(path: Path) -> set[Triple]:
    return {(edge.subject, edge.relation, edge.object) for edge in read_edges([path], Dump())}


def having(triples: set[Triple], relation: str, direction: str, other: str) -> set[str]:
    if direction == "out":
        return {s for s, r, o in triples if r == relation and o == other}
    return {o for s, r, o in triples if r == relation and s == other}


def check_layer(layer: Layer, triples: set[Triple], config: str) -> None:
    """Hold a layer against loops over the triples, which know nothing of the index."""
    fitting = having(triples, layer.relation, layer.relation_direction, layer.next_entity)
    about = having(triples, layer.fact_relation, layer.fact_direction, layer.fact_entity)
    assert fitting & about == {layer.entity}
    assert (len(fitting), len(about), layer.n_joint) == (layer.n_relation, layer.n_fact, 1)
    assert (len(about) > 1) == (config == "hard")
    back = "in" if layer.relation_direction == "out" else "out"
    assert len(having(triples, layer.relation, back, layer.entity)) == layer.n_next > 1
    assert layer.relation != layer.fact_relation


def check_artifact(folder: Path, triples: set[Triple]) -> int:
    """Check every layer of every chain, published or not; return how many there were."""
    n = 0
    for config in read_manifest(folder)["configs"]:
        if not config["funnel"]["chain"]:
            continue  # no walk was complete
        for chain in read_rows(folder, f"{config['name']}_construction", "chains", ChainCandidate):
            for layer, following in zip(chain.layers, [*chain.layers[1:], None], strict=True):
                check_layer(layer, triples, config["name"])
                assert following is None or layer.next_entity == following.entity
                n += 1
    return n


def rows_of(folder: Path, config: str, split: str) -> list[EureQARow]:
    return read_rows(folder, config, split, EureQARow)


def test_in_the_ring_every_town_and_painter_has_a_hard_chain(ring_artifact: Path) -> None:
    manifest = read_manifest(ring_artifact)
    assert manifest["snapshot"]["triples"] == 8 * 8
    assert manifest["snapshot"]["entities"] == 8 + 8 + 2 + 3
    hard, easy = manifest["configs"]
    # No fact names its entity: a town has a river, twins and painters in common with another, painters likewise.
    assert easy["rows"] == {} == easy["proof"]
    assert easy["left_out"] == ["d5"]
    assert hard["rows"] == dict.fromkeys(SPLITS, hard["rows"]["d5"])
    rows = rows_of(ring_artifact, "hard", "d5")
    assert len(rows) >= 8
    assert {row.answer for row in rows} <= {*TOWNS, *PAINTERS}
    assert list(invariant_problems(ring_artifact)) == []


def test_the_rings_layers_are_what_loops_say(ring_artifact: Path, tmp_path: Path) -> None:
    triples = plain_triples(written(tmp_path / "ring.ttl", ring()))
    assert check_artifact(ring_artifact, triples) >= 5 * 8


def test_every_layer_of_every_chain_of_the_sample_is_what_loops_say(sample_artifact: Path) -> None:
    # The index resolves redirects and leaves out pages; so do the triples here.
    beatles = {f"{RESOURCE}Beatles": f"{RESOURCE}The_Beatles"}
    page = f"{RESOURCE}Nirvana"
    triples = {(beatles.get(s, s), r, beatles.get(o, o)) for s, r, o in plain_triples(SAMPLE) if page not in (s, o)}
    assert check_artifact(sample_artifact, triples) > 100


def test_no_question_of_the_sample_names_what_it_hides(sample_artifact: Path) -> None:
    for split in SPLITS:
        for row in rows_of(sample_artifact, "hard", split):
            for layer in row.layers:
                assert not holds_answer(row.question, (layer.label, layer.label.rpartition(" (")[0] or layer.label))
                assert layer.placeholder in row.question


def test_verify_finds_nothing_wrong(sample_artifact: Path) -> None:
    assert problems(sample_artifact) == []


def content(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "build.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_chains(ring_artifact: Path, tmp_path: Path) -> None:
    again = build_small([written(tmp_path / "ring.ttl", ring())], tmp_path)
    assert content(again) == content(ring_artifact)
    other = build_small([tmp_path / "ring.ttl"], tmp_path / "other", seed=1)
    ids = [{row.chain_id for row in rows_of(folder, "hard", "d5")} for folder in (again, other)]
    assert ids[0] != ids[1]
    assert read_manifest(other)["recipe_sha256"] != read_manifest(again)["recipe_sha256"]
    assert read_manifest(other)["content_id"] != read_manifest(again)["content_id"]


def test_the_order_of_lines_and_the_packing_of_files_change_no_chain(ring_artifact: Path, tmp_path: Path) -> None:
    lines = sorted(ring(), reverse=True)
    packed = tmp_path / "ring.ttl.bz2"
    packed.write_bytes(
        bz2.compress("\n".join(lines[:40]).encode()) + bz2.compress("\n".join(["", *lines[40:]]).encode())
    )
    found = build_small([packed], tmp_path)
    assert rows_of(found, "hard", "d5") == rows_of(ring_artifact, "hard", "d5")


def test_targets_and_shallow_chains_are_what_was_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "ring.ttl", ring())
    found = build_small([path], tmp_path, hard_chains=3, shallow_chains=2)
    hard = read_manifest(found)["configs"][0]
    assert hard["rows"] == {"d1": 2, "d2": 2, "d3": 2, "d4": 2, "d5": 3}
    assert hard["paired"]["all"] == [row.chain_id for row in rows_of(found, "hard", "d5")[:2]]
    assert {step["step"]: step["rejected"] for step in hard["funnel"]["chain"]}["target"].keys() == {"over_target"}


def test_strict_chains_need_every_next_layer(tmp_path: Path) -> None:
    found = build_small([SAMPLE], tmp_path, limit=60, strict=True)
    rows = rows_of(found, "hard", "d5")
    assert rows
    for row in rows:
        assert all(layer.n_class > 1 and layer.n_relation > 1 and layer.n_fact > 1 for layer in row.layers)


def test_seeds_from_a_file_keep_their_categories(tmp_path: Path) -> None:
    path = written(tmp_path / "ring.ttl", ring())
    seeds = written(tmp_path / "seeds.txt", ["Ann\tartists", "Ardmore\ttowns", "Bela\tartists"])
    found = build_small([path], tmp_path, seeds=seeds)
    assert read_manifest(found)["configs"][0]["seeds"] == 3
    assert {row.category for row in rows_of(found, "hard", "d5")} <= {"artists", "towns"}


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["build", "eureqa", *map(str, words)])
    return found.exit_code, found.output


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("few.nt", "\n".join(ring()).replace(" a ", " <http://x/y> ").encode(), ""),
        ("bad.nt", b"no triple at all\n" * 300, "expected N-Triples"),
        ("turtle.nt", b"@prefix x: <http://x/> .\n" + b"x:a x:b x:c .\n" * 300, "expected N-Triples"),
        ("broken.ttl", "\n".join([*ring(), "<http://x> ."]).encode(), "expected Turtle"),
        ("cut.nt.bz2", bz2.compress(PLAIN)[:-40], "expected a whole"),
        ("cut.nt.gz", gzip.compress(PLAIN, mtime=0)[:-40], "expected a whole"),
        ("no.nt", b"", "found none"),
        ("literal.nt", f'<{RESOURCE}A> <{ONTOLOGY}b> "c" .\n'.encode(), "'literal': 1"),
        ("dump.csv", b"a,b,c\n", "expected a name in .nt or .ttl"),
    ],
)
def test_bad_input_stops_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, expected: str
) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    path = tmp_path / name
    path.write_bytes(data)
    code, text = run("--source", "sample", "--input", path, "--out", tmp_path / "out", "--dry-run")
    text = " ".join(text.split())
    if not expected:
        assert (code, "64 triples between 21 entities" in text) == (0, True)
    else:
        assert code == 2
        assert expected in text
        assert name in text
    assert not (tmp_path / "out").exists()


def test_a_seed_that_is_not_in_the_graph_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECOYQA_HOME", str(tmp_path / "home"))
    path, seeds = written(tmp_path / "ring.ttl", ring()), written(tmp_path / "seeds.txt", ["Ann", "Nobody"])
    code, text = run("--source", "sample", "--input", path, "--seeds", seeds, "--out", tmp_path / "out")
    assert code == 2
    assert "row 2: expected an entity of the graph, found 'Nobody'" in " ".join(text.split())
    assert not (tmp_path / "out").exists()


def test_odd_names_survive_the_whole_build(tmp_path: Path) -> None:
    odd = {"Ann": 'Ann_"A."_{X}', "Bela": "Bela`s", "Ardmore": "Ardmore,_Old\\u0020Town", "Cleo": "Cleo_(painter)"}
    lines = list(ring())
    for name, other in odd.items():
        lines = [line.replace(f"{RESOURCE}{name}>", f"{RESOURCE}{other}>") for line in lines]
    broken = ["<http://x> <http://y> .", "junk"]
    nt = [line.replace(" a ", " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ") for line in lines]
    found = build_small([written(tmp_path / "ring.nt", [*nt[:30], *broken, *nt[30:]])], tmp_path)
    manifest = read_manifest(found)
    assert manifest["snapshot"]["triples"] == 64
    assert manifest["snapshot"]["broken"]["ring.nt"]["count"] == 2
    assert [row for row, _ in manifest["snapshot"]["broken"]["ring.nt"]["first"]] == [31, 32]
    assert problems(found) == []
    answers = {row.answer for row in rows_of(found, "hard", "d5")}
    assert answers & {'Ann "A." {X}', "Bela`s", "Ardmore, Old Town", "Cleo"}
    text = " ".join(layer.sparql for row in rows_of(found, "hard", "d5") for layer in row.layers)
    assert "Ann_%22A.%22_%7BX%7D" in text


def real_inputs(shared_data: Callable[[str], Path]) -> tuple[Path, tuple[Path, ...]]:
    types = ("dbpedia/db_InsType_mini.txt.gz", "dbpedia/dbpedia_types.tsv")
    return shared_data("dbpedia/db15k.nt.gz"), tuple(shared_data(name) for name in types)


def check_real(
    folder: Path, shared_data: Callable[[str], Path], limit: int, names: Iterable[str], **recipe: bool
) -> int:
    """Walk from seeds of the real extract and hold every layer of every complete chain against loops."""
    path, types = real_inputs(shared_data)
    options = Options(
        (path,), out=folder / "out", home=folder / "home", types=types, limit=limit, recipe=EureQARecipe(**recipe)
    )
    material = read_material(options, lambda text: None)
    outs: dict[tuple[str, str], set[str]] = {}
    ins: dict[tuple[str, str], set[str]] = {}
    for edge in read_edges([path], Dump()):
        outs.setdefault((edge.subject, edge.relation), set()).add(edge.object)
        ins.setdefault((edge.object, edge.relation), set()).add(edge.subject)
    snapshot, kept = material.snapshot, 0
    for name in names:
        for trail in find_chains(name, material, options, lambda text: None).trails:
            for layer in trail.draft.chain:
                me = snapshot.entities[layer.entity]
                sets = []
                for edge in (layer.edge, layer.fact):
                    there, back = (ins, outs) if edge.direction == 0 else (outs, ins)
                    other, relation = snapshot.entities[edge.other], snapshot.relations[edge.relation]
                    sets.append(there[other, relation])
                    n_next = len(back[me, relation]) if edge is layer.edge else layer.n_next
                    assert n_next == layer.n_next > 1
                assert sets[0] & sets[1] == {me}
                assert (len(sets[0]), len(sets[1])) == (layer.n_relation, layer.n_fact)
                assert (layer.n_fact > 1) == (name == "hard")
            kept += trail.status == "kept"
    return kept


def test_layers_of_a_real_extract_are_what_loops_say(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    assert check_real(tmp_path, shared_data, 25, ("hard",)) > 5


@slow
@pytest.mark.parametrize(("names", "strict"), [(("hard", "easy"), False), (("hard",), True)])
def test_two_thousand_seeds_of_a_real_extract(
    shared_data: Callable[[str], Path], tmp_path: Path, names: tuple[str, ...], strict: bool
) -> None:
    kept = check_real(tmp_path, shared_data, 2000, names, strict=strict)
    assert kept > (20 if strict else 500)
