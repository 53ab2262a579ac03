#!/usr/bin/env bash
# Puts the Python clients of the tests into .venv, once for each content of the pinned list.
set -euo pipefail
cd "$(dirname "$0")/.."

list=test/clients/python/requirements.txt
stamp=.venv/.installed
if [[ -f $stamp ]] && cmp -s "$list" "$stamp"; then
  exit 0
fi

echo "Installing the Python clients into .venv (about twenty seconds)"
rm -rf .venv
if command -v uv > /dev/null; then
  uv venv --quiet .venv
  uv pip install --quiet --python .venv/bin/python -r "$list"
else
  python3 -m venv .venv || {
    echo "python3 with venv is needed for the tests' clients: install python3-venv with your system's package manager." >&2
    exit 1
  }
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$list"
fi
cp "$list" "$stamp"
