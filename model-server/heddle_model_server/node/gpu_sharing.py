"""Which GPUs serve and train; lets the engine sleep while a training job has its GPU, and wakes it afterwards."""

import argparse
import asyncio
import shlex

from ..engine import Engine
from ..settings import NodeSettings


def vllm_gpus(vllm_args: str) -> int:
    """How many GPUs vLLM takes, from the first on. vllm_args: the setting."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--tensor-parallel-size", "-tp", type=int, default=1)
    parser.add_argument("--pipeline-parallel-size", "-pp", type=int, default=1)
    parser.add_argument("--data-parallel-size", "-dp", type=int, default=1)
    sizes, _ = parser.parse_known_args(shlex.split(vllm_args))
    return sizes.tensor_parallel_size * sizes.pipeline_parallel_size * sizes.data_parallel_size


def where_jobs_run(settings: NodeSettings, gpus: int, by_vllm: bool) -> tuple[str, bool]:
    """The first device of jobs, as torch writes it, and whether serving pauses for them. gpus: of the machine. by_vllm: whether
    vLLM serves, on the first of them."""
    serving = min(gpus, vllm_gpus(settings.vllm_args)) if by_vllm else 0
    device = settings.train_device
    if not device:
        # GPUs that don't serve, where there are enough.
        apart = 0 < serving <= gpus - settings.train_devices
        device = "cpu" if not gpus else f"cuda:{serving}" if apart else "cuda"
    kind, _, first = device.partition(":")
    meet = kind != "cpu" and int(first or 0) < serving
    return device, settings.train and (meet if settings.train_share == "auto" else settings.train_share == "pause")


class GpuSharing:
    def __init__(self, engine: Engine, shared: bool):
        """shared: whether serving pauses for jobs."""
        self.engine = engine
        self.shared = shared
        # Whether serving is paused now, or will be when what it has begun has ended.
        self.paused = False
        self._asleep: asyncio.Future[None] | None = None

    @property
    def pending(self) -> bool:
        """Whether serving still has the memory that it is to give up."""
        return self._asleep is not None and not self._asleep.done()

    async def yield_memory(self) -> None:
        """Returns when the memory is free: after the longest of the answers that were begun. May be given up and asked again."""
        if self.shared and not self.paused:
            self.paused = True
            self._asleep = asyncio.wrap_future(self.engine.sleep())
        if self._asleep is not None:
            await asyncio.shield(self._asleep)

    async def restore(self) -> None:
        """Takes the memory back. If that fails it raises, and the engine reports itself unhealthy."""
        if self.paused:
            try:
                await self.yield_memory()
                await asyncio.wrap_future(self.engine.wake())
            finally:
                self.paused, self._asleep = False, None
