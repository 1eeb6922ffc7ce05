"""Random generators that depend on nothing but (seed, item id, purpose), so that no item's draw moves another's."""

import hashlib
import random


def generator(seed: int, item_id: str, purpose: str) -> random.Random:
    """Return a generator for one decision about one item; the same three words give the same draws everywhere."""
    words = f"{seed}\x1f{item_id}\x1f{purpose}".encode()
    return random.Random(int.from_bytes(hashlib.sha256(words).digest(), "big"))
