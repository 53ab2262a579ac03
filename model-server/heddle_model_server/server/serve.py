"""Puts a node together and runs it until it is told to stop. Knows nothing of what the parts do."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc

from heddle.node.v1 import node_pb2_grpc

from ..adapters.s3 import S3Access
from ..adapters.shelf import Shelf
from ..engine.model import load_model
from ..engine.torch_engine import EngineSettings, TorchEngine
from ..settings import NodeSettings
from .auth import TokenCheck
from .post import Post
from .prepare import Preparation
from .service import NodeService

log = logging.getLogger(__name__)

CHANNEL = [
    # Prompts and their logprobs may be long.
    ("grpc.max_receive_message_length", 64 * 2**20),
    ("grpc.max_send_message_length", 256 * 2**20),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.so_reuseport", 0),
]


async def serve(settings: NodeSettings) -> None:
    """Returns after SIGTERM or SIGINT, when what was running has ended or the grace time is over."""
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    began = time.monotonic()
    loaded = load_model(
        settings.model, settings.model_name, settings.device, settings.dtype, settings.context, settings.threads
    )
    post = Post(loop)
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
        post.flush,
    )
    executor = ThreadPoolExecutor(4, thread_name_prefix="prepare")
    fetching = ThreadPoolExecutor(2, thread_name_prefix="fetch")
    preparation = Preparation(loaded, engine.facts)
    shelf = Shelf(
        engine,
        fetching,
        S3Access.of_environment(),
        settings.max_adapters,
        settings.max_adapter_rank,
        lambda: service.changed(),
    )
    service = NodeService(
        engine,
        preparation,
        shelf,
        post,
        executor,
        loaded.name,
        settings.max_adapters,
        settings.max_adapter_rank,
    )
    server = grpc.aio.server(options=CHANNEL, interceptors=[TokenCheck(settings.token)] if settings.token else [])
    node_pb2_grpc.add_NodeServiceServicer_to_server(service, server)
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
    service.changed()
    until = time.monotonic() + settings.grace
    while not engine.idle and time.monotonic() < until:
        await asyncio.sleep(0.05)
    await asyncio.to_thread(engine.stop)
    await server.stop(1.0)
    preparation.prompts.close()
    service.close()
    executor.shutdown(wait=False, cancel_futures=True)
    fetching.shutdown(wait=False, cancel_futures=True)


def bind(server: grpc.aio.Server, settings: NodeSettings) -> int:
    if not settings.tls_cert:
        return server.add_insecure_port(settings.listen)
    authority = Path(settings.tls_client_ca).read_bytes() if settings.tls_client_ca else None
    credentials = grpc.ssl_server_credentials(
        [(Path(settings.tls_key).read_bytes(), Path(settings.tls_cert).read_bytes())],
        root_certificates=authority,
        require_client_auth=authority is not None,
    )
    return server.add_secure_port(settings.listen, credentials)
