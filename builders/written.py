"""Read what a model wrote: the text alone, or the named reason why it is none."""

import re
from typing import NamedTuple

from builders.steps import Pending
from eval.models.engine import Reply, Request
from eval.models.parse import final_text
from loaders.records import Reason

# With capitals as a refusal has them: "I Can't Make You Love Me" is a song.
_REFUSAL = re.compile(
    r"\A(?:I['’]m|I am) (?:(?:very|truly|really) )?(?:sorry|afraid|unable|not able)\b"
    r"|\ASorry(?:,|\.|!| but)|\A(?:My apologies|I apologi[sz]e)\b"
    r"|\A(?:Unfortunately, )?I (?:cannot|can ?not|can['’]t|could not|couldn['’]t|won['’]t|must decline|do not have)\b"
    r"|(?i:\bas an ai(?: language)? (?:model|assistant)\b|\bas a (?:large )?language model\b)"
    r"|\bI (?:cannot|can['’]t|am unable to|am not able to)"
    r" (?:assist|help|provide|create|write|generate|verify|support|fulfil)"
)
_LABELS = (
    "Question|Answer|Sentence|Triple|Entity|Statement|Original sentence|Words to replace|Revised sentence|Claim|Passage"
)
_ECHO = re.compile(
    rf"(?:\A|\n)\s*(?i:{_LABELS})\s*:|Please write a single sentence|Rewrite the sentence by|Given a claim, write"
)
_TALK = re.compile(
    r"\A(?:Sure|Certainly|Of course|Absolutely|Okay|OK)[,!.:]|\A(?:Here(?:['’]s| is| are)|Below is) [^.]{0,80}:"
    r"|(?:\A|\n|\(|\. )(?:Note|Please note|Disclaimer|Word count)\b ?(?:that|:|\()"
    r"|\b(?:given|provided|above) (?:claim|statement|sentence)\b|\b(?:original|stated) (?:claim|sentence)\b"
    r"|(?:\A|\. )The claim\b"
)
_MARKUP = re.compile(
    r"(?:\A|\n)\s*(?:#{1,6} |[-*•+] |>|\|)|\n\s*\d+[.)] "
    r"|\*\*|__|```|\]\(|</?[a-z][a-z0-9]*>|\[(?:\d+|citation needed)\]"
)
_QUOTED = re.compile(r"\A[\"“]([^\"“”]*)[\"”]\Z")


class Text(NamedTuple):
    """What a model wrote, on one line, without the label that the prompt ends with; `fault` where it is of no use."""

    text: str
    fault: Reason | None = None


def read_text(reply: Reply, label: str) -> Text:
    """Return the text of a reply to a prompt that ends with `label:`.

    A reply that repeats that label, stands in quotes or breaks its lines says the same without. Reasons:
    `reply_cut`, `empty_reply`, `refusal`, `prompt_echo`, `model_talk`, `markup`.
    """
    text = re.sub(rf"\A{re.escape(label)}\s*:\s*", "", final_text(reply), flags=re.IGNORECASE)
    text = quoted[1] if (quoted := _QUOTED.match(text)) else text
    fault = _unfinished(reply, text) or _fault(text)
    return Text(" ".join((text or reply.text).split()), fault)


def _unfinished(reply: Reply, text: str) -> Reason | None:
    if reply.finish_reason == "length":
        return Reason("reply_cut", f"after {reply.completion_tokens} tokens")
    return None if re.search(r"\w", text) else Reason("empty_reply", text)


def _fault(text: str) -> Reason | None:
    tests = (("refusal", _REFUSAL), ("prompt_echo", _ECHO), ("model_talk", _TALK), ("markup", _MARKUP))
    found = ((code, match) for code, pattern in tests if (match := pattern.search(text)))
    code, match = next(found, ("", None))
    return Reason(code, " ".join(match.group().split())) if match else None


def unanswered(request: Request) -> Pending:
    """Return what a failed call leaves: the same text whatever failed, so that a later reply is the only difference."""
    return Pending(f"no reply to request {request.key}")
