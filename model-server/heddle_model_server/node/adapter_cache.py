"""The adapters of a node: loaded on demand, counted while in use, evicted by least recent use. For the event loop."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from ..artifacts.folders import fetch
from ..engine import Engine, LoadedAdapter
from ..errors import NodeError


@dataclass(slots=True, eq=False)
class CachedAdapter:
    """An entry of the cache: loading (adapter is None), loaded, or leaving once its last request is done. loading: the work."""

    name: str
    address: str
    loading: asyncio.Task | None = None
    adapter: LoadedAdapter | None = None
    uses: int = 0
    leaving: bool = False
    last_used: float = field(default_factory=time.time)


class AdapterCache:
    def __init__(self, engine: Engine, executor: Executor, max_adapters: int, on_change: Callable[[], None]):
        """on_change: called when the set of loaded adapters changes."""
        self._engine = engine
        self._executor = executor
        self._max = max_adapters
        self._on_change = on_change
        self._entries: dict[str, CachedAdapter] = {}

    def loaded(self) -> list[CachedAdapter]:
        """Loaded adapters, the most recently used first."""
        loaded = [entry for entry in self._entries.values() if entry.adapter is not None]
        return sorted(loaded, key=lambda entry: -entry.last_used)

    def acquire(self, name: str) -> CachedAdapter:
        """An adapter for a request; release it afterwards. Raises ADAPTER_NOT_LOADED."""
        entry = self._entries.get(name)
        if entry is None or entry.adapter is None or entry.leaving:
            raise NodeError("ADAPTER_NOT_LOADED", f"The adapter {name} is not loaded on this node.", "model")
        entry.uses += 1
        entry.last_used = time.time()
        return entry

    async def release(self, entry: CachedAdapter) -> None:
        """Ends one use of an adapter, and evicts it if it was only waiting for that."""
        entry.uses -= 1
        if entry.leaving and entry.uses == 0:
            await self._evict(entry)

    async def load(self, name: str, address: str, manifest_sha256: str) -> tuple[CachedAdapter, bool]:
        """The adapter's entry, and whether this call loaded it. Raises NodeError."""
        if not self._max:
            raise NodeError("ADAPTERS_FULL", "This node serves only its base model.")
        if not name:
            raise NodeError("BAD_FIELD", "An adapter needs a name.", "adapter_id")
        entry = self._entries.get(name)
        if entry is not None and not entry.leaving:
            if entry.address != address:
                raise NodeError(
                    "ADAPTER_CONFLICT", f"{name} is the name of another adapter on this node.", "adapter_id"
                )
            await asyncio.shield(entry.loading)
            return entry, False
        entry = self._entries[name] = CachedAdapter(name, address)
        # The first caller may disconnect; others still wait for the adapter, or nobody does.
        entry.loading = asyncio.create_task(self._load(entry, manifest_sha256))
        entry.loading.add_done_callback(lambda done: done.exception())
        await asyncio.shield(entry.loading)
        return entry, True

    async def unload(self, name: str) -> bool:
        """Evicts an adapter once its last request is done. False if it isn't loaded."""
        entry = self._entries.get(name)
        if entry is None or entry.adapter is None or entry.leaving:
            return False
        entry.leaving = True
        if entry.uses == 0:
            await self._evict(entry)
        return True

    async def _load(self, entry: CachedAdapter, manifest_sha256: str) -> None:
        try:
            loop = asyncio.get_running_loop()
            read = lambda: self._engine.read_adapter(fetch(entry.address, manifest_sha256))
            weights = await loop.run_in_executor(self._executor, read)
            while entry.adapter is None:
                if len(self.loaded()) < self._max:
                    entry.adapter = await asyncio.wrap_future(self._engine.add_adapter(entry.name, weights))
                if entry.adapter is None:
                    await self._evict_one()
            entry.last_used = time.time()
            self._on_change()
        except BaseException:
            if self._entries.get(entry.name) is entry:
                del self._entries[entry.name]
            raise

    async def _evict_one(self) -> None:
        idle = [entry for entry in self.loaded() if entry.uses == 0 and not entry.leaving]
        if not idle:
            raise NodeError("ADAPTERS_FULL", "Every adapter slot on this node is in use; try another node.")
        idle[-1].leaving = True
        await self._evict(idle[-1])

    async def _evict(self, entry: CachedAdapter) -> None:
        adapter, entry.adapter = entry.adapter, None
        if self._entries.get(entry.name) is entry:
            del self._entries[entry.name]
        if adapter is not None:
            await asyncio.wrap_future(self._engine.remove_adapter(adapter))
            self._on_change()
