"""The engine's loop: it says what the model says, beside any other requests, and it outlives failures."""

from __future__ import annotations

import gc
import random
from dataclasses import replace

import psutil
import pytest
import torch
from served import until
from wire import user

from heddle_model_server.artifacts.peft_files import LoraWeights
from heddle_model_server.errors import NodeError

QUESTIONS = [
    "Hello!",
    "What is a loom?",
    "Count to five.",
    "What is the capital of Norway?",
    "Tell me a joke.",
    "Write a poem.",
    "Good morning",
    "What is two plus three?",
]
LONG = {"ignore_eos": True, "max_tokens": 1500}


def generated(reference, messages, tokens: int) -> list[int]:
    model, tokenizer = reference
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")
    out = model.generate(**ids, max_new_tokens=tokens, do_sample=False, temperature=None)
    return out[0, ids["input_ids"].shape[1] :].tolist()


def test_greedy_text_is_what_generate_says(node, reference):
    waits = [node.begin(messages=user(q), temperature=0.0, max_tokens=40) for q in QUESTIONS]
    for question, wait in zip(QUESTIONS, waits):
        assert wait().first.tokens == generated(reference, user(question), 40)


def test_logprobs_are_the_models(node, reference):
    model, _ = reference
    result = node.ask(
        messages=user("Hello!"),
        temperature=0.0,
        logprobs=True,
        prompt_logprobs=0,
        return_token_ids=True,
        frequency_penalty=1.0,
    )
    prompt, output = list(result.started.prompt_token_ids), result.first.tokens
    with torch.inference_mode():
        expected = model(torch.tensor([prompt + output])).logits[0].log_softmax(-1)
    for i, logprob in enumerate(result.first.logprobs):
        assert logprob.logprob == pytest.approx(expected[len(prompt) + i - 1, output[i]].item(), abs=1e-3)
    for i, told in enumerate(result.done.prompt_logprobs[1:], 1):
        assert told.tokens[0].logprob == pytest.approx(expected[i - 1, prompt[i]].item(), abs=1e-3)


def test_a_prompt_of_one_token_is_told_beside_others(node):
    others = [node.begin(messages=user(question), max_tokens=20) for question in QUESTIONS[:3]]
    result = node.ask(messages=user("Hello!"), truncate_prompt_tokens=1, prompt_logprobs=1, max_tokens=2)
    assert [len(one.tokens) for one in result.done.prompt_logprobs] == [0]
    assert all(wait().done for wait in others)


def random_adapter(node, seed: int, scale: float = 1.0) -> dict[str, LoraWeights]:
    generator = torch.Generator().manual_seed(seed)
    rank = 2 + seed % 5
    return {
        path: LoraWeights(
            torch.randn(rank, width, generator=generator) * 0.2,
            torch.randn(out, rank, generator=generator) * 0.2,
            scale,
        )
        for path, (width, out) in node.engine.scheduler.lora.shapes().items()
        if path.endswith(("q_proj", "v_proj", "down_proj")) or seed % 2
    }


def add(node, name: str, seed: int):
    return node.engine.add_adapter(name, random_adapter(node, seed)).result()


def test_mixed_adapters_in_a_batch_say_what_each_says_alone(make_node):
    node = make_node()
    adapters = [None, *(add(node, f"a{i}", i) for i in range(8))]
    requests = [
        {
            "adapter": adapters[i % 9],
            "messages": user(QUESTIONS[i % 8]),
            "temperature": 0.0,
            "max_tokens": 12,
            "ignore_eos": True,
        }
        for i in range(32)
    ]
    alone = [node.ask(**request).first.tokens for request in requests]
    together = [wait().first.tokens for wait in [node.begin(**request) for request in requests]]
    assert together == alone
    assert len({tuple(tokens) for tokens in alone[:9]}) > 4


def test_an_adapter_does_what_peft_does(make_node, reference, tmp_path):
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    node = make_node()
    base = AutoModelForCausalLM.from_pretrained(node.loaded.model.config._name_or_path)
    config = LoraConfig(
        r=4, lora_alpha=16, target_modules=["q_proj", "up_proj", "o_proj"], use_rslora=True, alpha_pattern={"o_proj": 4}
    )
    tuned = get_peft_model(base, config)
    torch.manual_seed(5)
    for name, parameter in tuned.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, std=0.3)
    tuned.save_pretrained(tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    adapter = node.engine.add_adapter("peft", node.engine.read_adapter(files)).result()
    for question in QUESTIONS[:4]:
        ours = node.ask(adapter=adapter, messages=user(question), temperature=0.0, max_tokens=20).first.tokens
        assert ours == generated((tuned.eval(), reference[1]), user(question), 20)


def test_an_adapter_that_fails_half_way_leaves_nothing_behind(make_node):
    """The next one in its place changes fewer layers, and says what it says on a fresh node."""
    node, fresh = make_node(), make_node()
    few = lambda one: {path: made for path, made in random_adapter(one, 0).items() if path.endswith("q_proj")}
    ask = lambda one, adapter: (
        one.ask(adapter=adapter, messages=user("Hello!"), temperature=0.0, max_tokens=12, logprobs=True).first
    )
    for at in range(3):
        broken = random_adapter(node, 1)
        path = list(broken)[len(broken) * at // 3 + 1]
        made = broken[path]
        # A or B that the layer doesn't take: nothing of it, or half of it, is written.
        wrong = {"a": made.a[:, 1:]} if at % 2 else {"b": made.b[1:]}
        broken[path] = replace(made, **wrong)
        with pytest.raises(RuntimeError):
            node.engine.add_adapter("broken", broken).result()
    answers = []
    for one in (node, fresh):
        adapter = one.engine.add_adapter("few", few(one)).result()
        assert adapter.number == 1
        answers.append(ask(one, adapter))
    assert answers[0].tokens == answers[1].tokens
    assert [each.logprob for each in answers[0].logprobs] == [each.logprob for each in answers[1].logprobs]


def test_an_adapter_that_goes_leaves_nothing_behind(make_node):
    node = make_node()
    ask = lambda adapter=None: (
        node.ask(adapter=adapter, messages=user("Hello!"), temperature=0.0, max_tokens=8).first.tokens
    )
    before = ask()
    first = add(node, "first", 1)
    changed = ask(first)
    assert changed != before

    node.engine.remove_adapter(first).result()
    assert ask() == before
    assert ask(add(node, "second", 2)) != changed
    assert ask(add(node, "again", 1)) == changed


def test_a_shared_beginning_is_computed_once_and_changes_nothing(make_node):
    node, plain = make_node(), make_node(prefix_cache=False)
    system = {"role": "system", "content": "You are a helpful assistant. " * 12}
    for question in QUESTIONS:
        messages = [system, *user(question)]
        ours = node.ask(messages=messages, temperature=0.0, max_tokens=20, cache_salt="ours")
        theirs = plain.ask(messages=messages, temperature=0.0, max_tokens=20, cache_salt="ours")
        assert ours.text == theirs.text
        assert theirs.done.usage.cached_tokens == 0
        if question != QUESTIONS[0]:
            assert ours.done.usage.cached_tokens > 40
    again = node.ask(messages=messages, temperature=0.0, max_tokens=20, cache_salt="ours")
    assert again.done.usage.cached_tokens == again.started.prompt_tokens - 1


def test_beginnings_are_shared_with_nobody_without_a_salt(make_node):
    node = make_node()
    messages = user("What is a trace? " * 5)
    cached = lambda: node.ask(messages=messages, max_tokens=1).done.usage.cached_tokens
    assert [cached(), cached()] == [0, 0]
    # While it runs, too.
    wait = node.begin(messages=messages, ignore_eos=True, max_tokens=500)
    assert cached() == 0
    wait()


def test_beginnings_are_not_shared_between_adapters(make_node):
    node = make_node()
    adapter = add(node, "a", 3)
    messages = user("What is a trace? " * 5)
    node.ask(messages=messages, max_tokens=1, cache_salt="ours")
    assert node.ask(adapter=adapter, messages=messages, max_tokens=1, cache_salt="ours").done.usage.cached_tokens == 0


def test_kept_beginnings_make_way(make_node):
    """More different beginnings than rows: each is still answered rightly."""
    node, plain = make_node(slots=3), make_node(prefix_cache=False)
    for _ in range(3):
        for question in QUESTIONS:
            fields = {"messages": user(f"{question} {question}"), "temperature": 0.0, "max_tokens": 6}
            assert node.ask(**fields).text == plain.ask(**fields).text
    assert len(node.engine.scheduler.prefixes) <= 4


def test_a_seed_draws_the_same_whatever_else_runs(node):
    fields = {"messages": user("Tell me"), "temperature": 1.5, "seed": 5, "max_tokens": 20, "ignore_eos": True}
    alone = node.ask(**fields).first.tokens
    others = [node.begin(messages=user(q), temperature=1.5, max_tokens=30) for q in QUESTIONS]
    assert node.ask(**fields).first.tokens == alone
    for wait in others:
        wait()


def test_an_abort_frees_its_row_within_a_step(make_node):
    node = make_node(slots=4)
    waits = [node.begin(messages=user("Hello!"), request_id=f"r{i}", **LONG) for i in range(6)]
    until(lambda: node.engine.load().running == 4)
    engine = node.engine

    def abort():
        """On the engine's thread, so that no step is made meanwhile."""
        found = engine.abort("r0")
        return found, engine.steps, engine.between_steps(lambda: (engine.steps, engine.load().running))

    found, steps, after = engine.between_steps(abort).result()
    assert found and after.result() == (steps, 3)
    assert waits[0]().error.code == "ABORTED"
    # One that waited goes on in its place; one that still waits can be ended, too.
    until(lambda: node.engine.load().running == 4)
    for i in range(1, 6):
        node.engine.abort(f"r{i}")
        assert waits[i]().error.code == "ABORTED"
    until(lambda: node.engine.load().running == 0)
    assert node.engine.idle and node.engine.load().free_slots == 4


def test_long_prompts_come_in_pieces_beside_others(make_node, reference):
    node = make_node(prefill_tokens=32)
    short = node.begin(messages=user("Hello!"), temperature=0.0, max_tokens=40, ignore_eos=True)
    long_messages = user("What is a loom? " * 60)
    long = node.begin(messages=long_messages, temperature=0.0, max_tokens=12)
    assert long().first.tokens == generated(reference, long_messages, 12)
    assert short().text.startswith("Hello! How can I help you today?")


def test_rows_grow_and_shrink_with_what_is_asked(make_node, reference):
    """A cache for far less than every slot at full length: long ones wait or are set aside, and all are right."""
    node = make_node(slots=8, cache_tokens=1200)
    assert node.engine.facts.context == 1200
    fields = {"temperature": 0.0, "ignore_eos": True, "max_tokens": 280}
    waits = [node.begin(messages=user(q), **fields) for q in QUESTIONS]
    results = [wait() for wait in waits]
    for question, result in zip(QUESTIONS, results):
        alone = node.ask(messages=user(question), **fields)
        assert result.first.tokens == alone.first.tokens and len(result.first.tokens) == 280
    assert node.engine.load().shed > 0
    wide = node.ask(messages=user("What is a loom? " * 100), temperature=0.0, max_tokens=8)
    assert wide.first.tokens == generated(reference, user("What is a loom? " * 100), 8)
    with pytest.raises(NodeError) as error:
        node.ask(messages=user("What is a loom? " * 400))
    assert error.value.code == "PROMPT_TOO_LONG"


def test_a_full_queue_refuses_at_once(make_node):
    node = make_node(slots=1, queue_limit=2)
    waits = [node.begin(messages=user("Hello!"), request_id=f"r{i}", **LONG) for i in range(3)]
    with pytest.raises(NodeError) as error:
        node.ask(messages=user("Hello!"))
    assert (error.value.code, error.value.retriable) == ("NODE_FULL", True)
    for i in range(3):
        node.engine.abort(f"r{i}")
        waits[i]()
    assert node.ask(messages=user("Hello!"), temperature=0.0).text


def test_a_request_that_breaks_a_pass_harms_nobody_else(make_node):
    node = make_node()
    run = node.engine.scheduler.run
    poison = node.token("~")

    def fragile(ids, *rest):
        if poison in ids:
            raise RuntimeError("broken")
        return run(ids, *rest)

    node.engine.scheduler.run = fragile
    good = {"messages": user("Hello!"), "temperature": 0.0, "max_tokens": 10}
    waits = [node.begin(**good) for _ in range(5)]
    bad = node.begin(messages=user("Hello!"), allowed_token_ids=[poison], max_tokens=10)
    more = [node.begin(**good) for _ in range(5)]
    assert bad().error.code == "INTERNAL"
    assert {wait().text for wait in [*waits, *more]} == {"Hello! How can I help you today?"}
    assert node.engine.load().healthy


def test_what_is_not_a_number_stays_with_its_request(make_node):
    node = make_node(slots=4)
    weights = {
        path: LoraWeights(torch.full((2, width), 1e30), torch.full((out, 2), 1e30), 1.0)
        for path, (width, out) in node.engine.scheduler.lora.shapes().items()
    }
    broken = node.engine.add_adapter("broken", weights).result()
    for _ in range(6):
        waits = [
            node.begin(adapter=broken if i == 1 else None, messages=user("Hello!"), temperature=0.0, max_tokens=10)
            for i in range(4)
        ]
        results = [wait() for wait in waits]
        assert results[1].error.code == "INTERNAL"
        assert {results[i].text for i in (0, 2, 3)} == {"Hello! How can I help you today?"}


def test_choices_of_one_request_share_its_prompt(make_node):
    node = make_node()
    result = node.ask(messages=user("What is a loom? " * 20), n=4, temperature=2.0, seed=1, max_tokens=10)
    assert len(result.choices) == 4
    assert result.done.usage.prompt_tokens == result.started.prompt_tokens
    assert result.done.usage.completion_tokens == sum(len(choice.tokens) for choice in result.choices)


def test_beams_are_the_best_of_all_continuations(make_node):
    """With as many beams as there are continuations, the search is exhaustive."""
    node = make_node()
    allowed = node.tokens("!") + node.tokens("?") + node.tokens(".")
    fields = {
        "messages": user("Hello!"),
        "allowed_token_ids": allowed,
        "max_tokens": 2,
        "ignore_eos": True,
        "logprobs": True,
    }
    result = node.ask(use_beam_search=True, n=9, length_penalty=0.0, temperature=1.0, **fields)
    assert len({tuple(choice.tokens) for choice in result.choices}) == 9
    # Shaped as they are, only what is allowed counts; raw logprobs order them the same within equal first tokens.
    alone = node.ask(**fields, temperature=0.0)
    assert result.first.tokens[0] in allowed and alone.first.tokens[0] in allowed


def test_callers_that_come_and_go_leave_nothing(make_node):
    """Hundreds of requests of all kinds, half of them ended early: rows, requests and memory are as before."""
    node = make_node(slots=6, queue_limit=1000, cache_tokens=3000)
    order = random.Random(3)
    kinds = [
        {},
        {"n": 3, "temperature": 1.5},
        {"use_beam_search": True, "n": 2},
        {"structured_outputs": {"regex": "[a-z]{1,40}"}},
        {"prompt_logprobs": 1, "logprobs": True},
        {"repetition_penalty": 1.5, "stop": ["zzz"]},
    ]

    def one_round():
        waits = []
        for i in range(60):
            fields = {
                "messages": user(order.choice(QUESTIONS) * order.randint(1, 12)),
                "max_tokens": order.randint(1, 60),
                "priority": order.randint(-2, 2),
                "cache_salt": order.choice(["", "a"]),
                **order.choice(kinds),
            }
            waits.append(node.begin(request_id=f"r{i}", **fields))
            if order.random() < 0.5:
                node.engine.abort(f"r{order.randint(0, i)}")
        for wait in waits:
            result = wait()
            assert result.done is not None or result.error.code == "ABORTED"

    one_round()
    gc.collect()
    before = psutil.Process().memory_info().rss
    for _ in range(4):
        one_round()
    until(lambda: node.engine.idle)
    assert not node.engine.scheduler.active and not node.engine.scheduler.has_work
    assert len(node.engine.scheduler.prefixes) <= node.engine.scheduler.slots
    gc.collect()
    assert psutil.Process().memory_info().rss - before < 60 * 2**20


def test_stopping_ends_what_runs(make_node):
    node = make_node()
    wait = node.begin(messages=user("Hello!"), **LONG)
    node.engine.drain()
    with pytest.raises(NodeError) as error:
        node.ask(messages=user("Hello!"))
    assert error.value.code == "DRAINING"
    node.engine.stop()
    assert wait().error.code == "DRAINING"


def test_every_choice_ends_where_nothing_may_follow(node):
    result = node.ask(
        messages=user("Hello!"), n=3, structured_outputs={"choice": ["yes"]}, allowed_token_ids=[node.token("!")]
    )
    assert [choice.finish for choice in result.choices] == ["stop"] * 3


def test_a_structure_without_an_end_is_refused_in_a_sentence(node):
    error = node.ask(messages=user("Hello!"), structured_outputs={"grammar": "root ::= root"}).error
    assert error.code == "BAD_STRUCTURE"
    assert len(error.message) < 200 and "\n" not in error.message
