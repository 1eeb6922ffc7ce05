"""Rows of a hand-counted chain: counts, candidates, queries, answers with less."""

import pytest
from eureqa_small import edge, entity, small

from builders.eureqa.rows import CANDIDATES, Origin, candidates, chain_id, row
from builders.eureqa.snapshot import Snapshot
from builders.eureqa.walk import Chain, Layer
from builders.eureqa.write import tell
from loaders.eureqa import EureQARow, WithoutStatement

# Two films by Scott and two with Weaver, one of them both; she and two others were born in New York, she and one
# other studied at Yale.
GRAPH = """Alien_(film) director Scott
    Gladiator director Scott
    Alien_(film) starring Weaver
    Alien_(film) starring Hurt
    Aliens starring Weaver
    Gladiator starring Crowe
    Gladiator starring Phoenix
    Weaver birthPlace New_York
    Weaver birthPlace Manhattan
    Keitel birthPlace New_York
    Pacino birthPlace New_York
    Weaver almaMater Yale
    Norton almaMater Yale
    Norton birthPlace Boston
"""
TYPES = {"Film": "Alien_(film) Aliens Gladiator", "Person": "Weaver Scott Norton", "City": "New_York Boston"}
ORIGIN = Origin("hard", "Work", "rules", "CC-BY-4.0")


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return small(GRAPH, TYPES, redirects={"Alien_1": "Alien_(film)", "Sigourney": "Weaver"})


def chain(snapshot: Snapshot) -> Chain[int, int]:
    return (
        Layer(entity("Alien_(film)", snapshot), edge("starring Weaver", snapshot), edge("director Scott", snapshot),
              2, 2, 2, 1, 0),
        Layer(entity("Weaver", snapshot), edge("birthPlace New_York", snapshot), edge("almaMater Yale", snapshot),
              2, 3, 2, 1, 0),
    )  # fmt: skip


def made(snapshot: Snapshot, depth: int) -> EureQARow:
    layers = chain(snapshot)
    return row(layers, tell(layers, snapshot), depth, ORIGIN, snapshot, 0)


def test_a_row_says_all_that_is_known_of_its_chain(snapshot: Snapshot) -> None:
    found = made(snapshot, 2)
    assert found.id == f"{found.chain_id}-d2"
    assert found.chain_id == chain_id("hard", chain(snapshot), snapshot)
    assert (found.answer, found.answer_aliases) == ("Alien", ("Alien (film)", "Alien 1"))
    assert (found.depth, found.category, found.writer, found.source_license) == (2, "Work", "rules", "CC-BY-4.0")
    assert found.question == (
        "What is Film A? Film A stars Actor B. Film A was directed by Scott. Actor B was born in City C."
        " Actor B studied at Yale. City C is New York."
    )
    assert (found.closing, found.closing_entity) == ("City C is New York.", "http://dbpedia.org/resource/New_York")
    first, second = found.layers
    assert (first.label, first.hypernym, first.placeholder) == ("Alien (film)", "film", "Film A")
    assert (first.relation, first.relation_direction) == ("http://dbpedia.org/ontology/starring", "out")
    assert first.next_entity == second.entity == "http://dbpedia.org/resource/Weaver"
    assert (second.n_relation, second.n_fact, second.n_joint, second.n_next) == (3, 2, 1, 2)
    assert "?x <http://dbpedia.org/ontology/almaMater> <http://dbpedia.org/resource/Yale> ." in second.sparql


def test_answers_with_less_are_counted_by_hand(snapshot: Snapshot) -> None:
    # Without `stars Weaver`: both films by Scott. Without `by Scott`: both films with Weaver. Without the birthplace:
    # Weaver and Norton, of whom only she is in a film by Scott. Without Yale: three people born in New York, likewise.
    assert made(snapshot, 2).n_answers_without == (
        WithoutStatement("relation 1", 2),
        WithoutStatement("fact 1", 2),
        WithoutStatement("relation 2", 1),
        WithoutStatement("fact 2", 1),
    )
    # Without the last name: Norton was born in a city too, but stars in nothing; at depth 1 Crowe and Phoenix, who have
    # no class, are no actors that the question could mean, since Weaver is shown as a person.
    assert made(snapshot, 2).n_answers_without_closing == 1
    assert made(snapshot, 1).n_answers_without_closing == 1


def test_whether_a_layer_needs_the_next_one_is_counted_for_every_row(snapshot: Snapshot) -> None:
    # By Scott, and with some person: only Alien, since those of Gladiator have no class. Of Yale, and born in some
    # city: Weaver and Norton.
    assert [layer.n_class for layer in made(snapshot, 2).layers] == [1, 2]


def test_every_visible_pattern_has_its_candidates_with_the_right_one(snapshot: Snapshot) -> None:
    deep, shallow = made(snapshot, 2), made(snapshot, 1)
    assert [(one.pattern, one.names) for one in deep.candidates] == [
        ("<?, director, Scott>", ("Alien (film)", "Gladiator")),
        ("<?, almaMater, Yale>", ("Norton", "Weaver")),
        ("<?, birthPlace, New York>", ("Keitel", "Pacino", "Weaver")),
    ]
    assert [one.pattern for one in shallow.candidates] == ["<?, director, Scott>", "<?, starring, Weaver>"]


def test_an_inverse_edge_is_a_pattern_with_the_unknown_behind() -> None:
    snapshot = small("A starring B\nA starring C\nD starring B\nB birthPlace X\nC birthPlace X")
    layers = (
        Layer(entity("B", snapshot), edge("<starring D", snapshot), edge("birthPlace X", snapshot), 2, 1, 2, 1, 0),
    )
    found = row(layers, tell(layers, snapshot), 1, ORIGIN, snapshot, 0)
    assert [one.pattern for one in found.candidates] == ["<?, birthPlace, X>", "<D, starring, ?>"]
    assert found.layers[0].relation_direction == "in"


def test_at_most_twenty_candidates_drawn_by_the_seed() -> None:
    crowd = "\n".join(f"P{i:02} birthPlace X" for i in range(40))
    snapshot = small(f"{crowd}\nP07 starring Q\nP07 starring R\nS starring Q")
    layer = Layer(entity("P07", snapshot), edge("starring Q", snapshot), edge("birthPlace X", snapshot), 2, 2, 40, 1, 0)
    told = tell((layer,), snapshot)
    drawn = [candidates((layer,), told, "chain", snapshot, seed)[0].names for seed in range(5)]
    assert all(len(names) == CANDIDATES and "P07" in names and list(names) == sorted(names) for names in drawn)
    assert len(set(drawn)) == 5
    assert candidates((layer,), told, "chain", snapshot, 0)[0].names == drawn[0]
    assert len(candidates((layer,), told, "chain", snapshot, 0)[1].names) == 2


def test_layers_without_one_answer_are_never_published(snapshot: Snapshot) -> None:
    born = edge("birthPlace New_York", snapshot)
    weak = Layer(entity("Weaver", snapshot), born, born, 2, 3, 3, 3, 0)
    with pytest.raises(ValueError, match="Weaver at depth 1 has 3 answers"):
        row((weak,), tell((weak,), snapshot), 1, ORIGIN, snapshot, 0)


def test_a_chain_is_named_by_all_that_it_says(snapshot: Snapshot) -> None:
    whole = chain(snapshot)
    turned = (whole[0]._replace(edge=whole[0].fact, fact=whole[0].edge), whole[1])
    names = {chain_id("hard", one, snapshot) for one in (whole, whole[:1], turned)} | {
        chain_id("easy", whole, snapshot)
    }
    assert len(names) == 4
    assert chain_id("hard", (whole[0]._replace(n_fact=9), whole[1]), snapshot) == chain_id("hard", whole, snapshot)
