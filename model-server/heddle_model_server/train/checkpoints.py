"""Reads and writes a model's checkpoints and its jobs' saved states. Every attempt has names of its own, so that an attempt
that lost its job overwrites nothing.

    checkpoints/step3-a1/     a PEFT folder and its manifest, as a node serves it
    state/step3/a1-20/        adapter, optimiser and progress of the job for step 3 after 20 gradient steps of attempt 1
    state/step3/a1-25-end/    at its end, without the checkpoint's weights; it stays for the next job's optimiser

The owner of the checkpoints' records decides which of them stay."""

import io
import json
import logging
import re

import torch
from pydantic.dataclasses import dataclass
from safetensors.torch import load as load_tensors, save as save_tensors

from ..artifacts.folders import Folders, Whole, fetch
from ..artifacts.peft_files import CONFIG, WEIGHTS
from ..errors import NodeError
from .errors import TrainingError
from .policy import Policy

log = logging.getLogger(__name__)

STATE = "state.pt"
STATE_NAME = re.compile(r"step(\d+)/a(\d+)-(\d+)(?:-end)?")
# Also of what a writer that died began.
BEGUN_NAME = re.compile(r"step(\d+)/\.?a(\d+)-(\d+).*")


@dataclass(frozen=True, slots=True)
class SavedState:
    """number: of the last event before it. first: of the earliest event it holds. checkpoint_sha256: the manifest's
    hash of the job's checkpoint; empty: the job hasn't ended. In the manifest it is called `made`."""

    folder: str
    step: int
    attempt: int
    done: int
    job_id: str
    recipe: str
    number: int
    first: int
    checkpoint_sha256: str

    def resumes(self, after: int) -> bool:
        """Whether it can replay every event after that one."""
        return self.number <= after or self.first <= after + 1


class Checkpoints:
    """The checkpoints and states of one attempt at one step."""

    def __init__(self, folders: Folders, step: int, attempt: int):
        self._folders = folders
        self._step = step
        self._attempt = attempt

    def write(self, policy: Policy, metrics: dict[str, float]) -> Whole:
        """Writes the adapter as a PEFT folder. Raises DISK or ARTIFACTS_UNREACHABLE."""
        config = policy.model.peft_config["default"].to_dict()
        config = {key: sorted(value) if isinstance(value, set) else value for key, value in config.items()}
        # A path of this machine would be of no use elsewhere.
        config |= {"inference_mode": True, "base_model_name_or_path": policy.base_model}
        files = {
            CONFIG: json.dumps(config, indent=2, default=str).encode(),
            WEIGHTS: save_tensors(policy.weights(), {"format": "pt"}),
        }
        facts = {"step": self._step, "metrics": metrics}
        return self._folders.write(checkpoint_folder(self._step, self._attempt), files, facts)

    def states(self, step: int) -> list[SavedState]:
        """Complete states of all attempts at a step, the newest first."""
        found = [self._state(folder) for folder in self._folders.begun("state")]
        known = [one for one in found if one is not None and one.step == step]
        return sorted(known, key=lambda one: (-one.done, not one.checkpoint_sha256, -one.attempt))

    def read_state(self, saved: SavedState) -> dict | None:
        """A state's content; None if it is damaged. Raises ARTIFACTS_UNREACHABLE."""
        try:
            content = fetch(self._folders.address(f"state/{saved.folder}"), "")[STATE]
            # weights_only: a state can't run code.
            return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        except (NodeError, KeyError, RuntimeError, ValueError) as error:
            if isinstance(error, NodeError) and error.code == "ADAPTER_UNREACHABLE":
                raise TrainingError("ARTIFACTS_UNREACHABLE", error.message) from error
            log.warning("the saved state %s can't be used: %s", saved.folder, error)
            return None

    def weights_of(self, saved: SavedState) -> dict[str, torch.Tensor] | None:
        """The weights of the checkpoint that its attempt made; None if it is gone. Raises ARTIFACTS_UNREACHABLE."""
        address = self._folders.address(checkpoint_folder(saved.step, saved.attempt))
        try:
            return read_weights(address, saved.checkpoint_sha256)
        except TrainingError as error:
            if error.code == "ARTIFACTS_UNREACHABLE":
                raise
            return None

    def write_state(self, state: dict, facts: dict, done: int) -> None:
        """Writes a state and removes outdated ones. state: tensors, numbers, texts, lists and dicts. facts: the
        fields of SavedState that its name doesn't contain. done: gradient steps."""
        content = io.BytesIO()
        torch.save(state, content)
        name = f"step{self._step}/a{self._attempt}-{done}{'-end' if facts['made'] else ''}"
        self._folders.write(f"state/{name}", {STATE: content.getvalue()}, facts)
        for other in self._folders.begun("state"):
            match = BEGUN_NAME.fullmatch(other)
            if match and other != name and self._outdated(*map(int, match.groups()), done):
                self._folders.remove(f"state/{other}")

    def _outdated(self, step: int, attempt: int, done: int, now: int) -> bool:
        """The previous step's states stay: another attempt at this step begins with them."""
        if step == self._step:
            return attempt <= self._attempt and done <= now
        return step < self._step - 1

    def _state(self, folder: str) -> SavedState | None:
        match = STATE_NAME.fullmatch(folder)
        told = match and self._folders.manifest(f"state/{folder}")
        if not told:
            return None
        try:
            return SavedState(
                folder, *match.groups(), *(told[name] for name in ("job_id", "recipe", "number", "first", "made"))
            )
        except (KeyError, ValueError):
            return None


def checkpoint_folder(step: int, attempt: int) -> str:
    """The place of an attempt's checkpoint below its model."""
    return f"checkpoints/step{step}-a{attempt}"


def read_weights(address: str, sha256: str = "", what: str = "checkpoint to start from") -> dict[str, torch.Tensor]:
    """The tensors of the adapter at a folder or s3://…, by name, checked against its manifest; sha256: the manifest's own
    hash, empty: not checked. what: its name in errors. Raises BAD_CHECKPOINT or ARTIFACTS_UNREACHABLE."""
    try:
        return load_tensors(fetch(address, sha256)[WEIGHTS])
    except NodeError as error:
        code = "ARTIFACTS_UNREACHABLE" if error.code == "ADAPTER_UNREACHABLE" else "BAD_CHECKPOINT"
        raise TrainingError(code, f"The {what} can't be used: {error.message}") from error
    except Exception as error:
        raise TrainingError("BAD_CHECKPOINT", f"The {what} can't be read.") from error
