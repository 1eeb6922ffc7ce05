"""The table of scripted readers in tests/README.md is what the code gives."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("readers_table", HERE / "readers_table.py")
table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)


@pytest.mark.parametrize("source", table.SOURCES)
def test_the_table_is_current(source, shared_data):
    for name in table.SOURCES[source]:
        shared_data(name)
    lines = (HERE / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(f"| {source} |")] == table.rows(source)


def test_the_text_around_the_table_is_current():
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert table.INTRO in text
    assert text.count(table.START) == text.count(table.END) == 1
