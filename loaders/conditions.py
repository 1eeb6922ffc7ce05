"""Make a condition from what a record holds."""

from dataclasses import replace

from loaders.genadv import GenADVRow
from loaders.records import Document


def insert_document(row: GenADVRow, document: Document, slot: int) -> GenADVRow:
    """Insert a document among the retrieved ones; `slot` is 0-based and at most their number (GenADV, section 5.3.1).

    Raises ValueError where the row already has an insertion or the slot lies outside.
    """
    if row.inserted_at != -1 or not 0 <= slot <= len(row.documents):
        raise ValueError(f"{row.id}: slot {slot} of {len(row.documents)}, inserted_at {row.inserted_at}")
    documents = (*row.documents[:slot], document, *row.documents[slot:])
    return replace(row, documents=documents, inserted_at=slot)
