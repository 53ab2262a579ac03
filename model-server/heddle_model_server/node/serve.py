"""Assembles a node and runs it until it is stopped."""

import asyncio
import hmac
import logging
import signal
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import grpc
import torch

from heddle.node.v1 import node_pb2_grpc, train_pb2_grpc

from ..engine import Engine
from ..engine_cpu.embedder import CpuEmbedder
from ..engine_cpu.engine import CpuEngine
from ..forks import Forks
from ..model import load_model, read_model
from ..settings import NodeSettings
from ..train.trainer import Trainer
from .artifact_roots import ArtifactRoots
from .event_buffer import EventBridge
from .gpu_sharing import GpuSharing, where_jobs_run
from .jobs import TrainingJobs
from .service import NodeService
from .training import TrainService

log = logging.getLogger(__name__)

# vLLM has no kernels for the heads of narrower models, such as the demo model.
SMALLEST_WIDTH_OF_VLLM = 256

CHANNEL = [
    # Prompts and their logprobs may be large.
    ("grpc.max_receive_message_length", 64 * 2**20),
    ("grpc.max_send_message_length", 256 * 2**20),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.so_reuseport", 0),
]


async def serve(settings: NodeSettings, forks: Forks | None = None) -> None:
    """Returns after SIGTERM or SIGINT, once running requests have ended or the grace period is over. forks: of trainers, with
    `train`. Raises ValueError for settings that contradict each other."""
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    began = time.monotonic()
    artifact_roots = ArtifactRoots(settings.artifact_roots)
    if settings.train and not artifact_roots:
        raise ValueError("training needs artifact_roots: the folders or s3://bucket/prefix it may use.")
    event_bridge = EventBridge(loop)
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    model = read_model(settings.model, settings.model_name, settings.context, settings.task)
    if model.embedding and settings.train:
        log.info("%s makes embeddings; only models that chat are trained", model.name)
        settings = replace(settings, train=False)
    kind = chosen_engine(settings.engine, gpus > 0, find_spec("vllm") is not None, model.width)
    if kind == "cpu" and (settings.tool_parser, settings.reasoning_parser) != ("auto", "auto"):
        raise ValueError("tool_parser and reasoning_parser name vLLM's parsers, and the CPU engine has only its own.")
    train_device, shared = where_jobs_run(settings, gpus, kind == "vllm")
    if kind == "vllm":
        # Imported here: it takes seconds, and nodes without a GPU don't have it.
        from ..engine_vllm.engine import VllmEngine

        # If vLLM dies the node stops, and its supervisor restarts both.
        died = lambda: loop.call_soon_threadsafe(stopping.set)
        engine: Engine = await asyncio.to_thread(VllmEngine, model, settings, event_bridge.flush, died, shared)
    else:
        loaded = load_model(settings.model, dtype=settings.dtype, threads=settings.threads, known=model)
        engine = (CpuEmbedder if model.embedding else CpuEngine)(loaded, settings, event_bridge.flush)
    service = NodeService(engine, model, settings, event_bridge)
    server = grpc.aio.server(options=CHANNEL, interceptors=[TokenCheck(settings.token)] if settings.token else [])
    node_pb2_grpc.add_NodeServiceServicer_to_server(service, server)
    if settings.train:
        trainer = Trainer(settings, train_device, forks)
        gpu_sharing = GpuSharing(engine, shared)
        service.jobs = TrainingJobs(trainer, gpu_sharing, settings, service.notify_watchers)
        training = TrainService(service.jobs, artifact_roots, service.node_id, model.name, settings)
        train_pb2_grpc.add_TrainServiceServicer_to_server(training, server)
        if settings.train_ahead and not shared:
            await trainer.start()
    port = bind(server, settings)
    engine.start()
    await server.start()
    address = f"{settings.listen.rsplit(':', 1)[0]}:{port}"
    facts = engine.facts
    log.info("%s by the engine %s on %s, %d slots", model.name, facts.engine, facts.device, facts.slots)
    print(f"listening on {address} after {time.monotonic() - began:.1f} s", flush=True)
    await stopping.wait()
    log.info("stopping: %d requests to finish", engine.load().running)
    service.draining = True
    engine.drain()
    service.notify_watchers()
    if service.jobs:
        await service.jobs.drain()
    until = time.monotonic() + settings.grace
    while not service.idle and time.monotonic() < until:
        await asyncio.sleep(0.05)
    await asyncio.to_thread(engine.stop)
    await server.stop(1.0)
    service.close()


def chosen_engine(setting: str, gpu: bool, installed: bool, width: int) -> str:
    """vllm or cpu. gpu: whether there is one. installed: whether vLLM is. width: of the model's hidden states."""
    if setting != "auto":
        return setting
    if not gpu or width < SMALLEST_WIDTH_OF_VLLM:
        return "cpu"
    if not installed:
        log.warning("there is a GPU, but vLLM is not installed: the CPU engine serves, which is made for development")
        return "cpu"
    return "vllm"


def bind(server: grpc.aio.Server, settings: NodeSettings) -> int:
    """Binds the server to its address; returns the port."""
    if not settings.tls_cert:
        return server.add_insecure_port(settings.listen)
    authority = Path(settings.tls_client_ca).read_bytes() if settings.tls_client_ca else None
    credentials = grpc.ssl_server_credentials(
        [(Path(settings.tls_key).read_bytes(), Path(settings.tls_cert).read_bytes())],
        root_certificates=authority,
        require_client_auth=authority is not None,
    )
    return server.add_secure_port(settings.listen, credentials)


class TokenCheck(grpc.aio.ServerInterceptor):
    """Requires the metadata `authorization: Bearer <token>` on every call."""

    def __init__(self, token: str):
        self._wanted = f"Bearer {token}".encode()

    async def intercept_service(self, continuation, details):
        """gRPC's hook: replaces the handler of an unauthenticated call by a refusal."""
        given = next((value for key, value in details.invocation_metadata if key == "authorization"), "")
        handler = await continuation(details)
        if handler is None or hmac.compare_digest(given.encode() if isinstance(given, str) else given, self._wanted):
            return handler

        async def refuse(_requests, context):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "Send this node's shared token: authorization: Bearer <token>.",
                (("heddle-code", "UNAUTHENTICATED"),),
            )

        # On the wire a call of one message is a stream of one.
        return grpc.stream_stream_rpc_method_handler(refuse, handler.request_deserializer, handler.response_serializer)
