"""The adapters of a node: loaded when asked for, counted while in use, the least recently used one given up for another.
Lives on the event loop; what takes long runs elsewhere. Knows nothing of gRPC."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from ..engine.lora import Adapter
from ..engine.torch_engine import TorchEngine
from ..errors import NodeError
from .fetch import fetch
from .peft_files import read_adapter
from .s3 import S3Access


@dataclass(slots=True, eq=False)
class Place:
    """An adapter's place: being loaded (adapter is None), loaded, or leaving once nobody uses it."""

    name: str
    address: str
    ready: asyncio.Future
    adapter: Adapter | None = None
    uses: int = 0
    leaving: bool = False
    last_used: float = field(default_factory=time.time)


class Shelf:
    def __init__(
        self,
        engine: TorchEngine,
        executor: Executor,
        s3: S3Access,
        max_adapters: int,
        max_rank: int,
        changed: Callable[[], None] = lambda: None,
    ):
        """changed: called when the set of loaded adapters has changed."""
        self._engine = engine
        self._executor = executor
        self._s3 = s3
        self._max = max_adapters
        self._max_rank = max_rank
        self._changed = changed
        self._places: dict[str, Place] = {}

    def listed(self) -> list[Place]:
        """Loaded ones, the most recently used first."""
        loaded = [place for place in self._places.values() if place.adapter is not None]
        return sorted(loaded, key=lambda place: -place.last_used)

    def take(self, name: str) -> Place:
        """An adapter for a request; give it back. ADAPTER_NOT_LOADED if it isn't here."""
        place = self._places.get(name)
        if place is None or place.adapter is None or place.leaving:
            raise NodeError("ADAPTER_NOT_LOADED", f"The adapter {name} is not loaded on this node.", "model")
        place.uses += 1
        place.last_used = time.time()
        return place

    async def give_back(self, place: Place) -> None:
        place.uses -= 1
        if place.leaving and place.uses == 0:
            await self._drop(place)

    async def load(self, name: str, address: str, manifest_sha256: str) -> tuple[Place, bool]:
        """The adapter's place, and whether it was loaded just now."""
        if not self._max:
            raise NodeError("ADAPTERS_FULL", "This node serves its base model only.")
        if not name:
            raise NodeError("BAD_FIELD", "An adapter needs a name.", "adapter_id")
        place = self._places.get(name)
        if place is not None and not place.leaving:
            if place.address != address:
                raise NodeError("ADAPTER_CONFLICT", f"{name} stands for another adapter on this node.", "adapter_id")
            await asyncio.shield(place.ready)
            return place, False
        place = Place(name, address, asyncio.get_running_loop().create_future())
        self._places[name] = place
        # Whoever asked first may go away; the others still wait for it.
        work = asyncio.create_task(self._fill(place, manifest_sha256))
        work.add_done_callback(lambda done: done.exception())
        await asyncio.shield(work)
        return place, True

    async def unload(self, name: str) -> bool:
        place = self._places.get(name)
        if place is None or place.adapter is None or place.leaving:
            return False
        place.leaving = True
        if place.uses == 0:
            await self._drop(place)
        return True

    async def _fill(self, place: Place, manifest_sha256: str) -> None:
        try:
            loop = asyncio.get_running_loop()
            weights = await loop.run_in_executor(self._executor, self._read, place.address, manifest_sha256)
            while True:
                adapter = None
                if len(self.listed()) < self._max:
                    adapter = await self._install(place.name, weights)
                if adapter is not None:
                    break
                await self._make_room()
            place.adapter = adapter
            place.last_used = time.time()
            place.ready.set_result(None)
            self._changed()
        except BaseException as error:
            if self._places.get(place.name) is place:
                del self._places[place.name]
            place.ready.set_exception(error)
            # Somebody may wait for it, or nobody.
            place.ready.exception()
            raise

    async def _make_room(self) -> None:
        idle = [place for place in self.listed() if place.uses == 0 and not place.leaving]
        if not idle:
            raise NodeError("ADAPTERS_FULL", "Every adapter's place on this node is in use; try another node.")
        idle[-1].leaving = True
        await self._drop(idle[-1])

    async def _drop(self, place: Place) -> None:
        adapter, place.adapter = place.adapter, None
        if self._places.get(place.name) is place:
            del self._places[place.name]
        if adapter is not None:
            await self._remove(adapter)
            self._changed()

    # -- what the engine does: another engine has a shelf with others of these -------------------------------------

    def _read(self, address: str, manifest_sha256: str):
        """Fetched and verified, as `_install` takes it; on a thread of its own."""
        files = fetch(address, manifest_sha256, self._s3)
        shapes = {path: (layer.in_features, layer.out_features) for path, layer in self._engine.pool.layers.items()}
        return read_adapter(files, shapes, self._max_rank)

    async def _install(self, name: str, weights) -> Adapter | None:
        """None: there is no room for it as things are."""
        return await asyncio.wrap_future(self._engine.between_steps(lambda: self._engine.pool.add(name, weights)))

    async def _remove(self, adapter: Adapter) -> None:
        def drop() -> None:
            self._engine.rows.forget(adapter)
            self._engine.pool.remove(adapter)

        await asyncio.wrap_future(self._engine.between_steps(drop))

    def close(self) -> None:
        """What is left of it outside this process goes."""
