"""Validates the messages, tools and documents of a request, and normalises them for chat templates. Pure."""

import json

from ..errors import NodeError

# Stands for an image, as chat templates know it.
IMAGE = {"type": "image"}
TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal", "thinking": "thinking"}


def bad(sentence: str, field: str = "messages") -> NodeError:
    """A request's messages, tools or documents are invalid."""
    return NodeError("BAD_MESSAGES", sentence, field)


def read_json(text: str, kind: type, field: str):
    """Parses a field that came as JSON text; kind: list or dict. Raises BAD_MESSAGES."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad(f"{field} is not JSON.", field) from error
    if not isinstance(value, kind):
        raise bad(f"{field} has to be {'an array' if kind is list else 'an object'}.", field)
    return value


def messages_of(text: str, images: int = 0) -> list[dict]:
    """The messages of a request, from JSON text. images: how many the request has. Raises BAD_MESSAGES."""
    messages = read_json(text or "[]", list, "messages")
    if not messages:
        raise bad("messages needs at least one message.")
    found = [message_of(message, i, images > 0) for i, message in enumerate(messages)]
    parts = sum(
        part == IMAGE for message in found if isinstance(message["content"], list) for part in message["content"]
    )
    if parts != images:
        raise bad(f"messages has {parts} parts for the {images} images that were sent.")
    return found


def message_of(message: object, at: int, images: bool = False) -> dict:
    """One message, normalised. at: its index. images: whether it may have some. Raises BAD_MESSAGES."""
    if not isinstance(message, dict):
        raise bad(f"messages[{at}] has to be an object.")
    role = message.get("role")
    if not isinstance(role, str) or not role:
        raise bad(f"messages[{at}] needs a role.")
    result = {**message, "content": content_of(message.get("content"), at, images)}
    calls = message.get("tool_calls")
    if calls is not None:
        if not isinstance(calls, list):
            raise bad(f"messages[{at}].tool_calls has to be an array.")
        result["tool_calls"] = [call_of(call, at) for call in calls]
        if not calls:
            del result["tool_calls"]
    return result


def content_of(content: object, at: int, images: bool) -> str | list[dict] | None:
    """Joins text parts into one text; beside images they stay parts. Raises BAD_MESSAGES for any other part."""
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise bad(f"messages[{at}].content has to be a text or an array of parts.")
    parts: list[str | dict] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(part, str):
            parts.append(part)
        elif images and part == IMAGE:
            parts.append(IMAGE)
        elif kind in TEXT_PARTS and isinstance(part.get(TEXT_PARTS[kind]), str):
            parts.append(part[TEXT_PARTS[kind]])
        else:
            raise bad(
                f"messages[{at}].content has a part that is no text; {'a part may be text or an image' if images else 'this model takes only text'}."
            )
    if IMAGE in parts:
        return [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return "\n".join(parts)


def call_of(call: object, at: int) -> dict:
    """A tool call with its arguments as an object: templates expect that, clients send text."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise bad(f"messages[{at}].tool_calls has a call without a function name.")
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments else {}
        except (ValueError, RecursionError):
            # A model may have written invalid JSON; the template gets it unchanged.
            pass
    return {**call, "function": {**function, "arguments": {} if arguments is None else arguments}}


def tools_of(text: str) -> list[dict]:
    """The tools of a request, from JSON text. Raises BAD_MESSAGES."""
    tools = read_json(text, list, "tools") if text else []
    for i, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
            raise bad(f"tools[{i}] needs a function with a name.", "tools")
        if not isinstance(function.get("parameters") or {}, dict):
            raise bad(f"tools[{i}].function.parameters has to be a JSON schema.", "tools")
    return tools


def documents_of(text: str) -> list[dict]:
    """The documents of a request, from JSON text. Raises BAD_MESSAGES."""
    documents = read_json(text, list, "documents") if text else []
    if not all(isinstance(document, dict) for document in documents):
        raise bad("documents has to be an array of objects.", "documents")
    return documents
