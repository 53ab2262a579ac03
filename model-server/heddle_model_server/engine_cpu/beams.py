"""Runs a beam search over choices of the engine: each beam is a choice with a cache row, and branches by copying
rows. Knows nothing of passes or admission."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from ..request import Delta, Logprob
from .beam_state import BeamState
from .draw import MIN_TEMPERATURE
from .logprobs import token_logprobs
from .repetition import repeats
from ..chat.detokenizer import Detokenizer
from .choice import PROMPT_TAIL, Choice
from .kv_cache import KVCache
from .running_request import RunningRequest
from .sample import not_a_number


@dataclass(frozen=True, slots=True)
class FinishedBeam:
    """A complete beam, ready to be sent."""

    tokens: list[int]
    logprobs: list[Logprob]
    text: str
    reason: str
    stop: str | int | None


class Beams:
    def __init__(self, running: RunningRequest, cache: KVCache, new_stream):
        """running.choices: as many as the beam width, each with a row; all but the first parked. new_stream: makes a
        Detokenizer."""
        params = running.request.params
        self.running = running
        self.cache = cache
        self.state = BeamState(params.n, params.length_penalty)
        self.present: list[Choice] = [running.choices[0]]
        self._logprobs: dict[Choice, list[Logprob]] = {running.choices[0]: []}
        self._new_stream = new_stream

    def advance(self, logits: torch.Tensor) -> bool:
        """Takes one step of every beam. logits: [present beams, vocabulary], as the model computed them. True: the
        search is complete."""
        params = self.running.request.params
        raw = logits.float()
        shaped = raw.clone()
        for row, choice in enumerate(self.present):
            choice.constrain(shaped[row])
        best = shaped.amax(-1, keepdim=True)
        for row, value in enumerate(best[:, 0].tolist()):
            if math.isnan(value) or value == math.inf:
                raise not_a_number(params, raw[row])
        if params.temperature not in (0.0, 1.0):
            # Subtracting the maximum first keeps a division by a tiny temperature finite.
            shaped = (shaped - best) / max(params.temperature, MIN_TEMPERATURE)
        values, tokens = (
            shaped.log_softmax(-1).nan_to_num(nan=float("-inf")).topk(min(2 * params.n, shaped.shape[-1]), -1)
        )
        candidates = [
            [(token, value) for token, value in zip(*row) if value > float("-inf")]
            for row in zip(tokens.tolist(), values.tolist())
        ]
        going, ending = self.state.branches(candidates, self.present[0].ends)
        length = self.present[0].generated + 1
        for branch in ending:
            parent = self.present[branch.parent]
            stop = branch.token if branch.token in params.stop_token_ids else None
            self._complete(parent, branch.token, branch.total, raw[branch.parent], "stop", stop)
        if not going:
            return True
        logprobs = None
        if params.logprobs is not None:
            picked = raw[[branch.parent for branch in going]]
            logprobs = token_logprobs(picked, [b.token for b in going], [params.logprobs] * len(going))
        self._branch(going, logprobs)
        self._close_finished(length)
        self.running.completion_tokens += len(self.present)
        return not self.present or self.state.settled(length)

    def _branch(self, going, logprobs) -> None:
        """Makes the beams of `going`: a parent's first branch keeps its row, the others get free rows."""
        parents = self.present
        histories = self._logprobs
        staying: dict[int, Choice] = {}
        for branch in going:
            staying.setdefault(branch.parent, parents[branch.parent])
        free = [c for c in self.running.choices if c not in staying.values()]
        placed: list[Choice] = []
        used: set[int] = set()
        for branch in going:
            parent = parents[branch.parent]
            if branch.parent not in used:
                used.add(branch.parent)
                placed.append(parent)
                continue
            choice = free.pop()
            choice.branch(parent)
            self.cache.copy(parent.row, choice.row, parent.computed)
            placed.append(choice)
        self._logprobs = {
            choice: histories[parents[branch.parent]] + ([logprobs[i]] if logprobs else [])
            for i, (branch, choice) in enumerate(zip(going, placed))
        }
        self.present, self.state.totals = [], []
        for choice in self.running.choices:
            choice.parked = True
        for branch, choice in zip(going, placed):
            choice.all.append(branch.token)
            choice.parked = False
            if choice.observe(branch.token):
                self._close_beam(choice, branch.total, "stop", None)
                continue
            self.present.append(choice)
            self.state.totals.append(branch.total)

    def _close_finished(self, length: int) -> None:
        """Closes beams that reached a stop string, a repetition or the longest length."""
        params = self.running.request.params
        going, totals = [], []
        for choice, total in zip(self.present, self.state.totals):
            stop = None
            if params.stop and length >= params.min_tokens:
                text = self._text(choice.output)
                stop = next((s for s in params.stop if s in text), None)
            if stop is not None:
                self._close_beam(choice, total, "stop", stop)
            elif params.repetition and repeats(choice.output, params.repetition):
                self._close_beam(choice, total, "repetition", "repetition_detected")
            elif length >= params.max_tokens:
                self._close_beam(choice, total, "length", None)
            else:
                going.append(choice)
                totals.append(total)
        self.present, self.state.totals = going, totals

    def _complete(self, parent: Choice, token: int, total: float, raw: torch.Tensor, reason: str, stop) -> None:
        params = self.running.request.params
        logprobs = list(self._logprobs[parent])
        if params.logprobs is not None:
            logprobs += token_logprobs(raw[None], [token], [params.logprobs])
        tokens = [*parent.output, token]
        text = tokens if params.include_stop and not params.skip_special_tokens else parent.output
        self.state.add(total, len(tokens), FinishedBeam(tokens, logprobs, self._text(text), reason, stop))

    def _close_beam(self, choice: Choice, total: float, reason: str, stop) -> None:
        params = self.running.request.params
        text = self._text(choice.output)
        if reason == "stop" and isinstance(stop, str):
            at = text.index(stop)
            text = text[: at + len(stop)] if params.include_stop else text[:at]
        choice.parked = True
        self.state.add(total, choice.generated, FinishedBeam(choice.output, self._logprobs[choice], text, reason, stop))

    def _text(self, tokens: list[int]) -> str:
        stream: Detokenizer = self._new_stream(self.running.request, self.running.request.prompt[-PROMPT_TAIL:])
        return "".join([*map(stream.push, tokens), stream.flush()])

    def deltas(self) -> list[Delta]:
        """The best beams, one delta each. Usage counts only their tokens, not those of dropped beams."""
        best = self.state.complete[: self.running.request.params.n]
        deltas = [
            Delta(i, beam.text, beam.tokens, beam.logprobs, beam.reason, beam.stop)
            for i, beam in enumerate(done.payload for done in best)
        ]
        self.running.completion_tokens = sum(len(delta.tokens) for delta in deltas)
        return deltas
