"""Where a model's checkpoints and the state of its running job lie: folders that appear whole or not at all. Knows nothing
of recipes or of rows in a database.

    checkpoints/step3/   a PEFT folder and its manifest, as a node serves it
    state/step3/         the optimiser and where the job for step 3 is; kept when it is done, for the next job's optimiser
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import math
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from ..adapters.fetch import MANIFEST, fetch
from ..adapters.peft_files import CONFIG, WEIGHTS
from ..adapters.s3 import S3Access
from ..errors import NodeError
from .errors import TrainingError
from .policy import Policy

STATE = "state.pt"
STEP = re.compile(r"step(\d+)")


@dataclass(frozen=True, slots=True)
class Written:
    step: int
    address: str
    manifest_sha256: str


class Checkpoints:
    def __init__(self, folder: Path):
        self._folder = folder.absolute()

    def steps(self) -> list[int]:
        """Of whole checkpoints, in order."""
        return whole(self._folder / "checkpoints")

    def write(self, step: int, policy: Policy, metrics: dict[str, float]) -> Written:
        config = policy.model.peft_config["default"].to_dict()
        config = {key: sorted(value) if isinstance(value, set) else value for key, value in config.items()}
        # What the folder was loaded from is nobody's business; who serves it knows its base.
        config |= {"inference_mode": True, "base_model_name_or_path": policy.base_model}
        files = {
            CONFIG: json.dumps(config, indent=2, default=str).encode(),
            WEIGHTS: save_tensors(policy.weights(), {"format": "pt"}),
        }
        folder = self._folder / "checkpoints" / f"step{step}"
        sha256 = write_folder(folder, files, {"step": step, "metrics": metrics})
        return Written(step, str(folder), sha256)

    def metrics(self, step: int) -> dict[str, float]:
        try:
            return json.loads((self._folder / "checkpoints" / f"step{step}" / MANIFEST).read_text()).get("metrics", {})
        except (OSError, ValueError) as error:
            raise TrainingError("BAD_CHECKPOINT", f"The checkpoint of step {step} can't be read.") from error

    def weights(self, step: int) -> dict[str, torch.Tensor]:
        return read_weights(str(self._folder / "checkpoints" / f"step{step}"))

    def retain(self, last: int, best_by: str = "", lower_is_better: bool = False) -> list[int]:
        """Removes what retention doesn't keep; returns those steps."""
        known = [(step, self.metrics(step)) for step in self.steps()]
        gone = steps_to_drop(known, last, best_by, lower_is_better)
        for step in gone:
            remove(self._folder / "checkpoints" / f"step{step}")
        return gone

    def write_state(self, step: int, state: dict) -> None:
        """state: of tensors, numbers, texts, lists and dicts."""
        content = io.BytesIO()
        torch.save(state, content)
        write_folder(self._folder / "state" / f"step{step}", {STATE: content.getvalue()}, {})
        for old in whole(self._folder / "state"):
            if old < step - 1:
                remove(self._folder / "state" / f"step{old}")

    def read_state(self, step: int) -> dict | None:
        folder = self._folder / "state" / f"step{step}"
        if not (folder / MANIFEST).exists():
            return None
        try:
            content = fetch(str(folder), "", S3Access())[STATE]
        except (NodeError, KeyError) as error:
            raise TrainingError(
                "BAD_CHECKPOINT", f"The saved state of step {step} is damaged: remove it to begin anew."
            ) from error
        # Nothing but tensors and plain values: a state can't bring code.
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)


def read_weights(address: str, s3: S3Access | None = None) -> dict[str, torch.Tensor]:
    """The adapter at a folder or s3://…, checked against its manifest."""
    try:
        return load_tensors(fetch(address, "", s3 or S3Access())[WEIGHTS])
    except NodeError as error:
        raise TrainingError("BAD_CHECKPOINT", f"The checkpoint to start from can't be used: {error.message}") from error
    except Exception as error:
        raise TrainingError("BAD_CHECKPOINT", "The checkpoint to start from can't be read.") from error


def steps_to_drop(
    known: list[tuple[int, dict[str, float]]], last: int, best_by: str = "", lower_is_better: bool = False
) -> list[int]:
    """Keeps the `last` newest (0: all), and the best by a metric; of equals the newest. Pure."""
    if last <= 0:
        return []
    ordered = sorted(known, key=lambda one: one[0])
    kept = {step for step, _ in ordered[-last:]}
    scored = [
        (-metrics[best_by] if lower_is_better else metrics[best_by], step)
        for step, metrics in ordered
        if best_by and math.isfinite(metrics.get(best_by, math.nan))
    ]
    if scored:
        kept.add(max(scored)[1])
    return [step for step, _ in ordered if step not in kept]


def write_folder(folder: Path, files: dict[str, bytes], facts: dict) -> str:
    """Writes files beside their place, the manifest last, each synced, and renames. Returns the manifest's hash. The same
    folder may be written again by a resumed job. Raises DISK."""
    listed = [
        {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
    ]
    manifest = json.dumps({"files": listed, **facts}, indent=2).encode()
    beside = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    sha256 = hashlib.sha256(manifest).hexdigest()
    try:
        if (folder / MANIFEST).exists() and (folder / MANIFEST).read_bytes() == manifest:
            return sha256
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        for name, content in [*files.items(), (MANIFEST, manifest)]:
            write_synced(beside / name, content)
        sync(beside)
        if folder.exists():
            remove(folder)
        beside.rename(folder)
        sync(folder.parent)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror or "it failed"
        raise TrainingError(
            "DISK", f"The checkpoint can't be written: {why}. Free space or fix it, and run the job again."
        ) from error
    return sha256


def write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(folder: Path) -> None:
    """Gone under its name at once, so that nobody finds a part of it."""
    gone = folder.with_name(f".{folder.name}.{os.getpid()}.gone")
    shutil.rmtree(gone, ignore_errors=True)
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def whole(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    matches = [(STEP.fullmatch(entry.name), entry) for entry in folder.iterdir()]
    return sorted(int(match[1]) for match, entry in matches if match and (entry / MANIFEST).exists())
