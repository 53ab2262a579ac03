"""The arithmetic of beam search: which branches continue, which are complete, when no better one can come. Pure;
knows nothing of models, rows or text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Branch:
    """A possible continuation: the parent's index among the present beams, one more token, and the sum of
    log-probabilities."""

    parent: int
    token: int
    total: float


@dataclass(slots=True)
class Complete:
    """A finished beam. payload: whatever the caller attaches."""

    score: float
    payload: object


def score(total: float, length: int, length_penalty: float) -> float:
    """total: the sum of log-probabilities. length: generated tokens."""
    return total / max(length, 1) ** length_penalty


@dataclass(slots=True)
class BeamState:
    """The present and the complete beams of a search."""

    width: int
    length_penalty: float
    # The sums of the present beams.
    totals: list[float] = field(default_factory=lambda: [0.0])
    complete: list[Complete] = field(default_factory=list)

    def branches(
        self, candidates: list[list[tuple[int, float]]], ends: frozenset[int]
    ) -> tuple[list[Branch], list[Branch]]:
        """The branches that continue, at most width, and those among the best that end. candidates: for each present
        beam (token, log-probability), the most likely first, 2 · width of them."""
        every = [
            Branch(parent, token, self.totals[parent] + logprob)
            for parent, row in enumerate(candidates)
            for token, logprob in row
        ]
        every.sort(key=lambda branch: (-branch.total, branch.parent, branch.token))
        going: list[Branch] = []
        ending: list[Branch] = []
        for branch in every:
            if branch.token in ends:
                ending.append(branch)
            else:
                going.append(branch)
                if len(going) == self.width:
                    break
        return going, ending

    def add(self, total: float, length: int, payload: object) -> None:
        """Adds a complete beam; keeps the best `width`."""
        self.complete.append(Complete(score(total, length, self.length_penalty), payload))
        self.complete.sort(key=lambda done: -done.score)
        del self.complete[self.width :]

    def settled(self, length: int) -> bool:
        """Whether the complete beams score at least as well as all present ones, which have `length` tokens. A beam
        might still improve where length is rewarded; waiting for that would always generate to the longest length."""
        if len(self.complete) < self.width:
            return False
        best = max(self.totals, default=float("-inf"))
        return score(best, length, self.length_penalty) <= self.complete[-1].score
