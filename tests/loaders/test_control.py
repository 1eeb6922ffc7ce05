import pytest

from loaders.conditions import drop
from loaders.control import control, sentences, text_of, tolerance
from loaders.deletion import UNITS, count_tokens
from loaders.records import Hop, Item, Passage, Span


def _sentence(word, size):
    return " ".join([word.capitalize(), *(f"{word}{i}" for i in range(size - 2))]) + "."


FIRST = (Span(0, 0, 5),)


def _item(*passages, hop=FIRST, inserted=(), name="x"):
    hops = (Hop("1", "", "", (), hop),)
    return Item(
        name, "Where?", "Cuba", (), tuple(Passage("T", text) for text in passages), hops, True, "CC0", "", inserted
    )


GOLD = _sentence("gold", 40)


def _control(item, unit="paragraph", seed=0, twin=None):
    budget = drop(item, "1", unit).removed_tokens
    return budget, control(item, item.hops[0], unit, budget, seed, twin)


@pytest.mark.parametrize(("drop_size", "off"), [(10, 5), (100, 5), (101, 5), (120, 6), (1000, 50)])
def test_five_tokens_or_five_per_cent(drop_size, off):
    assert tolerance(drop_size) == off


def test_a_distractor_of_the_right_length_is_taken_whole():
    item = _item(GOLD, _sentence("long", 90), _sentence("match", 43), _sentence("short", 9))
    budget, found = _control(item)
    assert budget == 41  # with the title
    assert [passage.text[:4] for passage in found.passages] == ["Gold", "Long", "Shor"]
    assert found.removed_tokens == 44


def test_else_passages_and_sentences_make_it_up():
    item = _item(GOLD, _sentence("long", 90), _sentence("short", 9), _sentence("brief", 12))
    _, found = _control(item)
    # 9 and 12 go whole, each with a title of one token; 18 tokens of the long sentence make 41
    assert found.removed_tokens == 41
    assert [count_tokens(passage.text) for passage in found.passages] == [40, 72]


def test_sentences_leave_titles():
    item = _item(GOLD, _sentence("long", 90), _sentence("match", 40))
    budget, found = _control(item, "sentences", seed=1)
    assert len(found.passages) == 3
    assert abs(found.removed_tokens - budget) <= 5


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("seed", range(8))
def test_evidence_and_inserted_text_are_never_touched(unit, seed):
    item = _item(
        f"{_sentence('gold', 20)} {_sentence('beside', 30)}",
        f"{_sentence('fake', 20)}",
        _sentence("free", 25),
        _sentence("open", 25),
        hop=(Span(0, 0, len(_sentence("gold", 20))),),
        inserted=(Span(1, 0, len(_sentence("fake", 20))),),
    )
    budget, found = _control(item, unit, seed)
    text = " ".join(passage.text for passage in found.passages)
    assert _sentence("gold", 20) in text
    assert _sentence("fake", 20) in text
    assert unit == "sentences" or _sentence("beside", 30) in text
    assert abs(found.removed_tokens - budget) <= tolerance(budget)


def test_too_little_background_is_no_control():
    assert _control(_item(GOLD, _sentence("short", 5)))[1] is None
    assert _control(_item(GOLD))[1] is None


def test_two_gold_paragraphs_leave_no_paragraph_to_take():
    both = (Span(0, 0, 5), Span(1, 0, 5))
    assert _control(_item(GOLD, GOLD, hop=both))[1] is None


def test_other_sentences_of_the_gold_paragraphs_are_background_for_sentences():
    item = _item(f"{_sentence('gold', 10)} {_sentence('beside', 12)}", hop=(Span(0, 0, len(_sentence("gold", 10))),))
    budget, found = _control(item, "sentences")
    assert abs(found.removed_tokens - budget) <= 5
    assert found.passages[0].text.startswith(_sentence("gold", 10))


@pytest.mark.parametrize("seed", range(6))
def test_a_pair_loses_only_what_both_sides_hold(seed):
    item = _item(GOLD, _sentence("here", 45), _sentence("both", 45))
    twin = _item(GOLD, _sentence("there", 45), _sentence("both", 45))
    _, found = _control(item, seed=seed, twin=twin)
    assert [passage.text[:4] for passage in found.passages] == ["Gold", "Here"]
    apart = _item(GOLD, _sentence("there", 45))
    assert _control(item, seed=seed, twin=apart)[1] is None


def test_draws_depend_on_seed_and_item():
    texts = [GOLD, *(_sentence(f"d{n}x", 42) for n in range(6))]
    taken = {_control(_item(*texts), seed=seed)[1].passages for seed in range(20)}
    assert len(taken) > 2
    assert _control(_item(*texts)) == _control(_item(*texts))


def test_sentences_of_a_passage():
    item = _item('He left. "Why?" she asked.  No one knew')
    assert [text_of(item, span) for span in sentences(item, 0)] == ["He left.", '"Why?"', "she asked.", "No one knew"]


def test_every_control_of_real_items_matches_its_drop(shared_data):
    from builders.sources.musique import read_musique

    items = list(read_musique(shared_data("musique/musique_ans_dev_sample.jsonl.gz")))[::4]
    pairs = [(drop(item, hop.hop_id, "paragraph"), item, hop) for item in items for hop in item.hops]
    for gone, item, hop in pairs:
        found = control(item, hop, "paragraph", gone.removed_tokens, 0)
        assert found is not None
        assert abs(found.removed_tokens - gone.removed_tokens) <= tolerance(gone.removed_tokens)
        gold = {item.passages[span.passage] for one in item.hops for span in one.support}
        assert gold <= set(found.passages)
