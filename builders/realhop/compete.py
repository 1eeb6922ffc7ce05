"""Complete paths to other answers that miss one relation of the question (appendix I.2)."""

import re
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from string import ascii_lowercase

from builders.realhop.branches import Branches
from builders.realhop.graph import HopPlan, Path, Plan
from builders.realhop.reading import read_sentence
from builders.realhop.relations import NearMiss, near_misses, relations
from builders.realhop.settings import Settings
from loaders.draw import generator

# Relations that hold with many subjects (`{h1} borders {c1}`), and those that hold with many objects.
_MANY_SUBJECTS = frozenset(
    """act_in appear_in border brother child citizen come_from compete_in export_to fight_in flow_into follower
    located_in member part_of party_member play_for serve_in sibling signed_to sister study_at take_part_in trade_with
    twinned_with visible_from voice work_for""".split()
)
_MANY_OBJECTS = frozenset(
    """act_in appear_in border compose contain direct employ export_to have_member include known_for parent perform
    produce publish receive release sibling sing trade_with twinned_with win write""".split()
)
_ENOUGH = 3  # near misses of a hop: two Strict paths and one Flexible have each its own
_INDEFINITE = re.compile(r"\b(?:an?|any|another|some) [a-z]\w*")
_DEFINITE = re.compile(r"\bthe [a-z]", re.IGNORECASE)


def compete(plan: Plan, seed: int, branches: Branches, settings: Settings) -> tuple[Path, ...]:
    """Return the Strict and Flexible candidates of every hop that has a near miss.

    Strict: two independent paths that miss the relation of the protected hop and regenerate only that hop and what
    rests on it. Flexible: one more, which keeps out of the protected support, and where that is safe another that
    matches the protected hop and misses a later one.
    """
    paths: list[Path] = []
    for hop in plan.hops:
        ids = [f"s{hop.hop_id}{letter}" for letter in ascii_lowercase[: settings.strict_per_hop]]
        wanted = zip([*ids, f"f{hop.hop_id}"], _offered(plan, hop, seed, settings), strict=False)
        paths += [branches.path(branch_id, hop, miss, hop) for branch_id, miss in wanted]
        paths += _later(plan, hop, seed, branches)
    return tuple(paths)


def orphans(plan: Plan, branches: Branches, paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return one path per hop but the last to whose head nothing leads, so that a Drop leaves two loose ends.

    From it goes all that goes on from gold, or the loose end whose names stand in most facts would be gold's.
    """
    return tuple(branches.orphan(hop, paths) for hop in plan.hops[:-1])


def _offered(plan: Plan, hop: HopPlan, seed: int, settings: Settings) -> list[NearMiss]:
    """Return the near miss of each path that breaks at its protected hop; too few are used again."""
    return list(islice(cycle(misses(plan, hop, seed)), settings.strict_per_hop + 1))


def misses(plan: Plan, hop: HopPlan, seed: int) -> list[NearMiss]:
    """Return the near misses of a hop in drawn order, last those whose relation the question itself asks for.

    Only those are taken that read back in the hop's own frame, with the same names in the same places; those that take
    the kinds of these names, if there are enough.
    """
    drawn = [miss for miss in near_misses(hop.pattern) if _frame(miss.pattern) == _frame(hop.pattern)]
    fitting = [miss for miss in drawn if _takes_kinds(plan, miss)]
    drawn = fitting if len(fitting) >= _ENOUGH else drawn
    generator(seed, plan.item_id, f"near misses of {hop.hop_id}").shuffle(drawn)
    asked = {other.relation for other in plan.hops}
    return sorted(drawn, key=lambda miss: miss.relation in asked)


def _takes_kinds(plan: Plan, miss: NearMiss) -> bool:
    """Whether the near miss holds of such things as stand right beside its relation."""
    atom = read_sentence(miss.pattern)
    kinds = {f"{{{entity.key}}}": entity.kind for entity in plan.entities}
    before, _, after = atom.frame.partition("<>") if atom else ("", "", "")
    relation, place = relations()[miss.relation], before.count("{}")
    takes_subject = not atom or before != "{} " or kinds[atom.args[0]] in relation.subject
    return takes_subject and (not atom or not after.startswith(" {}") or kinds[atom.args[place]] in relation.object)


def _frame(pattern: str) -> tuple[str, tuple[str, ...]] | None:
    atom = read_sentence(pattern)
    return (atom.frame, atom.args) if atom else None


def _later(plan: Plan, hop: HopPlan, seed: int, branches: Branches) -> Iterator[Path]:
    """Yield a path that matches the hop and misses one that rests on it, drawn, if a second match is safe."""
    later = [other for other in plan.hops if other.hop_id in plan.descendants(hop.hop_id)]
    if not later or not takes_many(plan, hop):
        return
    breaks = generator(seed, plan.item_id, f"later break of {hop.hop_id}").choice(later)
    # Strict and Flexible paths take the first ones.
    for miss in misses(plan, breaks, seed)[-1:]:
        yield branches.path(f"f{hop.hop_id}to{breaks.hop_id}", hop, miss, breaks)


def takes_many(plan: Plan, hop: HopPlan) -> bool:
    """Whether a second answer to the hop leaves the question clear: its relation has many, and it asks for `a` one.

    `The performer of X` has one referent; a second performer would make it ambiguous, whatever follows (I.2). Which
    phrase of the question means the hop is not known, so none may begin with `the`. `Shares a border` asks for nothing.
    """
    answer_first = hop.pattern.startswith(f"{{{hop.answer_key}}}")
    many = _MANY_SUBJECTS if answer_first else _MANY_OBJECTS
    forms = " ".join(form for other in plan.hops for form in relations()[other.relation].forms)
    asks_for_one = set(_INDEFINITE.findall(plan.question)) - set(_INDEFINITE.findall(forms))
    return hop.relation in many and bool(asks_for_one) and not _DEFINITE.search(plan.question)
