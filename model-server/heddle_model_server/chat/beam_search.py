"""Beam search over the most likely next tokens of beams, which an engine tells: which go on, which are complete, when it is over."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..model import Model
from ..request import Delta, Logprob, Request
from .text import Detokenizer, repeats


@dataclass(slots=True)
class Beam:
    """total: the sum of its tokens' log-probabilities. logprobs: to be reported; empty if nobody asked."""

    tokens: list[int] = field(default_factory=list)
    total: float = 0.0
    logprobs: list[Logprob] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Branch:
    """A beam with one more token. parent: the index of the beam it comes from."""

    parent: int
    beam: Beam


class BeamSearch:
    def __init__(self, request: Request, model: Model):
        self._request = request
        self._params = params = request.params
        self._model = model
        self._ends = params.stop_token_ids if params.ignore_eos else params.stop_token_ids | model.eos
        self.present = [Beam()]
        # With their scores, the best first.
        self._complete: list[tuple[float, Delta]] = []

    def branch(self, candidates: list[list[tuple[int, float]]], logprob: Callable[[int, int], Logprob]) -> list[Branch]:
        """The best branches that go on, as many as the beam width; those before them that end are complete.
        candidates: of each present beam the most likely tokens with their log-probabilities, at least twice the beam
        width. logprob: what to report of a beam's next token."""
        every = [
            (self.present[parent].total + value, parent, token)
            for parent, row in enumerate(candidates)
            for token, value in row
        ]
        branches: list[Branch] = []
        for total, parent, token in sorted(every, key=lambda one: (-one[0], one[1], one[2])):
            before = self.present[parent]
            told = [] if self._params.logprobs is None else [logprob(parent, token)]
            beam = Beam([*before.tokens, token], total, before.logprobs + told)
            if token in self._ends:
                shown = self._params.include_stop and not self._params.skip_special_tokens
                text = self._text(beam.tokens if shown else before.tokens)
                self._add(beam, text, "stop", token if token in self._params.stop_token_ids else None)
            else:
                branches.append(Branch(parent, beam))
                if len(branches) == self._params.n:
                    break
        return branches

    def complete(self, beam: Beam) -> None:
        """Takes a beam to which nothing may be added."""
        self._add(beam, self._text(beam.tokens), "stop", None)

    def go_on(self, branches: list[Branch]) -> list[Branch]:
        """Makes these branches the present beams, except those that are complete; returns them."""
        params = self._params
        going = []
        for branch in branches:
            beam, text, stop = branch.beam, "", None
            if params.stop and len(beam.tokens) >= params.min_tokens:
                text = self._text(beam.tokens)
                stop = next((s for s in params.stop if s in text), None)
            if stop is not None:
                at = text.index(stop)
                self._add(beam, text[: at + len(stop)] if params.include_stop else text[:at], "stop", stop)
            elif params.repetition and repeats(beam.tokens, params.repetition):
                self._add(beam, self._text(beam.tokens), "repetition", "repetition_detected")
            elif len(beam.tokens) >= params.max_tokens:
                self._add(beam, self._text(beam.tokens), "length", None)
            else:
                going.append(branch)
        self.present = [branch.beam for branch in going]
        return going

    @property
    def over(self) -> bool:
        """Whether the complete beams score at least as well as all present ones. A beam might still improve where
        length is rewarded; waiting for that would always generate to the longest length."""
        if not self.present:
            return True
        if len(self._complete) < self._params.n:
            return False
        best = max(beam.total for beam in self.present)
        return self._score(best, len(self.present[0].tokens)) <= self._complete[-1][0]

    def deltas(self) -> list[Delta]:
        """The best beams, one delta each."""
        return [replace(delta, index=i) for i, (_, delta) in enumerate(self._complete)]

    def _add(self, beam: Beam, text: str, reason: str, stop: str | int | None) -> None:
        score = self._score(beam.total, len(beam.tokens))
        self._complete.append((score, Delta(0, text, beam.tokens, beam.logprobs, reason, stop)))
        self._complete.sort(key=lambda done: -done[0])
        del self._complete[self._params.n :]

    def _score(self, total: float, length: int) -> float:
        return total / max(length, 1) ** self._params.length_penalty

    def _text(self, tokens: list[int]) -> str:
        stream = Detokenizer(self._request, self._model)
        return "".join([*map(stream.push, tokens), stream.flush()])
