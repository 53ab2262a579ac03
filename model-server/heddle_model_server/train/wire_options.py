"""The options of jobs as clients send them: `experimental_config` of RL jobs, `config` of SFT jobs. Missing or null
options have their defaults; unknown ones are ignored. Pure; knows nothing of how a job runs."""

from __future__ import annotations

from .errors import TrainingError
from .loss import LossOptions
from .rl import RlOptions
from .sft import SftOptions

NUMBER, FLAG, TEXT = "a number", "true or false", "a text"
LOSS_KINDS = {
    "ppo": FLAG,
    "epsilon": NUMBER,
    "epsilon_high": NUMBER,
    "importance_sampling_level": TEXT,
    "max_negative_advantage_importance_sampling_weight": NUMBER,
    "mask_prob_ratio": FLAG,
    "kimi_k2_tau": NUMBER,
    "kl_penalty_coef": NUMBER,
    "distillation_coef": NUMBER,
    "truncated_importance_sampling": NUMBER,
}
RL_KINDS = {"learning_rate": NUMBER, "scale_rewards": FLAG, "advantage_balance": NUMBER, "precalculate_logprobs": FLAG}


def rl_options(config: dict | None) -> RlOptions:
    """Raises BAD_CONFIG naming the option."""
    return RlOptions(**checked(config, RL_KINDS), loss=LossOptions(**checked(config, LOSS_KINDS)))


def sft_options(config: dict | None) -> SftOptions:
    """Raises BAD_CONFIG naming the option."""
    config = config or {}
    given = {}
    size, rate = config.get("batch_size"), config.get("learning_rate")
    if size is not None:
        if type(size) is not int:
            raise TrainingError("BAD_CONFIG", "config: batch_size must be a whole number.")
        given["batch_size"] = size
    if rate is not None:
        if not all(number(one) for one in (rate if isinstance(rate, list) else [rate])):
            raise TrainingError("BAD_CONFIG", "config: learning_rate must be a number, or a list of them.")
        given["learning_rate"] = tuple(rate) if isinstance(rate, list) else rate
    return SftOptions(**given)


def checked(config: dict | None, kinds: dict[str, str]) -> dict:
    """The given options, checked by kind. Raises BAD_CONFIG."""
    checks = {NUMBER: number, FLAG: lambda value: isinstance(value, bool), TEXT: lambda value: isinstance(value, str)}
    given = {name: config[name] for name in kinds if (config or {}).get(name) is not None}
    for name, value in given.items():
        if not checks[kinds[name]](value):
            raise TrainingError("BAD_CONFIG", f"experimental_config: {name} must be {kinds[name]}.")
    return given


def number(value: object) -> bool:
    """Whether the value is a number and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)
