#!/usr/bin/env bash
# Puts vLLM for CPUs and what tests need into model-server/.cache/vllm, for `make test-vllm`: about 6 GB, some minutes,
# once for each content of the pinned lists.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

lists=(requirements-vllm.txt requirements-test.txt)
here=.cache/vllm
python=$here/bin/python
if ! cat "${lists[@]}" | cmp -s - "$here/.installed"; then
  echo "Installing vLLM into model-server/$here (about 6 GB, some minutes)"
  if [[ ! -x $python ]] || ! "$python" -c '' 2> /dev/null; then
    rm -rf "$here"
    python3 -m venv "$here" || {
      echo "python3 (3.11 or later) with venv is needed for vLLM: install python3-venv with your system's package manager." >&2
      exit 1
    }
  fi
  install=("$python" -m pip install --quiet --disable-pip-version-check)
  command -v uv > /dev/null && install=(uv pip install --quiet --python "$python")
  # shellcheck disable=SC2046
  "${install[@]}" --no-deps --require-hashes $(printf -- "-r %s " "${lists[@]}")
  # The package runs from its folder, whatever the working directory.
  pwd > "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/heddle-model-server.pth"
  cat "${lists[@]}" > "$here/.installed"
fi
