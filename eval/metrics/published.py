"""The rules behind published figures, under their own names; they keep answers that normalise to nothing.

Predictions in real answer files are strings, lists, empty or missing: `as_text` reads them.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_TRIVIAQA_TO_SPACE = str.maketrans(dict.fromkeys(string.punctuation + "‘’´", " "))


def squad_normalise(text: str) -> str:
    """Lower case, no ASCII punctuation, no English articles, single spaces (SQuAD, HotpotQA, 2Wiki, MuSiQue, FiD)."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def triviaqa_normalise(text: str) -> str:
    """TriviaQA's own rule: lower case, punctuation, curly quotes, accent signs and `_` to spaces, no articles."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_TRIVIAQA_TO_SPACE)).split())


def exact_match(prediction: str, answers: Iterable[str]) -> float:
    """1 if the prediction equals an answer after the SQuAD normaliser, else 0."""
    predicted = squad_normalise(prediction)
    return float(any(squad_normalise(answer) == predicted for answer in answers))


def f1(prediction: str, answers: Iterable[str]) -> float:
    """Token F1 after the SQuAD normaliser, best over the answers; 0 without any answer."""
    predicted = squad_normalise(prediction).split()
    return max((_f1(predicted, squad_normalise(answer).split()) for answer in answers), default=0.0)


def _f1(predicted: list[str], gold: list[str]) -> float:
    shared = sum((Counter(predicted) & Counter(gold)).values())
    return 2 * shared / (len(predicted) + len(gold)) if shared else 0.0


def substring_accuracy(prediction: str, answers: Iterable[str]) -> float:
    """1 if a normalised answer is a substring of the normalised prediction (GenADV section 4.3, after Mallen et al.).

    Characters are compared: `NO` lies in `unknown`, an answer that normalises to nothing in every prediction.
    """
    predicted = squad_normalise(prediction)
    return float(any(squad_normalise(answer) in predicted for answer in answers))


def either_contains(prediction: str, answers: Iterable[str]) -> float:
    """1 if, after the SQuAD normaliser, one of the two non-empty strings contains the other."""
    predicted = squad_normalise(prediction)
    golds = [squad_normalise(answer) for answer in answers]
    return float(any(gold in predicted or predicted in gold for gold in golds if gold and predicted))


def as_text(prediction: object) -> str:
    """A prediction as answer files have it, as one string: nothing for a missing one, the first item of a list."""
    if isinstance(prediction, list | tuple):
        return as_text(prediction[0]) if prediction else ""
    if prediction is None or prediction != prediction:  # null or NaN
        return ""
    return str(prediction)
