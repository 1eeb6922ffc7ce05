"""What a build would ask and what that would cost, step by step, before any model is asked."""

from collections.abc import Sequence
from pathlib import Path

from builders.engines import Engines
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.seeds import Case, seeds
from builders.genadv.voices import CHECKING_PROMPTS, prompt_path
from builders.voices import CHECKING, RULES, Sampling, requests
from eval.models.estimate import Estimate, estimate
from eval.models.prices import read_prices
from eval.models.store import RequestStore
from loaders.records import Provenance, Question

# What a model will write is not known before: these stand for it, and are about as long.
SENTENCE, NAMES, PASSAGE = "a sentence of so many words " * 3, "Some Name, Some Place", "a passage of words " * 20
COMPLETION_TOKENS = {"answer_sentence": 30, "adversarial_sentence": 35, "adversarial_passage": 130}
OPINION_TOKENS = 60


def forecasts(
    engines: Engines,
    inputs: Sequence[tuple[list[Question], Provenance]],
    recipe: GenADVRecipe,
    *,
    seed: int,
    limit: int | None,
    store: Path,
) -> list[Estimate]:
    """Return an estimate for each prompt that a model is asked, as if no step dropped a case.

    Its `usd` takes replies at their usual length. Only the first step's replies can be looked for in the store, and
    only where an engine's name is its identity, as with `openai:`; no model is opened.
    """
    cases = [case for questions, _ in inputs for case in seeds(questions[:limit], recipe.k, seed).cases]
    roles = (
        (engines.writer, Sampling(), writer_values(cases)),
        (engines.checker, CHECKING, checker_values(cases)),
    )
    prices = read_prices(engines.prices)
    with RequestStore(store) as replies:
        return [
            found.at_length(COMPLETION_TOKENS.get(found.step, OPINION_TOKENS), prices.of(name))
            for name, sampling, values in roles
            if name not in (RULES, "")
            for found in estimate(
                {step: requests(name, prompt_path(step), given, sampling, seed) for step, given in values.items()},
                replies,
                prices,
            )
        ]


def writer_values(cases: Sequence[Case]) -> dict[str, list[dict[str, str]]]:
    """Return what fills each prompt of a writer: a sentence a case, a passage a case, and one for each conflict."""
    passages = len(cases) + sum(case.answerable for case in cases)
    return {
        "answer_sentence": [{"question": case.question, "answer": case.answer} for case in cases],
        "adversarial_sentence": [
            {"answer_sentence": _numbered(SENTENCE, number), "named_entities": NAMES} for number in range(len(cases))
        ],
        "adversarial_passage": [{"adversarial_sentence": _numbered(SENTENCE, number)} for number in range(passages)],
    }


def checker_values(cases: Sequence[Case]) -> dict[str, list[dict[str, str]]]:
    """Return what fills each prompt of a checker if every candidate is kept; repairs come on top."""
    written = [*cases, *(case for case in cases if case.answerable)]
    values = [
        {"question": case.question, "answer": case.answer, "title": NAMES, "passage": _numbered(PASSAGE, number)}
        for number, case in enumerate(written)
    ]
    return dict.fromkeys(CHECKING_PROMPTS, values)


def _numbered(text: str, number: int) -> str:
    """Return the text as no other request has it: equal requests would count once."""
    return f"{number} {text}"
