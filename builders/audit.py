"""Join a multi-hop source with its evaluation: read, choose, ask, score again."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from builders.sources.base import read_base
from builders.sources.files import sha256
from builders.sources.hotpot import read_hotpot
from builders.sources.items import sample, unfit
from builders.sources.musique import read_musique
from builders.sources.plausible import read_plausible
from builders.sources.twowiki import read_2wiki
from eval.asking import open_judge
from eval.audit import Audit, audit, preview, rescore
from eval.models.engine import DEFAULTS, Engine, EngineOptions, open_engine
from eval.models.estimate import Estimate
from eval.models.ledger import Ledger
from eval.models.prices import Prices
from eval.prompting import template_hash
from eval.run_folder import AuditSettings, RunFacts
from eval.tasks.audit import PROMPTS, TWIN, Case
from eval.tasks.judging import EXACT, JUDGE_TEMPLATES
from loaders.conditions import AUDIT_CONDITIONS
from loaders.deletion import TOKENIZER, UNITS
from loaders.errors import DecoyQAError, InputError
from loaders.records import Item

Pair = tuple[Item, Item | None]
BY_DEFAULT = ("full", "drop_one", "control")


@dataclass(frozen=True)
class AuditSource:
    """A benchmark that can be audited: its reader, the unit of a Drop by default, and what its second file is."""

    read: Callable[[Path, Path | None], Iterable[Pair]]
    unit: str
    second: str = ""


def _alone(items: Iterable[Item]) -> Iterable[Pair]:
    return ((item, None) for item in items)


def _read_pairs(path: Path, twin: Path | None) -> Iterable[Pair]:
    if twin is None:
        raise InputError(path, None, "expected its unmodified twin as --twin: fakes are found by comparison")
    return read_plausible(path, twin)


# The units are those of appendix A. For Plausible Distractors it says "one official gold support", against "an ordinary
# distractor" as Control: we read both as paragraphs. In the base form the recorded spans are what a Drop takes.
AUDITABLE: Mapping[str, AuditSource] = {
    "musique": AuditSource(lambda path, _: _alone(read_musique(path)), "paragraph"),
    "hotpotqa": AuditSource(lambda path, _: _alone(read_hotpot(path)), "sentences"),
    "2wiki": AuditSource(lambda path, aliases: _alone(read_2wiki(path, aliases)), "sentences", "aliases"),
    "plausible_distractors": AuditSource(_read_pairs, "paragraph", "twin"),
    "base": AuditSource(lambda path, _: _alone(read_base(path)), "sentences"),
}


@dataclass(frozen=True)
class Options:
    """What the command was asked for; `second` is 2Wiki's aliases file or the twin of Plausible Distractors."""

    source: str
    path: Path
    engine: str
    second: Path | None = None
    judge: str = EXACT
    unit: str | None = None
    conditions: Sequence[str] = BY_DEFAULT
    prompt: str = "multihop"
    paired: bool = False
    limit: int | None = None
    max_tokens: int = 64
    seed: int = 0

    @property
    def paths(self) -> list[Path]:
        """The files that are read."""
        return [path for path in (self.path, self.second) if path]


def options(source: str, path: Path | None, aliases: Path | None, twin: Path | None, **given: object) -> Options:
    """Check the words of the command; raises DecoyQAError for one that is unknown or does not go with the source."""
    if source not in AUDITABLE and path is None and Path(source).is_file():
        source, path = "base", Path(source)
    if source not in AUDITABLE:
        raise DecoyQAError(f"unknown source {source!r}; known: {', '.join(AUDITABLE)}, or a file in the base form")
    if path is None:
        raise DecoyQAError(f"give the file of {source} with --input")
    for name, second in (("aliases", aliases), ("twin", twin)):
        if second and AUDITABLE[source].second != name:
            raise DecoyQAError(f"--{name} does not go with {source}")
    chosen = Options(source, path, second=aliases or twin, **given)  # type: ignore[arg-type]
    known = (("condition", chosen.conditions, AUDIT_CONDITIONS), ("prompt", [chosen.prompt], PROMPTS))
    for kind, words, there in (*known, ("unit", [chosen.unit or UNITS[0]], UNITS)):
        if unknown := [word for word in words if word not in there]:
            raise DecoyQAError(f"unknown {kind} {unknown[0]!r}; known: {', '.join(there)}")
    if chosen.paired and not twin:
        raise DecoyQAError("--paired needs a twin to pair with")
    return chosen


def read_cases(
    source: str, paths: Sequence[Path], paired: bool, limit: int | None, seed: int
) -> tuple[list[Case], dict[str, int]]:
    """Return the items to ask, and how many were left out by reason; `limit` is a stratified sample by hops."""
    read, second = AUDITABLE[source].read, paths[1] if paths[1:] else None
    pairs = {item.id: (item, twin) for item, twin in read(paths[0], second)}
    reasons = {key: unfit(item) or (twin and unfit(twin)) for key, (item, twin) in pairs.items()}
    left_out = Counter(reason.code for reason in reasons.values() if reason)
    chosen = sample([item for key, (item, _) in pairs.items() if not reasons[key]], limit, seed)
    cases = [Case(source, item, pairs[item.id][1]) for item in chosen]
    if paired:
        cases += [Case(source + TWIN, case.twin, case.item) for case in cases if case.twin]
    return cases, dict(sorted(left_out.items()))


@dataclass(frozen=True)
class Prepared:
    """An audit whose input is read and whose engines are open."""

    cases: Sequence[Case]
    left_out: Mapping[str, int]
    engine: Engine
    judge: Engine | None
    settings: AuditSettings


@contextmanager
def prepared(chosen: Options, reached: EngineOptions) -> Iterator[Prepared]:
    """Read and check all input, then open the engines; raises DecoyQAError or InputError, and writes nothing."""
    inputs = tuple(map(sha256, chosen.paths))
    cases, left_out = read_cases(chosen.source, chosen.paths, chosen.paired, chosen.limit, chosen.seed)
    with (
        open_engine(chosen.engine, reached) as engine,
        open_judge(chosen.judge, chosen.engine, engine, reached) as judge,
    ):
        settings = AuditSettings(
            source=chosen.source,
            inputs=inputs,
            engine=engine.identity,
            judge=judge.identity if judge else EXACT,
            unit=chosen.unit or AUDITABLE[chosen.source].unit,
            tokenizer=TOKENIZER,
            conditions=tuple(one for one in AUDIT_CONDITIONS if one in chosen.conditions),
            prompt=chosen.prompt,
            paired=chosen.paired,
            limit=chosen.limit,
            max_tokens=chosen.max_tokens,
            seed=chosen.seed,
            prompt_hashes=tuple(template_hash("audit", name) for name in (chosen.prompt, *JUDGE_TEMPLATES)),
        )
        yield Prepared(cases, left_out, engine, judge, settings)


def run(
    chosen: Options, out: Path, store: Path, reached: EngineOptions = DEFAULTS, ledger: Ledger | None = None
) -> Audit:
    """Ask, judge, score and write the run folder."""
    with prepared(chosen, reached) as ready:
        return audit(
            ready.cases,
            ready.engine,
            ready.judge,
            ready.settings,
            inputs=chosen.paths,
            left_out=ready.left_out,
            out=out,
            store=store,
            ledger=ledger,
        )


def dry_run(chosen: Options, store: Path, reached: EngineOptions, prices: Prices) -> list[Estimate]:
    """Return what `run` would ask and what it costs at most; nothing is written."""
    with prepared(chosen, reached) as ready:
        return preview(ready.cases, ready.settings, store, prices)


def score_again(run: Path, facts: RunFacts, settings: AuditSettings) -> Audit:
    """Score a run's stored replies again; raises DecoyQAError where the inputs are not those that were asked."""
    paths = [Path(path) for path in facts.inputs]
    if tuple(map(sha256, paths)) != settings.inputs:
        raise DecoyQAError(f"{', '.join(facts.inputs)}: not the input of {run}, the checksums differ")
    cases, _ = read_cases(settings.source, paths, settings.paired, settings.limit, settings.seed)
    return rescore(run, facts, settings, cases)


def print_common(runs: Sequence[Path], audits: Sequence[Audit]) -> None:
    """Print the BNR of runs of one source and unit on the items that all answer under Full."""
    from eval.metrics.audit import common_full
    from eval.tables import as_words

    if len({(one.settings.inputs, one.settings.unit, one.settings.paired) for one in audits}) > 1:
        click.echo("no common Full items: the audits are of different sources or units")
        return
    click.echo("BNR on the items that all of these answer under Full: per cent (n), 95 % interval")
    for run, one in zip(runs, common_full([found.outcomes for found in audits]), strict=True):
        click.echo(f"  {run}: {as_words(one)}")


def print_audit(found: Audit) -> None:
    """Print what was asked and how, then the figures."""
    from eval.report_audit import render_audit

    settings = found.settings
    click.echo(
        f"{settings.source}: {found.items} items, unit {settings.unit}, tokenizer {settings.tokenizer}, "
        f"judge {settings.judge}, prompt {settings.prompt}, seed {settings.seed}"
    )
    for what, counts in (("left out", found.left_out), ("replies", found.statuses), ("verdicts", found.verdicts)):
        if counts:
            click.echo(f"{what}: " + ", ".join(f"{n} {name}" for name, n in sorted(counts.items())))
    click.echo(render_audit(found.metrics))
