"""A training job as the node hands it to its trainer process, and the part of it that all recipes share. Values only."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

# The rank of adapters by default.
DEFAULT_LORA_RANK = 16


@dataclass(frozen=True, slots=True)
class JobOptions:
    """job_id: only this job's saved states are resumed. address: folder or s3://… of this model alone. step: of the
    checkpoint that the job makes. after: the last event that the receiver stored. start: address of the adapter to
    start from, with its manifest's hash; empty: a new adapter. reference: the same of the adapter that kl_penalty_coef
    compares with; empty: the base model. row_tokens: tokens per packed row; 0: 8192 on CUDA,
    else 1024. save_every: gradient steps between saved states, 0: only at the end; None: every save_seconds."""

    job_id: str
    address: str
    step: int = 1
    attempt: int = 1
    after: int = 0
    start: str = ""
    start_sha256: str = ""
    reference: str = ""
    reference_sha256: str = ""
    seed: int = 0
    row_tokens: int = 0
    save_every: int | None = None
    save_seconds: float = 30.0
    # Whether to continue with the optimiser of the job whose checkpoint this one starts from.
    carry_optimizer: bool = True


@dataclass(frozen=True, slots=True)
class JobSpec(JobOptions):
    """recipe: sft, dpo, kto or rl. data: address of its file, with its hash and number of lines. config_json: the recipe's options
    as clients send them. groups_per_step, rank: 0: the recipe's default. targets: empty: all linear layers except the
    head. gradient_checkpointing: None: not set."""

    recipe: str = "sft"
    data: str = ""
    data_sha256: str = ""
    count: int = 0
    config_json: str = ""
    epochs: int = 1
    groups_per_step: int = 0
    rank: int = 0
    alpha: float = 0.0
    dropout: float = 0.0
    targets: Sequence[str] = ()
    gradient_checkpointing: bool | None = None
    scratch: str = ""

    @property
    def config(self) -> dict | None:
        """The decoded options, which were checked when the job was taken."""
        return json.loads(self.config_json or "null")
