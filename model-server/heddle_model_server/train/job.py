"""What both recipes share of a job: where it begins, where it resumes, its optimiser. Knows nothing of data or losses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch

from .checkpoints import Checkpoints, read_weights
from .errors import TrainingError
from .events import CheckpointWritten
from .policy import Policy


@dataclass(frozen=True, slots=True)
class JobOptions:
    """job_id: a saved state of another job isn't resumed. step: of the checkpoint that this job makes.
    start: address of the adapter to start from; empty: step − 1's if it is there, else a new one.
    row_tokens: of packed sequences in a pass; 0: 8192 on CUDA, else 1024. save_every: gradient steps between saved states;
    0: only at the end. keep_last: checkpoints; 0: all. keep_best_by: a metric whose best is kept, too."""

    job_id: str
    folder: Path
    step: int = 1
    start: str = ""
    seed: int = 0
    row_tokens: int = 0
    max_grad_norm: float = 1.0
    weight_decay: float = 0.0
    save_every: int = 10
    keep_last: int = 0
    keep_best_by: str = ""
    lower_is_better: bool = False
    # The next job goes on with the optimiser of the one before.
    carry_optimizer: bool = True


class Job:
    """The state of one job. `done`: gradient steps that were made before it was resumed. `number`: of the last event."""

    def __init__(self, policy: Policy, options: JobOptions):
        self.policy = policy
        self.options = options
        self.checkpoints = Checkpoints(options.folder)
        self.row_tokens = options.row_tokens or (8192 if policy.device.type == "cuda" else 1024)
        self.optimizer = torch.optim.AdamW(policy.trained, lr=0.0, betas=(0.9, 0.99), weight_decay=options.weight_decay)
        self.done = 0
        self.number = 0
        # Sums over the job's steps, for the checkpoint's metrics.
        self.sums: dict[str, list[float]] = {}
        saved = self.checkpoints.read_state(options.step)
        self.resumed = saved is not None and saved["job_id"] == options.job_id
        if self.resumed:
            self._resume(saved)
        else:
            self._begin()

    def next_number(self) -> int:
        self.number += 1
        return self.number

    def update(self, learning_rate: float) -> float:
        """Clips the gradient and makes a step; returns the norm before clipping. Raises NOT_A_NUMBER before anything has
        changed."""
        norm = float(torch.nn.utils.clip_grad_norm_(self.policy.trained, self.options.max_grad_norm))
        if not math.isfinite(norm):
            self.optimizer.zero_grad()
            raise not_a_number("the gradient")
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        self.optimizer.step()
        self.optimizer.zero_grad()
        return norm

    def stepped(self, metrics: dict[str, float]) -> dict[str, float]:
        """Counts a step whose metrics are these; what isn't a number is left out. Returns the metrics."""
        kept = {name: float(value) for name, value in metrics.items() if math.isfinite(value)}
        for name, value in kept.items():
            held = self.sums.setdefault(name, [0.0, 0.0])
            held[0] += value
            held[1] += 1
        self.done += 1
        return kept

    def save_if_due(self) -> None:
        """After the step's event was told: the state counts it as told."""
        if self.options.save_every and self.done % self.options.save_every == 0:
            self.save()

    def save(self) -> None:
        self.checkpoints.write_state(
            self.options.step,
            {
                "job_id": self.options.job_id,
                "done": self.done,
                "number": self.number,
                "sums": self.sums,
                "weights": self.policy.weights(),
                "start": self.start,
                "optimizer": self.optimizer.state_dict(),
                "random": torch.get_rng_state(),
            },
        )

    def finish(self) -> CheckpointWritten:
        """Writes the checkpoint, then forgets the ones that retention doesn't keep."""
        metrics = {name: total / count for name, (total, count) in self.sums.items()}
        written = self.checkpoints.write(self.options.step, self.policy, metrics)
        self.save()
        self.checkpoints.retain(self.options.keep_last, self.options.keep_best_by, self.options.lower_is_better)
        return CheckpointWritten(
            written.step, written.address, written.manifest_sha256, metrics, number=self.next_number()
        )

    def _begin(self) -> None:
        options = self.options
        torch.manual_seed(options.seed)
        if options.start:
            self.policy.take(read_weights(options.start))
        elif options.step - 1 in self.checkpoints.steps():
            self.policy.take(self.checkpoints.weights(options.step - 1))
        else:
            self.policy.reset(options.seed)
        before = (
            self.checkpoints.read_state(options.step - 1) if options.carry_optimizer and not options.start else None
        )
        if before is not None and before["weights"].keys() == self.policy.weights().keys():
            self.optimizer.load_state_dict(before["optimizer"])
        self.start = self.policy.weights()

    def _resume(self, saved: dict) -> None:
        self.policy.take(saved["weights"])
        self.optimizer.load_state_dict(saved["optimizer"])
        torch.set_rng_state(saved["random"])
        self.start = saved["start"]
        self.done, self.number, self.sums = saved["done"], saved["number"], saved["sums"]


def not_a_number(what: str) -> TrainingError:
    return TrainingError(
        "NOT_A_NUMBER",
        f"Training stopped because {what} was no number any more. The last checkpoint is as it was; try a lower learning_rate.",
    )
