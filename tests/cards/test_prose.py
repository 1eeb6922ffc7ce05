"""The prose of a family names every split, step and setting that its builder has, and none that it has not."""

from dataclasses import fields
from unittest.mock import MagicMock

import pytest

from builders.genadv.checker import checking_steps
from builders.genadv.part import DOOR
from builders.genadv.recipe import GenADVRecipe, model_steps, rule_steps
from builders.genadv.voices import Voices
from cards.header import header
from cards.prose import PROSE, read_prose
from loaders.genadv import SPLITS

OTHER_STEPS = {DOOR, "random", "next_ranked"}


def genadv_steps() -> set[str]:
    """Return the names of all steps, whoever writes and checks."""
    recipe, tools, voice = GenADVRecipe(), MagicMock(), MagicMock()
    lists = [*rule_steps(recipe, tools, 0), *model_steps(recipe, tools, 0, voice)]
    lists.append(checking_steps(Voices(checker=voice, gates=True)))
    return {step.name for steps in lists for step in steps} | OTHER_STEPS


def test_genadv_explains_what_its_builder_does() -> None:
    prose = read_prose("genadv")
    assert set(prose.splits) == set(SPLITS)
    assert set(prose.settings) == {field.name for field in fields(GenADVRecipe)}
    assert set(prose.steps) == genadv_steps()


@pytest.mark.parametrize("family", [path.stem for path in PROSE.glob("*.toml")])
def test_prose_is_complete_and_can_stand_in_a_table(family: str) -> None:
    prose = read_prose(family)
    assert set(prose.writers) == {"rules", "model"}
    assert prose.writer("rules") == prose.writers["rules"]
    assert prose.writer("openai:rules") == prose.writers["model"]
    lines = [*prose.method, *prose.limits, *prose.biases, *prose.uses, *prose.misuses, *prose.personal, prose.summary]
    cells = [*prose.splits.values(), *prose.steps.values(), *prose.settings.values()]
    cells += [word for measure in prose.measures for word in (measure.name, measure.meaning, measure.section)]
    assert all(text and "\n" not in text for text in (*lines, *cells))
    assert all("|" not in cell for cell in cells)
    assert prose.paper.citation.count("{") == prose.paper.citation.count("}") > 0
    assert prose.paper.url in prose.paper.citation
    assert header(prose.title, "1.0.0", ["MIT"], prose.tags, []).count(prose.title) == 1


def test_limits_are_those_of_the_family_and_of_its_writer() -> None:
    prose = read_prose("genadv")
    assert prose.all_limits({"writer": "rules"}) == [*prose.limits, *prose.writers["rules"].limits]
    assert prose.all_limits({"writer": "vllm:x"}) == [*prose.limits, *prose.writers["model"].limits]
