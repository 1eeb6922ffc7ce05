"""How many sub-questions of a MuSiQue file the rules turn into readable sentences.

Run as `python -m builders.realhop.coverage FILE`.

Works on decompositions without paragraphs too; there the case of small-letter questions is restored from less.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.entities import EMBEDDED_PIPELINE, load_pipeline
from builders.realhop.graph import KEY
from builders.realhop.plan import read_back
from builders.realhop.rebinding import not_rebindable
from builders.realhop.understand import understand
from builders.sources.musique import to_item
from builders.sources.rows import read_rows
from loaders.records import Hop, Item, Reason

_WORD = re.compile(r"\b(who|whom|whose|what|which|when|where|how|why)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Coverage:
    """Counts of hops by form (`label`, or `plain` and the question word), of those understood, and of reasons."""

    hops: Counter[str]
    understood: Counter[str]
    reasons: Counter[str]
    items: int
    whole: int  # items of which every hop is understood

    def share(self, form: str) -> float:
        """The share of a form's hops that are understood."""
        return self.understood[form] / self.hops[form] if self.hops[form] else 0.0


def read_decompositions(path: Path) -> Iterable[Item]:
    """The items of a MuSiQue file as far as their decompositions go, without passages; InputError as `read_rows`."""
    return (to_item(_bare(row.columns)) for row in read_rows(path, ("question", "question_decomposition")))


def _bare(row: Mapping[str, Any]) -> dict[str, Any]:
    steps = [{**step, "paragraph_support_idx": None} for step in row["question_decomposition"]]
    return {**row, "paragraphs": [], "question_decomposition": steps}


def coverage(items: Iterable[Item], nlp: Any) -> Coverage:
    """Count the hops that have a sentence which reads back and has near misses enough."""
    found = Coverage(Counter(), Counter(), Counter(), 0, 0)
    read = whole = 0
    for item in items:
        read += 1
        patterns = understand(item, nlp).patterns
        results = [(_form(hop), _relation(hop, patterns[hop.hop_id])) for hop in item.hops]
        for form, result in results:
            found.hops[form] += 1
            if isinstance(result, Reason):
                found.reasons[result.code] += 1
            else:
                found.understood[form] += 1
        whole += not any(isinstance(result, Reason) for _, result in results)
    return Coverage(found.hops, found.understood, found.reasons, read, whole)


def _relation(hop: Hop, pattern: str | Reason) -> str | Reason:
    if isinstance(pattern, Reason):
        return pattern
    return not_rebindable(hop) or read_back(pattern, {key: f"{{{key}}}" for key in KEY.findall(pattern)})


def _form(hop: Hop) -> str:
    if ">>" in hop.relation:
        return "label"
    word = _WORD.search(hop.relation)
    return f"plain {word[1].lower() if word else 'without'}"


def table(found: Coverage) -> str:
    """The counts as lines of text, the most frequent form first."""
    lines = [
        f"{form:16}{found.understood[form]:6} of {n:5} {found.share(form):6.1%}" for form, n in found.hops.most_common()
    ]
    lines.append(f"{'all hops':16}{found.understood.total():6} of {found.hops.total():5}")
    lines.append(f"{'whole items':16}{found.whole:6} of {found.items:5}")
    return "\n".join([*lines, *(f"  {code}: {n}" for code, n in found.reasons.most_common())])


if __name__ == "__main__":
    print(table(coverage(read_decompositions(Path(sys.argv[1])), load_pipeline(EMBEDDED_PIPELINE))))
