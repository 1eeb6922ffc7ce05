"""Ask a model, keep every reply, score it, and report the papers' figures."""
