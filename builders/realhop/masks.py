"""Sub-questions over registry keys: the question's constants found again, whatever their spelling, `#k` as `{hk}`."""

import re
from collections.abc import Sequence, Set

from builders.grammar.inflect import VERBS
from builders.realhop.cased import GENERIC, Word, places, words
from builders.realhop.claims import Constant, absorb, owners
from loaders.records import Item, Reason

_LEFT_OUT = re.compile(r"(?: ?(?:,|\b(?:in|on|at|of|from|for|during|by)\b))(?: the| a| an)? ?$", re.IGNORECASE)
_ONE_KEY = re.compile(r"^\W*(\{\w+\})\W*$")  # "Spirit If...": the signs belong to the name
_NOISE = frozenset({"quizlet", "netflix", "imdb"})  # what people type into a search box behind a question


def masked(item: Item, known: Sequence[Constant], context: Sequence[str]) -> dict[str, str | Reason]:
    """Every sub-question, by its hop, with keys in the place of constants and `#k`; of a relation its subject alone.

    A name or figure that the question lacks is left out where it only narrows the answer down ("in NYC", a year before
    a noun), else the hop is refused. Reason: `constant_not_in_question`.
    """
    told = (*context, *(constant.original for constant in known))
    heads = {hop.hop_id: _parts(hop.relation, item.question) for hop in item.hops}
    found = {hop_id: words(head, told) for hop_id, (head, _) in heads.items()}
    whole = {c.key for c in known if any(places(text, c.norms) for text in found.values())}
    asked = {word.norm for word in words(item.question)}
    texts: dict[str, str | Reason] = {}
    for hop_id, (head, label) in heads.items():
        owner = owners(found[hop_id], known, whole)
        absorb(head, found[hop_id], owner, known)
        written: str | Reason = _written(head, found[hop_id], owner, asked)
        if isinstance(written, str):
            written = _without_second_ending(written, known)
        if label and isinstance(written, str):
            written = _ONE_KEY.sub(r"\1", written) + f" >> {label}"
            if "{" not in written:
                written = Reason("constant_not_in_question", head)
        texts[hop_id] = written
    return texts


def _without_second_ending(text: str, known: Sequence[Constant]) -> str:
    """A constant that ends in a possessive itself ("Breakfast at Tiffany's") has taken that ending along."""
    for constant in known:
        if re.search(r"['’]s$", constant.original):
            text = re.sub(rf"(\{{{constant.key}\}})['’]s", r"\1", text)
    return text


def _parts(relation: str, question: str) -> tuple[str, str]:
    """A sub-question and nothing, or what a relation is asked of and its label."""
    head, _, label = (part.strip() for part in relation.partition(">>"))
    return (_narrowed(head, question), label) if label else (head, "")


def _narrowed(head: str, question: str) -> str:
    """What a relation is asked of, without a noun before `of #k` of which the question does not speak."""
    found = re.fullmatch(r"(.+) of (#\d+)", head)
    return found[2] if found and found[1].casefold() not in question.casefold() else head


def _is_loose(word: Word, asked: Set[str]) -> bool:
    """Whether a word is a name or figure of which the question does not speak."""
    ordinary = word.norm in GENERIC or (not word.own and word.norm in VERBS)
    return word.named and not ordinary and (word.norm not in asked or word.norm[0].isdigit())


def _written(text: str, found: Sequence[Word], owner: Sequence[str], asked: Set[str]) -> str | Reason:
    pieces, end, index = [""], 0, 0
    while index < len(found):
        word, last = found[index], index
        if owner[index]:
            while last + 1 < len(found) and owner[last + 1] == owner[index]:
                last += 1
            pieces += [text[end : word.start], f"{{{owner[index]}}}"]
            end = found[last].end
            end += text[found[index].start : end].count("(") > text[found[index].start : end].count(")")
        elif word.norm.startswith("#"):
            pieces += [text[end : word.start], f"{{h{word.norm[1:]}}}"]
            end = word.end
        elif word.norm in _NOISE or _is_loose(word, asked):
            while last + 1 < len(found) and found[last + 1].named and not owner[last + 1]:
                last += 1
            before = "".join(pieces) + text[end : word.start]
            lone = _LEFT_OUT.search(before)
            year = re.fullmatch(r"\d{4}", word.norm) and index + 1 < len(found)
            if not lone and not year and word.norm not in _NOISE:
                return Reason("constant_not_in_question", text[word.start : found[last].end])
            pieces = [before[: lone.start()] if lone else before.rstrip()]
            end = found[last].end
        index = last + 1
    return re.sub(r"\s+", " ", "".join(pieces) + text[end:]).strip()
