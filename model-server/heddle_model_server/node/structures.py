"""Compiles the grammar of a structured output or of a required tool call from a request."""

from llguidance import LLMatcher
from llguidance.gbnf_to_lark import any_to_lark

from heddle.node.v1 import node_pb2 as pb

from ..chat.grammar import Grammars, Matcher, compiling
from ..chat.output_parser import OutputFormat
from ..chat.structure import JsonStyle, choice_grammar, json_grammar, tag_grammar
from ..errors import bad_field, unsupported

BACKENDS = {"", "auto", "guidance", "llguidance"}
MAX_BYTES = 256 * 1024


def structure_grammar(structure: pb.Structure, grammars: Grammars) -> Matcher | None:
    """The compiled grammar of a structure; None if it has none. Raises BAD_STRUCTURE, BAD_FIELD or UNSUPPORTED_FIELD."""
    kind = structure.WhichOneof("kind")
    # A backend that the service chose by itself may be replaced, unless fallback is disabled.
    chosen = not structure.backend_was_auto or structure.disable_fallback
    if structure.backend not in BACKENDS and chosen:
        raise unsupported("structured_outputs", f"this node has no backend {structure.backend!r}, only llguidance")
    if structure.disable_any_whitespace and structure.whitespace_pattern:
        raise bad_field(
            "structured_outputs", "disable_any_whitespace and whitespace_pattern exclude each other: send one of them."
        )
    if kind is None or (kind == "json_object" and not structure.json_object):
        return None
    if structure.ByteSize() > MAX_BYTES:
        raise bad_field("structured_outputs", "A structure may have at most 256 KiB.")
    style = JsonStyle(
        structure.disable_any_whitespace, structure.disable_additional_properties, structure.whitespace_pattern
    )
    field = f"structured_outputs.{kind}"
    with compiling(field):
        if kind == "json":
            grammar = json_grammar(structure.json, style, field)
        elif kind == "json_object":
            # Any object is valid, so additional properties stay allowed.
            grammar = json_grammar({"type": "object"}, JsonStyle(style.compact, False, style.whitespace), field)
        elif kind == "regex":
            grammar = LLMatcher.grammar_from_regex(structure.regex)
        elif kind == "choice":
            grammar = choice_grammar(list(structure.choice.values), field)
        elif kind == "grammar":
            # Lark, GBNF or EBNF (with `::=`).
            grammar = LLMatcher.grammar_from_lark(any_to_lark(structure.grammar))
        else:
            grammar = tag_grammar(structure.structural_tag, style, grammars.special, field)
        return grammars.compile(grammar, field)


def tool_call_grammar(tools: list[dict], output: OutputFormat, grammars: Grammars) -> Matcher | None:
    """The compiled grammar of an answer that must call tools; None if it need not. Raises BAD_FIELD or BAD_STRUCTURE."""
    if output.calls not in ("required", "function"):
        return None
    functions = [tool["function"] for tool in tools]
    if not functions:
        raise bad_field("tool_choice", "tool_choice requires a call, but the request has no tools.")
    if output.calls == "function":
        functions = [function for function in functions if function["name"] == output.function]
        if not functions:
            raise bad_field("tool_choice", f"tool_choice names {output.function}, which is not among the tools.")
        schema: dict = parameters_of(functions[0])
    else:
        calls = [
            {
                "type": "object",
                "properties": {"name": {"const": function["name"]}, "parameters": parameters_of(function)},
                "required": ["name", "parameters"],
                "additionalProperties": False,
            }
            for function in functions
        ]
        most = {} if output.parallel else {"maxItems": 1}
        schema = {"type": "array", "minItems": 1, "items": {"anyOf": calls}, **most}
    with compiling("tools"):
        return grammars.compile(json_grammar(schema, JsonStyle(compact=True), "tools"), "tools")


def parameters_of(function: dict) -> dict:
    """The JSON schema of a function's parameters."""
    return function.get("parameters") or {"type": "object", "properties": {}, "additionalProperties": False}
