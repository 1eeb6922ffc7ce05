"""Rules of English that turn a question into a statement: parts of a question, clauses, verb forms, prepositions."""
