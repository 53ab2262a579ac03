"""Yields serving's memory to a training job on the same device, and restores it afterwards. Knows nothing of jobs."""

from __future__ import annotations

import asyncio

# The share of cache and slots that serving keeps in mode shrink.
SHRUNK_SHARE = 0.25


def sharing_mode(share: str, device: str, train_device: str, train_devices: int) -> str:
    """pause, shrink or beside. share: the setting; auto: pause if serving and training use the same GPU, else
    beside. Devices as torch writes them."""
    if share != "auto":
        return share
    kind, _, number = device.partition(":")
    train_kind, _, first = train_device.partition(":")
    if kind == "cpu" or kind != train_kind:
        return "beside"
    own = int(first or 0) <= int(number or 0) < int(first or 0) + train_devices
    return "pause" if own else "beside"


class GpuSharing:
    def __init__(self, engine, mode: str):
        """engine: one without set_memory_share always serves beside training. mode: see sharing_mode."""
        self._engine = engine
        self._mode = mode if hasattr(engine, "set_memory_share") else "beside"
        self.yielded = False

    @property
    def shared(self) -> bool:
        """Whether serving yields memory to jobs."""
        return self._mode != "beside"

    @property
    def paused(self) -> bool:
        """Whether serving is paused now."""
        return self.yielded and self._mode == "pause"

    async def yield_memory(self) -> None:
        """Returns when the memory is free."""
        if self.shared and not self.yielded:
            self.yielded = True
            await asyncio.wrap_future(self._engine.set_memory_share(0.0 if self._mode == "pause" else SHRUNK_SHARE))

    async def restore(self) -> None:
        """Takes back the memory that is free now. If that fails it raises, and the engine reports itself unhealthy."""
        if self.yielded:
            try:
                await asyncio.wrap_future(self._engine.set_memory_share(1.0))
            finally:
                self.yielded = False
