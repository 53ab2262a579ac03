"""Assembles a node and runs it until it is stopped. Knows nothing of what the parts do."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

from heddle.node.v1 import node_pb2_grpc, train_pb2_grpc

from .adapter_cache import AdapterCache
from ..artifacts.s3 import S3Access
from ..model import LoadedModel, load_model
from ..engine_cpu.torch_engine import EngineSettings, TorchEngine
from ..settings import NodeSettings
from ..train.trainer import Trainer, TrainerSettings
from ..engine_vllm.adapter_cache import VllmAdapterCache
from ..engine_vllm.engine import VllmEngine
from ..engine_vllm.model import ServedModel, served_model
from ..engine_vllm.process import VllmSettings
from .artifact_roots import ArtifactRoots
from .auth import TokenCheck
from .event_bridge import EventBridge
from .gpu_sharing import GpuSharing, sharing_mode
from .jobs import TrainingJobs
from .prepare import RequestPreparer
from .service import NodeService
from .training import TrainService

log = logging.getLogger(__name__)

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


async def serve(settings: NodeSettings) -> None:
    """Returns after SIGTERM or SIGINT, once running requests have ended or the grace period is over. Raises
    ValueError for settings that contradict each other."""
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    began = time.monotonic()
    artifact_roots = ArtifactRoots(settings.artifact_roots)
    if settings.train and not artifact_roots:
        raise ValueError("training needs artifact_roots: the folders or s3://bucket/prefix it may use.")
    if settings.train and settings.engine != "torch":
        raise ValueError("training needs the torch engine; serve with vLLM on another node.")
    event_bridge = EventBridge(loop)
    if settings.engine == "vllm":
        loaded, engine = await asyncio.to_thread(vllm_engine, settings, event_bridge, loop, stopping)
    else:
        loaded, engine = torch_engine(settings, event_bridge)
    executor = ThreadPoolExecutor(4, thread_name_prefix="prepare")
    fetching = ThreadPoolExecutor(2, thread_name_prefix="fetch")
    preparer = RequestPreparer(loaded, engine.facts)
    adapter_cache = (VllmAdapterCache if settings.engine == "vllm" else AdapterCache)(
        engine,
        fetching,
        S3Access.of_environment(),
        settings.max_adapters,
        settings.max_adapter_rank,
        lambda: service.notify_watchers(),
    )
    service = NodeService(
        engine,
        preparer,
        adapter_cache,
        event_bridge,
        executor,
        loaded.name,
        settings.max_adapters,
        settings.max_adapter_rank,
    )
    server = grpc.aio.server(options=CHANNEL, interceptors=[TokenCheck(settings.token)] if settings.token else [])
    node_pb2_grpc.add_NodeServiceServicer_to_server(service, server)
    if settings.train:
        trainer = trainer_of(settings, str(loaded.device))
        mode = sharing_mode(
            settings.train_share,
            str(loaded.device),
            settings.train_device or str(loaded.device),
            settings.train_devices,
        )
        gpu_sharing = GpuSharing(engine, mode)
        service.jobs = TrainingJobs(trainer, gpu_sharing, settings.train_grace, lambda: service.notify_watchers())
        training = TrainService(
            service.jobs,
            artifact_roots,
            service.node_id,
            loaded.name,
            settings.train_devices,
            settings.max_adapter_rank,
            {
                "save_seconds": settings.train_save_seconds,
                "row_tokens": settings.train_row_tokens,
                "scratch": settings.train_scratch,
            },
        )
        train_pb2_grpc.add_TrainServiceServicer_to_server(training, server)
        if settings.train_ahead and not gpu_sharing.shared:
            await trainer.start()
    port = bind(server, settings)
    engine.start()
    await server.start()
    address = f"{settings.listen.rsplit(':', 1)[0]}:{port}"
    log.info("%s on %s: %d parameters, %d slots", loaded.name, engine.facts.device, loaded.parameters, settings.slots)
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
    preparer.prompt_renderer.close()
    adapter_cache.close()
    service.close()
    executor.shutdown(wait=False, cancel_futures=True)
    fetching.shutdown(wait=False, cancel_futures=True)


def torch_engine(settings: NodeSettings, event_bridge: EventBridge) -> tuple[LoadedModel, TorchEngine]:
    """Loads the model; returns it with an engine that isn't started yet."""
    loaded = load_model(
        settings.model, settings.model_name, settings.device, settings.dtype, settings.context, settings.threads
    )
    engine = TorchEngine(
        loaded,
        EngineSettings(
            slots=settings.slots,
            cache_tokens=settings.cache_tokens,
            prefill_tokens=settings.prefill_tokens,
            queue_limit=settings.queue_limit,
            priorities=settings.scheduling == "priority",
            reuse_prefixes=settings.prefix_cache,
            lora_columns=settings.max_adapters * settings.max_adapter_rank,
        ),
        event_bridge.flush,
    )
    return loaded, engine


def vllm_engine(
    settings: NodeSettings, event_bridge: EventBridge, loop: asyncio.AbstractEventLoop, stopping: asyncio.Event
) -> tuple[ServedModel, VllmEngine]:
    """Returns when the vLLM server has started. If that server dies the node stops, and its supervisor restarts
    both."""
    served = served_model(settings.model, settings.model_name, settings.device, settings.context)
    engine = VllmEngine(
        served,
        VllmSettings(
            model=settings.model,
            command=settings.vllm_command,
            arguments=settings.vllm_args,
            dtype=settings.dtype,
            context=settings.context,
            slots=settings.slots,
            queue_limit=settings.queue_limit,
            priorities=settings.scheduling == "priority",
            prefix_cache=settings.prefix_cache,
            max_adapters=settings.max_adapters,
            max_adapter_rank=settings.max_adapter_rank,
            start_seconds=settings.vllm_start,
        ),
        event_bridge.flush,
        lambda: loop.call_soon_threadsafe(stopping.set),
    )
    return served, engine


def trainer_of(settings: NodeSettings, device: str) -> Trainer:
    """device: the serving device."""
    return Trainer(
        TrainerSettings(
            model={
                "source": settings.model,
                "name": settings.model_name,
                "device": settings.train_device or device,
                "dtype": settings.dtype,
                "context": settings.context,
                "threads": settings.threads,
            },
            devices=settings.train_devices,
            idle=settings.train_idle,
        )
    )


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
