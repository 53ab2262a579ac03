"""The adapters of a node whose engine is a vLLM server: fetched and verified as for the other engine, written to a folder
of this machine, and named to the server. Knows nothing of gRPC."""

from __future__ import annotations

import asyncio
import json
import math
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..adapters.adapter_cache import Shelf
from ..adapters.fetch import fetch
from ..adapters.peft_files import CONFIG, WEIGHTS, invalid, read_config
from ..errors import NodeError


@dataclass(slots=True, eq=False)
class VllmAdapter:
    """served: what the server calls it."""

    name: str
    served: str
    rank: int
    scaling: float
    bytes: int
    folder: Path


class VllmShelf(Shelf):
    _folders: Path | None = None
    _count = 0

    def _read(self, address: str, manifest_sha256: str) -> dict[str, bytes]:
        files = fetch(address, manifest_sha256, self._s3)
        missing = {CONFIG, WEIGHTS} - files.keys()
        if missing:
            raise invalid(f"it has no {min(missing)}")
        if read_config(files[CONFIG])["r"] > self._max_rank:
            raise invalid(f"its rank is above this node's {self._max_rank}")
        return files

    async def _install(self, name: str, weights: dict[str, bytes]) -> VllmAdapter:
        if self._folders is None:
            self._folders = Path(tempfile.mkdtemp(prefix="heddle-adapters-"))
        # The server never hears of one name twice, whatever was loaded under it before.
        self._count += 1
        served = f"adapter-{self._count}"
        folder = self._folders / served
        await asyncio.to_thread(write, folder, weights)
        status, said = await self._told("/v1/load_lora_adapter", {"lora_name": served, "lora_path": str(folder)})
        if status != 200:
            shutil.rmtree(folder, ignore_errors=True)
            raise invalid(f"vLLM refuses it ({message(said)})")
        config = read_config(weights[CONFIG])
        rank, alpha = config["r"], config["lora_alpha"]
        scaling = alpha / (math.sqrt(rank) if config.get("use_rslora") else rank)
        return VllmAdapter(name, served, rank, scaling, len(weights[WEIGHTS]), folder)

    async def _remove(self, adapter: VllmAdapter) -> None:
        await self._told("/v1/unload_lora_adapter", {"lora_name": adapter.served})
        shutil.rmtree(adapter.folder, ignore_errors=True)

    def close(self) -> None:
        if self._folders is not None:
            shutil.rmtree(self._folders, ignore_errors=True)

    async def _told(self, path: str, body: dict) -> tuple[int, bytes]:
        try:
            return await asyncio.wrap_future(self._engine.ask(path, body))
        except Exception as error:
            raise NodeError("UNHEALTHY", "The vLLM server of this node does not answer.") from error


def write(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name in (CONFIG, WEIGHTS):
        (folder / name).write_bytes(files[name])


def message(content: bytes) -> str:
    try:
        answer = json.loads(content)
        text = answer.get("error", answer).get("message", "")
    except (ValueError, AttributeError):
        text = ""
    return " ".join(str(text).split())[:200].rstrip(".") or "no reason given"
