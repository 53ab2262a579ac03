"""Lets the engine sleep while a training job has its device, and wakes it afterwards. Knows nothing of jobs."""

from __future__ import annotations

import asyncio

from ..engine import Engine


def pauses(share: str, device: str, train_device: str, train_devices: int) -> bool:
    """Whether serving pauses for jobs. share: the setting; auto: if both use the same GPU. Devices as torch writes
    them."""
    if share != "auto":
        return share == "pause"
    kind, _, number = device.partition(":")
    train_kind, _, first = train_device.partition(":")
    own = int(first or 0) <= int(number or 0) < int(first or 0) + train_devices
    return own and kind == train_kind != "cpu"


class GpuSharing:
    def __init__(self, engine: Engine, shared: bool):
        """shared: whether serving pauses for jobs."""
        self._engine = engine
        self.shared = shared
        # Whether serving is paused now.
        self.paused = False

    @property
    def idle(self) -> bool:
        """Whether nobody waits for an answer."""
        return self._engine.idle

    async def yield_memory(self) -> None:
        """Returns when the memory is free."""
        if self.shared and not self.paused:
            self.paused = True
            await asyncio.wrap_future(self._engine.sleep())

    async def restore(self) -> None:
        """Takes the memory back. If that fails it raises, and the engine reports itself unhealthy."""
        if self.paused:
            try:
                await asyncio.wrap_future(self._engine.wake())
            finally:
                self.paused = False
