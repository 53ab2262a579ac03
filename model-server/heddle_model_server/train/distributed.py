"""The processes that train one model together, one per device. A single process communicates with nobody. Knows nothing
of losses or jobs.

The base is sharded (FSDP). The small adapter is replicated: every process sums the same gradients and makes the same
step, so its weights stay identical everywhere."""

from __future__ import annotations

import math
import os
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist

Value = TypeVar("Value")


class Distributed:
    """One process's place among them."""

    def __init__(self, rank: int = 0, size: int = 1):
        self.rank = rank
        self.size = size
        # Between jobs the other processes wait for the main one without a limit.
        self._control_group = dist.new_group(backend="gloo", timeout=timedelta(days=30)) if size > 1 else None

    @property
    def is_main(self) -> bool:
        """Whether this process sends events and writes files."""
        return self.rank == 0

    def shutdown(self) -> None:
        """Ends the process group."""
        if self.size > 1:
            dist.destroy_process_group()

    def broadcast(self, value: Value) -> Value:
        """The main process's value, for all. Plain values only."""
        if self.size == 1:
            return value
        box = [value]
        dist.broadcast_object_list(box, 0, self._control_group)
        return box[0]

    def all_reduce(self, values: dict[str, float]) -> dict[str, float]:
        """Each value, summed over all processes."""
        if self.size == 1:
            return values
        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
        added = torch.tensor(list(values.values()), dtype=torch.float64, device=device)
        dist.all_reduce(added)
        return dict(zip(values, added.tolist()))

    def all_reduce_gradients(self, parameters: list[torch.nn.Parameter]) -> None:
        """Sums the gradients; a process without rows adds zeros."""
        if self.size == 1:
            return
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat)
        for parameter, part in zip(parameters, flat.split([p.numel() for p in parameters])):
            parameter.grad = part.view_as(parameter).clone()

    def row_tokens(self, lengths: list[int], most: int) -> int:
        """A row length that gives every process a row, if there is enough data."""
        if self.size == 1 or not lengths:
            return most
        return min(most, max(max(lengths), math.ceil(sum(lengths) / self.size)))

    def local_rows(self, rows: list[Value]) -> list[tuple[Value, float]]:
        """This process's rows with their weights. All processes get equally many, since they synchronise in every
        pass: a process with too few repeats a row with weight 0."""
        if self.size == 1:
            return [(row, 1.0) for row in rows]
        turns = math.ceil(len(rows) / self.size)
        places = [turn * self.size + self.rank for turn in range(turns)]
        return [(rows[at], 1.0) if at < len(rows) else (rows[0], 0.0) for at in places]

    def shard(self, model: torch.nn.Module, kept_whole: list[torch.nn.Parameter]) -> None:
        """Shards the frozen base; a layer is gathered while it is computed."""
        if self.size == 1:
            return
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
        mesh = init_device_mesh(device, (self.size,))
        whole = set(kept_whole)
        layers = next(m for m in model.modules() if isinstance(m, torch.nn.ModuleList) and len(m) > 0)
        for layer in layers:
            fully_shard(layer, mesh=mesh, ignored_params=whole & set(layer.parameters()))
        fully_shard(model, mesh=mesh, ignored_params=whole)


def distributed_from_environment(device: str) -> tuple[Distributed, str]:
    """As torchrun configures it, with this process's device. device: cpu, cuda, or cuda:N for the first process."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Distributed(), device
    if device.startswith("cuda"):
        number = int(device.partition(":")[2] or 0) + int(os.environ["LOCAL_RANK"])
        device = f"cuda:{number}"
        torch.cuda.set_device(number)
    dist.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    return Distributed(dist.get_rank(), size), device
