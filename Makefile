# Everything runs in .venv, made on first use; a fresh machine needs Python 3.11 or newer with pip, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_FLAGS ?= -q -rs -n 2 --dist loadfile --no-loadscope-reorder
DRAWN = $(shell grep -rl --include="*.py" "^@given" tests)

APT_INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
	chromium chromium-driver fonts-liberation

.PHONY: help demo quick test nightly browser lint docs dist bench clean

help:
	@echo "make demo    simulate examples/rod_handler.toml and find its modes; results go to demo/"
	@echo "make quick   lint, types and one test of each kind; a minute once the kernels are compiled"
	@echo "make test    lint, types and the whole test suite"
	@echo "make nightly the tests that draw examples, 20 000 examples each"
	@echo "make browser install Chromium for the tests of pages, which are skipped without it (Debian, needs root)"
	@echo "make lint    ruff, mypy and the import contracts only"
	@echo "make docs    build the guide; every command in it is run, open build/docs/index.html"
	@echo "make dist    build the sdist and the wheel with its kernels, check them, and run the wheel in a bare environment"
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

$(VENV)/.docs-stamp: $(VENV)/.test-stamp
	$(BIN)/python -m pip install --quiet --editable ".[test,docs]"
	@touch $@

$(VENV)/.dist-stamp: $(VENV)/.test-stamp
	$(BIN)/python -m pip install --quiet --editable ".[test,dist]"
	@touch $@

demo: $(VENV)/.test-stamp
	@mkdir -p demo
	$(BIN)/flexarm simulate examples/rod_handler.toml --out demo/rod_handler.nc
	@echo
	$(BIN)/flexarm modes examples/rod_handler.toml > demo/modes.txt
	@cat demo/modes.txt
	@echo && echo "written into demo/:" && cd demo && ls -sh1 modes.txt rod_handler.nc rod_handler.html

lint: $(VENV)/.test-stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

quick: lint
	$(BIN)/python -m pytest -q @tests/quick.txt

test: lint
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

nightly: $(VENV)/.test-stamp
	FLEXARM_TESTS=nightly $(BIN)/python -m pytest -q -n 2 $(DRAWN)

# Pages are opened in a real browser where there is one. Nothing fails here: without it those tests are skipped and say so.
browser:
	@if [ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ]; then echo "Chromium is there"; \
	elif [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "no Chromium, and no root with apt-get to install it: pages will not be opened in a browser"; \
	else \
		$(APT_INSTALL) || { apt-get -q update && $(APT_INSTALL); } \
		|| echo "Chromium could not be installed: pages will not be opened in a browser"; \
	fi

# What commands print and figures show is computed here and kept in build/docs-kept until flexarm changes.
docs: $(VENV)/.docs-stamp
	$(BIN)/python -m sphinx -W --keep-going -q -j 2 -b html docs build/docs
	@echo "build/docs/index.html"

# What is published is what a stranger installs: the wheel alone, in an environment with nothing else in it.
BARE := build/bare
dist: $(VENV)/.dist-stamp
	rm -rf dist $(BARE)
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv $(BARE)
	$(BARE)/bin/python -m pip install --quiet dist/*.whl
	cd $(BARE) && bin/flexarm --help > help.txt && bin/flexarm doctor
	cd $(BARE) && for kind in planar spatial servo; do \
		bin/flexarm new $$kind $$kind.toml && bin/flexarm check $$kind.toml > $$kind.txt || exit 1; done
	@ls -sh1 dist

bench: $(VENV)/.bench-stamp
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find flexarm tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
