"""The options of jobs as clients send them: `experimental_config` of RL jobs, `config` of SFT jobs. Missing or null options
have their defaults; unknown ones are ignored. Pure."""

from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from .errors import TrainingError

Options = TypeVar("Options")
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]

# A dataclass that checks its values.
checked = dataclass(frozen=True, slots=True, config=ConfigDict(strict=True))


def read_options(kind: Callable[..., Options], config: dict | None, name: str, **more) -> Options:
    """kind: a `checked` class. name: of the config, for errors. more: fields that it doesn't tell. Raises BAD_CONFIG with the option."""
    known = {field.name for field in fields(kind)}
    given = {key: value for key, value in (config or {}).items() if key in known and value is not None}
    try:
        # Decoded JSON has lists where options are tuples.
        return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in given.items()} | more)
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{name}: {first['loc'][0]} can't be used: {first['msg'].lower()}."
        raise TrainingError("BAD_CONFIG", why) from error
