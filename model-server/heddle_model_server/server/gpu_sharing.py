"""What serving gives up while a training job runs on its device, and takes back afterwards. Knows nothing of jobs."""

from __future__ import annotations

import asyncio

# Of the cache and of the slots, while serving is shrunk.
SHRUNK_SHARE = 0.25


def sharing_mode(share: str, device: str, train_device: str, train_devices: int) -> str:
    """pause, shrink or beside. share: the setting; auto: beside on a CPU or where training has devices of its own, else
    pause. Devices as torch writes them."""
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
        """engine: one that can't make room is left beside."""
        self._engine = engine
        self._mode = mode if hasattr(engine, "set_memory_share") else "beside"
        self.yielded = False

    @property
    def shared(self) -> bool:
        return self._mode != "beside"

    @property
    def paused(self) -> bool:
        return self.yielded and self._mode == "pause"

    async def yield_memory(self) -> None:
        """Returns when the memory is free."""
        if self.shared and not self.yielded:
            self.yielded = True
            await asyncio.wrap_future(self._engine.set_memory_share(0.0 if self._mode == "pause" else SHRUNK_SHARE))

    async def restore(self) -> None:
        """Takes back what is free now. Raises where it can't be had; the engine's health says so then."""
        if self.yielded:
            try:
                await asyncio.wrap_future(self._engine.set_memory_share(1.0))
            finally:
                self.yielded = False
