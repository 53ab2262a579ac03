"""A chat template made into text, as Hugging Face's templates expect it. Knows nothing of tokens or models, and imports
nothing but jinja2, so that a process for strangers' templates starts quickly."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class GenerationBlock(Extension):
    """`{% generation %}` marks what a model wrote, for training; a rendering passes through it."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    """Unlike Jinja's own filter, leaves `<`, `>` and `&` as they are."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise TemplateError(message)


@lru_cache(maxsize=32)
def compiled(source: str):
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationBlock, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment.from_string(source)


def render(source: str, variables: dict) -> str:
    """The text; raises whatever the template or its variables provoke."""
    return compiled(source).render(**variables)
