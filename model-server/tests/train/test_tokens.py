"""What is learnt of a conversation: exactly what its assistant says, each answer once, in the context it was said in."""

from __future__ import annotations

import copy
import json
import math
import random

import numpy as np
import pytest
import torch

from heddle_model_server.chat.template import render
from heddle_model_server.train.data import Sample, read_lines
from heddle_model_server.train import policy as module
from heddle_model_server.train.errors import TrainingError
from heddle_model_server.train.pack import assign_rows, pack
from heddle_model_server.train.tokens import ChatTokens, TokenSequence, Turn
from heddle_model_server.train.trajectories import group_tokens

TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}}


def call(name: str, arguments: str) -> dict:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


USER = {"role": "user", "content": "Hello!"}
SAID = {"role": "assistant", "content": "Hi there!"}
CALLED = {"role": "assistant", "content": None, "tool_calls": [call("get_weather", '{"place": "Rome"}')]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "Fine"}


def conversation(messages: list, tools=None, line: int = 0, tokens=None) -> Sample:
    return Sample([], (messages,), tools, line, tokens)


def sequences_of(sample: Sample, chat: ChatTokens) -> list[TokenSequence]:
    (side,) = sample.sides(chat)
    return side


@pytest.fixture(scope="session")
def chat(reference):
    return ChatTokens(reference[1])


def learnt(chat: ChatTokens, sequence) -> str:
    return chat._tokenizer.decode(sequence.tokens[sequence.trained].tolist())


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([USER, SAID], "Hi there!<|im_end|>"),
        ([{"role": "system", "content": "Be kind."}, USER, SAID], "Hi there!<|im_end|>"),
        ([USER, SAID, USER, SAID], "Hi there!<|im_end|>Hi there!<|im_end|>"),
        (
            [USER, CALLED, RESULT, SAID],
            '<tool_call>\n{"name": "get_weather", "arguments": {"place": "Rome"}}\n</tool_call><|im_end|>'
            "Hi there!<|im_end|>",
        ),
        ([USER, SAID, USER], "Hi there!<|im_end|>"),
        # A conversation that the assistant begins.
        ([SAID], "Hi there!<|im_end|>"),
        (
            [CALLED, RESULT, SAID],
            '<tool_call>\n{"name": "get_weather", "arguments": {"place": "Rome"}}\n</tool_call><|im_end|>'
            "Hi there!<|im_end|>",
        ),
        ([{"role": "assistant", "content": "A loom."}, USER, SAID], "A loom.<|im_end|>Hi there!<|im_end|>"),
        ([USER, {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]}], "Yes.<|im_end|>"),
    ],
)
def test_loss_is_on_what_the_assistant_says(chat, messages, expected):
    (sequence,) = sequences_of(conversation(messages, [TOOL]), chat)
    assert learnt(chat, sequence) == expected
    # The text is the template's, up to what follows the last answer.
    shown = [dict(m, tool_calls=[call("get_weather", {"place": "Rome"})]) if m is CALLED else m for m in messages]
    shown = [dict(m, content="Yes.") if isinstance(m["content"], list) else m for m in shown]
    whole = render(chat._template, {"messages": shown, "tools": [TOOL], "add_generation_prompt": False})
    assert whole.startswith(chat._tokenizer.decode(sequence.tokens.tolist()))


def test_a_template_that_rewrites_what_was_said_makes_sequences_of_their_own(chat, reference):
    """Each answer as it was generated: the first one with its thought, which later contexts don't show."""
    tokenizer = reference[1]
    forgetful = ChatTokens(tokenizer)
    forgetful._template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n"
        "{% if m.thought and loop.last %}({{ m.thought }}) {% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    thoughtful = {**SAID, "thought": "greet"}
    sequences = sequences_of(conversation([USER, thoughtful, USER, thoughtful]), forgetful)
    assert [learnt(chat, one) for one in sequences] == ["(greet) Hi there!<|im_end|>"] * 2
    assert len(sequences[1]) > len(sequences[0])


def test_sampled_tokens_are_kept_as_they_were_sampled(chat):
    """However else the text could be cut into tokens, and with each token's own logprob."""
    pieces = [chat._tokenizer(letter, add_special_tokens=False)["input_ids"][0] for letter in "Hi there!"]
    assert pieces != chat._tokenizer("Hi there!", add_special_tokens=False)["input_ids"]
    end = chat._tokenizer.eos_token_id
    for spelling in (lambda t: f"token_id:{t}", lambda t: chat._tokenizer.decode([t])):
        content = [{"token": spelling(t), "logprob": -0.1 * i} for i, t in enumerate([*pieces, end])]
        choice = {"finish_reason": "stop", "index": 0, "message": SAID, "logprobs": {"content": content}}
        history = {"messages_and_choices": [USER, choice, USER, choice], "tools": None}
        group = {"trajectories": [{**history, "reward": reward} for reward in (0.0, 1.0)]}
        read = group_tokens(group, 0, chat, 512)
        assert [one.advantage for one in read.sequences] == pytest.approx([-1, 1], abs=1e-4)
        sequence = read.sequences[0].sequence
        assert sequence.tokens[sequence.trained].tolist() == [*pieces, end] * 2
        assert sequence.logprobs[sequence.trained].tolist() == pytest.approx([-0.1 * i for i in range(10)] * 2)


def test_only_choices_are_learnt_and_additional_histories_too(chat):
    choice = {"finish_reason": "tool_calls", "index": 0, "message": CALLED, "logprobs": None}
    last = {"finish_reason": "stop", "index": 0, "message": SAID}
    trajectory = {
        "messages_and_choices": [USER, SAID, USER, choice, RESULT, last],
        "tools": [TOOL],
        "additional_histories": [{"messages_and_choices": [USER, last], "tools": None}],
    }
    read = group_tokens({"trajectories": [{**trajectory, "reward": r} for r in (0, 1)]}, 0, chat, 512)
    assert [learnt(chat, one.sequence).count("<|im_end|>") for one in read.sequences] == [2, 1, 2, 1]
    assert all(math.isnan(value) for one in read.sequences for value in one.sequence.logprobs)
    assert group_tokens({"trajectories": [{**trajectory, "reward": r} for r in (0, 1)]}, 0, chat, 40).dropped == 2


def test_a_message_that_no_template_can_write_is_named(chat):
    with pytest.raises(TrainingError, match=r"Line 7 .*messages\[0\].content has a part that is no text"):
        sequences_of(conversation([{"role": "user", "content": [{"type": "image_url"}]}, SAID], None, 7), chat)


@pytest.mark.parametrize(
    "where",
    [
        ([{"role": "user", "content": "\ud83d"}, SAID], None),
        ([USER, {"role": "assistant", "content": [{"type": "text", "text": "\ude00"}]}], None),
        ([{"role": "user", "content": "x", "\ud83d": 1}, SAID], None),
        ([USER, SAID], [{"type": "function", "function": {"name": "\ud83d"}}]),
    ],
)
def test_half_a_surrogate_pair_is_a_fault_of_the_data(chat, where):
    with pytest.raises(TrainingError, match=r"Line 7 .*half of a surrogate pair") as error:
        sequences_of(conversation(*where, 7), chat)
    assert error.value.code == "BAD_DATA" and error.value.message.encode()


def test_a_template_that_wants_a_user_first_names_who_does_not_come_first(reference):
    strict = ChatTokens(reference[1])
    strict._template = (
        "{% if messages[0].role == 'assistant' %}{{ raise_exception('roles must alternate') }}{% endif %}"
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    assert len(sequences_of(conversation([USER, SAID]), strict)) == 1
    with pytest.raises(TrainingError, match="Line 7 .*roles must alternate"):
        sequences_of(conversation([SAID, USER, SAID], None, 7), strict)


ODD_TEXTS = ["", "x", "\ud83d", "token_id:\u00b2", "token_id:" + "9" * 20]
ODD = [*ODD_TEXTS, None, 1, -1.5, 1e308, True, [], {}, [1], {"a": 1}, [None]]


def test_whatever_a_sample_holds_is_no_fault_of_the_node(chat):
    """Else it would be tried again and again."""
    draw = random.Random(7)

    def places(value: object, path: tuple = ()):
        if path:
            yield path
        if isinstance(value, dict | list):
            for key in value if isinstance(value, dict) else range(len(value)):
                yield from places(value[key], (*path, key))

    def with_odd(value: object) -> object:
        path = draw.choice(list(places(value)))
        inside = value
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = copy.deepcopy(draw.choice(ODD))
        return value

    choice = {"finish_reason": "stop", "message": SAID, "logprobs": {"content": [{"token": "Hi", "logprob": -1.0}]}}
    history = {"messages_and_choices": [USER, choice, USER, {**choice, "message": CALLED}], "tools": [TOOL]}
    read = 0
    for _ in range(1000):
        group = {
            "trajectories": [{**history, "additional_histories": [history], "reward": float(i)} for i in range(2)],
            "exceptions": [],
            "metrics": {"turns": 1},
        }
        talk = {"messages": [USER, CALLED, RESULT, SAID], "tools": [TOOL]}
        for sample, use in (
            (group, lambda one: group_tokens(one, 0, chat, 512)),
            (talk, lambda one: [sequences_of(talk, chat) for talk in read_lines([json.dumps(one)])]),
        ):
            try:
                use(with_odd(with_odd(copy.deepcopy(sample))))
                read += 1
            except TrainingError as error:
                assert error.code == "BAD_DATA" and error.message.encode()
    assert read > 300


def test_every_sequence_is_in_one_row_that_has_room():
    draw = random.Random(5)
    for _ in range(100):
        lengths = [draw.randint(1, 40) for _ in range(draw.randint(1, 30))]
        rows = assign_rows(lengths, 32)
        assert sorted(index for row in rows for index in row) == list(range(len(lengths)))
        assert all(len(row) == 1 or sum(lengths[i] for i in row) <= 32 for row in rows)
        # First fit: no two rows would fit into one.
        sums = sorted(sum(lengths[i] for i in row) for row in rows)
        assert len(sums) < 2 or sums[0] + sums[1] > 32


def test_neighbours_in_a_row_do_not_see_each_other(policy):
    talks = [[USER, SAID], [USER, CALLED, RESULT, SAID], [{"role": "user", "content": "Thanks"}, SAID, USER, SAID]]
    sequences = [
        one for talk in talks for one in policy.chat.sequences([Turn(m, m["role"] == "assistant") for m in talk])
    ]
    torch.manual_seed(3)
    policy.load_weights({name: torch.randn_like(tensor) * 0.1 for name, tensor in policy.weights().items()})
    with torch.no_grad():
        (row,) = pack(sequences, 4096)
        together, _ = policy.logprobs(row)
        for place, index in enumerate(row.members):
            alone, entropy = policy.logprobs(pack([sequences[index]], 4096)[0], entropy=True)
            assert torch.allclose(together[row.sequence == place], alone, atol=1e-4)
            assert (entropy >= 0).all()


# As Qwen3's: what was thought is left out once another message follows.
FORGETFUL = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.reasoning_content and loop.last %}<think>\n{{ m.reasoning_content }}\n</think>\n{% endif %}"
    "{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def thoughtful(tokenizer, turns: int):
    """The sequences of a conversation whose template drops earlier thoughts."""
    forgetful = copy.deepcopy(tokenizer)
    forgetful.chat_template = FORGETFUL
    talk = []
    for i in range(turns):
        talk.append(Turn({"role": "user", "content": f"What is {i} and one?"}))
        said = {"role": "assistant", "content": f"It is {i + 1}.", "reasoning": f"One more than {i} makes {i + 1}."}
        talk.append(Turn(said, True))
    return ChatTokens(forgetful).sequences(talk)


def test_the_history_of_a_conversation_is_computed_once(reference):
    sequences = thoughtful(reference[1], 50)
    assert len(sequences) == 50
    whole = sum(map(len, sequences))
    packed = sum(row.tokens.shape[1] for row in pack(sequences, 8192))
    # The last sequence, and of each other one its answer.
    assert packed < len(sequences[-1]) + 50 * 40 and packed < whole / 10
    # In rows that hold only a part of it, each begins with the history again.
    for row in (rows := pack(sequences, 2048)):
        assert row.tokens.shape[1] <= 2048
    assert len(rows) > 1 and sum(row.tokens.shape[1] for row in rows) < whole / 5


def test_what_sequences_share_is_computed_once_and_changes_nothing(policy):
    """Log-probabilities and gradients: conversations, answers to one prompt, one text twice, one that begins another."""
    sequences = thoughtful(policy.chat._tokenizer, 4)
    asked = {
        "role": "user",
        "content": "Tell me a long story of a loom, a shuttle, threads of all colours and a weaver.",
    }
    for said in ("Once.", "Once upon a time.", "No.", "No."):
        sequences += policy.chat.sequences([Turn(asked), Turn({"role": "assistant", "content": said}, True)])
    sequences.append(policy.chat.sequences([Turn(asked), Turn(SAID), Turn(asked), Turn(SAID, True)])[0])
    policy.load_weights({name: torch.randn_like(tensor) * 0.05 for name, tensor in policy.weights().items()})
    weights = torch.linspace(-1, 1, len(sequences))
    found = []
    for share in (True, False):
        rows = pack(sequences, 4096 if share else 1, share=share)
        told, total = {}, 0
        for row in rows:
            total += row.tokens.shape[1]
            logprobs, _ = policy.logprobs(row)
            members = torch.tensor(row.members)
            (logprobs * weights[members][row.sequence]).sum().backward()
            told |= {index: logprobs.detach()[row.sequence == i] for i, index in enumerate(row.members)}
        found.append((total, told, [p.grad.clone() for p in policy.trained]))
        for parameter in policy.trained:
            parameter.grad = None
    (shared, told, gradients), (alone, expected, wanted) = found
    assert alone == sum(map(len, sequences)) and shared < 0.6 * alone
    assert all(torch.allclose(told[i], expected[i], atol=1e-4) for i in range(len(sequences)))
    assert max(float(one.abs().max()) for one in wanted) > 1e-2
    assert all(torch.allclose(one, other, atol=1e-4, rtol=1e-3) for one, other in zip(gradients, wanted))


def test_logits_of_a_long_row_are_never_there_together(policy, monkeypatch):
    """Nor do pieces change anything: a model without a plain head, one piece, and pieces of 8 tokens."""
    sequences = policy.chat.sequences(
        [Turn(m, m["role"] == "assistant") for m in (USER, SAID, USER, CALLED, RESULT, SAID)]
    )
    policy.load_weights({name: torch.randn_like(tensor) * 0.05 for name, tensor in policy.weights().items()})
    (row,) = pack(sequences, 4096)
    widest = []
    head = policy._head
    assert head is policy._base.get_output_embeddings()
    head.register_forward_hook(lambda _, given, made: widest.append(made.numel() // made.shape[-1]))
    found = []
    for chunk, known in ((1024, head), (8, None), (8, head)):
        monkeypatch.setattr(module, "LOGITS_CHUNK", chunk)
        policy._head = known
        widest.clear()
        logprobs, entropy = policy.logprobs(row, entropy=True)
        (logprobs * torch.linspace(-1, 1, len(logprobs))).sum().backward()
        found.append(torch.cat([logprobs.detach(), entropy, *(p.grad.flatten() for p in policy.trained)]))
        for parameter in policy.trained:
            parameter.grad = None
    assert len(row.targets) > 24 and max(widest) == 8
    assert all(torch.allclose(one, found[0], atol=1e-4) for one in found[1:])


def test_each_sequence_is_whole_in_its_row_whatever_it_shares():
    draw = random.Random(7)
    for _ in range(50):
        texts: list[list[int]] = [[draw.randint(0, 9) for _ in range(40)]]
        for _ in range(draw.randint(0, 12)):
            kept = draw.choice(texts)
            texts.append(
                [*kept[: draw.randint(0, len(kept))], *(draw.randint(0, 9) for _ in range(draw.randint(0, 60)))]
            )
        texts = [one for one in texts if len(one) > 1]
        made = [sequence_of(one) for one in texts]
        rows = pack(made, draw.choice((50, 200, 1000)))
        assert sorted(index for row in rows for index in row.members) == list(range(len(texts)))
        for row in rows:
            for place, index in enumerate(row.members):
                own = row.sequence == place
                assert row.targets[own].tolist() == texts[index][1:]
                assert row.tokens[0][row.before[own]].tolist() == texts[index][:-1]
                assert row.positions[0][row.before[own]].tolist() == list(range(len(texts[index]) - 1))


def sequence_of(tokens: list[int]) -> TokenSequence:
    """All but the first token trained."""
    unknown = np.full(len(tokens), np.nan, np.float32)
    return TokenSequence(np.array(tokens), np.arange(len(tokens)) > 0, unknown, unknown)


def kept(ids: list[int], *trained: list[int], vocabulary: str | None = None, chat: ChatTokens) -> dict:
    return {"vocabulary": vocabulary or chat._vocabulary, "ids": ids, "trained": list(trained)}


def test_tokens_that_are_known_are_trained_on_as_they_are(chat):
    ids = [3, 1, 4, 1, 5, 9, 2, 6]
    sample = conversation([USER, SAID], tokens=kept(ids, [2, 4], [6, 8], chat=chat))
    (sequence,) = sequences_of(sample, chat)
    assert sequence.tokens.tolist() == ids
    assert sequence.tokens[sequence.trained].tolist() == [4, 1, 2, 6]
    trajectory = {"messages_and_choices": [USER, {"finish_reason": "stop", "message": SAID}], "tokens": sample.tokens}
    group = {"trajectories": [{**trajectory, "reward": reward} for reward in (0, 1)]}
    read = group_tokens(group, 0, chat, 100)
    assert [one.sequence.tokens.tolist() for one in read.sequences] == [ids, ids]


def test_tokens_of_another_vocabulary_are_not_used_and_counted(reference):
    chat = ChatTokens(reference[1])
    foreign = conversation([USER, SAID], tokens=kept([3, 1], [1, 2], vocabulary="x", chat=chat))
    (sequence,) = sequences_of(foreign, chat)
    assert learnt(chat, sequence) == "Hi there!<|im_end|>"
    assert chat.note().startswith("1 sequences")


@pytest.mark.parametrize(
    "ids, trained", [([10**7], [[0, 1]]), ([], []), ("x", []), ([1, 2], [[0, 3]]), ([1, 2], 5), ([True], [])]
)
def test_tokens_that_are_none_are_bad_data(chat, ids, trained):
    with pytest.raises(TrainingError, match="BAD_DATA|tokens"):
        sequences_of(
            conversation([USER, SAID], tokens={"vocabulary": chat._vocabulary, "ids": ids, "trained": trained}), chat
        )


def test_choices_with_their_prompts_are_joined_where_these_go_on(chat):
    def choice(prompt: list[int], ids: list[int]) -> dict:
        return {"finish_reason": "stop", "message": {"content": ""}, "token_ids": ids, "prompt_token_ids": prompt}

    items = [USER, choice([7, 8], [9]), USER, choice([7, 8, 9, 5], [6, 4]), USER, choice([7, 5], [3])]
    group = {"trajectories": [{"messages_and_choices": items, "reward": reward} for reward in (0, 1)]}
    sequences = [one.sequence for one in group_tokens(group, 0, chat, 100).sequences][:2]
    assert [one.tokens.tolist() for one in sequences] == [[7, 8, 9, 5, 6, 4], [7, 5, 3]]
    assert [one.tokens[one.trained].tolist() for one in sequences] == [[9, 6, 4], [3]]
