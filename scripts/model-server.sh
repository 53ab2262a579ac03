#!/usr/bin/env bash
# Puts the model server's packages into model-server/.venv, once for each content of the pinned lists, and makes its
# stubs from proto/. Every package is held by its hash. `--test` adds what its tests need. HEDDLE_TORCH_INDEX names an
# index of torch's wheels without CUDA, from which torch then comes by version alone.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

lists=(requirements.txt)
[[ -n ${HEDDLE_TORCH_INDEX:-} ]] || lists+=(requirements-cuda.txt)
[[ ${1:-} == --test ]] && lists+=(requirements-test.txt)
python=.venv/bin/python
stamp=.venv/.installed
wanted=$(echo "torch from: ${HEDDLE_TORCH_INDEX:-}"; cat "${lists[@]}")
have=$(cat "$stamp" 2> /dev/null || true)

# What the tests need is on top of what serving needs: an environment with both serves, too.
if [[ $have != "$wanted"* ]]; then
  if [[ ! -x $python ]] || ! "$python" -c '' 2> /dev/null; then
    rm -rf .venv
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && python3 -m venv .venv || {
      echo "Python 3.11 or later with venv is needed for the model server: install python3-venv with your system's package manager." >&2
      exit 1
    }
  fi
  echo "Installing torch and the model server's packages into model-server/.venv (5 GB, a few minutes)"
  install=("$python" -m pip install --quiet --disable-pip-version-check)
  command -v uv > /dev/null && install=(uv pip install --quiet --python "$python")
  if [[ -n ${HEDDLE_TORCH_INDEX:-} ]]; then
    "${install[@]}" --index-url "$HEDDLE_TORCH_INDEX" "$(grep -o '^torch==[0-9.]*' requirements.txt)"
  fi
  "${install[@]}" --require-hashes "${lists[@]/#/-r}"
  # The package runs from its folder, whatever the working directory.
  pwd > "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/heddle-model-server.pth"
  printf '%s\n' "$wanted" > "$stamp"
fi

for name in node train; do
  proto=../proto/heddle/node/v1/$name.proto
  made=heddle/node/v1/${name}_pb2_grpc.py
  if [[ ! -f $made || $proto -nt $made || $stamp -nt $made ]]; then
    "$python" -m grpc_tools.protoc -I ../proto --python_out=. --pyi_out=. --grpc_python_out=. "$proto"
  fi
done
