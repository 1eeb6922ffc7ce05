"""The table of relations: whole, grammatical at its seams, and the rules that follow from it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from eureqa_small import relation, small

from builders.eureqa.nouns import kinds
from builders.eureqa.relations import Relation, families, rules_for, table, table_identity, twins
from builders.sources.dbpedia import ONTOLOGY

if TYPE_CHECKING:
    from collections.abc import Callable

# The object relations that DBpedia uses most, those that hold intermediate nodes or no entities left out.
MOST_USED = """birthPlace team country deathPlace location genre isPartOf starring occupation recordLabel
    hometown almaMater position associatedBand associatedMusicalArtist nationality director producer award writer
    party language type timeZone artist region family order genus phylum kingdom class district state city
    musicComposer distributor instrument industry spouse editing cinematography author publisher birthPlace residence
    league successor predecessor battle federalState militaryBranch department deathCause knownFor county
    religion restingPlace network format owner manufacturer parent child literaryGenre subsequentWork
    previousWork influenced influencedBy architect architecturalStyle headquarter keyPerson product foundedBy
    locationCity locationCountry operator affiliation bandMember formerBandMember leaderName leader
    ground manager managerClub creator executiveProducer channel developer computingPlatform series
    college draftTeam formerTeam coach commander place isPartOfMilitaryConflict militaryUnit
    garrison garrison education employer field doctoralAdvisor doctoralStudent notableWork capital
    currency officialLanguage largestCity ethnicGroup spokenIn languageFamily anthem governmentType routeJunction
    routeStart routeEnd mountainRange riverMouth sourceCountry mouthCountry crosses river inflow outflow
    nearestCity parentCompany subsidiary division campus athletics regionServed
    sisterStation broadcastArea broadcastNetwork hubAirport targetAirport alliance
    stylisticOrigin derivative musicSubgenre musicFusionGenre musicalArtist musicalBand album voice narrator presenter
    openingTheme endingTheme basedOn portrayer species firstAppearance illustrator coverArtist translator
    nonFictionSubject mediaType country president governor primeMinister monarch vicePresident lieutenant
    deputy appointer otherParty ideology headquarters nationalAffiliation
    philosophicalSchool era mainInterest notableIdea movement trainer museum discoverer
    constellation engine assembly designer bodyStyle transmission relatedMeanOfTransportation
    builder launchSite launchVehicle crewMember stadium tenant season winner medalist goldMedalist
    silverMedalist bronzeMedalist owningCompany maintainedBy license operatingSystem""".split()


def test_the_table_has_the_relations_that_are_used_most() -> None:
    wanted = set(MOST_USED)
    assert len(wanted) > 150
    assert sorted(wanted - set(table())) == []
    assert len(table()) > 340


@pytest.mark.parametrize("one", table().values(), ids=lambda one: one.relation)
def test_a_line_has_two_whole_sentences_and_known_nouns(one: Relation) -> None:
    for text in (one.out, one.into):
        assert text.count("{s}") == text.count("{o}") == 1
        # Somebody who knows only one end can read it: words between the ends, one blank apart, no stop.
        assert re.fullmatch(r"(?:[a-z]+(?:-[a-z]+)* )*(?:\{[so]\}|[A-Za-z' -]+ )+.*[a-z}]", text), text
        assert "  " not in text
        assert not re.search(r"\b(a|an|the) \{", text), "names bring their own article"
        assert not re.search(r"\b(\w+) \1\b", text)
    assert one.use in ("both", "fact", "none")
    for noun in (one.subject, one.object):
        assert noun == "thing" or kinds(noun)


def test_ends_of_one_kind_are_named_alike() -> None:
    for one in table().values():
        if one.family in ("sequence", "influence") and "|" in one.subject:
            assert kinds(one.subject) == kinds(one.object)


def test_twins_and_inverses_are_of_one_family() -> None:
    known = table()
    for pair in (
        ("associatedBand", "associatedMusicalArtist"),
        ("previousWork", "subsequentWork"),
        ("predecessor", "successor"),
        ("parent", "child"),
        ("influenced", "influencedBy"),
        ("doctoralAdvisor", "doctoralStudent"),
        ("parentCompany", "subsidiary"),
        ("stylisticOrigin", "derivative"),
        ("bandMember", "formerBandMember"),
        ("location", "isPartOf"),
    ):
        assert known[pair[0]].family == known[pair[1]].family != ""


def test_what_may_make_a_layer_and_what_may_only_be_a_fact() -> None:
    snapshot = small(
        """Ann director Film
        Ann country Spain
        Spain timeZone CET
        Ann patronOf Film
        """
    )
    rules = rules_for(snapshot)
    number = {name: relation(name, snapshot) for name in ("director", "country", "timeZone", "patronOf")}
    assert rules.chain == {number["director"], number["patronOf"]}  # what the table does not know may do both
    assert rules.fact == {number["director"], number["patronOf"], number["country"]}
    assert len({rules.family[one] for one in number.values()}) == 4


def test_relations_between_the_same_pairs_are_found_as_twins_however_they_are_turned() -> None:
    same = "\n".join(f"A{i} stars B{i}\nA{i} hasActor B{i}\nB{i} actsIn A{i}\nA{i} madeBy C{i}" for i in range(20))
    snapshot = small(f"{same}\nA0 madeBy B0")
    family = rules_for(snapshot).family
    stars, has_actor, acts_in, made_by = (
        relation(name, snapshot) for name in ("stars", "hasActor", "actsIn", "madeBy")
    )
    assert family[stars] == family[has_actor] == family[acts_in]
    assert family[made_by] != family[stars]


def test_few_pairs_say_nothing_and_a_part_in_common_is_no_twin() -> None:
    few = small("\n".join(f"A{i} r B{i}\nA{i} s B{i}" for i in range(19)))
    assert twins(few.graph, 2) == []
    overlap = "\n".join(f"A{i} r B{i}\nA{i} s {'B' if i < 15 else 'C'}{i}" for i in range(20))
    assert twins(small(overlap).graph, 2) == []  # 15 of 20
    enough = "\n".join(f"A{i} r B{i}\nA{i} s {'B' if i < 16 else 'C'}{i}" for i in range(20))
    assert twins(small(enough).graph, 2) == [(0, 1)]  # 16 of 20


def test_a_family_of_the_table_is_joined_with_a_twin_of_the_graph() -> None:
    lines = "\n".join(f"A{i} parent B{i}\nB{i} begot A{i}" for i in range(20))
    snapshot = small(f"{lines}\nA0 child Z")
    known = [table().get(iri.removeprefix(ONTOLOGY)) for iri in snapshot.relations]
    assert set(families(snapshot, known).values()) == {0}


def test_another_table_would_be_another_recipe() -> None:
    assert re.fullmatch(r"relations\.tsv@[0-9a-f]{12}", table_identity())


def test_every_relation_of_a_real_extract_is_known(shared_data: "Callable[[str], Path]", tmp_path: Path) -> None:
    import gzip

    with gzip.open(shared_data("dbpedia/db15k.nt.gz"), "rt", encoding="utf-8") as file:
        used = set(re.findall(r"<http://dbpedia\.org/ontology/(\w+)>", file.read()))
    unknown = {name for name in used if name not in table() and not name.startswith("wiki")}
    assert unknown == set()
