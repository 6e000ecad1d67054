# Everything runs in a virtual environment in .venv, made on first use.
# PYTHON=python3.12 picks another interpreter; VENV= an existing environment.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The CPU build of PyTorch where pip finds one; any release from 2.6 on will do.
TORCH ?= torch==2.13.0

# Two OpenMP threads beside a busy process can be a hundred times slower than one.
export OMP_WAIT_POLICY ?= PASSIVE
export GOMP_SPINCOUNT ?= 0

.PHONY: demo test check bench docs install clean

demo: install $(VENV)/.model
	$(BIN)/awareness demo

test: install $(VENV)/.model
	HF_HUB_OFFLINE=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
		$(BIN)/python -m pytest -n auto --dist loadfile

check: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: install $(VENV)/.model
	for benchmark in benchmarks/*.py; do $(BIN)/python $$benchmark || exit 1; done

docs: install
	$(BIN)/python scripts/check_docs.py

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; try make PYTHON=python3.11 demo"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet -e '.[local,scout,dev]'
	touch $@

$(VENV)/.model: $(VENV)/.installed
	$(BIN)/awareness models get smollm2-135m
	touch $@

clean:
	rm -rf $(VENV) build dist awareness-demo .mypy_cache .ruff_cache .pytest_cache
