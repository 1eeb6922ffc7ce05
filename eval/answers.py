"""The one definition of "this text holds that answer": normalised token sequences on token boundaries.

Builders' leak checks and the scorer both use it. What a token is stands in `eval/normalise.py`; the papers' rules stand
in `eval/metrics/published.py` and are handed on from here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eval.metrics.published import exact_match, f1, squad_normalise, substring_accuracy, triviaqa_normalise
from eval.normalise import normalise, token_spans, tokens
from loaders.records import Reason

__all__ = [
    "Answers",
    "Matcher",
    "abstains",
    "accuracy",
    "clean_answers",
    "exact_match",
    "f1",
    "holds_answer",
    "normalise",
    "squad_normalise",
    "substring_accuracy",
    "token_spans",
    "tokens",
    "triviaqa_normalise",
]

_NEGATIONS = ("not", "no", "never", "without")
# Not `us`: for the United States it is a name far more often than a pronoun.
_WORDS = """and are as at be been but by can de did do does for from had has have he her him his how i if in into is it
its me my no not of off on or our she so than that their them then they this to up was we were what when where which who
whom why with would you your"""
_FUNCTION_WORDS = frozenset(_WORDS.split())


@dataclass(frozen=True)
class Answers:
    """The answers of one question that can be looked for, as written, and why the others cannot."""

    kept: tuple[str, ...]
    dropped: tuple[Reason, ...]


def clean_answers(raw: Iterable[str]) -> Answers:
    """Keep the first of all answers that are equal after normalising; drop those that normalise to nothing.

    Reasons: `empty_after_normalising` (`---`, `@`, `A+`, `The A`), `duplicate_answer`, and `ambiguous_alias`: a bare
    function word or lone letter that follows another answer (PopQA lists `in` for India, `NO` for Norway, `W` for
    Vienna; `C++` becomes `c`), which would stand in nearly every text. As the first answer it is kept (`No`, `Q`),
    and where the first answer spells it (`I S` or `Is (disambiguation)`, then `IS`).
    """
    kept: dict[str, str] = {}
    dropped = []
    for answer in raw:
        key = normalise(answer)
        if not key:
            dropped.append(Reason("empty_after_normalising", answer))
        elif key in kept:
            dropped.append(Reason("duplicate_answer", f"{answer} = {kept[key]}"))
        elif kept and _is_ambiguous(answer, key) and key != _spelled(next(iter(kept.values()))):
            dropped.append(Reason("ambiguous_alias", answer))
        else:
            kept[key] = answer
    return Answers(tuple(kept.values()), tuple(dropped))


def _is_ambiguous(alias: str, normalised: str) -> bool:
    """Whether a lone letter is left, or a function word that stands alone in the alias (`The Who` is a name)."""
    lone_letter = len(normalised) == 1 and normalised.isalpha() and normalised < "\u0e00"
    return lone_letter or (normalised in _FUNCTION_WORDS and not alias.strip().casefold().startswith("the "))


def _spelled(answer: str) -> str:
    """The answer as one word, without what follows in brackets."""
    return normalise(answer.partition("(")[0]).replace(" ", "")


class Matcher:
    """Looks for all answers of a question at once: a text is normalised once, and each token is looked up once."""

    def __init__(self, answers: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for answer in clean_answers(answers).kept:
            sought = tokens(answer)
            self._by_first.setdefault(sought[0], []).append((sought, answer))
        for candidates in self._by_first.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))

    def holds(self, text: str) -> bool:
        """Whether the text holds an answer."""
        found = tokens(text)
        return not self._by_first.keys().isdisjoint(found) and next(self._mentions(found), None) is not None

    def first(self, text: str) -> str | None:
        """The answer, as written in the list, whose mention comes first; the longest of those that start together."""
        return next((answer for _, _, answer in self._mentions(tokens(text))), None)

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Mentions that do not overlap, leftmost and longest first: start and end in code points, and the answer."""
        placed = [place for place in token_spans(text) if place[0] != "the"]
        spans, free = [], 0
        for start, length, answer in self._mentions(tuple(token for token, _, _ in placed)):
            if start >= free:
                free = start + length
                spans.append((placed[start][1], placed[free - 1][2], answer))
        return spans

    def _mentions(self, found: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
        """Yield first token, number of tokens and answer of each mention, in order."""
        for i, token in enumerate(found):
            for sought, answer in self._by_first.get(token, ()):
                if found[i : i + len(sought)] == sought:
                    yield i, len(sought), answer


def holds_answer(text: str, answers: Iterable[str]) -> bool:
    """Whether the text holds one of the answers; `Matcher` is the faster way for many texts."""
    return Matcher(answers).holds(text)


def accuracy(prediction: str, answers: Iterable[str]) -> float:
    """1 if an answer stands in the prediction as whole normalised tokens, else 0 (ours, not the papers')."""
    return float(holds_answer(prediction, answers))


def abstains(prediction: str, word: str = "unanswerable") -> bool:
    """Whether the reply says the abstain word, as a token and not negated; ask this before looking for gold answers."""
    found = tokens(prediction)
    return any(token == word and found[max(i - 1, 0)] not in _NEGATIONS for i, token in enumerate(found))
