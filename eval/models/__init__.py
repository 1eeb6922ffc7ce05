"""How a model is asked: one file per engine, and the store that keeps every reply."""
