# Everything runs in .venv, made on first use; a fresh machine needs Python 3.11 or newer with pip, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_FLAGS ?= -q -n 2 --dist loadfile

.PHONY: help demo test lint bench clean

help:
	@echo "make demo    simulate examples/rod_handler.toml and find its modes; results go to demo/"
	@echo "make test    ruff, mypy and the whole test suite"
	@echo "make lint    ruff, mypy and the import contracts only"
	@echo "make bench   benchmarks beside other packages"
	@echo "make clean   remove .venv, caches and demo/"

# The stamp is touched last: an installation that failed half-way is done again.
$(VENV)/.test-stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	@touch $@

$(VENV)/.bench-stamp: $(VENV)/.test-stamp
	$(BIN)/python -m pip install --quiet --editable ".[test,bench]"
	@touch $@

demo: $(VENV)/.test-stamp
	@mkdir -p demo
	$(BIN)/flexarm simulate examples/rod_handler.toml --out demo/rod_handler.nc
	@echo
	$(BIN)/flexarm modes examples/rod_handler.toml > demo/modes.txt
	@cat demo/modes.txt
	@echo && echo "written into demo/:" && cd demo && ls -sh1 modes.txt rod_handler.nc

lint: $(VENV)/.test-stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.test-stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

bench: $(VENV)/.bench-stamp
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find flexarm tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
