"""What the proofs of many items say together: the figures that the card shows."""

from collections.abc import Sequence
from typing import Any

from loaders.realhop import DropProof, RealHopRow


def proven(rows: Sequence[RealHopRow]) -> dict[str, Any]:
    """Return counts over Drops and evidence units.

    Gated: answers after a Drop, and endpoints where its relation is read as any (of hops that are not the last).
    Recorded: Drops that leave a competing path whole, or several loose ends, and units without which no answer follows.
    """
    drops = [(row, drop) for row in rows if row.proof for drop in row.proof.drops]
    inner = [drop for row, drop in drops if drop.hop_id != row.hops[-1].hop_id]
    units = [unit for row in rows if row.proof for unit in row.proof.units]
    return {
        "drops": len(drops),
        "drops_with_an_answer": sum(bool(drop.solutions) for _, drop in drops),
        "inner_drops": len(inner),
        "inner_drops_with_one_end": sum(_ends(drop) < 2 for drop in inner),
        "drops_with_a_whole_path": sum(bool(drop.complete_branches) for _, drop in drops),
        "inner_drops_with_several_heads": sum(len(drop.unattached_heads) > 1 for drop in inner),
        "units": len(units),
        "needed_units": sum(not unit.solutions for unit in units),
    }


def _ends(drop: DropProof) -> int:
    return len(set(drop.any_relation))
