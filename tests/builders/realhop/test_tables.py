"""The whole of the relations, near misses and labels: what holds of every row."""

import pytest

from builders.realhop.closure import closure
from builders.realhop.reading import Atom, read_sentence
from builders.realhop.relations import label_pattern, near_misses, relation_in
from builders.realhop.tables import NOUN, VERB, Relation, labels, misses, relations
from builders.realhop.words import noun_forms, verb_forms

KINDS = {"person", "place", "organization", "work", "event", "thing", "date", "year", "number"}
PAIRS = [(relations()[miss.relation], relations()[miss.near_miss]) for rows in misses().values() for miss in rows]


def sentences(relation: Relation, form: str) -> list[str]:
    """Return a sentence for each way in which a form may be inflected."""
    if relation.kind == NOUN:
        forms = noun_forms(form)
        said = [
            f"{lead} {forms['singular'][0]} of Weston." for lead in ("Ana is the", "Ana became a", "Ana was not the")
        ]
        return [*said, f"Ana and Cleo are {forms['plural'][0]} of Weston.", f"Weston's {form} is Ana."]
    forms = verb_forms(form)
    leads = {"past": "Ana ", "participle": "Ana has ", "base": "Ana did ", "ing": "Ana was last seen "}
    said = [f"{lead}{forms[name][0]} Weston." for name, lead in leads.items()]
    return [f"Ana {forms['present'][0]} Weston.", f"Ana and Cleo {forms['present'][-1]} Weston.", *said]


def test_every_form_is_read_as_the_relation_it_stands_under() -> None:
    wrong = {
        (relation.key, said, relation_in(said))
        for relation in relations().values()
        for form in relation.forms
        for said in sentences(relation, form)
        if relation_in(said) != relation.key
    }
    assert wrong == {("found", "Ana and Cleo found Weston.", "discover")}  # English has it both ways


def test_no_form_stands_under_two_relations_of_a_kind() -> None:
    told = [(relation.kind, form) for relation in relations().values() for form in relation.forms]
    assert len(told) == len(set(told))


def test_what_says_that_an_entry_is_about_a_thing_is_no_relation() -> None:
    assert relation_in("Entry K41 of the Halden Register is about Weston.") is None


def test_rows_are_whole_and_name_rows_that_are_there() -> None:
    for relation in relations().values():
        assert relation.kind in {VERB, NOUN}, relation
        assert all(relation.forms), relation
        assert relation.subject <= KINDS, relation
        assert relation.object <= KINDS, relation
        assert {relation.key} != {relation.inverse, *relation.entails} - {""}, relation
        for key in filter(None, (relation.inverse, *relation.entails)):
            assert relations()[key], relation


def test_there_are_enough_near_misses_each_with_its_reason() -> None:
    assert len(PAIRS) >= 120
    assert len(set(PAIRS)) == len(PAIRS)
    few = {key: len(rows) for key, rows in misses().items() if len(rows) < 3}
    assert not few
    assert all(miss.why.strip() for rows in misses().values() for miss in rows)


def test_rows_stand_in_the_order_of_their_relation() -> None:
    assert list(relations()) == sorted(relations())
    assert list(misses()) == sorted(misses())
    assert list(labels()) == sorted(labels())


def test_a_near_miss_takes_the_kinds_of_its_relation() -> None:
    unlike = [
        (gold.key, miss.key)
        for gold, miss in PAIRS
        if gold.kind != miss.kind or not gold.subject & miss.subject or not gold.object & miss.object
    ]
    assert not unlike


def test_no_near_miss_entails_its_relation() -> None:
    """Neither alone, nor turned round, nor in a chain of two, nor behind or before a fact that does match."""
    for gold, miss in PAIRS:
        missed = [Atom(miss.key, "{} <> {}", args) for args in (("a", "b"), ("b", "c"))]
        matched = [Atom(gold.key, "{} <> {}", args) for args in (("a", "b"), ("b", "c"))]
        alone = closure(missed)
        assert not [atom for atom in alone if atom.relation == gold.key], (gold.key, miss.key)
        mixed = closure([missed[0], matched[1]]) | closure([matched[0], missed[1]])
        assert not [atom for atom in mixed if atom.relation == gold.key and set(atom.args) == {"a", "c"}], (gold, miss)


def test_a_near_miss_differs_from_its_sentence_in_the_relation_alone() -> None:
    for key, rows in misses().items():
        said = sentences(relations()[key], relations()[key].forms[0])[0]
        gold, found = read_sentence(said), near_misses(said)
        assert gold is not None
        assert [miss.relation for miss in found] == [row.near_miss for row in rows], said
        for miss in found:
            assert read_sentence(miss.pattern) == Atom(miss.relation, gold.frame, gold.args), miss.pattern


@pytest.mark.parametrize(("label", "pattern"), list(labels().items()))
def test_each_label_is_a_sentence_with_near_misses(label: str, pattern: str) -> None:
    atom = read_sentence(pattern)
    assert atom is not None
    assert set(atom.args) == {"{s}", "{o}"}
    assert len(near_misses(pattern)) >= 3
    assert label_pattern(f" {label} ") == pattern
