"""What recipes share: where a job begins or resumes, its optimiser, its saved states."""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

import torch

from ..artifacts.folders import Folders
from ..artifacts.store import open_store
from .checkpoints import Checkpoints, SavedState, read_weights
from .errors import Control, stopped, TrainingError, TURN
from .events import (
    CheckpointWritten,
    Event,
    GradientStep,
    TrainingEnded,
    TrainingStarted,
    as_json,
    of_json,
    out_of_memory,
)
from .metrics import StepClock
from .pack import PackedRow
from .policy import Policy
from .spec import JobOptions

# Of the optimiser. A job that resumes, or follows another, takes them from the saved state.
BETAS = (0.9, 0.99)
WEIGHT_DECAY = 0.0
# Longer gradients are cut to this length.
MAX_GRAD_NORM = 1.0
# The loss times this has gradients that float16 can hold; halved where it is too much.
FLOAT16_SCALE = 2.0**16
# Rows of fewer tokens keep a GPU less busy than activations that are computed twice.
SHORT_ROW = 2048
# Events in a saved state. If the receiver missed more, the job starts again.
SAVED_EVENTS = 1024

# Of the most tokens of a row, the sums of a step's metrics.
Passes = Callable[[int], dict[str, float]]


class Job:
    """The state of one job. done: gradient steps so far. number: of the last event."""

    def __init__(self, policy: Policy, options: JobOptions, recipe: str, control: Control):
        """recipe: its name; another recipe's optimiser isn't reused."""
        self.policy = policy
        self.options = options
        self._recipe = recipe
        self._control = control
        self._checkpoints = Checkpoints(Folders(open_store(options.address)), options.step, options.attempt)
        self.row_tokens = options.row_tokens or (8192 if policy.device.type == "cuda" else 1024)
        self.optimizer = torch.optim.AdamW(policy.trained, lr=0.0, betas=BETAS, weight_decay=WEIGHT_DECAY)
        self.optimizer.zero_grad()
        self.loss_scale = FLOAT16_SCALE if policy.dtype == torch.float16 else 1.0
        self.done = 0
        self.number = 0
        self._recent_events: deque[Event] = deque(maxlen=SAVED_EVENTS)
        # Sums over the job's steps, for the checkpoint's metrics.
        self._sums: dict[str, list[float]] = {}
        self._saved_at = time.monotonic()
        control.report("the state to begin with is read")
        if not self._resume():
            self._begin()

    def steps(self, total: int, step: Callable[[int], tuple[dict[str, float], list[int]]]) -> Iterator[Event]:
        """Makes the gradient steps that are left, and tells of each. total: of all. step: makes the one of an index, from 0;
        returns its metrics, and the tokens of each trained sequence. Raises the TrainingError of a requested stop."""
        # What the receiver may have missed of those before the saved state.
        yield from [event for event in self._recent_events if event.number > self.options.after]
        if self.number == 0:
            yield self._numbered(TrainingStarted(total))
        clock = StepClock(self.policy)
        for index in range(self.done, total):
            clock.start()
            metrics, lengths = step(index)
            metrics = self._record_step({**metrics, **clock.measured(lengths)})
            yield self._numbered(GradientStep(self.done, metrics))
            self._after_step()

    def end(self) -> Iterator[Event]:
        """Writes the checkpoint and the final state; the checkpoint is announced before the last event."""
        yield self._numbered(self._finish())
        yield self._numbered(TrainingEnded())

    def _numbered(self, event: Event) -> Event:
        self.number += 1
        result = replace(event, number=self.number)
        self._recent_events.append(result)
        return result

    def learn(self, passes: Passes, lengths: list[int], rate: float | None) -> dict[str, float]:
        """A gradient step; returns what passes adds up, over all processes, with the gradient's norm. passes: computes the step's
        gradients in rows of at most so many tokens, and what it returns has the loss. lengths: of the step's sequences. rate: None:
        there is nothing to learn. Raises NOT_A_NUMBER."""
        sums = self.policy.distributed.all_reduce(self._in_rows_that_fit(passes, lengths))
        if not math.isfinite(sums["loss"]):
            raise not_a_number("the loss")
        return {**sums, "grad_norm": 0.0 if rate is None else self.update(rate)}

    def _in_rows_that_fit(self, passes: Passes, lengths: list[int]) -> dict[str, float]:
        """What passes returns. After running out of memory the rows are halved for the rest of the job; where they are short,
        activations are computed twice; then rows are halved down to the longest sequence. Several processes can't: they would do
        it at different places. Computed again, too, with a smaller scale of the loss, if float16 had no numbers for the gradients."""
        longest, whole = max(lengths, default=0), sum(lengths)
        while True:
            try:
                result = passes(self.row_tokens)
                if self.loss_scale == 1.0 or self._finite():
                    return result
                self.loss_scale /= 2
                self.optimizer.zero_grad()
                continue
            except Exception as error:
                tokens = min(self.row_tokens, whole)
                if not out_of_memory(error) or self.policy.distributed.size > 1:
                    raise
                if tokens <= max(longest, SHORT_ROW) and self.policy.save_memory():
                    said = "activations are computed twice"
                elif tokens > longest:
                    self.row_tokens = max(longest, tokens // 2)
                    said = f"rows have at most {self.row_tokens} tokens"
                else:
                    raise
            # Only here are the failed pass's tensors free.
            self._control.report(f"too little memory: {said} from now on")
            self.optimizer.zero_grad()
            if self.policy.device.type == "cuda":
                torch.cuda.empty_cache()

    def backward(self, loss: torch.Tensor) -> None:
        """Adds up the gradients of a part of the step's loss."""
        (loss * self.loss_scale).backward()

    @torch.no_grad()
    def from_reference(self, rows: list[tuple[PackedRow, float]]) -> tuple[list[torch.Tensor], float]:
        """log π − log π_ref of each row's trained tokens, and their sum, of every process. rows: of Policy.rows."""
        references = self.policy.logprobs_by(self.reference, [row for row, _ in rows])
        found = [self.policy.logprobs(row)[0] - reference for (row, _), reference in zip(rows, references)]
        total = sum(counted * float(one.sum()) for one, (_, counted) in zip(found, rows))
        return found, self.policy.distributed.all_reduce({"sum": total})["sum"]

    def _finite(self) -> bool:
        """Whether all gradients are, in every process."""
        bad = sum(not bool(p.grad.isfinite().all()) for p in self.policy.trained if p.grad is not None)
        return not self.policy.distributed.all_reduce({"bad": bad})["bad"]

    def update(self, learning_rate: float) -> float:
        """Clips the gradient and steps the optimiser; returns the norm before clipping. Raises NOT_A_NUMBER before it steps."""
        self.policy.distributed.all_reduce_gradients(self.policy.trained)
        for parameter in self.policy.trained if self.loss_scale != 1.0 else ():
            if parameter.grad is not None:
                parameter.grad /= self.loss_scale
        norm = float(torch.nn.utils.clip_grad_norm_(self.policy.trained, MAX_GRAD_NORM))
        if not math.isfinite(norm):
            self.optimizer.zero_grad()
            raise not_a_number("the gradient")
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        self.optimizer.step()
        self.optimizer.zero_grad()
        return norm

    def _record_step(self, metrics: dict[str, float]) -> dict[str, float]:
        """Counts a gradient step; returns its finite metrics."""
        kept = {name: float(value) for name, value in metrics.items() if math.isfinite(value)}
        for name, value in kept.items():
            total, count = self._sums.get(name, (0.0, 0.0))
            self._sums[name] = [total + value, count + 1]
        self.done += 1
        return kept

    def metric_sum(self, name: str) -> float:
        """The sum of a metric over the job's steps."""
        return self._sums.get(name, [0.0])[0]

    def _after_step(self) -> None:
        """Saves the state if due. After the step's event was sent, which a saved state assumes."""
        stop_code = self.policy.distributed.broadcast(self._control.stop_code)
        if self._save_due() or stop_code in ("DRAINING", TURN):
            self._save("")
        if stop_code:
            raise stopped(stop_code)

    @cached_property
    def start(self) -> dict[str, torch.Tensor]:
        """The adapter that the job began with. No part of its states: it is read, or made, again."""
        start = self.options.start
        return read_weights(start, self.options.start_sha256) if start else self.policy.new_weights(self.options.seed)

    @cached_property
    def reference(self) -> dict[str, torch.Tensor] | None:
        """The adapter that the policy is compared with; None: the base model."""
        options = self.options
        if not options.reference:
            return None
        what = "checkpoint that kl_penalty_coef compares with"
        return read_weights(options.reference, options.reference_sha256, what=what)

    def _finish(self) -> CheckpointWritten:
        metrics = {name: total / count for name, (total, count) in self._sums.items()}
        if not self.policy.distributed.is_main:
            return CheckpointWritten(self.options.step, "", "", 0, metrics)
        self._control.report("the checkpoint is written")
        written = self._checkpoints.write(self.policy, metrics)
        self._save(written.manifest_sha256)
        return CheckpointWritten(self.options.step, written.address, written.manifest_sha256, written.bytes, metrics)

    def _save_due(self) -> bool:
        every = self.options.save_every
        if every is None:
            return time.monotonic() - self._saved_at >= self.options.save_seconds
        return every > 0 and self.done % every == 0

    def _save(self, checkpoint_sha256: str) -> None:
        if not self.policy.distributed.is_main:
            return
        cuda = self.policy.device.type == "cuda"
        held = list(self._recent_events)
        self._checkpoints.write_state(
            {
                "sums": self._sums,
                "loss_scale": self.loss_scale,
                "events": [as_json(event) for event in held],
                # At the end the checkpoint has them.
                **({} if checkpoint_sha256 else {"weights": self.policy.weights()}),
                "optimizer": self.optimizer.state_dict(),
                "random": torch.get_rng_state(),
                "random_cuda": torch.cuda.get_rng_state(self.policy.device) if cuda else None,
            },
            {
                "job_id": self.options.job_id,
                "recipe": self._recipe,
                "number": self.number,
                "first": held[0].number if held else self.number + 1,
                "made": checkpoint_sha256,
            },
            self.done,
        )
        self._saved_at = time.monotonic()

    def _begin(self) -> None:
        options = self.options
        torch.manual_seed(options.seed + self.policy.distributed.rank)
        self.policy.load_weights(self.start)
        if options.start and options.carry_optimizer and options.start_sha256:
            self._carry_optimizer()

    def _carry_optimizer(self) -> None:
        """Loads the optimiser of the job that made the start checkpoint, if its state still exists."""
        for saved in self._checkpoints.states(self.options.step - 1):
            if saved.checkpoint_sha256 == self.options.start_sha256 and saved.recipe == self._recipe:
                state = self._checkpoints.read_state(saved)
                if state is not None:
                    self.optimizer.load_state_dict(state["optimizer"])
                    return

    def _resume(self) -> bool:
        """Resumes the newest complete state of the job, of any attempt. False if there is none."""
        for saved in self._checkpoints.states(self.options.step):
            if saved.job_id == self.options.job_id and saved.resumes(self.options.after):
                state = self._checkpoints.read_state(saved)
                weights = state and (state.get("weights") or self._checkpoints.weights_of(saved))
                if weights:
                    self._restore(saved, state, weights)
                    return True
        return False

    def _restore(self, saved: SavedState, state: dict, weights: dict[str, torch.Tensor]) -> None:
        self.policy.load_weights(weights)
        self.optimizer.load_state_dict(state["optimizer"])
        if self.policy.distributed.is_main:
            torch.set_rng_state(state["random"])
            if state["random_cuda"] is not None and self.policy.device.type == "cuda":
                torch.cuda.set_rng_state(state["random_cuda"], self.policy.device)
        else:
            torch.manual_seed(self.options.seed + self.policy.distributed.rank + saved.done)
        self.done, self.number, self._sums = saved.done, saved.number, state["sums"]
        # States of older nodes have none.
        self.loss_scale = state.get("loss_scale", self.loss_scale)
        self._recent_events.extend(of_json(event) for event in state["events"])


def not_a_number(what: str) -> TrainingError:
    """what: what became NaN or infinite."""
    return TrainingError(
        "NOT_A_NUMBER",
        f"Training stopped because {what} was NaN or infinite. The last checkpoint is unchanged; try a lower learning_rate.",
    )
