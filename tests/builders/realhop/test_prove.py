"""Proofs of hand-made items, worked out by hand, and mutants of them."""

from dataclasses import replace

import pytest
from realhop_chain import CHAIN, CHAIN_SOURCE, KIN
from realhop_mutants import MUTANTS
from realhop_rows import rewritten
from realhop_sly_mutants import SLY_MUTANTS

from builders.realhop.prove import path_faults, prove
from loaders.realhop import DropProof, Proof, UnitProof
from loaders.realhop_conditions import ABLATIONS, only
from loaders.records import Reason


def _code(row, source=CHAIN_SOURCE):
    found = prove(row, source)
    return found.code if isinstance(found, Reason) else "proved"


def test_the_proof_of_a_chain():
    first = DropProof(
        hop_id="1",
        solutions=(),
        any_relation=("Arden Locks", "Delmar Quay", "Lowen Sedge", "Ostrel"),
        complete_branches=("s1a", "s1b", "o1"),  # s2a stood in the passage that went
        unattached_heads=("Corin Vasse", "Tovin Brask"),
    )
    second = DropProof("2", (), (), ("s1a", "s2a", "o1"), ())  # s1b's end stood in the passage that went
    units = tuple(UnitProof(unit, ()) for unit in ("g1", "g2.1", "g2.2"))
    assert prove(CHAIN, CHAIN_SOURCE) == Proof(("Delmar Quay",), (first, second), units)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
@pytest.mark.parametrize("row", [CHAIN, KIN], ids=["chain", "kin"])
def test_a_mutant_is_rejected_by_name(row, mutant):
    assert {_code(spoilt) for spoilt in mutant(row)} <= {MUTANTS[mutant]}


@pytest.mark.parametrize("mutant", SLY_MUTANTS, ids=lambda mutant: mutant.__name__)
@pytest.mark.parametrize("row", [CHAIN, KIN], ids=["chain", "kin"])
def test_what_no_query_finds_is_rejected_by_name(row, mutant):
    assert {_code(spoilt) for spoilt in mutant(row)} <= {*SLY_MUTANTS[mutant]}


def test_every_mutant_is_there():
    assert [
        mutant.__name__ for mutant in (*MUTANTS, *SLY_MUTANTS) if not any(list(mutant(row)) for row in (CHAIN, KIN))
    ] == []


NEAR = "Orrin Tell translated Weston Hollow."
KIN_NEAR = "Orrin Tell is the uncle of Weston Hollow."


@pytest.mark.parametrize(
    ("row", "old", "new", "code"),
    [
        (CHAIN, NEAR, "Orrin Tell authored Weston Hollow.", "near_miss_is_synonym"),
        (CHAIN, NEAR, "Weston Hollow was penned by Orrin Tell.", "near_miss_is_synonym"),
        (CHAIN, NEAR, "Orrin Tell is the author of Weston Hollow.", "near_miss_entails"),
        (KIN, KIN_NEAR, "Weston Hollow is the child of Orrin Tell.", "near_miss_is_inverse"),
        (KIN, KIN_NEAR, "Orrin Tell is the father of Weston Hollow.", "near_miss_entails"),
        (CHAIN, NEAR, "Orrin Tell translated Weston Hall.", "path_incomplete"),
        (CHAIN, NEAR, "Orrin Tell gloams Weston Hollow.", "unread_fact"),
        (CHAIN, "born in Arden Locks", "born in Arden Falls", "wrong_endpoint"),
        (CHAIN, "Fog is wet.", "Corin Vasse felt that fog is wet.", "loose_mention"),
        (CHAIN, "Fog is wet.", "Vasse felt that fog is wet.", "loose_mention"),
        (CHAIN, "Fog is wet.", "Tovin Brask wrote Ely Notes.", "orphan_attached"),
        (CHAIN, "Fog is wet.", "Tolk Ling wrote Weston Hollow.", "text_changed"),
        (CHAIN, "Snow did not.", "Corin Vasse was born in Ely.", "not_the_only_solution"),
        (CHAIN, "Snow did not.", "Delmar Quay is cold.", "answer_remains"),
        (CHAIN, "Mist lifts late.", "Mist lifts late at Pell.", "loose_mention"),
    ],
)
def test_a_sentence_changed(row, old, new, code):
    assert _code(rewritten(row, old, new)) == code


def test_a_name_of_the_source_in_the_question():
    tied = rewritten(CHAIN, "Fog is wet.", "Ely is wet.")
    asked = "Where in Ely was the author of Weston Hollow born?"
    assert _code(replace(tied, question=asked)) == "constant_left_original"
    assert _code(replace(CHAIN, question=asked)) == "proved"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"question": "Where was Corin Vasse, author of Weston Hollow, born?"}, "answer_in_question"),
        ({"answer": "Ostrel"}, "no_solution"),
        ({"competitors": CHAIN.competitors[1:]}, "no_strict_path"),
        ({"hops": (replace(CHAIN.hops[0], answer="Orrin Tell"), CHAIN.hops[1])}, "binding_not_inherited"),
        ({"hops": (CHAIN.hops[0], replace(CHAIN.hops[1], relation="#1 gloamed #2."))}, "unread_hop"),
    ],
)
def test_a_record_changed(changed, code):
    assert _code(replace(CHAIN, **changed)) == code


def test_a_break_out_of_place():
    first = replace(CHAIN.competitors[0], break_hop="2")
    assert _code(replace(CHAIN, competitors=(first, *CHAIN.competitors[1:]))) == "path_incomplete"
    nowhere = replace(first, break_hop="")
    assert _code(replace(CHAIN, competitors=(nowhere, *CHAIN.competitors[1:]))) == "break_out_of_place"


def test_without_the_orphan_gold_is_left_over():
    left = only(CHAIN, ABLATIONS["no_orphans"])
    assert _code(left) == "one_loose_end"


def test_faults_of_paths_by_id():
    spoilt = rewritten(CHAIN, NEAR, "Orrin Tell authored Weston Hollow.")
    assert {branch: reason.code for branch, reason in path_faults(spoilt).items()} == {"s1a": "near_miss_is_synonym"}
