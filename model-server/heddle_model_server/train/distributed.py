"""The processes that train one model together, one per device. A single process communicates with nobody.

The base is sharded (FSDP): each process reads and keeps its share of every layer. The small adapter is replicated: every
process sums the same gradients and makes the same step, so its weights stay identical everywhere."""

import math
import os
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, AutoModelForCausalLM
from transformers.distributed import DistributedConfig

from ..model import read_weights

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

    def read_weights(self, source: str, dtype: torch.dtype, device: torch.device) -> torch.nn.Module:
        """See model.read_weights; of several processes each reads its share, if transformers can shard the architecture."""
        if self.size == 1:
            return read_weights(source, dtype, device)
        # transformers shards on a GPU if there is one.
        if shards(source) and device.type == ("cuda" if torch.cuda.is_available() else "cpu"):
            config = DistributedConfig(fsdp_size=self.size)
            return AutoModelForCausalLM.from_pretrained(source, dtype=dtype, distributed_config=config)
        return self._sharded(read_weights(source, dtype, torch.device("cpu")), device)

    def _sharded(self, model: torch.nn.Module, device: torch.device) -> torch.nn.Module:
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        mesh = init_device_mesh(device.type, (self.size,))
        for layer in next(m for m in model.modules() if isinstance(m, torch.nn.ModuleList) and len(m) > 0):
            fully_shard(layer, mesh=mesh)
        return fully_shard(model, mesh=mesh)


def shards(source: str) -> bool:
    """Whether transformers has a plan of how to shard the model's layers."""
    kind = MODEL_FOR_CAUSAL_LM_MAPPING.get(type(AutoConfig.from_pretrained(source)), None)
    return bool(getattr(kind, "_fsdp_plan", None))


def distributed_from_environment(device: str) -> tuple[Distributed, str]:
    """As torch's own launcher would configure it, with this process's device. device: cpu or cuda; cuda:N for a process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Distributed(), device
    if device == "cuda":
        device = f"cuda:{os.environ['LOCAL_RANK']}"
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.startswith("cuda") else "gloo")
    return Distributed(dist.get_rank(), size), device
