"""EureQA: the paper's three ways to ask, and how an answer is found in a reply (sections 3.2, 3.3 and 5.5).

The paper shows one of its worked examples as a picture only; those in the prompt files are ours, two for each depth,
each solved from the last layer to the first. `retrieved` has one, whatever the depth.
"""

from eval.answers import accuracy
from eval.metrics.eureqa import eureqa_metrics
from eval.models.engine import Reply
from eval.models.parse import final_text
from eval.prompting import fill, template
from eval.tasks.task import Ask, Task, published_scores
from loaders.eureqa import SPLITS, EureQARow
from loaders.records import Outcome

# Section 5.5 has its figure for the deepest questions; the file has candidates for all.
ASKED = {"direct": SPLITS, "icl": SPLITS, "retrieved": SPLITS}


def render(prompt: str, row: EureQARow) -> str:
    """Fill a prompt for one row."""
    knowledge = "\n".join(f"{one.pattern}: {', '.join(one.names)}" for one in row.candidates)
    return fill(template("eureqa", _file(prompt, row.depth)), {"question": row.question, "knowledge": knowledge})


def _file(prompt: str, depth: int) -> str:
    return f"icl-d{depth}" if prompt == "icl" else prompt


def _templates(prompt: str) -> tuple[str, ...]:
    return tuple(_file(prompt, depth) for depth in range(1, len(SPLITS) + 1)) if prompt == "icl" else (prompt,)


def score(ask: Ask, request: str, reply: Reply | None) -> Outcome:
    """Return what a reply is worth: right if it holds the answer's name anywhere (section 3.3).

    Without a reply the outcome is pending; one that was cut at the token limit counts as empty.
    """
    row: EureQARow = ask.row
    golds = (row.answer, *row.answer_aliases)
    place = (row.id, ask.config, ask.condition, ask.prompt, ask.sample, request)
    if reply is None:
        return Outcome(*place, "pending", "", True, False, None, None, None, None)
    text = final_text(reply).replace("_", " ")
    status = "truncated" if reply.finish_reason == "length" else "scored"
    held = accuracy(text, golds)
    return Outcome(*place, status, text, True, False, held, *published_scores(text, golds), held_gold=held)


TASK = Task(
    family="eureqa",
    record=EureQARow,
    splits=SPLITS,
    base=SPLITS[-1],
    pair=lambda row: str(row.chain_id),
    conditions=SPLITS,
    asked=ASKED,
    split_of=lambda condition: condition,
    render=render,
    score=score,
    metrics=eureqa_metrics,
    templates=_templates,
    max_tokens=512,  # ours: a worked solution of five layers takes about 150
    temperature=0.8,  # section 3.1
)
