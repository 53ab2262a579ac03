#!/usr/bin/env bash
# Puts the model server's packages into model-server/.venv, once for each content of the pinned lists, and makes its
# stubs from proto/. Every package is held by its hash. `--test` adds what its tests need.
#
# Where there is a GPU that is vLLM with its torch; else torch without CUDA, which is 8 GB smaller. HEDDLE_TORCH names
# one: `cuda` or `cpu`. HEDDLE_TORCH_INDEX names an index of other builds, from which torch then comes by version alone.
# Where the build without CUDA can't be had (it isn't on PyPI), `cpu` is PyPI's build with cuda-stubs/ instead of CUDA's
# libraries, 3.4 GB smaller than with them.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

# As pip does: an interpreter that may not write bytecode would compile torch at each start.
export UV_COMPILE_BYTECODE=1

has_gpu() { nvidia-smi -L > /dev/null 2>&1; }

# Off Linux there is one build, and it is without CUDA.
torch=${HEDDLE_TORCH:-}
if [[ -n ${HEDDLE_TORCH_INDEX:-} ]]; then
  torch=index
elif [[ -z $torch ]]; then
  if has_gpu || [[ $(uname -s) != Linux ]]; then torch=cuda; else torch=cpu; fi
fi
lists=(requirements.txt)
case $torch in
  # vLLM is built for Linux alone.
  cuda) if [[ $(uname -s) == Linux ]]; then lists=(requirements-gpu.txt); else lists+=(requirements-cuda.txt); fi ;;
  cpu) lists+=(requirements-cpu.txt) ;;
  index) ;;
  *) echo "HEDDLE_TORCH is \"$torch\"; it must be cuda or cpu." >&2; exit 1 ;;
esac
[[ ${1:-} == --test ]] && lists+=(requirements-test.txt)
python=.venv/bin/python
stamp=.venv/.installed
source=${HEDDLE_TORCH_INDEX:-}
[[ $torch == cpu ]] && source=cpu
wanted=$(echo "torch from: $source"; cat "${lists[@]}")
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
  install=("$python" -m pip install --quiet --disable-pip-version-check)
  command -v uv > /dev/null && install=(uv pip install --quiet --python "$python")

  # uv knows where torch keeps the wheels without CUDA. Whether they can be had is seen before anything is removed.
  if [[ $torch == cpu ]]; then
    uv=(uv)
    if ! command -v uv > /dev/null; then
      "${install[@]}" --require-hashes -r requirements-uv.txt
      uv=("$python" -m uv)
    fi
    from_torch=("${uv[@]}" pip install --quiet --python "$python" --torch-backend cpu --no-deps --require-hashes -r requirements-cpu.txt)
    if ! "${from_torch[@]}" --dry-run 2> /dev/null; then
      if [[ $(uname -m) == x86_64 ]]; then torch=stubs; else torch=cuda lists[1]=requirements-cuda.txt; fi
    fi
  fi
  case $torch in
    cuda) size="5 to 9 GB, some minutes" ;;
    stubs) size="1.6 GB, a minute or two" ;;
    *) size="about 1 GB, a minute or two" ;;
  esac
  echo "Installing torch and the model server's packages into model-server/.venv ($size)"

  # Builds of torch may have one version, so one of another kind has to go first.
  built=$("$python" -c 'import importlib.metadata as m; print(m.version("torch").partition("+")[2] or "cuda")' 2> /dev/null || true)
  case $torch in
    index) [[ ${have%%$'\n'*} != "torch from: $source" ]] || built= ;;
    stubs) [[ $built != cuda ]] || built= ;;
    *) [[ $built != "$torch" ]] || built= ;;
  esac
  if [[ -n $built ]]; then
    grep -oE '^[a-z0-9-]+==' requirements-cuda.txt | sed 's/==//; $a torch' | xargs "$python" -m pip uninstall --quiet --yes
  fi
  case $torch in
    cpu) "${from_torch[@]}"; lists=("${lists[@]/requirements-cpu.txt/}") ;;
    # The lists are complete, so what they leave out (CUDA's libraries) is not wanted. libcudart is called all the same.
    stubs)
      cudart=.venv/.requirements-cudart.txt
      sed -n '/^nvidia-cuda-runtime==/,/[^\\]$/p' requirements-cuda.txt > "$cudart"
      lists=("${lists[@]/requirements-cpu.txt/$cudart}")
      install+=(--no-deps)
      ;;
    index) "${install[@]}" --index-url "$HEDDLE_TORCH_INDEX" "$(grep -o '^torch==[0-9.]*' requirements.txt)" ;;
  esac
  # shellcheck disable=SC2046,SC2068
  "${install[@]}" --require-hashes $(printf -- "-r %s " ${lists[@]})
  # Where torch looks last: behind CUDA's own libraries, should they come later.
  [[ $torch != stubs ]] || "$python" cuda-stubs/write.py "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/torch/lib"
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
