"""The processes that train one model together, one a device. Alone there is one, and nothing is sent. Knows nothing of
losses or jobs.

The base is sharded over them (FSDP); the adapter, which is small, is whole on each: everyone adds up the same gradients
and makes the same step, so that the weights stay the same everywhere and are saved as if one had trained them."""

from __future__ import annotations

import math
import os
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist

Value = TypeVar("Value")


class Distributed:
    def __init__(self, rank: int = 0, size: int = 1):
        self.rank = rank
        self.size = size
        # Between jobs the others wait for the first one as long as it takes.
        self._control_group = dist.new_group(backend="gloo", timeout=timedelta(days=30)) if size > 1 else None

    @property
    def is_main(self) -> bool:
        """The one that tells and writes."""
        return self.rank == 0

    def shutdown(self) -> None:
        """The last that all do together."""
        if self.size > 1:
            dist.destroy_process_group()

    def broadcast(self, value: Value) -> Value:
        """The first one's value, for all: a plain one."""
        if self.size == 1:
            return value
        box = [value]
        dist.broadcast_object_list(box, 0, self._control_group)
        return box[0]

    def all_reduce(self, values: dict[str, float]) -> dict[str, float]:
        """Each value, added up over all."""
        if self.size == 1:
            return values
        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
        added = torch.tensor(list(values.values()), dtype=torch.float64, device=device)
        dist.all_reduce(added)
        return dict(zip(values, added.tolist()))

    def all_reduce_gradients(self, parameters: list[torch.nn.Parameter]) -> None:
        """One that had no row has no gradient: it adds nothing."""
        if self.size == 1:
            return
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat)
        for parameter, part in zip(parameters, flat.split([p.numel() for p in parameters])):
            parameter.grad = part.view_as(parameter).clone()

    def row_tokens(self, lengths: list[int], most: int) -> int:
        """Rows so short that everyone gets one, where there is enough."""
        if self.size == 1 or not lengths:
            return most
        return min(most, max(max(lengths), math.ceil(sum(lengths) / self.size)))

    def local_rows(self, rows: list[Value]) -> list[tuple[Value, float]]:
        """This one's rows, each with 1; as many for everyone, for they meet in every pass: who has too few computes some
        row along and counts it with 0."""
        if self.size == 1:
            return [(row, 1.0) for row in rows]
        turns = math.ceil(len(rows) / self.size)
        places = [turn * self.size + self.rank for turn in range(turns)]
        return [(rows[at], 1.0) if at < len(rows) else (rows[0], 0.0) for at in places]

    def shard(self, model: torch.nn.Module, kept_whole: list[torch.nn.Parameter]) -> None:
        """Cuts the frozen base into pieces, one for each; a layer is put together while it is computed."""
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
    """As torchrun sets it, and the device of this process. device: cpu, cuda or, for the first of them, cuda:N."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Distributed(), device
    if device.startswith("cuda"):
        number = int(device.partition(":")[2] or 0) + int(os.environ["LOCAL_RANK"])
        device = f"cuda:{number}"
        torch.cuda.set_device(number)
    dist.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    return Distributed(dist.get_rank(), size), device
