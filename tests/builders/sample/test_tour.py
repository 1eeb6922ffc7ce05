"""What `make sample` shows of its items marks the decoy."""

from pathlib import Path

from rich.console import Console

from builders.sample.tour import first_row, item_panel, main


def printed(artifact: Path) -> str:
    console = Console(record=True, width=120, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115
    main(artifact, console)
    return console.export_text()


def test_one_item_of_each_kind_with_its_decoy_marked(small_artifact: Path) -> None:
    text = printed(small_artifact)
    assert text.count("<-- adversarial, invented by rules") == 1
    assert text.count("<-- conflict, invented by rules") == 1


def test_the_marked_document_is_the_inserted_one(small_artifact: Path) -> None:
    row = first_row(small_artifact, "adversarial")
    assert row is not None
    lines = item_panel(row, "adversarial").renderable.plain.splitlines()  # type: ignore[union-attr]
    marked = [line for line in lines if "<--" in line]
    inserted = row.documents[row.inserted_at]
    assert marked == [f"[{row.inserted_at + 1}] {inserted.title}  <-- adversarial, invented by rules"]


def test_a_split_that_nobody_reached_is_none(small_artifact: Path) -> None:
    assert first_row(small_artifact, "nosuch") is None
