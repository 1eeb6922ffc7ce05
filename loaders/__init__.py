"""Read a DecoyQA benchmark, or the base form of somebody else's, as typed records."""
