"""Build the GenADV family: documents that look relevant and give no answer, or contradict it."""
