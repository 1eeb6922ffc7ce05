"""How a fact is told: in one sentence, or in two that only together state it (appendix I.1)."""

from collections.abc import Iterator, Mapping

from builders.realhop.graph import KEY, Fact, HopPlan, Plan
from loaders.draw import generator

REGISTER = "the Halden Register"
_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"  # without those that look like figures


def entries(plan: Plan, seed: int) -> Iterator[str]:
    """Yield register entries in drawn order, such as `entry K417 of the Halden Register`, none twice."""
    codes = [f"{letter}{number}" for letter in _LETTERS for number in range(100, 1000)]
    generator(seed, plan.item_id, "register entries").shuffle(codes)
    yield from (f"entry {code} of {REGISTER}" for code in codes)


def bound(hop: HopPlan, pattern: str, relation: str, names: Mapping[str, str], path: str, entry: str) -> Fact:
    """Return the fact at a hop's place with its keys bound; `path` is the branch's id, of gold `g`."""
    fact_id = f"{path}.{hop.hop_id}" if path != "g" else f"g{hop.hop_id}"
    pairs = tuple((key, names[key]) for key in dict.fromkeys(KEY.findall(pattern)))
    return Fact(fact_id, hop.hop_id, pattern, relation, pairs, entry if hop.hardened else "")


def gold_facts(plan: Plan, register: Iterator[str]) -> tuple[Fact, ...]:
    """Return what makes the gold path, one fact a hop."""
    return tuple(bound(hop, hop.pattern, hop.relation, plan.names, "g", next(register)) for hop in plan.hops)


def units(fact: Fact) -> tuple[tuple[str, str], ...]:
    """Return the id and sentence of each evidence unit.

    Of two, the first says what the register entry is about, the second is the fact with the entry in that place; the
    entry stands for a name that the hop rests on, so that neither alone says how the hop's answer is reached.
    """
    if not fact.entry:
        return ((fact.fact_id, fact.text),)
    key = linked(fact)
    names = dict(fact.names)
    about = f"{fact.entry[0].upper()}{fact.entry[1:]} is about {names[key]}."
    told = fact.pattern.format_map(names | {key: f"the subject of {fact.entry}"})
    return (f"{fact.fact_id}.1", about), (f"{fact.fact_id}.2", told[0].upper() + told[1:])


def linked(fact: Fact) -> str:
    """Return the key for which the entry stands: the last earlier answer, else the last constant.

    A date, year or number is taken only where there is nothing else, and so is an owner: `the Halden Register's book`
    is another book. Raises ValueError if the hop rests on nothing.
    """
    names = dict(fact.names)
    candidates = [key for key in names if key != f"h{fact.hop_id}"]
    if not candidates:
        raise ValueError(f"{fact.pattern}: a fact that rests on nothing cannot be told in two units")

    def rank(key: str) -> tuple[bool, bool, bool, int]:
        owns = f"{{{key}}}'" in fact.pattern
        return not _has_figure(names[key]), not owns, key[0] == "h", int(key[1:])

    return max(candidates, key=rank)


def _has_figure(name: str) -> bool:
    return any(sign.isdigit() for sign in name)
