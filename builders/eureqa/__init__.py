"""EureQA: chains walked through a knowledge graph, proven to have one answer, told without names."""
