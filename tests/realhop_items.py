"""Small multi-hop items whose plans are worked out by hand."""

from loaders.records import Hop, Item, Passage, Span


def item(question, hops, passages=(), answer=""):
    """Return an item; `hops` are (sub-question, answer) pairs, hop k is supported by passage k - 1."""
    texts = [*passages, *[("", "Nothing is told here.")] * (len(hops) - len(passages))]
    return Item(
        id=f"item-{len(question)}",
        question=question,
        answer=answer or hops[-1][1],
        answer_aliases=(),
        passages=tuple(Passage(title, text) for title, text in texts),
        hops=tuple(
            Hop(
                str(number),
                relation,
                found,
                tuple(str(k) for k in range(1, number) if f"#{k}" in relation),
                (Span(number - 1, 0, len(texts[number - 1][1])),),
            )
            for number, (relation, found) in enumerate(hops, 1)
        ),
        answerable=True,
        source_license="CC-BY-4.0",
    )


SONG = item(
    'Who sings "Home Alone Tonight" with the performer of Country Man?',
    [("Country Man >> performer", "Luke Bryan"), ("who sings home alone tonight with #1", "Karen Fairchild")],
    [("Country Man (song)", "Country Man is a song by Luke Bryan."), ("Home Alone Tonight", "It is a song of 2015.")],
)
JOIN = item(
    "When did Nissan, the Acura Legend maker and the Scion owner open US assembly plants?",
    [
        ("Who made Acura Legend?", "Honda"),
        ("Scion >> owned by", "Toyota"),
        ("When did #1 , #2 and Nissan open US assembly plants?", "1981"),
    ],
)
FAN_OUT = item(
    "Who married the narrator of How I Met Your Mother, and who played that narrator in How I Met Your Mother?",
    [
        ("who is the narrator on how i met your mother", "Ted Mosby"),
        ("who married #1", "Tracy"),
        ("who played #1 beside #2 in how i met your mother", "Josh Radnor"),
    ],
    [("How I Met Your Mother", "How I Met Your Mother is an American sitcom.")],
)
