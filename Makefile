# FriendlyChat: what people type. `make help` lists it.
SHELL := /bin/bash
export SWIFT ?= swift
# Options for fcd (make run ARGS='--chat 0.0.0.0:7700') and for swift test (make test TESTS='--filter ProtocolTests').
ARGS ?=
TESTS ?=
# The suites that run threads of our own; the thread sanitizer watches them.
CONCURRENT = SystemIOTests|TransportTests|ConcurrencyTests
# The suite that counts what the release build does; a debug build says nothing about it.
COUNTS = ^CountTests\.
# Suites that keep the CPUs busy: beside them tests that wait for something would wait too long, so they come after.
LABOUR = SimulationTests|RecoveryTests|CrashPointTests|FailingDiskTests|FullDiskTests|Salvage|RepairPropertyTests

.DEFAULT_GOAL := help
.PHONY: help setup build run test lint tsan fuzz simulate counts bench bench-growth clean damage-all crash-all snapshot-all

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'

setup: ## install what is missing (through apt-get)
	@scripts/setup.sh

build: setup ## release build: .build/release/fcd, fcc and fcbench
	$(SWIFT) build -c release --static-swift-stdlib --product fcd
	$(SWIFT) build -c release --static-swift-stdlib --product fcc
	$(SWIFT) build -c release --static-swift-stdlib --product fcbench

run: build ## build and start the daemon; ARGS='…' is handed on
	@exec .build/release/fcd $(ARGS)

test: ## build and run all tests; TESTS='--filter …' for some
	@scripts/setup.sh --test
ifeq ($(strip $(TESTS)),)
	$(SWIFT) test --disable-xctest --skip '$(LABOUR)|$(COUNTS)'
	$(SWIFT) test --disable-xctest --skip-build --filter '$(LABOUR)'
	@$(MAKE) --no-print-directory counts
else
	$(SWIFT) test --disable-xctest $(TESTS)
endif

counts: ## allocations, retains, system calls and memory of the release build, against Tests/CountTests/thresholds.json5
	@scripts/setup.sh --test
	$(SWIFT) build -c release --static-swift-stdlib --product fcd
	set -o pipefail; RELEASED_FCD=$(CURDIR)/.build/release/fcd \
	    $(SWIFT) test --disable-xctest --no-parallel --filter '$(COUNTS)' 2>&1 | tee .build/counts.log
	@grep -q '^counts: message: retains' .build/counts.log || { echo 'nothing was counted' >&2; exit 1; }

damage-all: ## torn and damaged data at every place, not only a sample of them (3 minutes)
	@scripts/setup.sh --test
	DAMAGE=all $(SWIFT) test --disable-xctest --filter '^RecoveryTests\.'

crash-all: ## every call that changes a file: killed at it, failing at it (the tests take a few of them)
	@scripts/setup.sh --test
	CRASH_POINTS=all $(SWIFT) test --disable-xctest --no-parallel --filter 'CrashPointTests|FailingDiskTests'

lint: setup ## formatting, file lengths, imports
	@scripts/lint.sh

tsan: ## the tests of concurrent parts under the thread sanitizer
	@scripts/setup.sh --test
	$(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan --filter '$(CONCURRENT)'

fuzz: ## requests of the blob port under libFuzzer; TIME=60 seconds
	@scripts/fuzz.sh

simulate: ## 10,000 seeds of the simulated server; SEEDS=n for fewer, SEED=n plays one again, TRACE=1 shows it
	@scripts/setup.sh --test
	SEEDS=$${SEEDS:-10000} $(SWIFT) test --disable-xctest -c release -Xswiftc -enable-testing \
	    --scratch-path .build/simulate --filter SimulationTests

bench: build ## what fcd costs beside redis, nats-server, ngircd and inspircd; SECS=1 RUNS=1 for a short look
	bench/run.sh

bench-growth: build ## how the cost of a message grows with subscribers, conversations, messages; SMALL=1 for a short look
	bench/growth.py

snapshot-all: build ## what snapshots of 500,000 messages cost those who talk, and five that are killed
	MESSAGES=500000 bench/snapshot.py

clean: ## remove everything that was built
	rm -rf .build
