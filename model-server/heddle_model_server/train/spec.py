"""A training job as the node hands it to its trainer process. Values only."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from .errors import TrainingError

# The rank of adapters by default.
DEFAULT_LORA_RANK = 16


@dataclass(frozen=True, slots=True)
class JobSpec:
    """recipe: sft or rl. config_json: its options as clients send them. groups_per_step, rank, row_tokens: 0: the
    recipe's default. targets: empty: all linear layers except the head. save_every, gradient_checkpointing: None:
    not set."""

    job_id: str
    attempt: int
    after: int
    model_address: str
    step: int
    start: str
    start_sha256: str
    data: str
    data_sha256: str
    count: int
    recipe: str
    config_json: str = ""
    epochs: int = 1
    groups_per_step: int = 0
    rank: int = 0
    alpha: float = 0.0
    dropout: float = 0.0
    targets: tuple[str, ...] = ()
    seed: int = 0
    save_every: int | None = None
    save_seconds: float = 30.0
    row_tokens: int = 0
    gradient_checkpointing: bool | None = None
    scratch: str = ""

    def as_json(self) -> dict:
        """The job as plain values."""
        return asdict(self)

    @staticmethod
    def of_json(value: dict) -> JobSpec:
        """The job of as_json's result."""
        return JobSpec(**{**value, "targets": tuple(value["targets"])})

    @property
    def config(self) -> dict | None:
        """The decoded options. Raises BAD_CONFIG."""
        if not self.config_json:
            return None
        try:
            value = json.loads(self.config_json)
        except (ValueError, RecursionError) as error:
            raise TrainingError("BAD_CONFIG", "The job's config is not JSON.") from error
        if value is not None and not isinstance(value, dict):
            raise TrainingError("BAD_CONFIG", "The job's config must be an object.")
        return value
