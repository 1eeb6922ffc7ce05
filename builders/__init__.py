"""Make benchmarks: read sources, decide decoys, put them into words, check them, and assemble an artifact."""
