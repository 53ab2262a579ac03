#!/usr/bin/env bash
# Puts the Python clients of the tests into .venv, once for each content of the pinned lists. The training client, which
# wants an older OpenAI SDK, is in .venv/training, over the same packages.
set -euo pipefail
cd "$(dirname "$0")/.."

list=test/clients/python/requirements.txt
training=test/clients/python/training-requirements.txt
stamp=.venv/.installed
if [[ -f $stamp ]] && cat "$list" "$training" | cmp -s - "$stamp"; then
  exit 0
fi

echo "Installing the Python clients into .venv (about a minute)"
rm -rf .venv
if command -v uv > /dev/null; then
  uv venv --quiet .venv
  uv venv --quiet .venv/training
  uv pip install --quiet --python .venv/bin/python -r "$list"
  uv pip install --quiet --python .venv/training/bin/python --no-deps -r "$training"
else
  python3 -m venv .venv && python3 -m venv --without-pip .venv/training || {
    echo "python3 with venv is needed for the tests' clients: install python3-venv with your system's package manager." >&2
    exit 1
  }
  pip=(.venv/bin/python -m pip --quiet --disable-pip-version-check)
  "${pip[@]}" install -r "$list"
  "${pip[@]}" --python .venv/training/bin/python install --no-deps -r "$training"
fi
packages() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
packages "$PWD/.venv" > "$(packages .venv/training)/shared.pth"
cat "$list" "$training" > "$stamp"
