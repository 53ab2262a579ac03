"""Training over gRPC, as a worker sees it: events, refusals, cancel, fencing, a trainer that dies."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from itertools import groupby
from pathlib import Path

import grpc
import psutil
import pytest
import torch
from node import TrainingNode, content, conversation, kind, rl, sft
from served import PATIENCE, until
from wire import user

from heddle.node.v1 import node_pb2, train_pb2 as pb
from heddle_model_server.node.jobs import AdmittedJob, whose_turn
from heddle_model_server.train.checkpoints import read_weights
from heddle_model_server.train.spec import JobSpec

TAUGHT = {"What is the weft?": "The weft goes across the warp.", "What is felt?": "Felt is pressed and not woven."}
LINES = [conversation(asked, said) for asked, said in TAUGHT.items()]
LONG = {"config": {"batch_size": 1, "learning_rate": 1e-4}, "epochs": 5000}


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("artifacts")


@pytest.fixture(scope="module")
def node(model_folder, root):
    node = TrainingNode(
        model_folder,
        root,
        "--train-ahead",
        "true",
        "--train-jobs",
        "2",
        "--train-turn-seconds",
        "0.2",
        "--train-turn-overhead",
        "0",
    )
    yield node
    node.close()


def trainers(node: TrainingNode) -> list[psutil.Process]:
    """The processes that train: forks of a fork of the node."""
    return [one for child in psutil.Process(node.process.pid).children() for one in child.children()]


def trainer_of(node: TrainingNode) -> psutil.Process:
    """The process that trains."""
    (found,) = trainers(node)
    return found


def report(node: TrainingNode) -> node_pb2.LoadReport:
    stream = node.stub.WatchLoad(node_pb2.WatchLoadRequest())
    first = next(stream)
    stream.cancel()
    return first


def first_step(stream) -> pb.TrainEvent:
    return next(event for event in stream if kind(event) == "gradient_step")


def refused(call) -> tuple[str, str]:
    with pytest.raises(grpc.RpcError) as error:
        call()
    assert error.value.details().endswith(".")
    trailers = dict(error.value.trailing_metadata())
    return trailers["heddle-code"], trailers.get("heddle-field", "")


def test_a_job_is_told_from_its_start_to_its_checkpoint_which_is_served(node, root):
    info = node.trainer.TrainerInfo(pb.TrainerInfoRequest())
    assert (info.model, info.job_id, info.devices, info.shares_with_serving) == ("demo", "", 1, False)
    assert node.stub.Info(node_pb2.InfoRequest()).trains
    request = sft(root, "taught", LINES, {"batch_size": 2, "learning_rate": 5e-3}, epochs=60)
    events = node.told(request)
    assert [event.number for event in events] == list(range(1, 64))
    assert [kind(event) for event in events[-2:]] == ["checkpoint", "ended"]
    assert events[-3].gradient_step.metrics["loss"] < 0.01
    assert {"loss", "grad_norm", "learning_rate", "tokens_per_second"} <= set(events[-3].gradient_step.metrics)

    checkpoint = events[-2].checkpoint
    assert checkpoint.step == 1 and checkpoint.address == f"{root}/taught/checkpoints/step1-a1"
    files = os.listdir(checkpoint.address)
    assert checkpoint.bytes == sum(os.path.getsize(f"{checkpoint.address}/{name}") for name in files)
    node.stub.LoadAdapter(
        node_pb2.LoadAdapterRequest(
            adapter_id="taught", address=checkpoint.address, manifest_sha256=checkpoint.manifest_sha256
        )
    )
    for asked, said in TAUGHT.items():
        assert node.ask(adapter="taught", messages=user(asked), temperature=0.0).text == said
    until(lambda: report(node).training_job_id == "")


def test_the_trainer_is_kept_between_jobs(node, root):
    pid = trainer_of(node).pid
    first = node.told(sft(root, "one", LINES))
    second = node.told(sft(root, "two", LINES, lora=pb.LoraSettings(rank=4)))
    third = node.told(sft(root, "three", LINES))
    assert [kind(events[-1]) for events in (first, second, third)] == ["ended"] * 3
    assert trainer_of(node).pid == pid
    # The same seed, data and start: what another job left behind changes nothing.
    metrics = [events[1].gradient_step.metrics for events in (first, third)]
    assert metrics[0]["loss"] == metrics[1]["loss"] and metrics[0]["grad_norm"] == metrics[1]["grad_norm"]


def test_only_what_comes_after_is_told(node, root):
    request = sft(root, "after", LINES, {"batch_size": 1}, epochs=3)
    whole = node.told(request)
    request.attempt, request.after = 2, 4
    again = node.told(request)
    assert [event.number for event in again] == [event.number for event in whole if event.number > 4]
    assert again[-2].checkpoint.address.endswith("step1-a2")
    assert again[-2].checkpoint.manifest_sha256 == whole[-2].checkpoint.manifest_sha256


def test_as_many_jobs_as_it_takes_and_a_newer_attempt_before_an_older(node, root):
    stream = node.train(sft(root, "long", LINES, **LONG))
    first_step(stream)
    assert report(node).training_job_id == "long" and not report(node).serving_paused
    # Beside training, chat goes on.
    assert node.ask(messages=user("Hello!"), temperature=0.0).text == "Hello! How can I help you today?"
    second = node.train(sft(root, "second", LINES, **LONG))
    first_step(second)
    info = node.trainer.TrainerInfo(pb.TrainerInfoRequest())
    assert (info.max_jobs, sorted(info.job_ids)) == (2, ["long", "second"]) and info.job_id in info.job_ids
    assert refused(lambda: node.told(sft(root, "other", LINES))) == ("TRAINER_BUSY", "")
    assert refused(lambda: node.told(sft(root, "long", LINES, **LONG))) == ("TRAINER_BUSY", "")
    second.cancel()
    newer = node.train(sft(root, "long", LINES, **LONG, attempt=3))
    assert first_step(newer).gradient_step.step == 1
    *_, last = stream
    assert (last.failed.code, last.failed.retriable) == ("FENCED", False)
    assert refused(lambda: node.told(sft(root, "long", LINES, **LONG, attempt=2)))[0] == "FENCED"
    newer.cancel()
    until(lambda: report(node).training_job_id == "")
    assert refused(lambda: node.told(sft(root, "long", LINES, **LONG, attempt=2)))[0] == "FENCED"


def test_two_tenants_take_turns_and_neither_notices_the_other(node, root):
    """Events and weights to the bit as if each were alone, on one loaded base model; a job that fails fails alone."""
    alone = {}
    for entity, teaches in (("a", LINES), ("b", [*LINES, conversation("What is a shed?", "It is an opening.")])):
        job = {"config": {"batch_size": 1, "learning_rate": 1e-3}, "epochs": 30, "save_every": 0, "entity": entity}
        alone[entity] = node.told(sft(root, f"alone-{entity}", teaches, **job))
        alone[entity] = (sft(root, f"both-{entity}", teaches, **job), alone[entity])
    pid = trainer_of(node).pid
    came: list[tuple[str, pb.TrainEvent]] = []

    def read(entity: str) -> None:
        came.extend((entity, event) for event in node.train(alone[entity][0]) if event.number)

    readers = [threading.Thread(target=read, args=(entity,)) for entity in alone]
    for reader in readers:
        reader.start()
    until(lambda: len({entity for entity, _ in came}) == 2)
    broken_job = sft(root, "both-broken", ["{"], entity="b")
    *_, last = told_once_there_is_room(node, broken_job)
    assert last.failed.code == "BAD_DATA"
    for reader in readers:
        reader.join(PATIENCE)
    for entity, (_, expected) in alone.items():
        events = [event for whose, event in came if whose == entity]
        assert [content(event) for event in events] == [content(event) for event in expected]
        made, other = (read_weights(one[-2].checkpoint.address) for one in (events, expected))
        assert all(torch.equal(tensor, other[name]) for name, tensor in made.items())
    turns = [entity for entity, _ in groupby(entity for entity, _ in came)]
    assert len(turns) > 3 and trainer_of(node).pid == pid


def told_once_there_is_room(node, request) -> list[pb.TrainEvent]:
    while True:
        try:
            return node.told(request)
        except grpc.RpcError as error:
            assert dict(error.trailing_metadata())["heddle-code"] == "TRAINER_BUSY"
            time.sleep(0.1)


def test_an_entity_with_many_jobs_has_no_more_turns_than_one_with_one():
    jobs = [AdmittedJob(JobSpec(str(i), "/"), entity) for i, entity in enumerate("aaab")]
    served = {"a": 0.0, "b": 0.0}
    taken = []
    for turn in range(1, 13):
        job = whose_turn(jobs, served)
        served[job.entity] += 1
        job.last_turn = turn
        taken.append(job.spec.job_id)
    assert [taken.count(str(i)) for i in range(4)] == [2, 2, 2, 6]


def test_cancelled_by_its_id_and_by_a_caller_that_goes_away(node, root):
    stream = node.train(sft(root, "named", LINES, **LONG))
    first_step(stream)
    assert node.trainer.CancelTraining(pb.CancelTrainingRequest(job_id="named")).found
    *_, last = stream
    assert (last.failed.code, last.failed.retriable) == ("CANCELLED", False)
    assert not node.trainer.CancelTraining(pb.CancelTrainingRequest(job_id="named")).found

    pid = trainer_of(node).pid
    stream = node.train(sft(root, "left", LINES, **LONG))
    first_step(stream)
    stream.cancel()
    until(lambda: report(node).training_job_id == "")
    assert kind(node.told(sft(root, "next", LINES))[-1]) == "ended"
    assert trainer_of(node).pid == pid


def test_a_trainer_that_dies_takes_nothing_with_it(node, root):
    stream = node.train(sft(root, "killed", LINES, **LONG))
    step = first_step(stream)
    trainer_of(node).send_signal(signal.SIGKILL)
    *_, last = stream
    assert (last.failed.code, last.failed.retriable) == ("TRAINER_DIED", True) and last.number > step.number
    assert node.ask(messages=user("Hello!"), temperature=0.0).text == "Hello! How can I help you today?"
    assert kind(node.told(sft(root, "again", LINES))[-1]) == "ended"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda r: r.ClearField("job_id"), ("BAD_FIELD", "job_id")),
        (lambda r: r.ClearField("attempt"), ("BAD_FIELD", "attempt")),
        (lambda r: r.ClearField("step"), ("BAD_FIELD", "step")),
        (lambda r: r.ClearField("sft"), ("BAD_FIELD", "recipe")),
        (lambda r: setattr(r.sft, "config_json", "{"), ("BAD_FIELD", "config_json")),
        (lambda r: setattr(r, "after", -1), ("BAD_FIELD", "after")),
        (lambda r: setattr(r, "base_model", "other"), ("UNKNOWN_MODEL", "base_model")),
        (lambda r: setattr(r, "model_address", "/etc/model"), ("BAD_ADDRESS", "model_address")),
        (lambda r: setattr(r, "model_address", "relative"), ("BAD_ADDRESS", "model_address")),
        (lambda r: setattr(r, "model_address", "s3://bucket/model"), ("BAD_ADDRESS", "model_address")),
        (lambda r: setattr(r, "model_address", r.model_address + "/../../x"), ("BAD_ADDRESS", "model_address")),
        (lambda r: setattr(r.data, "address", "/etc/passwd"), ("BAD_ADDRESS", "data.address")),
        (lambda r: setattr(r.start, "address", "file:///etc"), ("BAD_ADDRESS", "start.address")),
        (lambda r: setattr(r.reference, "address", "/etc"), ("BAD_ADDRESS", "reference.address")),
        # What could be trained, but not served by any such node.
        (lambda r: setattr(r.lora, "rank", 17), ("BAD_FIELD", "lora.rank")),
    ],
)
def test_what_can_be_known_at_once_is_refused_at_once(node, root, change, expected):
    request = sft(root, "refused", LINES)
    change(request)
    assert refused(lambda: node.told(request)) == expected


def test_a_link_does_not_lead_out_of_the_roots(node, root):
    request = sft(root, "linked", LINES)
    (root / "link").symlink_to("/etc")
    request.data.address = f"{root}/link/passwd"
    assert refused(lambda: node.told(request)) == ("BAD_ADDRESS", "data.address")


def broken(change, lines: list[str] = LINES) -> list[str]:
    return [*lines[:2] * 3, change]


def group(*rewards: object, **more) -> dict:
    def trajectory(reward: object) -> dict:
        choice = {"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": "Hello"}, **more}
        return {"messages_and_choices": [{"role": "user", "content": "Hi"}, choice], "reward": reward}

    return {"trajectories": [trajectory(reward) for reward in rewards]}


LOGPROBS = {"logprobs": {"content": [{"token": "Good", "logprob": -1.0}]}}
NO_CHOICE = {"trajectories": [{"messages_and_choices": [{"role": "user", "content": "?"}], "reward": 1.0}]}


@pytest.mark.parametrize(
    ("make", "code", "sentence"),
    [
        (lambda root: sft(root, "bad1", broken("{")), "BAD_DATA", "Line 7 of the training data can't be used"),
        (lambda root: sft(root, "bad2", broken('{"messages": []}')), "BAD_DATA", "Line 7 of the training data"),
        (lambda root: sft(root, "bad3", LINES, {"learning_rate": [0.1] * 5}), "BAD_CONFIG", "lists 5 numbers"),
        (lambda root: sft(root, "bad4", LINES, {"batch_size": 0}), "BAD_CONFIG", "batch_size"),
        (lambda root: sft(root, "bad5", LINES, lora=pb.LoraSettings(alpha=-1.0)), "BAD_CONFIG", "alpha"),
        (
            lambda root: sft(root, "bad6", LINES, lora=pb.LoraSettings(targets=["nowhere"])),
            "BAD_CONFIG",
            "LoRA can't be put on this model",
        ),
        (lambda root: sft(root, "bad7", ["", ""]), "NOTHING_TO_LEARN", "is empty"),
        (lambda root: rl(root, "bad8", []), "NOTHING_TO_LEARN", "no trajectory groups"),
        (lambda root: rl(root, "bad9", [{"trajectories": 1}]), "BAD_DATA", "trajectory_groups[0] needs `trajectories`"),
        (lambda root: rl(root, "bad10", [group(float("nan"))]), "BAD_DATA", "a reward that is not a number"),
        (lambda root: rl(root, "bad11", [group(0.0, 1.0, **LOGPROBS)]), "BAD_DATA", "don't belong to its message"),
        (lambda root: rl(root, "bad12", [group(0.0, 1.0)], {"ppo": 5}), "BAD_CONFIG", "ppo"),
    ],
)
def test_what_can_not_be_trained_on_fails_with_its_reason(node, root, make, code, sentence):
    *_, last = node.told(make(root))
    assert last.failed.code == code and sentence in last.failed.message and not last.failed.retriable
    assert not list(root.glob(f"{make(root).job_id}/checkpoints/*"))


def test_what_is_left_out_is_told_with_its_place(node, root):
    half = json.dumps({"messages": [{"role": "user", "content": "\ud83d"}, {"role": "assistant", "content": "?"}]})
    begun = json.dumps({"messages": [{"role": "assistant", "content": "Hello"}]})
    for request, place in (
        (sft(root, "left1", [*LINES, half, begun]), "Line 3"),
        (rl(root, "left2", [group(0.0, 1.0), NO_CHOICE]), "trajectory_groups[1].trajectories[0]"),
    ):
        events = list(node.train(request))
        reasons = [event.waiting.reason for event in events if kind(event) == "waiting"]
        assert any(one.startswith("left out: ") and place in one for one in reasons)
        assert kind(events[-1]) == "ended"
        steps = [event.gradient_step.metrics for event in events if kind(event) == "gradient_step"]
        assert [one["data/num_left_out"] for one in steps] == [1] * len(steps)


def test_data_that_is_not_what_was_announced(node, root):
    request = sft(root, "swapped", LINES)
    (root / "data/swapped.jsonl").write_text(LINES[0])
    assert "SHA-256" in node.told(request)[-1].failed.message
    (root / "data/swapped.jsonl").unlink()
    assert node.told(request)[-1].failed.code == "BAD_DATA"
    request = rl(root, "short", [group(0.0, 1.0)])
    request.data.count = 3
    assert "has 1 trajectory groups, and 3 were announced" in node.told(request)[-1].failed.message


def test_a_loss_that_is_no_number_keeps_the_last_checkpoint(node, root):
    first = node.told(sft(root, "good", LINES, model="model"))[-2].checkpoint
    start = pb.WeightsRef(address=first.address, manifest_sha256=first.manifest_sha256)
    request = sft(root, "nan", LINES, {"learning_rate": 1e30}, epochs=5, model="model", step=2, start=start)
    *_, last = node.told(request)
    assert last.failed.code == "NOT_A_NUMBER" and "try a lower learning_rate" in last.failed.message
    assert [one.name for one in (root / "model/checkpoints").iterdir()] == ["step1-a1"]
    # And the next one starts from it.
    request = sft(root, "better", LINES, model="model", step=2, start=start)
    assert node.told(request)[-2].checkpoint.step == 2
    request.attempt, request.start.manifest_sha256 = 2, "0" * 64
    request.job_id = "wrong"
    assert node.told(request)[-1].failed.code == "BAD_CHECKPOINT"


def test_conversations_with_tools_are_learnt(node, root):
    call = {"id": "1", "type": "function", "function": {"name": "weave", "arguments": '{"threads": 3}'}}
    messages = [
        {"role": "user", "content": "Weave."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "done"},
        {"role": "assistant", "content": "It is woven."},
    ]
    tools = [{"type": "function", "function": {"name": "weave", "parameters": {"type": "object"}}}]
    events = node.told(sft(root, "tools", [json.dumps({"messages": messages, "tools": tools})]))
    assert kind(events[-1]) == "ended" and events[1].gradient_step.metrics["num_trainable_tokens"] > 10
