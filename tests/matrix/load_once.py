"""Load config nq, split random, of ORG/NAME at each revision in turn; print version and ids of what came, as JSON."""

import json
import sys

import datasets

if __name__ == "__main__":
    datasets.disable_progress_bars()
    where, *revisions = sys.argv[1:]
    found = [datasets.load_dataset(where, "nq", split="random", revision=revision) for revision in revisions]
    print(json.dumps([[str(rows.info.version), rows["id"][0]] for rows in found]))
