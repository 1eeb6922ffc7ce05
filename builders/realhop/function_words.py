"""The closed classes of words by which a controlled sentence is read."""

BE = frozenset("is are was were be been being".split())
HAVE = frozenset({"has", "have", "had", "having"})
AUXILIARIES = BE | HAVE | {"do", "does", "did"}
BEFORE_BASE = frozenset("do does did to can could will would may might must".split())
ARTICLES = frozenset({"the", "a", "an"})
COPULAS = BE | frozenset("become becomes became remain remains remained".split())
RELATIVES = frozenset({"who", "that", "which"})
CLAUSE_STARTS = RELATIVES | frozenset("when where while and but before after because".split())
_ADVERBS = frozenset("most more best better also still now later first once often not never".split())
_PREPOSITIONS = frozenset(
    "in on at of from by for with to into as under over after before about through beside between like until".split()
)
PRONOUNS = frozenset("he she it they we i you this these those".split())
# Capitalised at the head of a sentence, these are no part of a name.
FUNCTION_WORDS = (
    ARTICLES
    | PRONOUNS
    | frozenset(
        "in on at of from by for with to as along after before during under since until between among according "
        "its his her their our my that there and both when where who which what".split()
    )
)


def is_adverb(word: str) -> bool:
    """Whether the word may stand between an auxiliary and its verb."""
    return word in _ADVERBS or word.endswith("ly")


def preposition(form: str) -> str:
    """Return the preposition at the end of a form, or nothing."""
    last = form.rpartition(" ")[2]
    return last if last in _PREPOSITIONS else ""
