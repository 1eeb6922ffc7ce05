import random

from builders.sources.items import sample
from loaders.records import Hop, Item, Passage


def _item(name, hops):
    steps = tuple(Hop(str(number), "", "", (), ()) for number in range(hops))
    return Item(name, "Q?", "A", (), (Passage("", ""),), steps, True, "CC0-1.0")


ITEMS = [_item(f"two{n}", 2) for n in range(60)] + [_item(f"three{n}", 3) for n in range(30)]
ITEMS += [_item(f"four{n}", 4) for n in range(10)]


def _sizes(items):
    return [len([item for item in items if len(item.hops) == hops]) for hops in (2, 3, 4)]


def test_numbers_of_hops_keep_their_shares():
    assert _sizes(sample(ITEMS, 10, 0)) == [6, 3, 1]
    # 7 of 100: 4.2, 2.1 and 0.7 make 4, 2 and, by the largest remainder, 1
    assert _sizes(sample(ITEMS, 7, 0)) == [4, 2, 1]
    assert _sizes(sample(ITEMS, 1, 0)) == [1, 0, 0]


def test_the_order_of_items_plays_no_part():
    turned = ITEMS[:]
    random.Random(1).shuffle(turned)
    assert sample(turned, 20, 3) == sample(ITEMS, 20, 3)
    assert sample(turned, None, 3) == sample(ITEMS, None, 3)


def test_seeds_draw_differently():
    assert sample(ITEMS, 20, 0) != sample(ITEMS, 20, 1)


def test_a_larger_sample_holds_the_smaller_one():
    assert {item.id for item in sample(ITEMS, 10, 0)} < {item.id for item in sample(ITEMS, 40, 0)}


def test_without_a_limit_all_are_taken():
    assert len(sample(ITEMS, None, 0)) == len(sample(ITEMS, 500, 0)) == 100
