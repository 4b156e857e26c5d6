# Two commands do all the set-up:  make demo   and   make test
# A second run skips what is done: the stamps in .venv are named after the content of pyproject.toml.

PYTHON ?= $(firstword $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p; done) python3)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
# Python compiles what it imports when it first does; pip would compile all, which is 50 MB and a part of the time.
ADD    := $(PIP) install --no-compile
KEY    := $(shell cksum < pyproject.toml | cut -d' ' -f1)
BASE   := $(VENV)/.base-$(KEY)
DEV    := $(VENV)/.dev-$(KEY)

.PHONY: help demo test lint format lock bundle docs clean

help:
	@echo "make demo     install, make the KG of everyday knowledge, verify a text with it"
	@echo "make test     install with the extras llm, grounding (with train), server, mcp, shell and dev, run all tests and doctests"
	@echo "make lint     check style;   make format   repair it;   make clean   remove what make made"
	@echo "make bundle   write one archive that installs kgstore where there is no network"
	@echo "make docs     build/site: the pages under docs, all commands and the Python API as a site"
	@echo "make lock     write requirements.lock anew from pyproject.toml"

demo: $(BASE)
	$(BIN)/kgstore demo

test: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/python tests/types.py

format: $(DEV)
	$(BIN)/ruff check --fix .

# What a release is tested with, for all platforms, with hashes:  pip install --require-hashes -r requirements.lock
# No torch and no llama.cpp: which build of these is right depends on the machine.
LOCKED := rdf kea plot server mcp shell frames langchain
lock: $(DEV)
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate $(LOCKED:%=--extra %) --output-file requirements.lock

# One archive for a machine without a network:  make bundle ARGS="--platform manylinux_2_28_x86_64 --python 3.12"
bundle: $(BASE)
	$(BIN)/kgstore bundle $(ARGS)

docs: $(DEV)
	$(BIN)/python docs/make_site.py $(ARGS)

clean:
	rm -rf $(VENV) build *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kgstore needs Python 3.11 or later: make PYTHON=/path/to/python3 demo")'
	$(PYTHON) -m venv $(VENV)

$(BASE): | $(BIN)/python
	$(ADD) -e .
	@rm -f $(VENV)/.base-* && touch $@

# Without GGML_NATIVE=OFF, llama.cpp built by GCC 12 crashes at the first token on processors with AMX. pip keeps what it
# has built and does not ask how it was built, so these builds have a cache of their own.
$(DEV): export CMAKE_ARGS := $(CMAKE_ARGS) -DGGML_NATIVE=OFF
# torch comes first and by itself: left to the resolver, a build with CUDA libraries may come in its place.
$(DEV): | $(BASE)
	$(ADD) torch==2.13.0
	$(ADD) --cache-dir "$${XDG_CACHE_HOME:-$$HOME/.cache}/kgstore-pip" -e ".[llm]"
	$(ADD) -e ".[llm,grounding,server,mcp,shell,dev]"
	@rm -f $(VENV)/.dev-* && touch $@
