# What one can do here. Every target does its own set-up; `make` alone prints this list.
.DEFAULT_GOAL := help
SHELL := /bin/bash

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

node_modules/.installed: package.json package-lock.json
	npm ci --no-fund --no-audit
	@touch $@

.PHONY: build
build: node_modules/.installed ## compile TypeScript into dist/
	@npm run --silent build

.PHONY: run
run: build ## start everything on this machine and print the address and a key
	@node dist/cli/main.js up

.PHONY: check
check: node_modules/.installed ## types, lint, format, dead code, import directions
	npx tsc --noEmit
	npx biome check .
	npx knip
	npm run --silent imports

# The published clients the tests drive, each with its own pinned list.
test/clients/js/node_modules/.installed: test/clients/js/package.json test/clients/js/package-lock.json
	cd test/clients/js && npm ci --no-fund --no-audit
	@touch $@

.PHONY: clients
clients: test/clients/js/node_modules/.installed ## install the SDKs and exporters that the tests run
	@scripts/python-clients.sh

.PHONY: test
test: build clients ## unit, end-to-end and crash tests
	npx vitest run --project unit
	npx vitest run --project e2e
	npx vitest run --project crash

.PHONY: format
format: node_modules/.installed ## format and apply safe fixes
	npx biome check --write .
