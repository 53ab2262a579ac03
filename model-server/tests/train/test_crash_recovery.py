"""What happens to a job when processes die at any gradient step: nothing that can be seen at its end."""

from __future__ import annotations

import random
import signal
from functools import cache
from pathlib import Path

import grpc
import pytest
import torch
from node import TrainingNode, content, conversation, dpo, judged, kind, kto, pair, rl, sft
from served import PATIENCE
from test_train_service import group, trainer_of

from heddle_model_server.train.checkpoints import read_weights

STEPS = 60
ASKED = ["weft", "warp", "felt", "bobbin", "loom", "reed"]
LINES = [conversation(f"What is the {one}?", f"The {one} is number {i}.") for i, one in enumerate(ASKED)]


def sft_job(root: Path, name: str):
    return sft(root, name, LINES, {"batch_size": 1, "learning_rate": 1e-3}, epochs=STEPS // 6, save_every=7, seed=5)


def rl_job(root: Path, name: str):
    draw = random.Random(1)
    groups = []
    for _ in range(STEPS):
        one = group(*(draw.random() for _ in range(3)))
        for i, trajectory in enumerate(one["trajectories"]):
            trajectory["messages_and_choices"][1]["message"]["content"] = f"Hello {'you ' * i}!"
        groups.append(one)
    return rl(root, name, groups, {"learning_rate": 1e-3}, groups_per_step=1, save_every=7, seed=5)


def dpo_job(root: Path, name: str):
    lines = [pair(f"What is the {one}?", f"The {one} is number {i}.", "I don't know.") for i, one in enumerate(ASKED)]
    return dpo(root, name, lines, {"batch_size": 1, "learning_rate": 1e-3}, epochs=STEPS // 6, save_every=7, seed=5)


def kto_job(root: Path, name: str):
    lines = [judged(f"What is the {one}?", f"The {one} is number {i}.", i % 2 == 0) for i, one in enumerate(ASKED)]
    return kto(root, name, lines, {"batch_size": 2, "learning_rate": 1e-3}, epochs=STEPS // 3, save_every=7, seed=5)


class Worker:
    """Stores events by their number and asks for the rest, as the trainer-worker does; kills at the numbers it is given."""

    def __init__(self, make_node, request, kills: list[tuple[int, str]]):
        self._make = make_node
        self.node = make_node()
        self.request = request
        self.kills = kills
        self.stored: list = []
        self.tries = 0

    def run(self) -> list:
        while not self.stored or kind(self.stored[-1]) != "ended":
            self.tries += 1
            assert self.tries < 10
            self.request.attempt, self.request.after = self.tries, len(self.stored)
            try:
                self._once()
            except grpc.RpcError:
                self.node.process.wait(PATIENCE)
                self.node = self._make()
        return self.stored

    def _once(self) -> None:
        for event in self.node.train(self.request):
            if kind(event) == "failed":
                assert event.failed.retriable, event
                return
            if not event.number:
                continue
            assert event.number == len(self.stored) + 1
            self.stored.append(event)
            if self.kills and event.number >= self.kills[0][0]:
                _, who = self.kills.pop(0)
                if who == "node":
                    self.node.process.send_signal(signal.SIGKILL)
                else:
                    trainer_of(self.node).send_signal(signal.SIGKILL)


@pytest.fixture(scope="module")
def place(model_folder, tmp_path_factory):
    """Undisturbed runs, made when they are asked for, and how to get a node."""
    root = tmp_path_factory.mktemp("artifacts")
    nodes = []

    def start() -> TrainingNode:
        if not nodes or nodes[-1].process.poll() is not None:
            nodes.append(TrainingNode(model_folder, root))
        return nodes[-1]

    @cache
    def undisturbed(make) -> list:
        return start().told(make(root, make.__name__))

    yield root, start, undisturbed
    for node in nodes:
        node.close()


SEEDS = [pytest.param(1), *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4, 5, 6))]


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_at_any_step_it_ends_as_if_nothing_had_been(place, seed):
    root, start, undisturbed = place
    draw = random.Random(seed)
    make = (sft_job, rl_job, dpo_job, kto_job)[seed % 4]
    kills = [(draw.randint(2, STEPS // 2), draw.choice(["trainer", "node"])), (draw.randint(STEPS // 2, STEPS), "node")]
    if seed == 1:
        kills = kills[:1]
    wanted = undisturbed(make)
    worker = Worker(start, make(root, f"killed{seed}"), kills)
    events = worker.run()
    assert worker.tries > 1
    assert [event.number for event in events] == [event.number for event in wanted] == list(range(1, STEPS + 4))
    assert [content(event) for event in events] == [content(event) for event in wanted]
    made, other = (read_weights(one[-2].checkpoint.address) for one in (events, wanted))
    assert all(torch.equal(tensor, other[name]) for name, tensor in made.items()) and made.keys() == other.keys()
