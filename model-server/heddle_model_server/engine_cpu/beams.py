"""The beams of a request on this engine: each is a choice with a row."""

import math

import torch

from ..chat.beam_search import BeamSearch
from ..model import Model
from .choice import RunningRequest
from .kv_cache import KVCache
from .sampling import MIN_TEMPERATURE, not_a_number, token_logprobs


class Beams:
    def __init__(self, running: RunningRequest, cache: KVCache, model: Model):
        """running.choices: as many as the beam width, each with a row; all but the first are parked. The present
        beams are always the first ones that aren't."""
        self.search = BeamSearch(running.request, model)
        self._running = running
        self._cache = cache

    def advance(self, logits: torch.Tensor) -> None:
        """Takes one step of every beam. logits: [present beams, vocabulary], as the model computed them."""
        raw = logits.float()
        params = self._running.request.params
        present = [choice for choice in self._running.choices if not choice.parked]
        report = lambda parent, token: token_logprobs(raw[parent][None], [token], [params.logprobs])[0]
        branches = self.search.branch(self._candidates(raw), report)
        forks = [present[branch.parent].fork() for branch in branches]
        going = []
        for branch, fork in zip(branches, forks):
            if fork.observe(branch.beam.tokens[-1]):
                self.search.complete(branch.beam)
            else:
                going.append((branch, fork))
        staying = {id(branch) for branch in self.search.go_on([branch for branch, _ in going])}
        self._place([fork for branch, fork in going if id(branch) in staying])

    def _candidates(self, raw: torch.Tensor) -> list[list[tuple[int, float]]]:
        """The most likely next tokens of each beam, with their log-probabilities as the request shapes them."""
        params = self._running.request.params
        shaped = raw.clone()
        for row, choice in enumerate(c for c in self._running.choices if not c.parked):
            choice.constrain(shaped[row])
        best = shaped.amax(-1, keepdim=True)
        for row, value in enumerate(best[:, 0].tolist()):
            if math.isnan(value) or value == math.inf:
                raise not_a_number(params, raw[row])
        if params.temperature not in (0.0, 1.0):
            # Subtracting the maximum first keeps a division by a tiny temperature finite.
            shaped = (shaped - best) / max(params.temperature, MIN_TEMPERATURE)
        logprobs = shaped.log_softmax(-1).nan_to_num(nan=-math.inf)
        values, tokens = logprobs.topk(min(2 * params.n, shaped.shape[-1]), -1)
        return [
            [(token, value) for token, value in zip(*row) if value > -math.inf]
            for row in zip(tokens.tolist(), values.tolist())
        ]

    def _place(self, forks: list) -> None:
        """Makes these the present choices, each with a row that holds its beginning."""
        rows = [choice.row for choice in self._running.choices]
        if forks:
            self._cache.copy([fork.row for fork in forks], rows[: len(forks)], forks[0].computed)
        self._running.choices = [*forks, *self._running.choices[len(forks) :]]
        for i, (choice, row) in enumerate(zip(self._running.choices, rows)):
            choice.row, choice.parked = row, i >= len(forks)
