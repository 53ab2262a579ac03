"""The options of jobs as clients send them: `experimental_config` of RL jobs, `config` of SFT jobs. Missing or null
options have their defaults; unknown ones are ignored. Pure; knows nothing of how a job runs."""

from __future__ import annotations

from dataclasses import fields

from .errors import TrainingError
from .loss import LossOptions
from .rl import RlOptions
from .sft import SftOptions

# What an option may be, by the type of its field.
KINDS = {
    "float": (lambda value: number(value), "a number"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "str": (lambda value: isinstance(value, str), "a text"),
}


def rl_options(config: dict | None) -> RlOptions:
    """Raises BAD_CONFIG naming the option."""
    return RlOptions(**checked(config, RlOptions), loss=LossOptions(**checked(config, LossOptions)))


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


def checked(config: dict | None, options: type) -> dict:
    """The given options that are fields of `options`. Raises BAD_CONFIG."""
    known = {one.name: one.type.removesuffix(" | None") for one in fields(options)}
    given = {name: config[name] for name, kind in known.items() if kind in KINDS and (config or {}).get(name) is not None}
    for name, value in given.items():
        fits, what = KINDS[known[name]]
        if not fits(value):
            raise TrainingError("BAD_CONFIG", f"experimental_config: {name} must be {what}.")
    return given


def number(value: object) -> bool:
    """Whether the value is a number and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)
