"""Readers that see a prompt's text alone, for both sides of an item, so that figures can be known beforehand.

On the rebuilt side facts are read back from the prompt. Natural text cannot be, so on the source's side a reader is
told which texts each hop rests on (`eval.models.readers`) and looks for those; what it does with them is the same.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from builders.realhop.branch_gates import is_attached
from builders.realhop.closure import closure
from builders.realhop.reading import Atom, read_text
from builders.realhop.solve import Binding, Query, answers, queries, says, solve
from eval.answers import tokens
from eval.models.readers import UNKNOWN, Known, Page, Read, closed_book, graph_lookup, knowledge, last_hop_only, parse
from loaders.realhop import RealHopRow
from loaders.realhop_conditions import as_item

Rule = Callable[[Sequence[Query], Page], str]


def rebuilt_readers(rows: Sequence[RealHopRow], sources: Sequence[RealHopRow]) -> dict[str, Read]:
    """Return every reader by name for prompts of rebuilt items; `sources` are what the closed book remembers."""
    asked = {row.question: queries(row) for row in rows}
    answer = {row.id: row.answer for row in sources}
    remembered = {row.question: answer[row.id] for row in rows}
    rules: Mapping[str, Rule] = {
        "exact graph": _exact_graph,
        "last hop": lambda hops, page: _first(_ends(hops, page.passages)),
        "lexical": lambda hops, page: _first(_ends(hops, nearest(page, len(hops)))),
        "elimination": _elimination,
        "most mentioned": _most_mentioned,
        "closed book": lambda _, page: remembered[page.question],
    }
    return {name: _applied(rule, asked) for name, rule in rules.items()}


def source_readers(rows: Sequence[RealHopRow]) -> dict[str, Read]:
    """Return the same readers for prompts of the source's items, where each is told the texts of every hop."""
    items = [as_item(row) for row in rows]
    known = knowledge(items)
    return {
        "exact graph": graph_lookup(items),
        "last hop": last_hop_only(items),
        "lexical": lambda prompt: _lexical(known, parse(prompt)),
        # With one hop lost, what is left has one end.
        "elimination": last_hop_only(items),
        "most mentioned": last_hop_only(items),
        "closed book": closed_book(items),
    }


def nearest(page: Page, count: int) -> list[str]:
    """Return the passages that share most words with the question, the nearest first."""
    asked = frozenset(tokens(page.question))
    return sorted(page.passages, key=lambda passage: -len(asked.intersection(tokens(passage))))[:count]


def _applied(rule: Rule, asked: Mapping[str, Sequence[Query]]) -> Read:
    def read(prompt: str) -> str:
        page = parse(prompt)
        return rule(asked[page.question], page)

    return read


def _lexical(known: Mapping[str, tuple[Known, ...]], page: Page) -> str:
    for one in known.get(page.question, ()):
        near = nearest(page, len(one.evidence))
        if all(any(text in passage for passage in near) for text in one.evidence[-1]):
            return one.answer
    return UNKNOWN


def _told(passages: Sequence[str]) -> tuple[Atom, ...]:
    return read_text("\n".join(passages)).atoms


def _exact_graph(hops: Sequence[Query], page: Page) -> str:
    """Answer what follows from the facts, if one answer does."""
    ends = answers(hops, solve(hops, closure(_told(page.passages))))
    return ends[0] if len(ends) == 1 else UNKNOWN


def _ends(hops: Sequence[Query], passages: Sequence[str]) -> list[str]:
    """Return what facts of the last hop's relation name in its answer's place, in the order of the text."""
    last = hops[-1]
    at = last.atom.args.index(last.slot)
    return [fact.args[at] for fact in _told(passages) if says(fact, last.atom)]


def _first(ends: Sequence[str]) -> str:
    return ends[0] if ends else UNKNOWN


def _elimination(hops: Sequence[Query], page: Page) -> str:
    """Answer what follows; else the one end that is left over if a hop is lost: that to which nothing leads."""
    found = _exact_graph(hops, page)
    if found != UNKNOWN:
        return found
    ends = {end for _, end in _loose(hops, _told(page.passages))}
    return ends.pop() if len(ends) == 1 else UNKNOWN


def _most_mentioned(hops: Sequence[Query], page: Page) -> str:
    """Answer what follows; where nothing does, the loose end whose names stand in most facts."""
    found = _exact_graph(hops, page)
    told = _told(page.passages)
    if found != UNKNOWN:
        return found
    mentions = Counter(name for fact in told for name in fact.args)
    loose = _loose(hops, told)
    return max(loose, key=lambda one: sum(mentions[name] for name in one[0].values()))[1] if loose else UNKNOWN


def _loose(hops: Sequence[Query], told: Sequence[Atom]) -> list[tuple[Binding, str]]:
    """Return each way to follow all hops but one, not the last, whose place nothing leads to, and its end."""
    facts, loose = closure(told), []
    for lost in hops[:-1]:
        for one in solve((hop for hop in hops if hop != lost), facts):
            if lost.slot in one and not is_attached(one[lost.slot], lost.hop_id, hops, told):
                loose.append((one, one[hops[-1].slot]))
    return sorted(loose, key=lambda pair: pair[1])
