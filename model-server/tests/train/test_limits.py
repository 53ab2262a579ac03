"""Training where there is little: memory, disk, a device that chat needs, too."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path

import grpc
import psutil
import pytest
import torch
from node import TrainingNode, conversation, kind, rl, sft
from served import PATIENCE, until
from test_train_service import LINES, LONG, first_step, group, report, trainer_of
from wire import user, wire

from heddle.node.v1 import node_pb2
from heddle_model_server.train.errors import Control
from heddle_model_server.train.events import TrainingFailed
from heddle_model_server.train.job import JobOptions
from heddle_model_server.train.rl import RlOptions, train_rl

MIB = 2**20
# Turns as short as they can be.
TURNS = ("--train-turn-seconds", "0.2", "--train-turn-overhead", "0")


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("artifacts")


@pytest.fixture(scope="module")
def node(model_folder, root):
    node = TrainingNode(model_folder, root)
    yield node
    node.close()


@pytest.fixture(scope="module")
def sharing(model_folder, root):
    """Serving pauses while a job runs; the cache takes 150 MiB, with rows for so many choices. A job's turn has no end."""
    node = TrainingNode(
        model_folder,
        *(root, "--train-share", "pause", "--cache-tokens", "200000", "--slots", "1000"),
        *("--train-turn-seconds", "100000"),
    )
    yield node
    node.close()


def test_chat_waits_while_a_job_has_the_device(sharing, root):
    node = sharing
    stream = node.train(sft(root, "alone", LINES, **LONG))
    first_step(stream)
    load = report(node)
    assert load.serving_paused and load.training_job_id == "alone" and load.free_slots == 0
    assert node.stub.Health(node_pb2.HealthRequest(), timeout=PATIENCE) == node_pb2.HealthResponse()
    answers = []
    asking = threading.Thread(target=lambda: answers.append(node.ask(messages=user("Hello!"), temperature=0.0).text))
    asking.start()
    until(lambda: report(node).waiting == 1)
    assert not answers
    stream.cancel()
    asking.join(PATIENCE)
    assert answers == ["Hello! How can I help you today?"]
    until(lambda: not report(node).serving_paused)


def test_the_trainers_memory_is_given_back_before_serving_takes_its_own(sharing, root):
    stream = sharing.train(sft(root, "before", LINES, **LONG))
    first_step(stream)
    trainer = trainer_of(sharing)
    load = report(sharing)
    stream.cancel()
    held = [(load.serving_paused, trainer.is_running())]
    for load in sharing.stub.WatchLoad(node_pb2.WatchLoadRequest(interval_ms=100), timeout=PATIENCE):
        held.append((load.serving_paused, trainer.is_running()))
        if not load.serving_paused:
            break
    assert held[0] == (True, True) and held[-1] == (False, False)


def test_memory_that_can_not_be_had_back_is_told_and_nobody_waits(sharing, root):
    node = psutil.Process(sharing.process.pid)
    before = node.rlimit(psutil.RLIMIT_AS)

    def unhealthy() -> str:
        with pytest.raises(grpc.RpcError) as error:
            sharing.stub.Health(node_pb2.HealthRequest(), timeout=PATIENCE)
        assert dict(error.value.trailing_metadata())["heddle-code"] == "UNHEALTHY"
        return error.value.details()

    stream = sharing.train(sft(root, "greedy", LINES, **LONG))
    first_step(stream)
    # Somebody else has taken what serving gave up.
    node.rlimit(psutil.RLIMIT_AS, (node.memory_info().vms + 100 * MIB, before[1]))
    waiting = sharing.stub.Generate(wire({"messages": user("Hello!"), "temperature": 0.0}), timeout=PATIENCE)
    until(lambda: report(sharing).waiting == 1)
    stream.cancel()
    with pytest.raises(grpc.RpcError) as error:
        list(waiting)
    assert dict(error.value.trailing_metadata())["heddle-code"] == "UNHEALTHY"
    assert report(sharing).state == node_pb2.NODE_STATE_UNHEALTHY
    said = unhealthy()
    assert "can't get its memory back after a training job" in said and "allocate memory" in said
    # The next hand-over measures anew.
    until(lambda: report(sharing).training_job_id == "")
    node.rlimit(psutil.RLIMIT_AS, before)
    assert kind(sharing.told(sft(root, "modest", LINES))[-1]) == "ended"
    until(lambda: report(sharing).state == node_pb2.NODE_STATE_SERVING and not report(sharing).serving_paused)
    assert sharing.ask(messages=user("Hello!"), temperature=0.0).text == "Hello! How can I help you today?"


def test_a_disk_that_is_full_ends_the_job_and_leaves_nothing_half(node, root):
    first = node.told(sft(root, "fits", LINES))
    assert kind(first[-1]) == "ended"
    trainer = trainer_of(node)
    trainer.rlimit(psutil.RLIMIT_FSIZE, (32 * 1024, psutil.RLIM_INFINITY))
    for save_every in (1, 0):
        request = sft(root, f"full{save_every}", LINES, save_every=save_every)
        *_, last = node.told(request)
        assert last.failed.code == "DISK" and "the disk is full" in last.failed.message
        assert not list((root / request.job_id).rglob("manifest.json"))
    trainer.rlimit(psutil.RLIMIT_FSIZE, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
    request.attempt = 2
    assert kind(node.told(request)[-1]) == "ended"


def test_too_little_memory_ends_the_job_and_not_the_node(node, root):
    # Before what makes the trainer large: memory that it has freed is its own again.
    node.told(sft(root, "small", LINES))
    trainer = trainer_of(node)
    limit = trainer.memory_info().vms + 16 * MIB
    trainer.rlimit(psutil.RLIMIT_AS, (limit, limit))
    # One sequence, which can't be cut.
    *_, last = node.told(sft(root, "large", [conversation("What?", "It is the weft. " * 200)]))
    assert (last.failed.code, last.failed.retriable) == ("OUT_OF_MEMORY", False)
    # In a new process.
    assert kind(node.told(sft(root, "after", LINES))[-1]) == "ended"
    assert trainer_of(node).pid != trainer.pid


def test_rows_shrink_to_the_memory_that_there_is(node, root):
    lines = [conversation(f"{i}: what?", "It is the weft. " * 100) for i in range(16)]
    config = {"batch_size": 16}
    roomy = node.told(sft(root, "roomy", lines, config))
    trainer = trainer_of(node)
    before = trainer.rlimit(psutil.RLIMIT_AS)
    trainer.rlimit(psutil.RLIMIT_AS, (trainer.memory_info().vms + 100 * MIB, before[1]))
    events = list(node.train(sft(root, "tight", lines, config, row_tokens=65536)))
    trainer.rlimit(psutil.RLIMIT_AS, before)
    assert any("too little memory: rows have at most" in one.waiting.reason for one in events if kind(one) == "waiting")
    assert kind(events[-1]) == "ended" and trainer_of(node).pid == trainer.pid
    steps = [event.gradient_step.metrics for event in [*roomy, *events] if kind(event) == "gradient_step"]
    assert steps[1]["loss"] == pytest.approx(steps[0]["loss"], rel=1e-4)
    assert steps[1]["grad_norm"] == pytest.approx(steps[0]["grad_norm"], rel=1e-3)


def test_a_device_without_room_is_out_of_memory(policy, tmp_path, monkeypatch):
    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")

    monkeypatch.setattr(policy, "logprobs", full)
    groups = [group(0.0, 1.0)]
    *_, last = train_rl(policy, groups, 1, RlOptions(), JobOptions("job", str(tmp_path)))
    assert isinstance(last, TrainingFailed) and last.code == "OUT_OF_MEMORY"
    assert "longest sequence" in last.message


def test_activations_are_computed_twice_where_memory_asks_for_it(make_policy, tmp_path, monkeypatch):
    """And stay so for later jobs; unless a job says otherwise."""
    policy, said = make_policy(), []
    inside = policy.logprobs

    def logprobs(*given, **more):
        if not policy.checkpointing:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return inside(*given, **more)

    monkeypatch.setattr(policy, "logprobs", logprobs)
    train = lambda name: list(
        train_rl(
            policy, [group(0.0, 1.0)], 1, RlOptions(), JobOptions(name, str(tmp_path / name)), Control(said.append)
        )
    )
    asked = "too little memory: activations are computed twice from now on"
    assert train("first")[-1].type == "training_ended" and said.count(asked) == 1
    policy.checkpoint_gradients(None)
    assert train("second")[-1].type == "training_ended" and said.count(asked) == 1
    policy.checkpoint_gradients(False)
    assert train("third")[-1].code == "OUT_OF_MEMORY"


@pytest.mark.slow
def test_ten_thousand_groups_go_through_bounded_memory(node, root):
    """240 MiB of groups: most teach nothing, all are read."""
    padding = "The weft goes across the warp. " * 400
    same, taught = group(1.0, 1.0), group(0.0, 1.0)
    for one in same["trajectories"]:
        one["messages_and_choices"][0]["content"] = padding
    groups = [taught if i % 500 == 0 else same for i in range(10_000)]
    request = rl(root, "many", groups, groups_per_step=100)
    node.told(rl(root, "few", [taught]))
    trainer = trainer_of(node)
    before = trainer.memory_info().rss
    most = 0
    count = 0
    for event in node.train(request):
        if kind(event) == "gradient_step":
            count += 1
            assert event.gradient_step.metrics["num_groups_submitted"] == 100
            most = max(most, trainer.memory_info().rss)
    assert count == 100 and kind(event) == "ended"
    assert (root / "data/many.jsonl").stat().st_size > 200 * MIB
    assert most - before < 120 * MIB


@pytest.mark.slow
def test_ten_thousand_conversations_go_through_bounded_memory(node, root):
    lines = [conversation("What is the weft?" + " It is long." * 60, f"It is {i}.") for i in range(10_000)]
    request = sft(root, "conversations", lines, {"batch_size": 4})
    node.told(sft(root, "before", LINES))
    trainer = trainer_of(node)
    before = trainer.memory_info().rss
    stream = node.train(request)
    for event in stream:
        if kind(event) == "started":
            assert event.started.num_sequences == 2500
        if kind(event) == "gradient_step" and event.gradient_step.step == 20:
            stream.cancel()
            break
    assert trainer.memory_info().rss - before < 120 * MIB


def test_chat_has_turns_while_jobs_have_the_device_and_a_node_that_is_stopped_saves_the_job(model_folder, root):
    other = TrainingNode(model_folder, root, "--train-share", "pause", *TURNS)
    try:
        stream = other.train(sft(root, "stopped", LINES, **LONG))
        told = first_step(stream).number
        assert report(other).serving_paused
        # A request that waits at the node, and one that waits elsewhere, of which the node is told.
        assert other.ask(messages=user("Hello!"), temperature=0.0).text == "Hello! How can I help you today?"
        numbers = read_until_paused(other, stream)
        assert numbers == list(range(told + 1, told + 1 + len(numbers)))
        told = numbers[-1]
        watch = other.stub.WatchLoad(node_pb2.WatchLoadRequest(), timeout=PATIENCE)
        other.stub.Wake(node_pb2.WakeRequest())
        assert any(not load.serving_paused for load in watch)
        watch.cancel()
        other.process.send_signal(signal.SIGTERM)
        for event in stream:
            told = event.number if kind(event) == "gradient_step" else told
        assert (event.failed.code, event.failed.retriable, event.number) == ("DRAINING", True, told + 1)
        assert other.process.wait(PATIENCE) == 0
    finally:
        other.close()
    (saved,) = (root / "stopped/state/step1").iterdir()
    manifest = json.loads((saved / "manifest.json").read_text())
    assert manifest["number"] == told


def test_a_node_that_can_start_no_trainer_stops(model_folder, root):
    other = TrainingNode(model_folder, root)
    try:
        stream = other.train(sft(root, "orphaned", LINES, **LONG))
        first_step(stream)
        trainer_of(other).parent().kill()
        *_, last = stream
        assert (last.failed.code, last.failed.retriable) == ("TRAINER_DIED", True)
        *_, last = other.train(sft(root, "next", LINES))
        assert (last.failed.code, last.failed.retriable) == ("TRAINER_DIED", True)
        assert other.process.wait(PATIENCE) == 0
    finally:
        other.close()


def read_until_paused(node, stream) -> list[int]:
    """The numbers of a job's events until the next one that comes while serving is paused."""
    numbers = []
    for event in stream:
        if event.number:
            numbers.append(event.number)
            if report(node).serving_paused:
                return numbers
    raise AssertionError("the job has ended")


def test_a_node_without_training_says_so(served):
    assert not served.stub.Info(node_pb2.InfoRequest()).trains
    from heddle.node.v1 import train_pb2, train_pb2_grpc

    with grpc.insecure_channel(served.address) as channel, pytest.raises(grpc.RpcError) as error:
        train_pb2_grpc.TrainServiceStub(channel).TrainerInfo(train_pb2.TrainerInfoRequest())
    assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED
