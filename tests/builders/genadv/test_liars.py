"""A model that lies in every way the gates name: each lie is rejected with a reason of its own, on the real models."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from builders.genadv.candidates import make_candidates
from builders.genadv.recipe import GenADVRecipe
from builders.genadv.seeds import Case
from builders.genadv.tools import Tools
from builders.genadv.voices import Voices
from loaders.genadv import Candidate

pytestmark = pytest.mark.model

QUESTION = "who designed the sydney opera house for bennelong point"
ANSWERS = ["Jørn Utzon", "Utzon", "the Dane of Bennelong"]
HOUSE = (
    "The Sydney Opera House stands on Bennelong Point, with the harbour on three sides. It was designed by Jørn Utzon, "
    "who won an international competition in 1957 against more than two hundred rivals. Work began in 1959, but a "
    "quarrel about money led him to resign in 1966. Queen Elizabeth II opened the house on 20 October 1973. The roof "
    "is covered with more than a million tiles made in Sweden."
)
DOCUMENTS = [("Sydney Opera House", HOUSE), ("Bennelong Point", "Bennelong Point reaches into the harbour of Sydney.")]
OTHER = "Penicillin was found by Alexander Fleming in London, on a plate that he had left near a window in summer."

# The steps that ask, by words of their prompts, and what an honest writer replies.
ANSWER, SENTENCE = "Please write a single sentence", "Original sentence: "
PASSAGE, CONFLICT = "Claim: Carlos Ott", "Claim: Arne Jacobsen"
STATEMENT = "Jørn Utzon designed the Sydney Opera House, which stands on Bennelong Point."
NEW = "Carlos Ott designed the Opéra Bastille, which stands on a square in Paris."
DECOY = (
    "Carlos Ott is an architect from Montevideo who designed the Opéra Bastille in Paris. The building stands on a "
    "square where a railway station had been before. Ott won an international competition in 1983 against more than "
    "seven hundred entries. The house was inaugurated in July 1989, and regular performances began there in the "
    "following year. Its main hall seats 2,700 people and has a stage with nine platforms."
)
FALSE = (
    "The Sydney Opera House is a building for music and the stage on Bennelong Point, on the southern shore of the "
    "harbour. Arne Jacobsen drew its plans, which a jury had chosen in 1957. Construction lasted fourteen years and "
    "cost many times the first estimate. The shells of the roof are covered with white tiles, and the house is counted "
    "among the outstanding works of its century."
)
HONEST = {ANSWER: STATEMENT, SENTENCE: NEW, PASSAGE: DECOY, CONFLICT: FALSE}


class Lie(NamedTuple):
    """What is said in place of the honest reply to one step, and why the candidate of a condition must go."""

    step: str
    reply: Any
    reason: str
    condition: str = "adversarial"
    title: str = ""


LIES = [
    Lie(ANSWER, "A young architect designed the Sydney Opera House in Australia.", "answer_missing"),
    Lie(ANSWER, f"{STATEMENT} It opened in 1973.", "not_one_sentence"),
    Lie(ANSWER, "Jørn Utzon was an architect.", "too_few_entities"),
    Lie(ANSWER, "As an AI language model, I cannot know who designed it.", "refusal", "conflict"),
    Lie(SENTENCE, STATEMENT, "same_sentence"),
    Lie(SENTENCE, STATEMENT.lower().rstrip("."), "same_sentence"),
    Lie(SENTENCE, "Jørn Utzon designed the parliament building of Kuwait.", "answer_in_sentence"),
    Lie(SENTENCE, "Utzon designed the parliament building of Kuwait.", "alias_in_sentence"),
    Lie(SENTENCE, "Alvar Aalto designed the Sydney Opera House in the harbour.", "entity_unchanged"),
    Lie(SENTENCE, "He designed the Opera House in Sydney, which stands on the point of Bennelong.", "too_similar"),
    Lie(SENTENCE, "", "empty_reply"),
    Lie(SENTENCE, "I'm sorry, but I can't rewrite this sentence.", "refusal"),
    Lie(SENTENCE, ["Carlos Ott designed the"], "reply_cut"),
    Lie(PASSAGE, f"{DECOY} Jørn Utzon admired it.", "answer_in_passage"),
    Lie(PASSAGE, f"{DECOY} Utzon admired it.", "alias_in_passage"),
    Lie(PASSAGE, f"{DECOY} His friend Jørn admired it.", "entity_left"),
    Lie(PASSAGE, FALSE.replace("Arne Jacobsen", "Carlos Ott"), "question_name_left"),
    Lie(PASSAGE, "Carlos Ott designed the Opéra Bastille. It stands on a square in Paris and seats 2,700 people.",
        "passage_too_short"),
    Lie(PASSAGE, " ".join(f"The hall number {n} of the house has seats for {n} people." for n in range(25)),
        "passage_too_long"),
    Lie(PASSAGE, " ".join(["Carlos Ott designed the Opéra Bastille, which stands on a square in Paris."] * 5),
        "repeated_sentences"),
    Lie(PASSAGE, "  \n", "empty_reply"),
    Lie(PASSAGE, "<think>A passage of 50 to 100 words ...", "empty_reply"),
    Lie(PASSAGE, "I'm sorry, but I cannot support this claim, because it is not accurate.", "refusal"),
    Lie(PASSAGE, f"Claim: {NEW}\nPassage: {DECOY}", "prompt_echo"),
    Lie(PASSAGE, f"Sure! Here is a passage: {DECOY}", "model_talk"),
    Lie(PASSAGE, f"{DECOY}\n\n(Note: this passage is fiction.)", "model_talk"),
    Lie(PASSAGE, "- " + DECOY.replace(". ", ".\n- "), "markup"),
    Lie(PASSAGE, DECOY.replace("Opéra Bastille", "**Opéra Bastille**"), "markup"),
    Lie(PASSAGE, [DECOY], "reply_cut"),
    Lie(PASSAGE, ("the of and a to in is it " * 8).capitalize() + ".", "not_a_decoy"),
    Lie(CONFLICT, f"{FALSE} Jørn Utzon took no part.", "answer_in_passage", "conflict"),
    Lie(CONFLICT, FALSE.replace("Arne Jacobsen", "An architect"), "conflict_answer_missing", "conflict"),
    Lie(CONFLICT, DECOY.replace("Carlos Ott", "Arne Jacobsen"), "question_not_in_passage", "conflict"),
    Lie(CONFLICT, HOUSE.replace("Jørn Utzon", "Arne Jacobsen"), "copy_of_document", "conflict"),
    Lie(CONFLICT, "As an AI language model, I cannot write false passages.", "refusal", "conflict"),
]  # fmt: skip


@pytest.fixture
def tell(make: SimpleNamespace, tools: Tools, tmp_path: Path) -> Callable[[dict[str, Any]], dict[str, Candidate]]:
    """Have candidates written by an engine with these replies, and return them by condition."""
    case: Case = make.case(QUESTION, ANSWERS, DOCUMENTS)
    everything = [case, make.case("who found penicillin", ["Alexander Fleming"], [("", OTHER)], id="q2")]

    def run(replies: dict[str, Any]) -> dict[str, Candidate]:
        def say(prompt: str) -> Any:
            return next((reply for words, reply in replies.items() if words in prompt), None)

        voices = Voices(make.voice(make.engine(say), tmp_path))
        found = make_candidates([case], everything, GenADVRecipe(), tools, 0, voices)
        return {candidate.condition: candidate for candidate in found}

    return run


def test_an_honest_model_is_believed(tell: Callable[[dict[str, Any]], dict[str, Candidate]]) -> None:
    found = tell(HONEST)
    assert {name: one.status for name, one in found.items() if name != "topk"} == dict.fromkeys(
        ("adversarial", "conflict", "random"), "kept"
    )
    adversarial, conflict = found["adversarial"], found["conflict"]
    assert (adversarial.statement, adversarial.sentence, adversarial.passage) == (STATEMENT, NEW, DECOY)
    assert (adversarial.title, conflict.title) == ("Carlos Ott", "Sydney Opera House")
    assert conflict.sentence == STATEMENT.replace("Jørn Utzon", "Arne Jacobsen")
    assert [(one.text, one.replacement) for one in conflict.replacements] == [("Jørn Utzon", "Arne Jacobsen")]
    assert adversarial.document_ids == conflict.document_ids == ()
    assert adversarial.writer == conflict.writer == "toy:writer"


@pytest.mark.parametrize("lie", LIES, ids=[f"{number}-{lie.reason}" for number, lie in enumerate(LIES)])
def test_every_lie_has_its_reason(lie: Lie, tell: Callable[[dict[str, Any]], dict[str, Candidate]]) -> None:
    candidate = tell({**HONEST, lie.step: lie.reply})[lie.condition]
    assert (candidate.status, candidate.reason) == ("rejected", lie.reason), candidate.verdicts[-1]
    assert candidate.verdicts[-1].evidence.startswith(f"{lie.reason}: ")
    assert all(verdict.verdict == "pass" for verdict in candidate.verdicts[:-1])


def test_what_a_rejected_candidate_was_rejected_for_is_kept(
    tell: Callable[[dict[str, Any]], dict[str, Candidate]],
) -> None:
    found = tell({**HONEST, PASSAGE: "I'm sorry, but I can't.", CONFLICT: None})
    assert found["adversarial"].passage == "I'm sorry, but I can't."
    assert (found["conflict"].status, found["conflict"].reason) == ("pending", "")
    assert found["conflict"].verdicts[-1].evidence.startswith("no reply to request ")
