# `make` or `make help` lists what there is. Everything runs in .venv, which is made when it is first needed.
PYTHON ?= python3
RUN ?= runs/demo
# Where this is at github.com, as owner/name: for `make badges` and `make site`.
REPOSITORY ?=
# The settings of the model in the package.
MODEL := --preset full
VENV := .venv
BIN := $(VENV)/bin
NMT := $(BIN)/python -m nmt_attention
# Tests run in two processes. A thread for each is faster: models are so small that threads mostly wait for each other.
ONE_THREAD := TF_NUM_INTRAOP_THREADS=1 TF_NUM_INTEROP_THREADS=1
TEST_NOTEBOOKS := NMT_PRESET=quick $(ONE_THREAD) $(BIN)/python -m pytest --nbval --nbval-current-env -p no:randomly -n 2 --dist loadfile notebooks

.PHONY: help setup demo train model transliterator results ablations benchmark notebooks pictures student autograded slides quiz figures badges site check-site test test-all test-oldest test-colab fuzz faults check-page load lint check clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

setup: $(VENV)/installed  ## make .venv and install requirements.txt, in the versions of constraints.txt

$(VENV)/installed: requirements.txt constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11 to 3.13 is needed; try make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -r requirements.txt -c constraints.txt
	touch $@

demo: setup  ## train the quick preset, score it, draw a heatmap, translate with it and with the ready model
	$(NMT) train --run $(RUN) --preset quick --extra phrasebook
	$(NMT) evaluate --run $(RUN)
	$(NMT) plot --run $(RUN) --merge-subwords --output $(RUN)/heatmap.png "Dad bought me a camera."
	@$(BIN)/python -m tools.demo --run $(RUN)

train: setup  ## train the full preset in runs/full
	$(NMT) train --run runs/full --preset full

model: setup  ## train four models and one on what they agree on, and put that into the package with its card
	$(NMT) train --run runs/teacher-1 --preset full --extra phrasebook
	$(NMT) train --run runs/teacher-2 --preset quick --extra phrasebook
	$(NMT) train --run runs/teacher-3 --preset quick --extra phrasebook --seed 2
	$(NMT) train --run runs/teacher-4 --preset quick --extra phrasebook --seed 3
	$(BIN)/python -m tools.distil --output runs/distilled.tsv runs/teacher-1 runs/teacher-2 runs/teacher-3 runs/teacher-4
	$(NMT) train --run runs/model $(MODEL) --extra runs/distilled.tsv --extra phrasebook
	$(BIN)/python -m tools.model --run runs/model

transliterator: setup  ## train and score the model that writes names in Devanagari, some minutes
	$(ONE_THREAD) $(BIN)/python -m tools.transliterator

results: setup  ## train and score the systems of the README's table; takes hours, run it again to resume
	$(BIN)/python -m tools.results --readme README.md --figure docs/score_by_length.png

ablations: setup  ## train the quick preset with one technique more at a time and score it on dev; resumes
	$(BIN)/python -m tools.ablations

benchmark: setup  ## measure speed and memory, and translation if RUN is trained
	$(BIN)/python -m tools.benchmark $(if $(wildcard $(RUN)/weights.npz),--run $(RUN))

notebooks: setup  ## run all lessons as tests, with small models
	rm -rf runs/lessons-quick
	$(TEST_NOTEBOOKS)

pictures: setup  ## draw the lessons' moving pictures and three of their title pictures
	$(BIN)/python -m tools.pictures

student: setup  ## write the lessons without their solutions to build/student
	$(BIN)/python tools/course.py student

autograded: setup  ## write assignments for nbgrader and Otter, with hidden checks, to build/autograded
	$(BIN)/python -m tools.autograde

slides: setup  ## write slides of the lessons to build/slides
	$(BIN)/python tools/course.py slides

figures: setup  ## write every figure of the lessons as SVG to build/figures; trains what is not trained
	$(BIN)/python tools/course.py figures

quiz: setup  ## write the question bank for Moodle and for Anki to build/quiz
	$(BIN)/python -m tools.quiz_export

badges: setup  ## write REPOSITORY=owner/name into the lessons' Colab badges
	$(BIN)/python tools/course.py badges "$(REPOSITORY)"

$(VENV)/site-installed: $(VENV)/installed site/requirements.txt
	$(BIN)/python -m pip install --quiet -r site/requirements.txt -c constraints.txt
	touch $@

site: $(VENV)/site-installed  ## build the course's site in build/site, where RUN's model translates, or the one in the package
	$(BIN)/python -m tools.build_site --run $(RUN) --repository "$(REPOSITORY)"

check-site: site  ## build the site and open every page in Chromium (apt-get install chromium chromium-driver)
	$(BIN)/python -m tools.check_site

test: setup  ## run the test suite, except tests of several minutes, then all lessons
	rm -rf runs/lessons-quick
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist worksteal
	$(TEST_NOTEBOOKS)

test-all: test  ## run also the tests that take minutes: killed trainings, several processes, the demo offline
	$(BIN)/python -m pytest -n 2 -m marathon

test-oldest:  ## run the test suite with the oldest versions that requirements.txt allows, in .venv-oldest
	$(PYTHON) -m venv .venv-oldest
	sed -E 's/^([a-z0-9-]+)>=([0-9.]+).*/\1==\2.*/' requirements.txt > .venv-oldest/requirements.txt
	.venv-oldest/bin/python -m pip install --quiet -r .venv-oldest/requirements.txt
	.venv-oldest/bin/python -m pytest -n 2 --dist loadfile -m ''

# Versions are those of Colab's runtime of August 2026, where the package's other needs are installed as its lessons do.
# Not simulated: Colab's Python (PYTHON's is used), its GPU, its kernel, and how a lesson fetches the course there.
test-colab:  ## run all lessons, with small models, with Colab's versions of TensorFlow and matplotlib, in .venv-colab
	$(PYTHON) -m venv .venv-colab
	.venv-colab/bin/python -m pip install --quiet 'tensorflow==2.20.*' keras==3.13.2 'numpy==2.1.*' 'matplotlib==3.10.*' \
		fonttools lxml pillow regex sentencepiece tabulate ipykernel nbclient
	.venv-colab/bin/python tools/colab.py
	rm -rf runs/lessons-quick
	NMT_PRESET=quick $(ONE_THREAD) .venv-colab/bin/python tools/course.py try

fuzz:  ## make up files for reader and loader, ten minutes each, in .venv-fuzz
	$(PYTHON) -m venv .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet -r requirements.txt -c constraints.txt atheris
	.venv-fuzz/bin/python tools/fuzz.py reader
	.venv-fuzz/bin/python tools/fuzz.py bundle

faults: setup  ## kill a training 20 times, and see that it ends as if nothing had happened
	KILLS=20 $(BIN)/python -m pytest -m '' tests/runs/test_faults.py

check-page: setup  ## check RUN's pages, served and exported (apt-get install chromium chromium-driver firefox-esr)
	$(BIN)/python tools/check_page.py --run $(RUN)
	$(BIN)/python -m tools.check_exported_page --run $(RUN)

load: setup  ## load RUN's page with 50 clients for two minutes
	$(BIN)/python tools/load.py --run $(RUN)

lint: setup  ## check style, formatting, layers of the package and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

check: lint test  ## lint and test, as before every commit

clean:  ## remove caches, .venv-oldest, .venv-colab and .venv-fuzz; .venv, data and runs stay
	rm -rf .venv-oldest .venv-colab .venv-fuzz build dist *.egg-info .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
