"""The engine for GPUs. Nothing of vLLM is imported before this: it reports to nobody, and leaves the node its output."""

import os

os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("VLLM_LOGGING_STREAM", "ext://sys.stderr")
