"""What a manifest says config by config, in reading order and summed over configs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Steps = Sequence[Mapping[str, Any]]


def conditions(manifest: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Steps]:
    """Return a config's steps by condition, in the order of the splits; conditions without a split come last."""
    splits = manifest["splits"]
    order = {name: splits.index(name) if name in splits else len(splits) for name in config["funnel"]}
    return {name: config["funnel"][name] for name in sorted(order, key=lambda name: (order[name], name))}


def step_names(manifest: Mapping[str, Any]) -> list[str]:
    """Return the names of all steps, each once, in the order in which they are read."""
    funnels = [steps for config in manifest["configs"] for steps in conditions(manifest, config).values()]
    return list(dict.fromkeys(step["step"] for steps in funnels for step in steps))


def totals(manifest: Mapping[str, Any]) -> dict[str, dict[str, Counter[str]]]:
    """Return kept, pending and rejected by condition and step, summed over the configs."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for config in manifest["configs"]:
        for condition, steps in conditions(manifest, config).items():
            for step in steps:
                counts = Counter(kept=step["kept"], pending=step["pending"], rejected=sum(step["rejected"].values()))
                found.setdefault(condition, {}).setdefault(step["step"], Counter()).update(counts)
    return found


def answering(manifest: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the models that said that they answered, by role; empty where none was asked."""
    found: dict[str, set[str]] = {}
    for config in manifest["configs"]:
        for role, names in config.get("models", {}).items():
            found.setdefault(role, set()).update(names)
    return {role: sorted(names) for role, names in sorted(found.items()) if names}


def opinions(manifest: Mapping[str, Any]) -> dict[str, dict[str, Counter[str]]]:
    """Return how often a checker said what, by condition and question; empty where there was none."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for config in manifest["configs"]:
        for condition, questions in config.get("opinions", {}).items():
            for question, said in questions.items():
                found.setdefault(condition, {}).setdefault(question, Counter()).update(said)
    return found
