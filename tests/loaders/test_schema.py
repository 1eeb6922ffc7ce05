"""Record classes give the Parquet schema, the YAML features and the column table, and rows go there and back."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loaders.artifact import read_parquet, write_parquet
from loaders.genadv import Candidate, GenADVRow, Replacement
from loaders.manifest import rows_digest
from loaders.records import Document, Item, Outcome, Provenance, Reason, Span, Verdict
from loaders.schema import Column, arrow_schema, columns, features, from_row, to_row

TEXT, STRUCT = pa.string(), pa.struct
DOCUMENT = STRUCT(
    [
        ("id", TEXT),
        ("title", TEXT),
        ("text", TEXT),
        ("score", pa.float64()),
        ("kind", TEXT),
        ("holds_answer", pa.bool_()),
        ("rank", pa.int64()),
    ]
)


def test_the_arrow_schema_of_a_row() -> None:
    expected = pa.schema(
        [
            ("id", TEXT),
            ("source_id", TEXT),
            ("question", TEXT),
            ("answers", pa.list_(TEXT)),
            ("answerable", pa.bool_()),
            ("documents", pa.list_(DOCUMENT)),
            ("inserted_at", pa.int64()),
            ("conflict_answer", TEXT),
            ("writer", TEXT),
            ("source_license", TEXT),
            ("canary", TEXT),
        ]
    )
    assert arrow_schema(GenADVRow).equals(expected, check_metadata=True)


def test_a_record_inside_a_record_is_a_struct() -> None:
    @dataclass(frozen=True)
    class Holder:
        span: Span

    assert arrow_schema(Holder).field("span").type == STRUCT([(n, pa.int64()) for n in ("passage", "start", "end")])
    assert features(Holder)[0]["struct"][0] == {"name": "passage", "dtype": "int64"}
    assert to_row(Holder(Span(0, 1, 2))) == {"span": {"passage": 0, "start": 1, "end": 2}}


def test_the_yaml_features_take_list_and_struct_and_never_sequence() -> None:
    found = {feature["name"]: feature for feature in features(GenADVRow)}
    assert list(found) == [field.name for field in fields(GenADVRow)]
    assert found["id"] == {"name": "id", "dtype": "string"}
    assert found["answers"] == {"name": "answers", "list": "string"}
    assert found["answerable"] == {"name": "answerable", "dtype": "bool"}
    assert found["documents"]["list"][3:] == [
        {"name": "score", "dtype": "float64"},
        {"name": "kind", "dtype": "string"},
        {"name": "holds_answer", "dtype": "bool"},
        {"name": "rank", "dtype": "int64"},
    ]
    assert features(Item)[5]["list"][4] == {
        "name": "support",
        "list": [{"name": name, "dtype": "int64"} for name in ("passage", "start", "end")],
    }


def test_the_column_table_flattens_records() -> None:
    table = columns(GenADVRow)
    assert table[0] == Column("id", "string", "pairs the splits of a config")
    paths = [column.name for column in table]
    assert paths[3:8] == ["answers[]", "answerable", "documents[]", "documents[].id", "documents[].title"]
    assert table[5].type == "record"
    assert len(paths) == 11 + 7
    assert "hops[].support[].start" in [column.name for column in columns(Item)]


@pytest.mark.parametrize("record", [GenADVRow, Candidate, Item, Outcome, Provenance, Verdict])
def test_every_published_column_says_what_it_means(record: type) -> None:
    assert [column.name for column in columns(record) if not column.meaning] == []


def test_a_type_without_a_column_form_is_refused() -> None:
    @dataclass(frozen=True)
    class Wrong:
        facts: Annotated[dict[str, str], "no column form"]

    with pytest.raises(TypeError, match="no column form"):
        arrow_schema(Wrong)


def test_rows_with_other_columns_are_read() -> None:
    """More columns may follow in a later release, and columns with a default may be missing in an earlier one."""
    assert from_row(Reason, {"code": "too_short", "detail": "3 words", "later": 1}) == Reason("too_short", "3 words")
    assert from_row(Reason, {"code": "too_short"}) == Reason("too_short")
    with pytest.raises(TypeError, match="code"):
        from_row(Reason, {"detail": "no code"})


def test_a_whole_number_in_a_float_column_is_the_same_row_after_reading_back(tmp_path: Path) -> None:
    whole = Document("d", "", "text", score=1)
    write_parquet(tmp_path / "d.parquet", Document, [whole])
    back = read_parquet(tmp_path / "d.parquet", Document)
    assert repr(to_row(whole)["score"]) == "1.0"
    assert rows_digest(back) == rows_digest([whole])


# What JSON and Parquet both hold: no lone surrogates, 64-bit integers, finite floats.
TEXTS, WHOLE = st.text(max_size=8), st.integers(-(2**63), 2**63 - 1)
FLOATS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def some(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


def records(record: type, **others: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return records whose fields are texts unless another strategy is named."""
    return st.builds(record, **{field.name: others.get(field.name, TEXTS) for field in fields(record)})


DOCUMENTS = records(Document, score=FLOATS, holds_answer=st.booleans(), rank=WHOLE)
ROWS = records(GenADVRow, answers=some(TEXTS), answerable=st.booleans(), documents=some(DOCUMENTS), inserted_at=WHOLE)
CANDIDATES = records(
    Candidate,
    answers=some(TEXTS),
    answerable=st.booleans(),
    replacements=some(records(Replacement, start=WHOLE, end=WHOLE, similarity=FLOATS)),
    document_ids=some(TEXTS),
    verdicts=some(records(Verdict, version=WHOLE)),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.one_of(st.lists(ROWS, min_size=1, max_size=3), st.lists(CANDIDATES, min_size=1, max_size=3)))
def test_records_go_to_rows_and_parquet_and_back(tmp_path: Path, rows: list[Any]) -> None:
    record = type(rows[0])
    assert [from_row(record, to_row(row)) for row in rows] == rows
    write_parquet(tmp_path / "rows.parquet", record, rows)
    back = read_parquet(tmp_path / "rows.parquet", record)
    assert back == rows
    assert rows_digest(back) == rows_digest(rows)
