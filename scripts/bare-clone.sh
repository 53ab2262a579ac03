#!/usr/bin/env bash
# Runs the targets of `make help` that a clone begins with, for CI: before anything else, so that each finds nothing built
# and has to do its own set-up. The data and the ports are its own.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ! -e dist ]] || { echo "dist/ is there already: this is for a bare clone" >&2; exit 2; }

folder=$(mktemp -d)
free() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'; }
HEDDLE_PORT=$(free) HEDDLE_METRICS_PORT=$(free)
export HEDDLE_PORT HEDDLE_METRICS_PORT HEDDLE_DATA_DIR=$folder/data HEDDLE_OTLP_GRPC_PORT=off HEDDLE_CHAT=false
url=http://127.0.0.1:$HEDDLE_PORT

make help | grep -q '^  test-fast '
make test-fast

setsid make dev > "$folder/log" 2>&1 &
dev=$!
trap 'kill -TERM -- "-$dev" 2> /dev/null || true; wait "$dev" || true; rm -rf "$folder"' EXIT
for ((tries = 0; ; tries++)); do
  curl --silent --fail --output "$folder/page" "$url/signin" && break
  ((tries < 240)) && kill -0 "$dev" 2> /dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 1
done
grep -q '<script type="module"' "$folder/page" || { echo "make dev serves no pages" >&2; exit 1; }
make demo
make doctor
