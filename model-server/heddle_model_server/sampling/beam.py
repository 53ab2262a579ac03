"""Beam search as arithmetic: which branches go on, which are complete, when no better one can come. Pure; knows nothing
of models, rows or text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Branch:
    """What a beam could become: its parent's place among the present beams, one more token, and the sum so far."""

    parent: int
    token: int
    total: float


@dataclass(slots=True)
class Complete:
    """A finished beam. what: whatever the caller keeps of it."""

    score: float
    payload: object


def score(total: float, length: int, length_penalty: float) -> float:
    """total: the sum of log-probabilities. length: generated tokens."""
    return total / max(length, 1) ** length_penalty


@dataclass(slots=True)
class BeamState:
    width: int
    length_penalty: float
    # Of the present beams.
    totals: list[float] = field(default_factory=lambda: [0.0])
    complete: list[Complete] = field(default_factory=list)

    def branches(
        self, candidates: list[list[tuple[int, float]]], ends: frozenset[int]
    ) -> tuple[list[Branch], list[Branch]]:
        """candidates: for each present beam, (token, log-probability), the most likely first, 2 · width of them.
        Returns the branches that go on, at most width, and those among the best that end."""
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
        self.complete.append(Complete(score(total, length, self.length_penalty), payload))
        self.complete.sort(key=lambda done: -done.score)
        del self.complete[self.width :]

    def settled(self, length: int) -> bool:
        """Whether the complete beams are as good as all present ones, now so many tokens long. A beam might still rise
        by growing, where length is rewarded; waiting for that would mean to generate to the longest length each time."""
        if len(self.complete) < self.width:
            return False
        best = max(self.totals, default=float("-inf"))
        return score(best, length, self.length_penalty) <= self.complete[-1].score
