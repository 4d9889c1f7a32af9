# make demo   set up and run the demo          make test   set up and run the tests
# make bench  the benchmarks (docs/performance.md)
# It asks nothing; everything stays below this folder (.venv, .cache, results).
SHELL := /bin/bash

# The first Python that is new enough; make PYTHON=... to choose another.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
CORES ?= 2
FUZZ_SECONDS ?= 600
# The extras of rules: each has pins and an environment of its own.
EXTRAS = treetagger spacy hanta udpipe sentencepiece parquet

# Jobs find python through PATH; caches go here because HOME may not be writable.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export XDG_CACHE_HOME := $(CURDIR)/.cache
export PYTHONUTF8 := 1

.PHONY: demo test setup lint collect docs fuzz bench slurm slurm-test faults pins clean

demo: setup
	@echo "Demo: five test sets, 35 systems, all metrics; a minute or two."
	@snakemake --cores $(CORES) --quiet rules || \
	  { echo "The demo failed; README.md, Troubleshooting, says what may help."; exit 1; }
	@python -m morpos show results/demo/summary.tsv
	@echo
	@echo "Synthetic judgments: these correlations are no evidence about metrics."
	@echo "Tables: results/demo/   Report: results/demo/report.html"

test: $(VENV)/.dev
	@echo "Tests: about five minutes on two cores."
	@python -m pytest -n $(CORES) --dist loadfile --no-loadscope-reorder

setup: $(VENV)/.workflow

$(VENV)/.workflow: requirements/workflow.txt pyproject.toml setup.py $(shell find scripts -name '*.c')
	@$(call create,workflow,about 190 MB to download,630 MB on disk)

$(VENV)/.bench: requirements/bench.txt | $(VENV)/.dev
	@$(call create,bench,very little to download,very little on disk)

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(VENV)/.workflow
	@$(call create,dev,about 75 MB more to download,190 MB on disk)

$(VENV)/.docs: requirements/docs.txt pyproject.toml | $(VENV)/.workflow
	@$(call create,docs,about 30 MB more to download,90 MB on disk)

define create
	set -e; \
	if [ -z "$(PYTHON)" ]; then echo "morpos needs Python 3.11 or newer with venv; none was found. Install one, or name it: make PYTHON=/path/to/python3"; exit 1; fi; \
	echo "Setting up $(VENV) with $(PYTHON): $(2), $(3), a minute or two."; \
	[ -x "$(VENV)/bin/python" ] || "$(PYTHON)" -m venv "$(VENV)"; \
	"$(VENV)/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/$(1).txt; \
	"$(VENV)/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --editable .; \
	touch "$@"
endef

# Coverage-guided fuzzing of the readers, one after the other (docs/bad-input.md); stops at a finding.
fuzz: $(VENV)/.dev
	@"$(VENV)/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/fuzz.txt
	@for target in sgml xml table counts archive; do \
	  echo "$$target, $(FUZZ_SECONDS) seconds; corpus and findings: .cache/fuzz"; \
	  python -m tests.fuzz $$target .cache/fuzz -max_total_time=$(FUZZ_SECONDS) 2>&1 | tail -n 8; \
	  [ "$${PIPESTATUS[0]}" = 0 ] || exit 1; \
	done

# The processes of `make test` must find the same tests: the same at another second (3 later, because
# a zip holds every other one), with other hashes and elsewhere, and none named by the folder.
collect: $(VENV)/.dev
	@set -o pipefail; \
	ids() { PYTHONHASHSEED=$$1 TZ=$$2 LC_ALL=$$3 python -m pytest --collect-only -q | sed 's/ collected in .*//'; }; \
	first=$$(ids 1 UTC C.UTF-8) || { tail -n 40 <<<"$$first"; exit 1; }; sleep 3; \
	diff <(echo "$$first") <(ids 2 Asia/Tokyo C) && ! grep -F "$(CURDIR)" <<<"$$first"

lint: $(VENV)/.dev
	ruff check .
	ruff format --check .
	mypy
	lint-imports
	snakefmt --check Snakefile rules
	snakemake --lint

# CPU seconds, so that other programs matter little; some minutes.
bench: $(VENV)/.bench
	python -m pytest -q -s -p no:xdist benchmarks --benchmark-timer=benchmarks.texts.cpu \
	  --benchmark-columns=min,median,rounds
	python -m benchmarks.growth

# One run on a real Slurm of one node; as root, on Debian or Ubuntu. The plugin has an environment of
# its own because Snakemake imports it at every start.
slurm:
	@$(MAKE) --no-print-directory VENV=.venv-slurm slurm-test

slurm-test: $(VENV)/.dev
	@python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/slurm.txt
	@python -m pytest -n 0 tests/workflow/test_slurm.py

# Many kills at random moments instead of a few.
faults: $(VENV)/.dev
	@MORPOS_FAULTS=50 python -m pytest -n 0 tests/workflow/test_faults.py

# The documentation as a site, in site/; needs the network only to set up.
docs: $(VENV)/.docs
	python -m mkdocs build --quiet
	@echo "Open site/index.html."

# Resolve all dependencies anew (needs uv).
pins:
	uv pip compile pyproject.toml --extra workflow --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-strip-extras --quiet --custom-compile-command 'make pins' -o requirements/workflow.txt
	uv pip compile pyproject.toml --extra workflow --extra dev --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-strip-extras --quiet --custom-compile-command 'make pins' \
	  -c requirements/workflow.txt -o requirements/dev.txt
	for extra in $(EXTRAS) slurm docs bench fuzz; do \
	  sed -n "/^$$extra = \[/,/^\]/s/.*\"\(.*\)\",.*/\1/p" pyproject.toml | uv pip compile - \
	    --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras --quiet \
	    --custom-compile-command 'make pins' -c requirements/workflow.txt -o requirements/$$extra.txt; \
	done
	$(MAKE) --no-print-directory envs

# The conda environments of the rules: the same pins, and morpos itself out of this checkout.
.PHONY: envs
envs:
	@for name in morpos $(EXTRAS); do \
	  { echo "# Made by make envs. For --software-deployment-method conda; untested here, where there is no conda."; \
	    printf '%s\n' 'channels: [conda-forge]' 'dependencies:' '  - python=3.11' '  - pip' '  - pip:'; \
	    cat requirements/workflow.txt $$([ $$name = morpos ] || echo requirements/$$name.txt) \
	      | sed -nE 's/^([A-Za-z0-9._-]+(\[[a-z,]+\])?==[^ ;]+).*/      - \1/p' | sort -u; \
	    echo '      - --editable $${MORPOS_CHECKOUT}'; \
	  } > envs/$$name.yaml; \
	done

clean:
	rm -rf results .snakemake .cache
