# `make` or `make help` lists what there is. Everything runs in .venv, which is made when it is first needed.
PYTHON ?= python3
RUN ?= runs/demo
# Where this is at github.com, as owner/name: for `make site`.
REPOSITORY ?=
VENV := .venv
BIN := $(VENV)/bin
NMT := $(BIN)/nmt-attention
# Tests run in two processes. A thread for each is faster: models are so small that threads mostly wait for each other.
TESTS := TF_NUM_INTRAOP_THREADS=1 TF_NUM_INTEROP_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile --nbval-lax

.PHONY: help setup learn demo student autograded site test test-all test-colab lint clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{ printf "make %-11s %s\n", $$1, $$2 }'

setup: $(VENV)/installed  ## make .venv and install requirements.txt, in the versions of constraints.txt

$(VENV)/installed: requirements.txt constraints.txt pyproject.toml Makefile
	$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11 to 3.13 is needed; try make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt -c constraints.txt
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

learn: setup  ## open lesson 0 in JupyterLab
	cd notebooks && ../$(BIN)/jupyter lab 00_the_question.ipynb

demo: setup  ## train a small model, score it, draw a heatmap, translate with it and with the pretrained model
	@echo "With the installation this takes four to six minutes on two cores with AVX2, eleven on a busy one; no GPU was timed."
	$(NMT) train --run $(RUN) --preset demo --extra phrasebook
	$(NMT) evaluate --run $(RUN)
	$(NMT) plot --run $(RUN) --output $(RUN)/heatmap.png "Dad bought me a camera."
	@$(BIN)/python -m tools.demo --run $(RUN)

student: setup  ## write the lessons without their solutions, and the package to install, to build/student
	$(BIN)/python -m tools.teaching.course student

autograded: setup  ## write assignments for nbgrader and Otter, with hidden checks, to build/autograded
	$(BIN)/python -m tools.teaching.autograde

$(VENV)/site-installed: $(VENV)/installed site/requirements.txt
	$(BIN)/python -m pip install --quiet -r site/requirements.txt -c constraints.txt
	touch $@

site: $(VENV)/site-installed  ## build the site in build/site, where RUN's model translates, or the pretrained one
	$(BIN)/python -m tools.teaching.site --run $(RUN) --repository "$(REPOSITORY)"

test: setup  ## run the tests, and all lessons with nbval, in minutes
	$(TESTS)

test-all: setup  ## run also the slow tests: killed trainings, several processes, the demo offline
	$(TESTS) notebooks tests

test-colab:  ## run the lessons, small, with the versions of Colab's runtime
	$(PYTHON) -m venv $(VENV)-colab
	$(VENV)-colab/bin/python -m pip install --quiet -r tools/teaching/colab.txt
	$(VENV)-colab/bin/python notebooks/set_up.py
	NMT_PRESET=quick $(VENV)-colab/bin/python -m tools.teaching.course try

lint: setup  ## check style, formatting, layers of the package, types and sizes of folders
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	$(BIN)/python -m tools.ceilings

clean:  ## remove builds and caches; .venv, data and runs stay
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
