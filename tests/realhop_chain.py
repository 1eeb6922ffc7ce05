"""A two-hop item with all that REALHOP adds, written by hand: `CHAIN`, and its source; `KIN` shares the source."""

from realhop_rows import row, source

QUESTION = "Where was the author of Weston Hollow born?"
PASSAGES = (
    "Rain fell on many towns. [[g1|Corin Vasse wrote Weston Hollow.]] Snow did not. [[s2a.2.1|Entry C17 of the Halden "
    "Register is about Corin Vasse.]] [[s2a.2.2|The subject of entry C17 of the Halden Register was buried in Pell "
    "Sound.]]",
    "[[s1b.1|Mara Quint illustrated Weston Hollow.]] [[s1a.2.1|Entry B70 of the Halden Register is about Orrin "
    "Tell.]] Hail was seen once in spring. It was gone by noon. [[s1a.2.2|The subject of entry B70 of the Halden "
    "Register was born in Arden Locks.]]",
    "Fog is wet. [[g2.1|Entry K41 of the Halden Register is about Corin Vasse.]] Mist lifts late. [[g2.2|The subject "
    "of entry K41 of the Halden Register was born in Delmar Quay.]] [[s1b.2.1|Entry F22 of the Halden Register is "
    "about Mara Quint.]] [[s1b.2.2|The subject of entry F22 of the Halden Register was born in Lowen Sedge.]]",
    "Frost bites twice as hard at night, say those who walk the hills in the dark of a long winter. [[s1a.1|Orrin "
    "Tell translated Weston Hollow.]] People stay at home with tea. [[o1.2.1|Entry D33 of the Halden Register is "
    "about Tovin Brask.]] [[o1.2.2|The subject of entry D33 of the Halden Register was born in Ostrel.]] Dew comes "
    "first, as a rule, with sunlight close behind. Most of the wind blows from the west in these parts, and the hills "
    "do not stop it at all.",
)
HOPS = (
    ("1", "#1 wrote Weston Hollow.", "Corin Vasse", ""),
    ("2", "#1 was born in #2.", "Delmar Quay", "1"),
)
PATHS = (
    ("s1a", "strict", "1", "1", "Arden Locks"),
    ("s1b", "flexible", "1", "1", "Lowen Sedge"),
    ("s2a", "strict", "2", "2", "Pell Sound"),
    ("o1", "orphan", "1", "", "Ostrel"),
)
CHAIN = row(QUESTION, PASSAGES, HOPS, PATHS)
CHAIN_SOURCE = source(PASSAGES, HOPS)

# The same with kin in place of books, since `parent` has an inverse.
_KIN = (("wrote", "is the parent of"), ("illustrated", "is the tutor of"), ("translated", "is the uncle of"))


def _kin(text):
    for word, other in _KIN:
        text = text.replace(f"{word} Weston Hollow", f"{other} Weston Hollow")
    return text


KIN = row(
    "Where was the parent of Weston Hollow born?",
    [_kin(text) for text in PASSAGES],
    [(key, _kin(relation), answer, rests) for key, relation, answer, rests in HOPS],
    PATHS,
)
