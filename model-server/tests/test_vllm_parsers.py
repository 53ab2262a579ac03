"""Answers in the formats of model families, read by vLLM's own parsers, from vLLM's outputs to the events of the node. No
model runs. Runs where vLLM is installed (`make test-vllm`)."""

from __future__ import annotations

import itertools
import json
import random
import re
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import GenerationConfig, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode
from wire import Choice, read, user, wire

pytest.importorskip("vllm", reason="make test-vllm sets up a vLLM and runs these")

from vllm.entrypoints.generate.base.protocol import DeltaMessage
from vllm.outputs import CompletionOutput, RequestOutput
from vllm.parser.abstract_parser import DelegatingParser
from vllm.reasoning import ReasoningParserManager
from vllm.tool_parsers import ToolParserManager

from heddle_model_server.chat.output_parser import OutputParser
from heddle_model_server.engine import EngineFacts
from heddle_model_server.engine_vllm.answer import Answer
from heddle_model_server.engine_vllm.families import FAMILIES, parsers_of
from heddle_model_server.engine_vllm.output_parser import VllmOutputParser, VllmOutputParsers, output_parsers
from heddle_model_server.errors import NodeError
from heddle_model_server.model import Model
from heddle_model_server.node.event_buffer import EventBuffer
from heddle_model_server.node.prepare import RequestPreparer
from heddle_model_server.request import Delta
from heddle_model_server.settings import NodeSettings

TEMPLATE = "{% for message in messages %}{{ message.content }}{% endfor %}{{ opening }}"
THINK = ("<think>", "</think>")
END = "<end>"


@dataclass
class Format:
    """type: of the model's config. mark: what its template has. special, plain: its tokens of their own."""

    type: str
    mark: str
    special: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    # How its template ends a prompt.
    opening: str = ""
    names: tuple[str, str] = ("", "")
    # The token that ends its answers.
    end: str = END


FORMATS = {
    "mistral": Format("mistral", "[TOOL_CALLS]", ("[TOOL_CALLS]", "[ARGS]"), names=("mistral", "")),
    "old mistral": Format("mistral", "[TOOL_CALLS]", ("[TOOL_CALLS]",), names=("mistral", "")),
    "magistral": Format(
        "mistral3", "[THINK]", ("[TOOL_CALLS]", "[ARGS]", "[THINK]", "[/THINK]"), names=("mistral", "mistral")
    ),
    "llama": Format("llama", "Environment: ipython", ("<|python_tag|>",), names=("llama3_json", "")),
    "deepseek": Format(
        "deepseek_v3",
        "</think>",
        (),
        (
            *("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
            *("<｜tool▁sep｜>", *THINK),
        ),
        "<think>",
        ("deepseek_v3", "deepseek_r1"),
    ),
    "glm": Format(
        "glm4_moe",
        "<arg_key>",
        (),
        (*THINK, "<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
        names=("glm47", "glm47"),
    ),
    "kimi": Format(
        "kimi_k2",
        "</think>",
        (
            *("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>"),
            *("<|tool_call_argument_begin|>", "<|tool_call_end|>"),
        ),
        THINK,
        names=("kimi_k2", "kimi_k2"),
    ),
    "qwen": Format(
        "qwen3", "</think>", ("<|im_end|>",), (*THINK, "<tool_call>", "</tool_call>"), names=("hermes", "qwen3")
    ),
}

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
        },
    }
    for name in ("weather", "time")
]
ONE, TWO = {"city": "Zürich 🏔", "days": 2}, {"city": 'a {b} "c"'}


def text(value: dict) -> str:
    return json.dumps(value, ensure_ascii=False)


def deepseek_call(name: str, arguments: dict) -> str:
    return f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{text(arguments)}\n```<｜tool▁call▁end｜>"


def glm_call(name: str, arguments: dict) -> str:
    pairs = (f"<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n" for key, value in arguments.items())
    return f"<tool_call>{name}\n{''.join(pairs)}</tool_call>"


def kimi_call(name: str, arguments: dict, number: int) -> str:
    return f"<|tool_call_begin|>functions.{name}:{number}<|tool_call_argument_begin|>{text(arguments)}<|tool_call_end|>"


def qwen_call(name: str, arguments: dict) -> str:
    return f"<tool_call>\n{text({'name': name, 'arguments': arguments})}\n</tool_call>"


CALLS = [("weather", ONE), ("time", TWO)]
BOTH = [{"name": name, "arguments": arguments} for name, arguments in CALLS]
CASES = [
    ("mistral", "hello\nyou", ("hello\nyou", "", [])),
    ("mistral", f"[TOOL_CALLS]weather[ARGS]{text(ONE)}[TOOL_CALLS]time[ARGS]{text(TWO)}", ("", "", CALLS)),
    ("mistral", f"well[TOOL_CALLS]weather[ARGS]{text(ONE)}", ("well", "", CALLS[:1])),
    ("old mistral", f"[TOOL_CALLS]{json.dumps(BOTH, ensure_ascii=False)}", ("", "", CALLS)),
    ("magistral", f"[THINK]why[/THINK][TOOL_CALLS]weather[ARGS]{text(ONE)}", ("", "why", CALLS[:1])),
    ("magistral", "[THINK]why[/THINK]yes", ("yes", "why", [])),
    ("llama", "hello {you}", ("hello {you}", "", [])),
    ("llama", text({"name": "weather", "parameters": ONE}), ("", "", CALLS[:1])),
    ("llama", "<|python_tag|>" + text({"name": "weather", "parameters": ONE}), ("", "", CALLS[:1])),
    ("deepseek", "why\n</think>\n\nyes", ("yes", "why", [])),
    (
        "deepseek",
        f"why</think>well<｜tool▁calls▁begin｜>{deepseek_call(*CALLS[0])}\n{deepseek_call(*CALLS[1])}<｜tool▁calls▁end｜>",
        ("well", "why", CALLS),
    ),
    ("glm", "\n<think>why</think>\nyes", ("yes", "why", [])),
    ("glm", f"<think>why</think>\n{glm_call(*CALLS[0])}\n{glm_call(*CALLS[1])}", ("", "why", CALLS)),
    ("kimi", "<think>why</think>yes", ("yes", "why", [])),
    (
        "kimi",
        "<think>why</think>well<|tool_calls_section_begin|>"
        f"{kimi_call(*CALLS[0], 0)}{kimi_call(*CALLS[1], 1)}<|tool_calls_section_end|>",
        ("well", "why", CALLS),
    ),
    ("qwen", "<think>\nwhy\n</think>\n\nyes", ("yes", "why", [])),
    ("qwen", f"<think>why</think>\n\n{qwen_call(*CALLS[0])}\n{qwen_call(*CALLS[1])}", ("", "why", CALLS)),
    ("mistral", "[TOOL_CALLS]time", ("", "", [("time", {})])),
    # What is no call is text.
    ("llama", '{"nam', ('{"nam', "", [])),
    ("llama", '{"x": 1}', ('{"x": 1}', "", [])),
    ("glm", "<think>w</think>x<tool_call>rub", ("x<tool_call>rub", "w", [])),
    ("glm", "<think>w</think><tool_call>rub", ("<tool_call>rub", "w", [])),
    ("kimi", "<think>w</think>x<|tool_calls_section_begin|>rub", ("x<|tool_calls_section_begin|>rub", "w", [])),
    ("qwen", "<think>w</think>a<tool_call>x</tool_call>", ("a<tool_call>x</tool_call>", "w", [])),
    ("qwen", '<think>w</think>a<tool_call>{"na', ('a<tool_call>{"na', "w", [])),
    # Cut off in the reasoning.
    ("qwen", "<think>\nwhy\n", ("", "why\n", [])),
    ("glm", "<think>why", ("", "why", [])),
    ("deepseek", "why", ("", "why", [])),
    ("kimi", "<think>why</think>", ("", "why", [])),
]


LETTERS = {letter: id for id, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}


def model_of(shape: Format, vocabulary: dict[str, int] = LETTERS) -> Model:
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(mark, special=True, normalized=False) for mark in dict.fromkeys((*shape.special, shape.end))]
    )
    tokenizer.add_tokens([AddedToken(mark, special=False, normalized=False) for mark in shape.plain])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=shape.end)
    fast.chat_template = f"{{# {shape.mark} #}}" + TEMPLATE.replace("{{ opening }}", shape.opening)
    return Model(
        name="it",
        tokenizer=fast,
        generation=GenerationConfig(),
        context=4096,
        vocabulary=len(fast),
        width=64,
        eos=frozenset([fast.eos_token_id]),
        special=frozenset(id for id, token in fast.added_tokens_decoder.items() if token.special),
        type=shape.type,
    )


@dataclass
class Reader:
    """Reads answers of a model as the node does."""

    model: Model
    preparer: RequestPreparer = field(init=False)

    def __post_init__(self):
        facts = EngineFacts("vllm", "", "cpu", "float32", 4096, self.model.vocabulary, 0, 8, 0, True)
        self.preparer = RequestPreparer(self.model, facts, output_parsers(self.model, NodeSettings()))

    def prepare(self, **fields):
        return self.preparer.prepare(wire({"messages": user("Hello!"), "stream": True, **fields}))

    def read(self, said: str, sizes, **fields) -> Choice:
        """sizes: how many tokens come in each output of vLLM."""
        prepared = self.prepare(**fields)
        buffer, answer = EventBuffer(prepared), Answer(prepared.request, self.model)
        tokens = [*self.model.tokenizer(said, add_special_tokens=False)["input_ids"], self.model.tokenizer.eos_token_id]
        sent = []
        while tokens:
            size = next(sizes)
            part, tokens = tokens[:size], tokens[size:]
            finish = None if tokens else "stop"
            one = CompletionOutput(0, "", part, None, None, finish_reason=finish)
            for event in answer.events(RequestOutput("it", None, [1], None, [one], not tokens)):
                buffer.put(event)
                sent += buffer.take()
        buffer.put(answer.end())
        return read(sent + buffer.take()).first


@pytest.fixture(scope="module")
def readers():
    return {name: Reader(model_of(shape)) for name, shape in FORMATS.items()}


def same(size: int):
    while True:
        yield size


def drawn(seed: int):
    numbers = random.Random(seed)
    while True:
        yield numbers.choice((1, 1, 2, 3, 5, 13, 40))


CUTS = [same(1), same(10**6), *map(drawn, range(6))]


@pytest.mark.parametrize("name, said, expected", CASES, ids=lambda one: one[:40] if isinstance(one, str) else "")
def test_an_answer_is_split_however_it_is_cut(readers, name: str, said: str, expected):
    for sizes in CUTS:
        choice = readers[name].read(said, sizes, tools=TOOLS, tool_choice="auto")
        calls = [(call[-2], json.loads(call[-1])) for call in choice.calls]
        assert (choice.text, choice.reasoning, calls) == expected
        assert choice.finish == ("tool_calls" if calls else "stop")
        whole = readers[name].model.tokenizer(said, add_special_tokens=False)["input_ids"]
        assert choice.tokens[: len(whole)] == whole


@pytest.mark.parametrize("name", FORMATS)
def test_any_text_is_read_without_an_error_and_alike_however_it_is_cut(readers, name: str):
    shape = FORMATS[name]
    numbers = random.Random(7)
    parts = [*shape.special, *shape.plain, "a", " b", "\n", "{", "}", '"name"', ": ", '"weather"', "[", "]", "ü", "f:0"]
    for _ in range(25):
        said = "".join(numbers.choices(parts, k=numbers.randint(1, 14)))
        read = [readers[name].read(said, sizes, tools=TOOLS, tool_choice="auto") for sizes in CUTS[:4]]
        for choice in read:
            choice.calls = [call[-2:] for call in choice.calls]
            assert choice.finish in ("stop", "tool_calls")
        assert all(choice == read[0] for choice in read), said


@pytest.mark.parametrize("name", FORMATS)
def test_the_family_decides_the_parsers(readers, name: str):
    preparer = readers[name].preparer
    assert (preparer.tool_parser, preparer.reasoning_parser) == FORMATS[name].names


MARKS = ("startoftext", "endoftext", "reserved_200000", "reserved_200001", "return", "constrain", "reserved_200004")
MARKS += ("channel", "start", "end", "message", "reserved_200009", "reserved_200010", "reserved_200011", "call")
FINAL = "<|start|>assistant<|channel|>final<|message|>yes"
TO_WEATHER = "<|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>"


@pytest.fixture(scope="module")
def gpt_oss():
    """A reader with its single bytes and marks; the other tokens are others."""
    letters = bytes_to_unicode().values()
    tokens = itertools.chain(letters, map("".join, itertools.product(letters, repeat=3)))
    vocabulary = {token: id for id, token in enumerate(itertools.islice(tokens, 199_998))}
    marks = tuple(f"<|{mark}|>" for mark in MARKS)
    reader = Reader(model_of(Format("gpt_oss", "<|channel|>", marks, end="<|return|>"), vocabulary))
    yield reader


@pytest.mark.parametrize(
    "end, said, expected",
    [
        ("<|return|>", f"<|channel|>analysis<|message|>why<|end|>{FINAL}", ("yes", "why", [])),
        ("<|return|>", "<|channel|>final<|message|>hello\nyou", ("hello\nyou", "", [])),
        ("<|call|>", f"<|channel|>analysis<|message|>why<|end|>{TO_WEATHER}{text(ONE)}", ("", "why", CALLS[:1])),
    ],
)
def test_gpt_oss_is_read(gpt_oss, end: str, said: str, expected):
    assert (gpt_oss.preparer.tool_parser, gpt_oss.preparer.reasoning_parser) == ("openai", "openai_gptoss")
    gpt_oss.model.tokenizer.eos_token = end
    for sizes in CUTS:
        choice = gpt_oss.read(said, sizes, tools=TOOLS, tool_choice="auto")
        calls = [(call[-2], json.loads(call[-1])) for call in choice.calls]
        assert (choice.text, choice.reasoning, calls) == expected
        assert choice.finish == ("tool_calls" if calls else "stop")


def test_all_parsers_of_the_families_are_vllms():
    tools, reasoning = ToolParserManager.list_registered(), ReasoningParserManager.list_registered()
    assert [one for one in FAMILIES if one.tool_parser not in ("", *tools)] == []
    assert [one for one in FAMILIES if one.reasoning_parser not in ("", *reasoning)] == []


def test_an_unknown_family_keeps_the_nodes_parser():
    assert parsers_of("llama", "<tool_call>") == ("", "")
    reader = Reader(model_of(Format("llama", "<tool_call>", (), (*THINK, "<tool_call>", "</tool_call>"))))
    assert isinstance(reader.prepare(tools=TOOLS, tool_choice="auto").new_parser(), OutputParser)
    assert (reader.preparer.tool_parser, reader.preparer.reasoning_parser) == ("tool_call", "think")
    choice = reader.read(f"<think>why</think>{qwen_call(*CALLS[0])}", same(1), tools=TOOLS, tool_choice="auto")
    assert (choice.reasoning, json.loads(choice.calls[0][-1])) == ("why", ONE)


@pytest.mark.parametrize(
    "name, fields, parsed",
    [
        ("llama", {}, False),
        ("llama", {"tools": TOOLS, "tool_choice": "none"}, False),
        ("llama", {"tools": TOOLS, "tool_choice": "auto"}, True),
        # A grammar gives these the node's own form.
        ("llama", {"tools": TOOLS, "tool_choice": "required"}, False),
        ("qwen", {"structured_outputs": {"json_object": True}}, False),
        ("qwen", {}, True),
    ],
)
def test_only_what_needs_it_is_parsed_by_vllm(readers, name: str, fields: dict, parsed: bool):
    prepared = readers[name].prepare(**fields)
    assert isinstance(prepared.new_parser(), VllmOutputParser) == parsed
    assert prepared.request.params.skip_special_tokens != parsed


def test_calls_not_asked_for_are_text(readers):
    said = f"<think>why</think>{qwen_call(*CALLS[0])}"
    choice = readers["qwen"].read(said, same(1))
    assert (choice.text, choice.reasoning, choice.calls) == (qwen_call(*CALLS[0]), "why", [])


def test_one_call_only(readers):
    said = "".join(qwen_call(*call) for call in CALLS)
    fields = {"tools": TOOLS, "tool_choice": "auto", "parallel_tool_calls": False}
    choice = readers["qwen"].read(f"<think>w</think>{said}", same(1), **fields)
    assert [call[-2] for call in choice.calls] == ["weather"]


@pytest.mark.parametrize(
    "name, said, form",
    [
        ("kimi", f"<think>w</think><|tool_calls_section_begin|>{kimi_call(*CALLS[0], 1)}", "functions.weather:1"),
        ("mistral", f"[TOOL_CALLS]weather[ARGS]{text(ONE)}", "[a-zA-Z0-9]{9}"),
    ],
)
def test_ids_of_calls_have_the_form_that_the_models_template_wants(name: str, said: str, form: str):
    reader = Reader(model_of(FORMATS[name]))
    # What vLLM's model_config says once it runs.
    reader.preparer._output_parsers.model_config = SimpleNamespace(
        hf_config=SimpleNamespace(model_type=FORMATS[name].type)
    )
    call = {"id": "functions.time:0", "type": "function", "function": {"name": "time", "arguments": "{}"}}
    messages = [*user("Hello!"), {"role": "assistant", "content": "a", "tool_calls": [call]}, *user("and?")]
    parser = reader.prepare(messages=messages, tools=TOOLS, tool_choice="auto").new_parser()
    tokens = reader.model.tokenizer(said, add_special_tokens=False)["input_ids"]
    texts = [reader.model.tokenizer.decode([token]) for token in tokens]
    calls = parser.feed(Delta(0, said, tokens, [], pieces=texts)).calls
    assert re.fullmatch(form, "".join(call.id for call in calls))


def test_a_name_that_vllm_does_not_have_is_refused_with_those_it_has():
    model = model_of(FORMATS["llama"])
    with pytest.raises(ValueError, match="tool_parser is auto or one of vLLM's: .*llama3_json.*"):
        output_parsers(model, NodeSettings(tool_parser="lama"))
    with pytest.raises(ValueError, match="reasoning_parser is auto or one of vLLM's: .*qwen3.*"):
        output_parsers(model, NodeSettings(reasoning_parser="lama"))


def test_a_named_parser_wins():
    parsers = output_parsers(model_of(FORMATS["qwen"]), NodeSettings(reasoning_parser="deepseek_r1"))
    assert (parsers.tool, parsers.reasoning) == ("hermes", "deepseek_r1")


def test_a_parser_that_can_not_read_the_model_is_refused_if_it_was_named():
    model = model_of(Format("llama", "Environment: ipython"))
    assert output_parsers(model, NodeSettings()) is None
    with pytest.raises(ValueError, match="can't read this model"):
        output_parsers(model, NodeSettings(tool_parser="llama3_json"))


def test_an_answer_that_a_parser_fails_at_is_text(readers):
    class Failing(DelegatingParser):
        def parse_delta(self, delta_text, *rest, **more):
            if "b" in delta_text:
                raise KeyError("b")
            return DeltaMessage(content=delta_text) if delta_text in "a\n" else None

    model = model_of(FORMATS["llama"])
    parsers = VllmOutputParsers(Failing, "failing", "", model.tokenizer)
    reader = Reader(model)
    reader.preparer = RequestPreparer(model, reader.preparer._facts, parsers)
    for size in (1, 3, 100):
        choice = reader.read("a\nxybz\nb", same(size), tools=TOOLS, tool_choice="auto")
        assert (choice.text, choice.calls, choice.finish) == ("a\nxybz\nb", [], "stop")


def test_a_model_without_a_tool_parser_refuses_tools():
    reader = Reader(model_of(Format("qwen2", "")))
    with pytest.raises(NodeError, match="wasn't trained"):
        reader.prepare(tools=TOOLS, tool_choice="auto")
