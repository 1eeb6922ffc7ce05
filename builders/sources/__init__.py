"""Read published question sets and their documents strictly, row by row."""
