"""Applies a request's penalties, biases and token lists to the logits of one choice. Knows nothing of drawing,
grammars or batches."""

from __future__ import annotations

import torch

from ..request import Params

NEVER = float("-inf")


class LogitsProcessor:
    """Changes one choice's logits in place, by its parameters and what it has generated."""

    def __init__(self, params: Params, prompt: list[int], vocabulary: int, ends: frozenset[int]):
        """ends: tokens that would end the choice; min_tokens forbids them."""
        self.params = params
        self._allowed: torch.Tensor | None = None
        if params.allowed_token_ids is not None:
            self._allowed = torch.ones(vocabulary, dtype=torch.bool)
            self._allowed[list(params.allowed_token_ids)] = False
        self._bias: tuple[torch.Tensor, torch.Tensor] | None = None
        if params.logit_bias:
            self._bias = (
                torch.tensor(list(params.logit_bias)),
                torch.tensor(list(params.logit_bias.values()), dtype=torch.float32),
            )
        self._ends = torch.tensor(sorted(ends), dtype=torch.long)
        self._counts: torch.Tensor | None = None
        if params.frequency_penalty or params.presence_penalty:
            self._counts = torch.zeros(vocabulary)
        self._seen: torch.Tensor | None = None
        if params.repetition_penalty != 1.0:
            self._seen = torch.zeros(vocabulary, dtype=torch.bool)
            self._seen[prompt] = True

    @staticmethod
    def needed(params: Params) -> bool:
        """False: the logits would stay unchanged."""
        return bool(
            params.allowed_token_ids is not None
            or params.logit_bias
            or params.bad_sequences
            or params.min_tokens
            or params.frequency_penalty
            or params.presence_penalty
            or params.repetition_penalty != 1.0
        )

    def observe(self, token: int) -> None:
        """Records a generated token."""
        if self._counts is not None:
            self._counts[token] += 1
        if self._seen is not None:
            self._seen[token] = True

    def apply(self, logits: torch.Tensor, output: list[int]) -> None:
        """logits: [vocabulary], float32, changed in place. output: the generated tokens. repetition_penalty: Keskar
        et al. (CTRL), arXiv:1909.05858, §4.1."""
        params = self.params
        if self._allowed is not None:
            logits.masked_fill_(self._allowed, NEVER)
        for sequence in params.bad_sequences:
            before = sequence[:-1]
            if not before or tuple(output[-len(before) :]) == before:
                logits[sequence[-1]] = NEVER
        if self._bias is not None:
            logits[self._bias[0]] += self._bias[1]
        if len(output) < params.min_tokens:
            logits[self._ends] = NEVER
        if self._seen is not None:
            penalty = params.repetition_penalty
            punished = torch.where(logits > 0, logits / penalty, logits * penalty)
            logits.copy_(torch.where(self._seen, punished, logits))
        if self._counts is not None:
            logits -= params.frequency_penalty * self._counts
            logits -= params.presence_penalty * (self._counts > 0)

    def copy(self) -> LogitsProcessor:
        """For a branch with the same beginning; constant tensors are shared."""
        other = object.__new__(LogitsProcessor)
        other.__dict__.update(self.__dict__)
        other._counts = None if self._counts is None else self._counts.clone()
        other._seen = None if self._seen is None else self._seen.clone()
        return other
