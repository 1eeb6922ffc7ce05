"""Have a model write what the rules otherwise write: answer sentence, adversarial sentence, passage (section 5.3.1)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from builders.genadv.draft import Draft
from builders.genadv.voices import prompt_path
from builders.steps import Dropped, Passed, Result
from builders.voices import Voice
from builders.written import read_text, unanswered
from eval.models.engine import Reply, Request
from eval.models.prompts import read_prompt
from loaders.genadv import Replacement

Run = Callable[[Sequence[Draft]], list[Result[Draft]]]


def answer_sentence_step(writer: Voice) -> Run:
    """Make the step that asks for question and answer in one sentence (section 5.3.1, step 1)."""
    return _writing(
        writer,
        "answer_sentence",
        lambda draft: {"question": draft.case.question, "answer": draft.case.answer},
        lambda draft, text: replace(draft, statement=text),
    )


def adversarial_sentence_step(writer: Voice) -> Run:
    """Make the step that asks for the sentence with its entities replaced; the model chooses by what (step 2)."""
    return _writing(
        writer,
        "adversarial_sentence",
        lambda draft: {"answer_sentence": draft.statement, "named_entities": named_entities(draft)},
        _with_new_sentence,
    )


def named_entities(draft: Draft) -> str:
    """Return the words to replace, each once, in the order of the sentence."""
    return ", ".join(dict.fromkeys(mention.text for mention in draft.mentions))


def _with_new_sentence(draft: Draft, text: str) -> Draft:
    """Keep the sentence, and the entities as told to be replaced: what stands for which, only the model knows."""
    told = tuple(Replacement(m.text, m.type, m.start, m.end) for m in draft.mentions)
    return replace(draft, sentence=text, replacements=told)


def passage_step(writer: Voice) -> Run:
    """Make the step that asks for a passage which supports the sentence (steps 3; for a conflict section 5.4.1)."""
    return _writing(
        writer,
        "adversarial_passage",
        lambda draft: {"adversarial_sentence": draft.sentence},
        lambda draft, text: replace(draft, passage=text),
    )


def _writing(
    writer: Voice, prompt: str, values: Callable[[Draft], Mapping[str, str]], keep: Callable[[Draft, str], Draft]
) -> Run:
    """Make the step that asks one prompt for a whole batch; reasons are those of `read_text`.

    What was written is kept in either case, so that a rejected candidate shows it.
    """
    label = read_prompt(prompt_path(prompt)).rpartition("\n")[2].removesuffix(":")

    def run(drafts: Sequence[Draft]) -> list[Result[Draft]]:
        requests = writer.requests(prompt_path(prompt), [values(draft) for draft in drafts])
        replies = writer.ask(requests)
        return [_read(*given, label, keep) for given in zip(drafts, requests, replies, strict=True)]

    return run


def _read(
    draft: Draft, request: Request, reply: Reply | None, label: str, keep: Callable[[Draft, str], Draft]
) -> Result[Draft]:
    if reply is None:
        return unanswered(request)
    text, fault = read_text(reply, label)
    written = keep(draft, text)
    return Dropped(written, fault) if fault else Passed(written, f"request {request.key}")
