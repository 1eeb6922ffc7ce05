"""Names in a question by their capitals: runs of words, joined by small ones where the texts join them so."""

import re
from collections.abc import Iterable, Sequence

from builders.realhop.cased import WORD, Word, norm
from loaders.records import Item

_GAP = re.compile(r"[ .-]{0,2}|: |['’]s ")
_INSIDE = frozenset("of the de la du von van der del di le el".split())
_TITLE_INSIDE = _INSIDE | frozenset("and in on at for from to with a an by into is".split())


def runs(text: str, found: Sequence[Word], item: Item, context: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Runs of name-like words, joined by small words where the titles or the texts join them so."""
    titles = _searchable(passage.title for passage in item.passages)
    told = _searchable(context)
    first = 0
    while first < len(found):
        last = first
        if found[first].named:
            last = _run_end(text, found, first)
            while joined := _joined(text, found, first, last, titles, told):
                last = joined
            yield first, last
        first = max(last, first + 1)


def _run_end(text: str, found: Sequence[Word], first: int) -> int:
    last = first + 1
    while last < len(found) and found[last].named and _GAP.fullmatch(text[found[last - 1].end : found[last].start]):
        last += 1
    return last


def _joined(text: str, found: Sequence[Word], first: int, last: int, titles: str, told: str) -> int | None:
    """The end of a name that goes on behind small words ("Gone with the Wind"); None where it ends."""
    after = last
    while after < len(found) and after - last < 3 and not found[after].named and found[after].norm in _TITLE_INSIDE:
        after += 1
    if after == last or after == len(found) or not found[after].named:
        return None
    end = _run_end(text, found, after)
    small = {word.norm for word in found[last:after]}
    whole = " ".join(word.norm for word in found[first:end])
    known = f" {whole} " in (told if small <= _INSIDE else titles)
    return end if known and not re.search(r"[,;?]", text[found[last - 1].end : found[after].start]) else None


def _searchable(texts: Iterable[str]) -> str:
    return "\n".join(f" {' '.join(norm(match.group()) for match in WORD.finditer(text))} " for text in texts)
