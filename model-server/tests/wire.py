"""Requests as the HTTP interface names their fields, made into messages of the wire; and answers read back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from heddle.node.v1 import node_pb2 as pb

SAMPLING = {
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "frequency_penalty",
    "presence_penalty",
    "repetition_penalty",
    "seed",
    "n",
    "use_beam_search",
    "length_penalty",
    "bad_words",
}
STOPPING = {"max_tokens", "min_tokens", "stop", "stop_token_ids", "include_stop_str_in_output", "ignore_eos"}
REPORTING = {
    "logprobs",
    "top_logprobs",
    "prompt_logprobs",
    "return_tokens_as_token_ids",
    "skip_special_tokens",
    "spaces_between_special_tokens",
    "prompt_text",
}
CHAT = {
    "chat_template",
    "add_generation_prompt",
    "continue_final_message",
    "add_special_tokens",
    "echo",
    "reasoning_effort",
    "include_reasoning",
    "parallel_tool_calls",
}
CHAT_JSON = {"messages", "tools", "documents", "chat_template_kwargs", "mm_processor_kwargs"}
TOP = {"request_id", "priority", "cache_salt", "stream", "truncate_prompt_tokens", "count_only"}
TOP_JSON = {"kv_transfer_params", "backend_xargs"}
CHOICE = {"none": pb.TOOL_CHOICE_NONE, "auto": pb.TOOL_CHOICE_AUTO, "required": pb.TOOL_CHOICE_REQUIRED}


def wire(fields: dict) -> pb.GenerateRequest:
    request = pb.GenerateRequest()
    request.chat.SetInParent()
    for name, value in fields.items():
        place(request, name, value)
    return request


def place(request: pb.GenerateRequest, name: str, value) -> None:
    if name in SAMPLING:
        put(request.sampling, name, value)
    elif name in STOPPING:
        put(request.stopping, name, value)
    elif name in REPORTING:
        put(request.reporting, name, value)
    elif name in CHAT:
        put(request.chat, name, value)
    elif name in CHAT_JSON:
        setattr(request.chat, f"{name}_json", json.dumps(value))
    elif name in TOP:
        put(request, name, value)
    elif name in TOP_JSON:
        setattr(request, f"{name}_json", json.dumps(value))
    elif name == "max_completion_tokens":
        request.stopping.max_tokens = value
    elif name == "logit_bias":
        for token, bias in value.items():
            request.sampling.logit_bias[int(token)] = bias
    elif name == "allowed_token_ids":
        request.sampling.allowed_token_ids.SetInParent()
        request.sampling.allowed_token_ids.token_ids.extend(value)
    elif name == "repetition_detection":
        request.stopping.repetition_detection.SetInParent()
        for key, number in value.items():
            setattr(request.stopping.repetition_detection, key, number)
    elif name == "return_token_ids":
        request.reporting.prompt_token_ids = value
    elif name == "tool_choice":
        if isinstance(value, dict):
            request.chat.tool_choice = pb.TOOL_CHOICE_FUNCTION
            request.chat.tool_name = value["function"]["name"]
        else:
            request.chat.tool_choice = CHOICE[value]
    elif name == "response_format":
        if value["type"] == "json_schema":
            request.structure.json = json.dumps(value["json_schema"]["schema"])
        elif value["type"] == "json_object":
            request.structure.json_object = True
    elif name == "structured_outputs":
        for key, part in value.items():
            if key == "choice":
                request.structure.choice.values.extend(part)
            elif key == "json" and not isinstance(part, str):
                request.structure.json = json.dumps(part)
            else:
                setattr(
                    request.structure,
                    {"_backend": "backend", "_backend_was_auto": "backend_was_auto"}.get(key, key),
                    part,
                )
    elif name == "text":
        request.text.CopyFrom(pb.TextPrompt(**value))
    elif name == "adapter":
        request.adapter_id = value
    else:
        raise KeyError(name)


def put(message, name: str, value) -> None:
    if isinstance(value, list):
        getattr(message, name).extend(value)
    else:
        setattr(message, name, value)


@dataclass
class Choice:
    text: str = ""
    reasoning: str = ""
    calls: list[list[str]] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[pb.TokenLogprob] = field(default_factory=list)
    finish: str = ""
    stop: str | int | None = None


@dataclass
class Result:
    events: list[pb.GenerateEvent]
    choices: list[Choice] = field(default_factory=list)
    started: pb.Started | None = None
    done: pb.Done | None = None
    error: pb.Error | None = None

    @property
    def text(self) -> str:
        return self.choices[0].text

    @property
    def first(self) -> Choice:
        return self.choices[0]


def read(events: list[pb.GenerateEvent]) -> Result:
    result = Result(events)
    choices: dict[int, Choice] = {}
    for event in events:
        kind = event.WhichOneof("event")
        if kind == "delta":
            add(choices.setdefault(event.delta.index, Choice()), event.delta)
        else:
            setattr(result, kind, getattr(event, kind))
    result.choices = [choices[i] for i in sorted(choices)]
    return result


def add(choice: Choice, delta: pb.Delta) -> None:
    choice.text += delta.text
    choice.reasoning += delta.reasoning
    choice.tokens += delta.token_ids
    choice.logprobs += delta.logprobs
    for call in delta.tool_calls:
        while len(choice.calls) <= call.index:
            choice.calls.append(["", ""])
        choice.calls[call.index][0] += call.name
        choice.calls[call.index][1] += call.arguments
    if delta.HasField("finish"):
        choice.finish = delta.finish.reason
        reason = delta.finish.WhichOneof("stop_reason")
        choice.stop = getattr(delta.finish, reason) if reason else None


def user(text: str) -> list[dict]:
    return [{"role": "user", "content": text}]
