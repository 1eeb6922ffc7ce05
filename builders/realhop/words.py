"""The inflected forms of a relation's phrase: `be born in` gives `was born in`, `largest city` `largest cities`."""

import re
from functools import cache

from builders.grammar.inflect import past, third_person

_PARTICIPLES = dict(
    pair.split(":")
    for pair in """
    bear:borne beat:beaten become:become begin:begun bite:bitten blow:blown break:broken choose:chosen come:come do:done
    draw:drawn drink:drunk drive:driven eat:eaten fall:fallen fly:flown forbid:forbidden forget:forgotten
    forgive:forgiven freeze:frozen give:given go:gone grow:grown hide:hidden know:known lie:lain mistake:mistaken
    oversee:overseen overtake:overtaken overthrow:overthrown rewrite:rewritten ride:ridden ring:rung rise:risen run:run
    see:seen shake:shaken show:shown sing:sung sink:sunk speak:spoken spring:sprung steal:stolen swear:sworn swim:swum
    take:taken tear:torn throw:thrown undergo:undergone undertake:undertaken wear:worn withdraw:withdrawn write:written
    """.split()
)
_DOUBLES_IN_ING = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdgklmnprtv]|.*(?:mit|cur|fer|pel|trol|begin|forget)")
_PLURALS = (("man", "men"), ("child", "children"), ("wife", "wives"))
_BE = {"base": ("be",), "present": ("is", "are"), "past": ("was", "were"), "participle": ("been",), "ing": ("being",)}


@cache
def verb_forms(phrase: str) -> dict[str, tuple[str, ...]]:
    """Return base, present, past, participle and ing of a verb phrase, whose head is first; singular before plural.

    `be born in` is also there `bare`, without its head, as adverbs may come between.
    """
    head, _, rest = phrase.partition(" ")
    forms = _BE if head == "be" else {
        "base": (head,),
        "present": ("has" if head == "have" else third_person(head), head),
        "past": (past(head),),
        "participle": (_PARTICIPLES.get(head, past(head)),),
        "ing": (_ing(head),),
    }  # fmt: skip
    inflected = {name: tuple(f"{form} {rest}".rstrip() for form in found) for name, found in forms.items()}
    return inflected | ({"bare": (rest,)} if head == "be" else {})


@cache
def noun_forms(phrase: str) -> dict[str, tuple[str, ...]]:
    """Return the singular and the plural of a noun phrase, whose head is last or before `of`; of a plural, itself."""
    head, of, rest = phrase.partition(" of ")
    plural = next((head.removesuffix(one) + many for one, many in _PLURALS if head.endswith(one)), third_person(head))
    is_plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return {"singular": (phrase,), "plural": (phrase if is_plural else plural + of + rest,)}


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if _DOUBLES_IN_ING.fullmatch(verb) else "") + "ing"
