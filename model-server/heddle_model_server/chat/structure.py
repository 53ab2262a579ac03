"""Translates a requested structure (a schema, a regular expression, a choice…) to an llguidance grammar. Pure,
except that it asks which texts are single tokens."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from llguidance import LLMatcher

from .grammar import bad_structure

# The default whitespace in JSON: a few spaces, or a line break with its indentation. Without a bound a small model would
# write blanks for ever.
DEFAULT_WHITESPACE = "\\r?\\n[ \\t]{0,32}|[ \\t]{1,4}"
ANY_TEXT = "/(.|\\n)*/"


@dataclass(frozen=True, slots=True)
class JsonStyle:
    """How JSON may be written. whitespace: a regular expression of what stands between its parts; empty: the default."""

    compact: bool = False
    closed_objects: bool = False
    whitespace: str = ""

    def options(self) -> dict:
        """llguidance's options for a JSON schema."""
        if self.compact:
            return {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}
        return {"whitespace_flexible": True, "whitespace_pattern": self.whitespace or DEFAULT_WHITESPACE}


def json_grammar(schema: object, style: JsonStyle, field: str) -> str:
    """schema: a JSON schema, as text or decoded. Raises BAD_STRUCTURE."""
    if isinstance(schema, str):
        schema = parsed(schema, field)
    if not isinstance(schema, dict | bool):
        raise bad_structure(field, "a JSON schema is an object")
    if style.closed_objects:
        schema = closed(schema)
    if isinstance(schema, bool):
        schema = {} if schema else {"not": {}}
    return LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=style.options())


def parsed(text: str, field: str) -> object:
    """Decodes JSON. Raises BAD_STRUCTURE."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad_structure(field, f"it is not JSON ({error})") from error


def closed(schema: object) -> object:
    """The same schema, but objects allow no properties that it doesn't name."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: value if key in ("enum", "const", "default") else closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" or isinstance(schema.get("properties"), dict):
        result["additionalProperties"] = False
    return result


def choice_grammar(values: list[str], field: str) -> str:
    """The grammar of exactly one of the values. Raises BAD_STRUCTURE."""
    if not values or not all(values):
        raise bad_structure(field, "it needs at least one text, and none may be empty")
    return LLMatcher.grammar_from_lark("start: " + " | ".join(map(json.dumps, values)))


def tag_grammar(text: str, style: JsonStyle, special: Callable[[str], bool], field: str) -> str:
    """A structural tag: free text with parts that must follow a schema after their trigger. Accepts both forms:
    {"structures": [{begin, schema, end}], "triggers"} and {"format": {type, …}}. Raises BAD_STRUCTURE."""
    tag = parsed(text, field)
    if not isinstance(tag, dict):
        raise bad_structure(field, "a structural tag is an object")
    rules = TagRules(style, special, field)
    try:
        if "format" in tag:
            start = rules.of(tag["format"])
        else:
            tags = [
                {"begin": s["begin"], "content": {"type": "json_schema", "json_schema": s["schema"]}, "end": s["end"]}
                for s in tag["structures"]
            ]
            start = rules.of({"type": "triggered_tags", "triggers": tag["triggers"], "tags": tags})
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise bad_structure(field, f"it lacks or misuses {error}") from error
    return LLMatcher.grammar_from_lark("\n".join(["%llguidance {}", f"start: {start}", *rules.lines]))


class TagRules:
    """The Lark rules of a structural tag, one per part."""

    def __init__(self, style: JsonStyle, special: Callable[[str], bool], field: str):
        self.lines: list[str] = []
        self._style = style
        self._special = special
        self._field = field

    def _rule(self, body: str, prefix: str = "part") -> str:
        name = f"{prefix}_{len(self.lines)}"
        self.lines.append(f"{name}: {body}")
        return name

    def _literal(self, text: str) -> str:
        if not text:
            return '""'
        return text if self._special(text) else json.dumps(text)

    def _split(self, text: str) -> str:
        """A literal that may begin or end with a single special token, `<…>`."""
        head = text[: text.find(">") + 1] if text.startswith("<") else ""
        if head and self._special(head):
            rest = text[len(head) :]
            return f"{head} {self._split(rest)}" if rest else head
        at = text.rfind("<")
        if at > 0 and self._special(text[at:]):
            return f"{self._literal(text[:at])} {text[at:]}"
        return self._literal(text)

    def of(self, part: dict) -> str:
        """Adds the rules of a part; returns the rule's name."""
        kind = part["type"]
        if kind == "const_string":
            return self._rule(self._split(part["value"]))
        if kind == "any_text":
            return self._rule(ANY_TEXT)
        if kind == "json_schema":
            schema = part["json_schema"]
            schema = closed(schema) if self._style.closed_objects else schema
            if isinstance(schema, dict):
                schema = {**schema, "x-guidance": self._style.options()}
            return self._rule("%json " + json.dumps(schema))
        if kind == "regex":
            return self._rule("/" + part["pattern"].replace("/", "\\/") + "/")
        if kind in ("sequence", "or"):
            return self._rule((" | " if kind == "or" else " ").join(map(self.of, part["elements"])))
        if kind == "tag":
            return self._rule(f"{self._split(part['begin'])} {self.of(part['content'])} {self._split(part['end'])}")
        if kind == "triggered_tags":
            return self._triggered(part)
        raise bad_structure(self._field, f'unknown part type "{kind}"')

    def _triggered(self, part: dict) -> str:
        options = []
        for tag in part["tags"]:
            begin = tag["begin"]
            trigger = next((t for t in part["triggers"] if t and begin.startswith(t)), None)
            if trigger is None:
                raise bad_structure(self._field, f'no trigger begins "{begin}"')
            rest = f"{self._split(begin[len(trigger) :])} " if len(begin) > len(trigger) else ""
            body = f"{rest}{self.of(tag['content'])} {self._split(tag['end'])}"
            if self._special(trigger):
                options.append(self._rule(f"{self._text()} {trigger} {body}"))
            else:
                name = f"head_{len(self.lines)}"
                self.lines.append(f"{name}[lazy]: {self._text()} {json.dumps(trigger)}")
                options.append(self._rule(f"{name} {body}"))
        again = "+" if part.get("at_least_one") else "*"
        if part.get("stop_after_first"):
            again = "" if part.get("at_least_one") else "?"
        return self._rule(f"({' | '.join(options)}){again} {self._text()}")

    def _text(self) -> str:
        if "TEXT: " + ANY_TEXT not in self.lines:
            self.lines.append("TEXT: " + ANY_TEXT)
        return "TEXT"
