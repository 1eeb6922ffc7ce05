"""How much faster `Matcher` is than a tokeniser called for each pair of document and alias, as DPR's has_answer does.

Run: python tests/bench/bench_answers.py. Both search the same 25 documents of 100 words for the same 20 aliases, and
must find the same. Every repetition has new texts, so that no kept tokens help.
"""

import re
import sys
from pathlib import Path
from time import perf_counter
from unicodedata import normalize

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from eval.answers import Matcher
from loaders.draw import generator

DOCUMENTS, WORDS, ALIASES, QUESTIONS, REPETITIONS, AIM = 25, 100, 20, 40, 3, 10
_TOKEN = re.compile(r"\w+|[^\w\s]+")
Question = tuple[list[str], list[str]]


def question(number: str) -> Question:
    """Documents of made-up words and ends that are not ASCII, and aliases; the last document holds one."""
    draw = generator(0, number, "bench answers")
    vocabulary = ["".join(draw.choices("aeioulnrst", k=6)) for _ in range(2000)]
    aliases = [" ".join(draw.choices(vocabulary, k=2)).title() for _ in range(ALIASES)]
    documents = [
        f"{' '.join(draw.choices(vocabulary, k=WORDS - 2))}, the Café’s.".capitalize() for _ in range(DOCUMENTS)
    ]
    return [*documents[:-1], f"{documents[-1]} {aliases[-1]}"], aliases


def holds_pair(document: str, alias: str) -> bool:
    """The reference: canonical decomposition, lower case, tokens of both texts, search for the run of tokens."""
    text, sought = (_TOKEN.findall(normalize("NFD", either).lower()) for either in (document, alias))
    return any(text[i : i + len(sought)] == sought for i in range(len(text) - len(sought) + 1))


def by_pairs(questions: list[Question]) -> list[bool]:
    return [any(holds_pair(document, a) for a in aliases) for documents, aliases in questions for document in documents]


def by_matcher(questions: list[Question]) -> list[bool]:
    matchers = [(Matcher(aliases), documents) for documents, aliases in questions]
    return [matcher.holds(document) for matcher, documents in matchers for document in documents]


def main() -> None:
    """Print milliseconds a question, best of the repetitions, and their ratio; exit 1 below the aim."""
    times: dict[str, list[float]] = {"each pair tokenised": [], "Matcher": [], "Matcher, same texts again": []}
    for repetition in range(REPETITIONS):
        questions = [question(f"{repetition}-{number}") for number in range(QUESTIONS)]
        found = []
        for name, run in zip(times, (by_pairs, by_matcher, by_matcher), strict=True):
            start = perf_counter()
            found.append(run(questions))
            times[name].append((perf_counter() - start) / QUESTIONS)
        if not found[0] == found[1] == found[2]:
            sys.exit("the ways found different answers")
    slow, fast, again = (min(taken) for taken in times.values())
    print(f"{DOCUMENTS} documents x {ALIASES} aliases, milliseconds a question:")
    print("".join(f"  {name}: {min(taken) * 1e3:.2f}\n" for name, taken in times.items()), end="")
    print(f"ratio {slow / fast:.1f} (aim {AIM}); same texts again {slow / again:.0f}")
    sys.exit(slow / fast < AIM)


if __name__ == "__main__":
    main()
