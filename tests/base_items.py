"""A two-hop item in the base form."""


def base_item(name, **changes):
    """Return the item of a made-up book, changed where a test wants that."""
    row = {
        "id": name,
        "question": f"Where was the author of {name} born?",
        "answer": f"{name}ville",
        "passages": [
            {"title": name, "text": f"{name} is by {name} Grey."},
            {"title": f"{name} Grey", "text": f"{name} Grey was born in {name}ville."},
            {"title": "Weather", "text": "Rain fell on many towns. Snow did not. Hail was seen once in spring."},
        ],
        "hops": [
            {"id": "1", "support": [{"passage": 0}]},
            {"id": "2", "support": [{"passage": 1}], "depends_on": ["1"]},
        ],
    }
    return row | changes
