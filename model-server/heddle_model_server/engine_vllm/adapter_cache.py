"""The adapters of a node whose engine is a vLLM server: fetched and verified as for the torch engine, written to a
local folder, and loaded into the server. Knows nothing of gRPC."""

from __future__ import annotations

import asyncio
import json
import math
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..node.adapter_cache import AdapterCache
from ..artifacts.fetch import fetch
from ..artifacts.peft_files import CONFIG, WEIGHTS, invalid, read_config
from ..errors import NodeError


@dataclass(slots=True, eq=False)
class VllmAdapter:
    """served_name: its name in the server."""

    name: str
    served_name: str
    rank: int
    scaling: float
    bytes: int
    folder: Path


class VllmAdapterCache(AdapterCache):
    """AdapterCache over a vLLM server."""

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
        # The server never sees a name twice, even if its adapter was replaced.
        self._count += 1
        served_name = f"adapter-{self._count}"
        folder = self._folders / served_name
        await asyncio.to_thread(write_files, folder, weights)
        status, answer = await self._post("/v1/load_lora_adapter", {"lora_name": served_name, "lora_path": str(folder)})
        if status != 200:
            shutil.rmtree(folder, ignore_errors=True)
            raise invalid(f"vLLM refused it ({error_text(answer)})")
        config = read_config(weights[CONFIG])
        rank, alpha = config["r"], config["lora_alpha"]
        scaling = alpha / (math.sqrt(rank) if config.get("use_rslora") else rank)
        return VllmAdapter(name, served_name, rank, scaling, len(weights[WEIGHTS]), folder)

    async def _remove(self, adapter: VllmAdapter) -> None:
        await self._post("/v1/unload_lora_adapter", {"lora_name": adapter.served_name})
        shutil.rmtree(adapter.folder, ignore_errors=True)

    def close(self) -> None:
        """Deletes the local files."""
        if self._folders is not None:
            shutil.rmtree(self._folders, ignore_errors=True)

    async def _post(self, path: str, body: dict) -> tuple[int, bytes]:
        try:
            return await asyncio.wrap_future(self._engine.post(path, body))
        except Exception as error:
            raise NodeError("UNHEALTHY", "This node's vLLM server doesn't answer.") from error


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Writes the two files that vLLM reads."""
    folder.mkdir(parents=True)
    for name in (CONFIG, WEIGHTS):
        (folder / name).write_bytes(files[name])


def error_text(content: bytes) -> str:
    """The message in an error response, in one line of at most 200 characters."""
    try:
        answer = json.loads(content)
        text = answer.get("error", answer).get("message", "")
    except (ValueError, AttributeError):
        text = ""
    return " ".join(str(text).split())[:200].rstrip(".") or "no reason given"
