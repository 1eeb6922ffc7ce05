"""An audit's figures as tables for the terminal, in per cent with 95 % intervals; one row a side and stratum."""

from collections.abc import Mapping, Sequence

from eval.metrics.metric import Metric
from eval.tables import as_text, grid

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
    "BNR above the other side's, each on its own Full-correct items (all) or on common ones": {
        "paired increase": "paired_increase",
        "common less own": "increase_change",
    },
    "Wrong Full replies that equal a competing path's end": {
        "of all": "endpoint_match",
        "of wrong ones": "endpoint_share_of_errors",
    },
    "Random windows of 20 %": MASKS,
    "Competing paths: an arm above another on the same items (no_orphans is the paper's Full)": {
        "accuracy": "accuracy_change",
        "p of accuracy": "accuracy_change_p",
        "BNR": "bnr_change",
    },
    "Both families of paths beyond the sum of each": {
        "accuracy": "accuracy_interaction",
        "BNR": "bnr_interaction",
    },
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
