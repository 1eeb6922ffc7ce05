"""`decoyqa report`."""

from pathlib import Path

import click


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
def report(runs: tuple[Path, ...]) -> None:
    """Score stored replies again, without asking, and print the figures.

    Several audits of one source are compared on the items that all answer under Full.
    """
    from builders.audit import print_audit, print_common, score_again
    from eval.report import report_run
    from eval.run import rescore
    from eval.run_folder import AuditSettings, read_facts

    audits = {}
    for run in runs:
        click.echo(run)
        facts = read_facts(run)
        if isinstance(facts.settings, AuditSettings):
            audits[run] = score_again(run, facts, facts.settings)
            print_audit(audits[run])
        else:
            report_run(run, rescore(run).metrics)
    if len(audits) > 1:
        print_common(tuple(audits), tuple(audits.values()))
