"""What the competing paths of an item are made by, frozen into the recipe."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How many competing paths a question gets and where they may stand (sections 4.1 and 4.2, appendices I.2, I.3)."""

    strict_per_hop: int = 2  # independent Strict candidates, of which one must survive (I.2)
    orphans: bool = True  # ours: a path to which nothing leads, one per hop that is not the last
    most_per_passage: int = 10  # ours: inserted sentences in one passage
    pruning_rounds: int = 2  # removals of unsafe paths before the item is given up (I.3)
