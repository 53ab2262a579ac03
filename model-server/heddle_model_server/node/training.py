"""The gRPC service of train.proto as thin handlers."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

import grpc

from heddle.node.v1 import train_pb2 as pb, train_pb2_grpc

from ..errors import NodeError, bad_field
from ..train.events import Event, TrainingFailed
from ..train.spec import DEFAULT_LORA_RANK, JobSpec
from ..settings import NodeSettings
from .artifact_roots import ArtifactRoots
from .fields import optional
from .jobs import AdmittedJob, TrainingJobs
from .service import refuse

# The longest silence of a stream.
HEARTBEAT_SECONDS = 5.0
# Where an event is in its message.
FIELDS = {
    "training_started": "started",
    "gradient_step": "gradient_step",
    "checkpoint_written": "checkpoint",
    "training_ended": "ended",
    "training_failed": "failed",
}


@dataclass(eq=False)
class TrainService(train_pb2_grpc.TrainServiceServicer):
    """Each method is documented in proto/heddle/node/v1/train.proto."""

    jobs: TrainingJobs
    artifact_roots: ArtifactRoots
    node_id: str
    model: str
    settings: NodeSettings

    async def Train(self, request: pb.TrainRequest, context: grpc.aio.ServicerContext):
        try:
            spec = spec_of(request, self.model, self.artifact_roots.check, self.settings)
            check_rank(spec.rank or DEFAULT_LORA_RANK, self.settings.max_adapter_rank)
            job = await self.jobs.begin(spec, request.entity)
        except NodeError as error:
            await refuse(context, error)
        try:
            async for event in with_heartbeats(job, HEARTBEAT_SECONDS):
                yield event
        finally:
            await asyncio.shield(self.jobs.disconnect(job))

    async def CancelTraining(self, request: pb.CancelTrainingRequest, context) -> pb.CancelTrainingResponse:
        job = self.jobs.admitted.get(request.job_id)
        if job is not None:
            await self.jobs.stop(job, "CANCELLED")
        return pb.CancelTrainingResponse(found=job is not None)

    async def TrainerInfo(self, request: pb.TrainerInfoRequest, context) -> pb.TrainerInfoResponse:
        return pb.TrainerInfoResponse(
            node_id=self.node_id,
            model=self.model,
            job_id=self.jobs.job_id,
            devices=self.settings.train_devices,
            shares_with_serving=self.jobs.gpu_sharing.shared,
            max_jobs=self.jobs.limit,
            job_ids=list(self.jobs.admitted),
        )


async def with_heartbeats(job: AdmittedJob, seconds: float):
    """The job's events; after `seconds` without one, the reason why the job waits."""
    while True:
        try:
            update = await asyncio.wait_for(job.get(), seconds)
        except TimeoutError:
            update = job.reason
        if update is None:
            return
        if isinstance(update, str):
            yield pb.TrainEvent(waiting=pb.Waiting(reason=update))
        else:
            if not isinstance(update, TrainingFailed):
                job.reason = "a gradient step is computed"
            yield event_message(update)


def spec_of(
    request: pb.TrainRequest, model: str, check_address: Callable[[str, str], str], settings: NodeSettings
) -> JobSpec:
    """The job of a request. check_address: takes an address and its field. settings: the node's, for what
    the request doesn't say. Raises NodeError."""
    kind = request.WhichOneof("recipe")
    for name in ("job_id", "attempt", "step"):
        if not getattr(request, name):
            raise bad_field(name, f"{name} is missing.")
    if kind is None:
        raise bad_field("recipe", "recipe is missing: send sft, dpo, kto or rl.")
    if request.base_model != model:
        raise NodeError("UNKNOWN_MODEL", f"This node only trains {model}.", "base_model")
    if request.after < 0:
        raise bad_field("after", "after can't be negative.")
    recipe = getattr(request, kind)
    check_config(recipe.config_json)
    start, reference = request.start.address, request.reference.address
    return JobSpec(
        **{name: getattr(request, name) for name in ("job_id", "attempt", "after", "step")},
        **{name: getattr(request.lora, name) for name in ("rank", "alpha", "dropout")},
        address=check_address(request.model_address, "model_address"),
        start=check_address(start, "start.address") if start else "",
        start_sha256=request.start.manifest_sha256,
        reference=check_address(reference, "reference.address") if reference else "",
        reference_sha256=request.reference.manifest_sha256,
        data=check_address(request.data.address, "data.address"),
        data_sha256=request.data.sha256,
        count=request.data.count,
        recipe=kind,
        config_json=recipe.config_json,
        epochs=(0 if kind == "rl" else recipe.epochs) or 1,
        groups_per_step=request.rl.groups_per_step,
        targets=list(request.lora.targets),
        # torch accepts no larger seeds.
        seed=request.seed % 2**62,
        save_every=optional(request, "save_every"),
        save_seconds=settings.train_save_seconds,
        row_tokens=request.row_tokens if request.HasField("row_tokens") else settings.train_row_tokens,
        gradient_checkpointing=optional(request, "gradient_checkpointing"),
        scratch=settings.train_scratch,
    )


def check_rank(rank: int, most: int) -> None:
    """Raises BAD_FIELD for an adapter that could be trained but not served."""
    if rank > most:
        raise bad_field(
            "lora.rank",
            f"An adapter of rank {rank} could be trained but not served: this node serves ranks up to {most}. "
            "Lower HEDDLE_LORA_RANK, or raise HEDDLE_NODE_MAX_ADAPTER_RANK on every node.",
        )


def check_config(text: str) -> None:
    """Raises BAD_FIELD unless the text is a JSON object, null or empty."""
    try:
        value = json.loads(text) if text else {}
    except (ValueError, RecursionError) as error:
        raise bad_field("config_json", "config_json is not JSON.") from error
    if value is not None and not isinstance(value, dict):
        raise bad_field("config_json", "config_json must be an object.")


def event_message(event: Event) -> pb.TrainEvent:
    """A training event as a message."""
    content = {name: value for name, value in asdict(event).items() if name != "number"}
    if isinstance(event, TrainingFailed):
        content["retriable"] = event.retriable
    return pb.TrainEvent(number=event.number, **{FIELDS[event.type]: content})
