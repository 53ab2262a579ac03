"""Which GPUs serve and train; lets the engine sleep while a training job has its GPU, and wakes it afterwards."""

import argparse
import asyncio
import shlex

from ..engine import Engine


def vllm_gpus(vllm_args: str) -> int:
    """How many GPUs vLLM takes, from the first on. vllm_args: the setting."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--tensor-parallel-size", "-tp", type=int, default=1)
    parser.add_argument("--pipeline-parallel-size", "-pp", type=int, default=1)
    parser.add_argument("--data-parallel-size", "-dp", type=int, default=1)
    sizes, _ = parser.parse_known_args(shlex.split(vllm_args))
    return sizes.tensor_parallel_size * sizes.pipeline_parallel_size * sizes.data_parallel_size


def default_train_device(gpus: int, serving: int, train_devices: int) -> str:
    """Where jobs run if no setting says so: on GPUs that don't serve, where there are enough. gpus: of the machine. serving:
    how many of them serve, from the first on."""
    if not gpus:
        return "cpu"
    return f"cuda:{serving}" if serving and serving + train_devices <= gpus else "cuda"


def pauses(share: str, serving: int, train_device: str) -> bool:
    """Whether serving pauses for jobs. share: the setting; auto: if both use the same GPU. serving: how many GPUs serve, from
    the first on. train_device: the first one to train on, as torch writes it."""
    if share != "auto":
        return share == "pause"
    kind, _, first = train_device.partition(":")
    return kind != "cpu" and int(first or 0) < serving


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
