"""Renders a chat template as Hugging Face's expect it. Imports only jinja2, so that the sandbox process starts quickly."""

import json
from datetime import datetime
from functools import lru_cache

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


class GenerationBlock(Extension):
    """`{% generation %}` marks the model's own text for training; rendering ignores the mark."""

    tags = {"generation"}

    def parse(self, parser):
        """Jinja's hook: keeps the block's body only."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def template_of(tokenizer) -> str:
    """The chat template of a transformers tokenizer; empty if it has none."""
    own = tokenizer.chat_template
    return own.get("default", "") if isinstance(own, dict) else own or ""


def special_texts(tokenizer) -> dict[str, str]:
    """The tokenizer's special tokens, as variables of templates."""
    return {key: value for key, value in tokenizer.special_tokens_map.items() if isinstance(value, str)}


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    """The `tojson` filter. Unlike Jinja's own it doesn't escape `<`, `>` and `&`."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    """Lets a template reject its variables."""
    raise TemplateError(message)


@lru_cache(maxsize=32)
def compiled(source: str):
    """The compiled template; cached. Raises jinja2's errors."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationBlock, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment.from_string(source)


def render(source: str, variables: dict) -> str:
    """The rendered text. Raises any error of the template or its variables."""
    return compiled(source).render(**variables)
