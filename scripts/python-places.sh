# Functions for scripts that put Python packages into environments; run them from the project's folder.

# As pip does: the tests let no client write bytecode, so each would compile its packages anew.
export UV_COMPILE_BYTECODE=1

if command -v uv > /dev/null; then
  make_place() { uv venv --quiet "$1"; }
  install() { uv pip install --quiet --python "$1/bin/python" "${@:2}"; }
else
  # One pip serves all places: that of .venv.
  make_place() { if [[ $1 == .venv ]]; then python3 -m venv .venv; else python3 -m venv --without-pip "$1"; fi; }
  install() { .venv/bin/python -m pip --quiet --disable-pip-version-check --python "$1/bin/python" install "${@:2}"; }
fi
