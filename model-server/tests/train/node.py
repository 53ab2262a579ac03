"""A node that trains, seen as a worker sees it; jobs and their data."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import grpc
from served import PATIENCE, ServedNode

from heddle.node.v1 import train_pb2 as pb, train_pb2_grpc


class TrainingNode(ServedNode):
    def __init__(self, model: Path, root: Path | str, *flags: str, environment: dict[str, str] | None = None):
        super().__init__(model, "--train", "true", "--artifact-roots", str(root), *flags, environment=environment)
        self.trainer = train_pb2_grpc.TrainServiceStub(grpc.insecure_channel(self.address))

    def train(self, request: pb.TrainRequest, timeout: float = 5 * PATIENCE):
        return self.trainer.Train(request, timeout=timeout)

    def told(self, request: pb.TrainRequest) -> list[pb.TrainEvent]:
        """The job's events to its end, those that are only told left out."""
        return [event for event in self.train(request) if event.number]


def kind(event: pb.TrainEvent) -> str:
    return event.WhichOneof("event")


# What isn't the same each time.
MEASURED = ("tokens_per_second", "performance/")


def content(event) -> tuple:
    """Of an event, what has to be the same."""
    metrics = event.gradient_step.metrics if kind(event) == "gradient_step" else {}
    return kind(event), {name: value for name, value in metrics.items() if not name.startswith(MEASURED)}


def data_of(place: Path, lines: list[str]) -> pb.TrainingData:
    content = ("\n".join(lines) + "\n").encode()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    return pb.TrainingData(address=str(place), sha256=sha256, bytes=len(content), count=len(lines))


def conversation(asked: str, said: str, **more) -> str:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
    return json.dumps({"messages": messages, **more})


def sft(root: Path, job_id: str, lines: list[str], config: dict | None = None, epochs: int = 1, **fields):
    """model: the folder below the root, one's own for each."""
    model = fields.pop("model", job_id)
    return pb.TrainRequest(
        job_id=job_id,
        **{"attempt": 1, "base_model": "demo", "step": 1, "lora": pb.LoraSettings(rank=8), **fields},
        model_address=f"{root}/{model}",
        data=data_of(Path(root) / "data" / f"{job_id}.jsonl", lines),
        sft=pb.SftRecipe(config_json=json.dumps(config or {}), epochs=epochs),
    )


def pair(asked: str, chosen: str, rejected: str) -> str:
    say = lambda role, content: [{"role": role, "content": content}]
    return json.dumps(
        {"prompt": say("user", asked), "chosen": say("assistant", chosen), "rejected": say("assistant", rejected)}
    )


def judged(asked: str, said: str, label: bool) -> str:
    say = lambda role, content: [{"role": role, "content": content}]
    return json.dumps({"prompt": say("user", asked), "completion": say("assistant", said), "label": label})


def kto(root: Path, job_id: str, lines: list[str], config: dict | None = None, epochs: int = 1, **fields):
    request = sft(root, job_id, lines, **fields)
    request.kto.CopyFrom(pb.KtoRecipe(config_json=json.dumps(config or {}), epochs=epochs))
    return request


def dpo(root: Path, job_id: str, lines: list[str], config: dict | None = None, epochs: int = 1, **fields):
    request = sft(root, job_id, lines, **fields)
    request.dpo.CopyFrom(pb.DpoRecipe(config_json=json.dumps(config or {}), epochs=epochs))
    return request


def rl(root: Path, job_id: str, groups: list[dict], config: dict | None = None, groups_per_step: int = 0, **fields):
    model = fields.pop("model", job_id)
    return pb.TrainRequest(
        job_id=job_id,
        **{"attempt": 1, "base_model": "demo", "step": 1, "lora": pb.LoraSettings(rank=8), **fields},
        model_address=f"{root}/{model}",
        data=data_of(Path(root) / "data" / f"{job_id}.jsonl", [json.dumps(group) for group in groups]),
        rl=pb.RlRecipe(config_json=json.dumps(config or {}), groups_per_step=groups_per_step),
    )
