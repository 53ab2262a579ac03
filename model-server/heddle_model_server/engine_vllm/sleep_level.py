"""How deeply vLLM sleeps while a training job has its device."""

from pathlib import Path

import psutil
from huggingface_hub import snapshot_download

# What the trainer's processes need of the host.
LEFT_BYTES = 8 * 2**30


def sleep_level(weights: int, free: int) -> int:
    """vLLM's level 1: weights go to host memory, and are back in a second or two; 2: they are read from their files again.
    weights: their bytes; free: bytes of host memory that nobody uses."""
    return 1 if weights + LEFT_BYTES <= free else 2


def free_memory(group: Path = Path("/sys/fs/cgroup")) -> int:
    """Bytes of memory that nobody uses, of the host or of what is left to this container. group: the container's cgroup."""
    free = psutil.virtual_memory().available
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
        counts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except OSError:
        return free
    # Files in the page cache count as used, and give way.
    return free if limit == "max" else min(free, int(limit) - used + int(counts["inactive_file"]))


def bytes_of_weights(source: str) -> int:
    """source: a folder, or the hub name of a model that was downloaded."""
    folder = source if Path(source).is_dir() else snapshot_download(source, local_files_only=True)
    weights = list(Path(folder).glob("*.safetensors")) or list(Path(folder).glob("*.bin"))
    return sum(file.stat().st_size for file in weights)
