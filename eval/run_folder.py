"""The folder of a run, written and read back: run.json, replies/, outcomes/ and metrics.json."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from eval.metrics.metric import Metric
from eval.models.engine import Reply
from loaders.artifact import read_parquet, replacing_folder, write_parquet
from loaders.errors import DecoyQAError
from loaders.records import AuditOutcome, Outcome

FORMAT_VERSION = 2

Outcomes = Sequence[Outcome] | Sequence[AuditOutcome]


@dataclass(frozen=True)
class Settings:
    """All that decides the replies of an artifact's run: a run folder only ever holds those of one of these."""

    content_id: str
    version: str
    engine: str
    configs: tuple[str, ...]
    prompts: tuple[str, ...]
    conditions: tuple[str, ...]
    limit: int | None
    max_tokens: int
    seed: int
    prompt_hashes: tuple[str, ...]
    samples: int = 1
    temperature: float = 0.0
    judge: str = ""  # an engine's identity, or `exact`; empty where a family's replies are scored by matching
    family: Literal["genadv", "eureqa", "realhop"] = "genadv"


@dataclass(frozen=True)
class AuditSettings:
    """All that decides the replies of an audit; `inputs` are sha256 sums, `judge` an engine's identity or `exact`."""

    source: str
    inputs: tuple[str, ...]
    engine: str
    judge: str
    unit: str
    tokenizer: str
    conditions: tuple[str, ...]
    prompt: str
    paired: bool
    limit: int | None
    max_tokens: int
    seed: int
    prompt_hashes: tuple[str, ...]
    family: Literal["audit"] = "audit"


@dataclass(frozen=True)
class StoredReply:
    """One reply of a run beside what was asked, so that its outcome can be computed again."""

    id: Annotated[str, "id of the item"]
    config: Annotated[str, "config of the artifact, or the audited source"]
    condition: Annotated[str, "paired condition"]
    prompt: Annotated[str, "name of the prompt"]
    sample: Annotated[int, "0-based sample number"]
    request: Annotated[str, "key of the stored request"]
    text: Annotated[str, "the reply before parsing"]
    finish_reason: Annotated[str, "why the engine stopped, in its own word"]
    prompt_tokens: Annotated[int, "tokens of the prompt"]
    completion_tokens: Annotated[int, "tokens of the reply"]
    raw: Annotated[str, "the engine's own JSON"]
    target: Annotated[str, "the hop, half or mask of an audit's condition; empty elsewhere"] = ""

    @property
    def reply(self) -> Reply:
        """The reply as the engine gave it."""
        return Reply(self.request, self.text, self.finish_reason, self.prompt_tokens, self.completion_tokens, self.raw)


@dataclass(frozen=True)
class RunFacts:
    """What run.json says: `inputs` are the paths as they were, the artifact's or the sources'.

    `errors` counts the failed calls by message, `left_out` the items that were not asked by reason.
    """

    inputs: tuple[str, ...]
    settings: Annotated[Settings | AuditSettings, Field(discriminator="family")]
    runtime: str
    errors: Mapping[str, int]
    left_out: Mapping[str, int]


def stored_reply(place: tuple[str, str, str, str], reply: Reply, target: str = "", sample: int = 0) -> StoredReply:
    """Return a reply beside its place: id, config, condition, prompt."""
    tokens = (reply.prompt_tokens, reply.completion_tokens)
    return StoredReply(*place, sample, reply.key, reply.text, reply.finish_reason, *tokens, reply.raw, target)


def refuse_other_run(out: Path, settings: Settings | AuditSettings) -> None:
    """Raise DecoyQAError if the folder holds anything but a run of these settings."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    there, wanted = asdict(read_facts(out).settings), asdict(settings)
    if other := [name for name in wanted if there.get(name) != wanted[name]]:
        raise DecoyQAError(f"{out} holds a run of other settings ({', '.join(other)}); choose another folder")


def read_facts(run: Path) -> RunFacts:
    """Read run.json; raises DecoyQAError where the folder is no run, or one of another format."""
    path = run / "run.json"
    if not path.is_file():
        raise DecoyQAError(f"{run} is not the folder of a run: it has no run.json")
    try:
        return TypeAdapter(RunFacts).validate_json(path.read_bytes())
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise DecoyQAError(
            f"{path} is not what format version {FORMAT_VERSION} writes: see {place or 'its JSON'}"
        ) from None


def read_replies(run: Path) -> list[StoredReply]:
    """Read all stored replies of a run."""
    return [one for path in sorted((run / "replies").glob("*.parquet")) for one in read_parquet(path, StoredReply)]


def write_run(
    out: Path,
    facts: RunFacts,
    replies: Sequence[StoredReply],
    outcomes: Outcomes,
    metrics: Sequence[Metric],
) -> None:
    """Write the folder anew and rename it into place; a failure leaves what was there."""
    with replacing_folder(out) as folder:
        _write_by_config(folder / "replies", replies)
        _write_by_config(folder / "outcomes", outcomes)
        _write_json(folder / "metrics.json", [asdict(metric) for metric in metrics])
        _write_json(
            folder / "run.json", {"format_version": FORMAT_VERSION, **asdict(facts), "counts": _counts(outcomes)}
        )


def _write_by_config(folder: Path, rows: "Sequence[StoredReply] | Outcomes") -> None:
    folder.mkdir()
    for config in sorted({row.config for row in rows}):
        chosen = [row for row in rows if row.config == config]
        chosen.sort(key=lambda row: (row.condition, row.prompt, row.id, getattr(row, "target", ""), row.sample))
        write_parquet(folder / f"{config}.parquet", type(chosen[0]), chosen)


def _counts(outcomes: Outcomes) -> dict[str, dict[str, int]]:
    """Return outcomes by status: in all, and by config, condition and prompt."""
    places: dict[str, Counter[str]] = {}
    for one in outcomes:
        for place in ("all", f"{one.config}/{one.condition}/{one.prompt}"):
            places.setdefault(place, Counter())[one.status] += 1
    return {place: {"asked": counts.total(), **counts} for place, counts in sorted(places.items())}


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
