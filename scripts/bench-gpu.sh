#!/usr/bin/env bash
# Runs model-server/bench/gpu.py for `make bench-gpu`, and writes its page to bench/results. Without a GPU it runs the
# smallest shape on the CPU, by the vLLM of `make test-vllm`.
set -euo pipefail
cd "$(dirname "$0")/../model-server"

page=$(pwd)/../bench/results/$(date +%F)-gpu.md
if nvidia-smi -L > /dev/null 2>&1; then
  exec .venv/bin/python bench/gpu.py --page "$page" "$@"
fi
../scripts/vllm-cpu.sh
export VLLM_CPU_KVCACHE_SPACE=1 VLLM_CPU_OMP_THREADS_BIND=nobind OMP_NUM_THREADS=1 HF_HUB_OFFLINE=1
exec .venv/bin/python bench/gpu.py --vllm-python .cache/vllm/bin/python --page "${page%.md}-on-cpu.md" "$@"
