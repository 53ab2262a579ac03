#!/usr/bin/env bash
# Puts the Python clients of the tests into .venv, once for each content of the pinned lists. What wants another version
# of a package has a list `<place>-requirements.txt`: it is in .venv/<place>, over the same packages.
set -euo pipefail
cd "$(dirname "$0")/.."

list=test/clients/python/requirements.txt
others=(test/clients/python/*-requirements.txt)
stamp=.venv/.installed
if [[ -f $stamp ]] && cat "$list" "${others[@]}" | cmp -s - "$stamp"; then
  exit 0
fi

# As pip does: the tests let no client write bytecode, so each would compile its packages anew.
export UV_COMPILE_BYTECODE=1

packages() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }
if command -v uv > /dev/null; then
  make_place() { uv venv --quiet "$1"; }
  install() { uv pip install --quiet --python "$1/bin/python" "${@:2}"; }
else
  # One pip serves all places: the first one's.
  make_place() { if [[ $1 == .venv ]]; then python3 -m venv .venv; else python3 -m venv --without-pip "$1"; fi; }
  install() { .venv/bin/python -m pip --quiet --disable-pip-version-check --python "$1/bin/python" install "${@:2}"; }
fi

echo "Installing the Python clients into .venv (about a minute)"
rm -rf .venv
make_place .venv || {
  echo "python3 with venv is needed for the tests' clients: install python3-venv with your system's package manager." >&2
  exit 1
}
install .venv -r "$list"
for other in "${others[@]}"; do
  place=.venv/$(basename "$other" -requirements.txt)
  make_place "$place"
  install "$place" --no-deps -r "$other"
  packages "$PWD/.venv" > "$(packages "$place")/shared.pth"
done
cat "$list" "${others[@]}" > "$stamp"
