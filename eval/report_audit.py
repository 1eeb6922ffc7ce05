"""An audit's figures as tables for the terminal, in per cent with 95 % intervals; one row a side and stratum."""

from collections.abc import Mapping, Sequence

from eval.metrics.metric import Metric
from eval.report import as_text, grid

NECESSITY = {
    "Full": "full",
    "Drop-one": "drop_one",
    "Control": "control",
    "BNR": "bnr",
    "all Drops judged": "drops_complete",
    "DiRe-like bound": "dire_upper",
}
SURVIVAL = {
    "Drop survival": "drop_survival",
    "Control survival": "control_survival",
    "answer elsewhere": "answer_elsewhere",
    "BNR ceiling": "bnr_ceiling",
}
MASKS = {
    "accuracy": "mask_accuracy",
    "decrease": "mask_decrease",
    "all-mask survival": "mask_survival",
    "loss where Full is right": "mask_loss_rate",
    "lost": "mask_lost",
    "gained": "mask_gained",
}
TABLES: Mapping[str, Mapping[str, str]] = {
    "Necessity of each hop (BNR over Full-correct items with all Drops judged)": NECESSITY,
    "Specificity of deletion, and how far BNR can go": SURVIVAL,
    "BNR above the twin's": {"paired increase": "paired_increase"},
    "Wrong Full replies that equal a competing path's end": {
        "of all": "endpoint_match",
        "of wrong ones": "endpoint_share_of_errors",
    },
    "Random windows of 20 %": MASKS,
}
KEY = ("config", "condition", "stratum")


def render_audit(metrics: Sequence[Metric]) -> str:
    """Return the tables that the figures fill, as plain text."""
    parts = []
    for title, columns in TABLES.items():
        if chosen := [one for one in metrics if one.metric in columns.values()]:
            rows: dict[tuple[str, ...], dict[str, Metric]] = {}
            for one in chosen:
                rows.setdefault((one.config, one.condition, one.stratum), {})[one.metric] = one
            filled = {column: name for column, name in columns.items() if any(one.metric == name for one in chosen)}
            cells = {key: [found.get(name) for name in filled.values()] for key, found in rows.items()}
            parts.append(f"{title}: per cent (n), 95 % interval\n" + as_text(grid(KEY, tuple(filled), cells)))
    return "\n".join(parts)
