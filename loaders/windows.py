"""Contiguous random windows taken out of a context: spatial sensitivity, not hop necessity (REALHOP, appendix H)."""

from itertools import accumulate

from loaders.deletion import Variant, remove, token_ranges
from loaders.draw import generator
from loaders.records import Item, Span

SHARE = 0.2
MASKS = 3


def window(item: Item, number: int, seed: int, circular: bool = False) -> Variant:
    """Take away one window of 20 % of the tokens of all passages' texts, drawn by (seed, item id, number).

    A plain window lies anywhere within the context, all places alike; a circular one starts anywhere and goes on at the
    beginning. The same for every model. A passage that is covered whole goes with its title.
    """
    tokens = [
        Span(place, *found) for place, passage in enumerate(item.passages) for found in token_ranges(passage.text)
    ]
    size = round(SHARE * len(tokens))
    rng = generator(seed, item.id, f"{'circular' if circular else 'window'} {number}")
    start = rng.randrange(max(1, len(tokens))) if circular else rng.randint(0, len(tokens) - size)
    chosen = {index % len(tokens) for index in range(start, start + size)}
    return remove(item, _ranges(item, tokens, chosen), "paragraph")


def _ranges(item: Item, tokens: list[Span], chosen: set[int]) -> list[Span]:
    """Join neighbouring tokens with what stands between them; a passage's edges go with its outermost tokens."""
    spans = []
    sizes = [sum(1 for token in tokens if token.passage == place) for place in range(len(item.passages))]
    for place, end in enumerate(accumulate(sizes)):
        own = range(end - sizes[place], end)
        runs: list[list[int]] = []
        for index in (index for index in own if index in chosen):
            if runs and index == runs[-1][-1] + 1:
                runs[-1].append(index)
            else:
                runs.append([index])
        spans += [Span(place, tokens[run[0]].start, tokens[run[-1]].end) for run in runs]
    return spans
