"""The trained model: a frozen base with a LoRA adapter. Computes logprobs over packed rows."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.tuners.lora import Linear
from torch.utils.checkpoint import checkpoint
from transformers.integrations.liger import apply_liger_kernel
from transformers.utils import is_liger_kernel_available

from ..model import LoadedModel
from .distributed import Distributed
from .errors import TrainingError
from .pack import PackedRow, pack
from .packed_attention import choose_attention, kinds_for
from .spec import DEFAULT_LORA_RANK
from .tokens import ChatTokens, TokenSequence

# Logits are computed for so many tokens at a time, and again for their gradients: a row's together are larger than the model.
LOGITS_CHUNK = 1024
# Of liger-kernel. The losses stay ours: they are of single tokens.
FUSED = dict(rope=True, rms_norm=True, swiglu=True, geglu=True, cross_entropy=False, fused_linear_cross_entropy=False)


class AdaptedLinear(Linear):
    """A linear layer with its adapter. Scaling the adapter's part and adding it to the base's is one matmul's epilogue, where
    peft has three operations over the whole output."""

    def _get_in_out_features(self, module: torch.nn.Linear) -> tuple[int, int]:
        # Of a sharded base peft would take the share's shape.
        return module.in_features, module.out_features

    def forward(self, x: torch.Tensor, *args, **kwargs) -> torch.Tensor:
        (name,) = self.active_adapters
        if self.disable_adapters or not isinstance(self.lora_dropout[name], torch.nn.Identity):
            return super().forward(x, *args, **kwargs)
        base = self.base_layer(x, *args, **kwargs)
        # Autocast casts both weights; without it they have the layer's dtype.
        narrow = self.lora_A[name](x).flatten(0, -2)
        wide = torch.addmm(base.flatten(0, -2), narrow, self.lora_B[name].weight.T, alpha=self.scaling[name])
        return wide.view_as(base)


def fuse_layers(model: torch.nn.Module) -> bool:
    """Makes norms, rotary positions and gates single kernels, of the architectures that liger-kernel knows; for the whole process.
    Before adapters are added. Returns whether it is installed."""
    if not is_liger_kernel_available():
        return False
    apply_liger_kernel(model, FUSED)
    return True


@dataclass(frozen=True, slots=True)
class LoraOptions:
    """targets: names of linear layers; `all-linear`: all except the head."""

    rank: int = DEFAULT_LORA_RANK
    alpha: float = 32
    dropout: float = 0.0
    targets: tuple[str, ...] = ("all-linear",)

    def config(self) -> LoraConfig:
        """The options as peft's."""
        targets = self.targets[0] if self.targets == ("all-linear",) else list(self.targets)
        options = {"r": self.rank, "lora_alpha": self.alpha, "lora_dropout": self.dropout, "target_modules": targets}
        return LoraConfig(**options, bias="none", task_type="CAUSAL_LM")


class Policy:
    def __init__(
        self,
        loaded: LoadedModel,
        lora: LoraOptions | None = None,
        gradient_checkpointing: bool | None = None,
        distributed: Distributed | None = None,
        kernels: str = "auto",
    ):
        """Adds the adapter's layers to the loaded model, which can't be used elsewhere from now on. kernels: see
        settings.train_kernels. Raises BAD_CONFIG."""
        self.lora = lora or LoraOptions()
        self.distributed = distributed or Distributed()
        self._base = loaded.model
        self.base_model = loaded.name
        self.context = loaded.context
        self.device = loaded.device
        self.dtype = loaded.dtype
        self.base_parameters = loaded.parameters
        self.config = loaded.model.config.get_text_config()
        self.chat = ChatTokens(loaded.tokenizer)
        if kernels == "auto" and self.device.type == "cuda":
            fuse_layers(loaded.model)
        config = self.lora.config()
        config._register_custom_module({torch.nn.Linear: AdaptedLinear})
        try:
            self.model: PeftModel = get_peft_model(loaded.model, config)
        except ValueError as error:
            raise TrainingError("BAD_CONFIG", f"LoRA can't be put on this model: {error}") from error
        # Autocast casts the adapter's weights; peft would cast the input of every layer to float32 before.
        for module in self.model.modules():
            if hasattr(module, "cast_input_dtype_enabled"):
                module.cast_input_dtype_enabled = self.dtype == torch.float32
        # peft keeps adapter weights in float32, whatever the base's dtype.
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        # By their names in a PEFT folder, which holds one adapter.
        self._named = {
            name.replace(".default.", "."): p for name, p in self.model.named_parameters() if p.requires_grad
        }
        self.trained_parameters = sum(p.numel() for p in self.trained)
        self._memory_is_short = False
        self.checkpoint_gradients(gradient_checkpointing)
        with self._autocast():
            self.attention = choose_attention(self._base, kinds_for(self.device, kernels))
            self._head = self._plain_head()
        # Tokens of the last step's rows, for each that its sequences have.
        self.computed_share = 1.0
        self.model.train()

    def checkpoint_gradients(self, wanted: bool | None) -> None:
        """Turns gradient checkpointing on or off. None: on where memory was short, and on several GPUs, which find out apart."""
        self._decides = wanted is None
        short = self._memory_is_short or (self.device.type == "cuda" and self.distributed.size > 1)
        self.checkpointing = short if wanted is None else wanted
        if self.checkpointing:
            self._base.gradient_checkpointing_enable({"use_reentrant": False})
        else:
            self._base.gradient_checkpointing_disable()

    def save_memory(self) -> bool:
        """Turns gradient checkpointing on for this and later jobs. False: it is on, or the job has said otherwise."""
        if self.checkpointing or not self._decides:
            return False
        self._memory_is_short = True
        self.checkpoint_gradients(None)
        return True

    def remove_adapter(self) -> None:
        """Removes the adapter's layers from the model; the policy is unusable afterwards."""
        self.model.unload()

    def rows(
        self, sequences: list[TokenSequence], row_tokens: int, together: list[list[int]] | None = None
    ) -> list[tuple[PackedRow, float]]:
        """The sequences in rows of at most so many tokens, with a weight each: those of this process. together: see `pack`."""
        places = together or [[at] for at in range(len(sequences))]
        lengths = [sum(len(sequences[at]) for at in one) for one in places]
        most = self.distributed.row_tokens(lengths, row_tokens)
        rows = pack(sequences, most, self.device, bool(self.attention), together)
        self.computed_share = sum(row.tokens.shape[1] for row in rows) / max(sum(lengths), 1)
        return self.distributed.local_rows(rows)

    def logprobs(self, row: PackedRow, entropy: bool = False) -> tuple[torch.Tensor, torch.Tensor | None]:
        """log π of the row's trained tokens, [tokens], with a gradient; and the entropy at each, [tokens], without one."""
        with self._autocast():
            # Without spans, transformers finds the sequences' boundaries by their positions.
            given = {"input_ids": row.tokens, "position_ids": row.positions, "use_cache": False}
            if self.attention:
                given["spans"] = row.spans
            chunked = len(row.targets) > LOGITS_CHUNK
            head = self._head if chunked else None
            if head is not None:
                made = self._base.get_decoder()(**given).last_hidden_state[0][row.before]
            else:
                made = self._base(**given, logits_to_keep=row.before).logits[0]
            again = chunked and torch.is_grad_enabled()
            run = partial(checkpoint, target_logprobs, use_reentrant=False) if again else target_logprobs
            pieces = zip(made.split(LOGITS_CHUNK), row.targets.split(LOGITS_CHUNK))
            logprobs, entropies = zip(*(run(states, head, targets, entropy) for states, targets in pieces))
        return torch.cat(logprobs), torch.cat(entropies) if entropy else None

    @torch.no_grad()
    def _plain_head(self) -> torch.nn.Module | None:
        """The layer that makes logits of hidden states, if it alone does; None: the model does more, or is sharded."""
        # Soft capping changes small logits too little to be seen.
        if self.distributed.size > 1 or getattr(self.config, "final_logit_softcapping", None):
            return None
        training, head = self.model.training, self._base.get_output_embeddings()
        self.model.eval()
        try:
            given = {"input_ids": torch.tensor([[1, 2, 3]], device=self.device), "use_cache": False}
            made = head(self._base.get_decoder()(**given).last_hidden_state)
            return head if torch.allclose(made, self.model(**given).logits, rtol=1e-3, atol=1e-3) else None
        except Exception:
            return None
        finally:
            self.model.train(training)

    def logprobs_by(self, weights: dict[str, torch.Tensor] | None, rows: list[PackedRow]) -> list[torch.Tensor]:
        """log π of each row's trained tokens, [tokens], without a gradient, by other weights of the adapter; None: by the base
        model alone. The weights are changed once for all rows."""
        other = self.model.disable_adapter() if weights is None else self._with_weights(weights)
        with torch.no_grad(), other:
            return [self.logprobs(row)[0] for row in rows]

    def new_weights(self, seed: int) -> dict[str, torch.Tensor]:
        """The weights of a new adapter, as peft makes them: A random, B zero, so that it changes nothing yet."""
        generator = torch.Generator().manual_seed(seed)
        weights = {name: torch.zeros(parameter.shape) for name, parameter in self._named.items()}
        for name, tensor in weights.items():
            if ".lora_A." in name:
                torch.nn.init.kaiming_uniform_(tensor, a=math.sqrt(5), generator=generator)
        return weights

    def weights(self) -> dict[str, torch.Tensor]:
        """A copy of the adapter's weights on the CPU, by their names in a PEFT folder."""
        return {name: p.detach().to("cpu", copy=True).contiguous() for name, p in self._named.items()}

    def load_weights(self, weights: dict[str, torch.Tensor]) -> None:
        """Raises BAD_CHECKPOINT unless names and shapes match."""
        shapes = lambda tensors: {name: one.shape for name, one in tensors.items()}
        if shapes(self._named) != shapes(weights):
            why = "A checkpoint that this job uses has another rank or other layers than the job asks for."
            raise TrainingError("BAD_CHECKPOINT", why)
        with torch.no_grad():
            for name, parameter in self._named.items():
                parameter.copy_(weights[name])

    @contextlib.contextmanager
    def _with_weights(self, weights: dict[str, torch.Tensor]) -> Iterator[None]:
        mine = self.weights()
        self.load_weights(weights)
        try:
            yield
        finally:
            self.load_weights(mine)

    def _autocast(self):
        return torch.autocast(self.device.type, self.dtype, enabled=self.dtype != torch.float32)


def target_logprobs(
    states: torch.Tensor, head: torch.nn.Module | None, targets: torch.Tensor, entropy: bool
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """states: [tokens, width], of which the head makes logits; without one they are logits, [tokens, vocabulary]. targets:
    [tokens]. Returns the targets' logprobs and, with entropy, the entropy of each distribution, both [tokens]."""
    logits = (states if head is None else head(states)).float()
    total = logits.logsumexp(-1)
    logprobs = logits.gather(-1, targets[:, None])[:, 0] - total
    if not entropy:
        return logprobs, None
    with torch.no_grad():
        return logprobs, total - (logits.softmax(-1) * logits).sum(-1)
