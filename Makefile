# make train and make test do all set-up themselves; the first time takes a minute or two.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
DOCS_READY := $(VENV)/docs-ready
ENGINES := fairy-stockfish gnugo chromium

AGENTS := zerolab/evaluation/players/agents

.PHONY: setup agents engines train test test-slow check docs bench web clean

setup: $(READY)

$(READY): Makefile pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) not found; install it or name another: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,train,go,web,ray,mutation]'
	@touch $@

train: setup ## the main job: Clobber 5x5 from scratch, then the ladder
	$(BIN)/zerolab train clobber --size 5x5 --run runs/$(shell date +%Y%m%d-%H%M%S) --minutes 8

agents: setup ## trains the agents that come with the package again, from nothing (docs/agents.md)
	$(BIN)/zerolab train clobber --size 5x5 --run runs/agent-clobber --steps 100 --seed 1 --set evaluators=0 --games 0
	$(BIN)/zerolab export runs/agent-clobber $(AGENTS)/clobber.onnx --any-size --int8

engines: ## Debian's programs that tests play against or look at pages with, where nobody has to be asked for a password
	@for engine in $(ENGINES); do \
		(PATH="$$PATH:/usr/games"; command -v $$engine >/dev/null) && continue; \
		command -v apt-get >/dev/null || break; \
		if test "$$(id -u)" = 0; then root=""; else root="sudo -n"; fi; \
		$$root true 2>/dev/null || break; \
		install="apt-get install --yes --no-install-recommends $$engine"; \
		timeout 300 $$root env DEBIAN_FRONTEND=noninteractive \
			sh -c "$$install || { apt-get update && $$install; }" </dev/null >/dev/null 2>&1 \
			&& echo "installed $$engine, which tests use"; \
	done; true

test: setup engines ## on all cores; a file's tests stay together, they share what they set up
	$(BIN)/pytest -n auto --dist loadfile

test-slow: setup
	$(BIN)/pytest -m slow

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(DOCS_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	@touch $@

# Not --quiet: mkdocs would then overlook broken links.
docs: $(DOCS_READY) ## the site of documentation, into site/; a link that leads nowhere fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "open site/index.html, or run $(BIN)/python -m http.server --bind 127.0.0.1 --directory site"

bench: setup
	$(BIN)/zerolab bench playouts --peers

web: setup ## the page: play, analyse, watch runs; Ctrl-C ends it
	$(BIN)/zerolab web

clean:
	rm -rf $(VENV) site
