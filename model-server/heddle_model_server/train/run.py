"""Runs jobs one after another on a base model that is loaded once."""

from collections.abc import Iterator
from dataclasses import replace

from ..model import LoadedModel
from .batches import BatchOptions
from .errors import Control, TrainingError
from .data import lines_of, open_data, read_judged, read_lines, read_pairs, values_of
from .distributed import Distributed
from .dpo import DpoOptions, train_dpo
from .events import Event, TrainingFailed, ending_in_failure
from .kto import KtoOptions, train_kto
from .loss import LossOptions
from .policy import LoraOptions, Policy
from .rl import RlOptions, train_rl
from .sft import SftOptions, train_sft
from .spec import JobSpec
from .wire_options import read_options

LARGEST_RANK = 1024
# Options, what reads the data, and the recipe itself.
BATCH_RECIPES = {
    "sft": (SftOptions, read_lines, train_sft),
    "dpo": (DpoOptions, read_pairs, train_dpo),
    "kto": (KtoOptions, read_judged, train_kto),
}


class PolicyCache:
    """The base model, with the adapter layers of the last job."""

    def __init__(self, loaded: LoadedModel, distributed: Distributed | None = None, kernels: str = "auto"):
        """kernels: see settings.train_kernels."""
        self._loaded = loaded
        self._distributed = distributed
        self._kernels = kernels
        self._policy: Policy | None = None

    def policy(self, lora: LoraOptions, gradient_checkpointing: bool | None) -> Policy:
        """Reuses the last job's layers if their options match; their weights are undefined."""
        if self._policy is not None and self._policy.lora == lora:
            self._policy.checkpoint_gradients(gradient_checkpointing)
            return self._policy
        if self._policy is not None:
            self._policy.remove_adapter()
            self._policy = None
        self._policy = Policy(self._loaded, lora, gradient_checkpointing, self._distributed, self._kernels)
        return self._policy


def run(spec: JobSpec, models: PolicyCache, control: Control) -> Iterator[Event]:
    """The job's events after `spec.after`; an error is the last of them."""
    for event in recipe(spec, models, control):
        if isinstance(event, TrainingFailed):
            yield replace(event, number=max(event.number, spec.after + 1))
        elif event.number > spec.after:
            yield event


@ending_in_failure
def recipe(spec: JobSpec, models: PolicyCache, control: Control) -> Iterator[Event]:
    """Opens data and model, and runs the recipe; raises TrainingError."""
    # Invalid options fail before anything is read.
    lora = lora_of(spec)
    options = options_of(spec.recipe, spec.config, max(spec.epochs, 1), spec.groups_per_step)
    with open_data(spec.data, spec.data_sha256, spec.scratch, control) as file:
        control.report("the model is loaded")
        policy = models.policy(lora, spec.gradient_checkpointing)
        lines = lines_of(file)
        if spec.recipe == "rl":
            groups = (group for _, group in values_of(lines))
            yield from train_rl(policy, groups, spec.count, options, spec, control)
        else:
            _, read, train = BATCH_RECIPES[spec.recipe]
            yield from train(policy, read(lines), options, spec, control, spec.scratch)


def options_of(recipe: str, config: dict | None, epochs: int = 1, groups_per_step: int = 0) -> BatchOptions | RlOptions:
    """A recipe's options, as clients send them. groups_per_step: of RL; 0: the default. Raises BAD_CONFIG."""
    if recipe != "rl":
        return read_options(BATCH_RECIPES[recipe][0], config, "config", epochs=epochs)
    name = "experimental_config"
    more = {"groups_per_step": groups_per_step} if groups_per_step else {}
    return read_options(RlOptions, config, name, loss=read_options(LossOptions, config, name), **more)


def lora_of(spec: JobSpec) -> LoraOptions:
    """Raises BAD_CONFIG."""
    default = LoraOptions()
    rank = spec.rank or default.rank
    if rank > LARGEST_RANK or spec.alpha < 0 or not 0 <= spec.dropout < 1:
        why = f"LoRA takes a rank from 1 to {LARGEST_RANK}, an alpha from 0 and a dropout from 0 to below 1."
        raise TrainingError("BAD_CONFIG", why)
    alpha = spec.alpha or default.alpha / default.rank * rank
    return LoraOptions(rank=rank, alpha=alpha, dropout=spec.dropout, targets=tuple(spec.targets) or default.targets)
