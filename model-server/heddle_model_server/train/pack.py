"""Packs token sequences into rows, several per row, each with positions from 0, so that nothing is padding. What sequences
have in common at their beginning is in a row once: a prompt of several answers, a conversation whose template drops what was
thought before. Pure, apart from tensors."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch

from ..attention import common_prefix_length
from .packed_attention import RowSpans, Span
from .tokens import TokenSequence

# A shorter common beginning isn't worth the mask that it takes.
LEAST_SHARED = 32


@dataclass(slots=True)
class PackedRow:
    """One pass of the model. tokens, positions: [1, length]. spans: what sees what. The others have one entry per trained
    token of each sequence: before: the index of the preceding token in the row; targets: the token; logprobs: by the
    sampling policy; teacher: by a teacher; sequence: the index of its sequence in the row."""

    tokens: torch.Tensor
    positions: torch.Tensor
    spans: RowSpans
    before: torch.Tensor
    targets: torch.Tensor
    logprobs: torch.Tensor
    teacher: torch.Tensor
    sequence: torch.Tensor
    # Indices in the list that was packed.
    members: list[int]

    def of_tokens(self, values: list) -> torch.Tensor:
        """For each trained token the value of its sequence, [tokens]. values: of every sequence of the list that was packed."""
        return torch.tensor([values[at] for at in self.members], device=self.sequence.device)[self.sequence]


@dataclass(frozen=True, slots=True)
class Member:
    """A sequence in a row. shared: how many of its first tokens are those of the member before it."""

    index: int
    shared: int


def assign_rows(lengths: list[int], row_tokens: int) -> list[list[int]]:
    """The indices of the sequences in each row: longest first, each into the first row with space. A sequence longer
    than a row has one to itself. Deterministic."""
    rows: list[list[int]] = []
    room: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        at = next((i for i, free in enumerate(room) if free >= lengths[index]), None)
        if at is None:
            rows.append([index])
            room.append(row_tokens - lengths[index])
        else:
            rows[at].append(index)
            room[at] -= lengths[index]
    return rows


def pack(
    sequences: list[TokenSequence],
    row_tokens: int,
    device: torch.device | str = "cpu",
    share: bool = True,
    together: list[list[int]] | None = None,
) -> list[PackedRow]:
    """row_tokens: the most tokens per row. share: whether common beginnings are in a row once. together: the indices of
    sequences that have to be in one row, however long it is; each is in one list."""
    texts = [one.tokens for one in sequences]
    least = LEAST_SHARED if share else math.inf
    if together is None:
        bundles = bundles_of(texts, range(len(texts)), row_tokens, least)
    else:
        bundles = [[*chain(*bundles_of(texts, one, math.inf, least))] for one in together]
    sizes = [sum(len(sequences[one.index]) - one.shared for one in bundle) for bundle in bundles]
    rows = [[one for at in found for one in bundles[at]] for found in assign_rows(sizes, row_tokens)]
    return [row_of([sequences[one.index] for one in members], members, device) for members in rows]


def bundles_of(texts: list[np.ndarray], indices: Iterable[int], most: float, least_shared: float) -> list[list[Member]]:
    """The texts of these indices in lists of at most so many tokens, in each of which a text begins as the one before it."""
    bundles: list[list[Member]] = []
    room = 0
    # Next to each other are those with the longest common beginnings.
    order = sorted(indices, key=lambda i: texts[i].tobytes())
    for before, index in zip([None, *order], order):
        shared = 0 if before is None else common_prefix_length(texts[before], texts[index])
        if shared < least_shared or len(texts[index]) - shared > room:
            bundles.append([])
            shared, room = 0, most
        room -= len(texts[index]) - shared
        bundles[-1].append(Member(index, shared))
    return sorted(bundles, key=lambda bundle: min(one.index for one in bundle))


def row_of(sequences: list[TokenSequence], members: list[Member], device: torch.device | str) -> PackedRow:
    """One row of these sequences."""
    spans: list[Span] = []
    # The pieces of the row that the sequence at hand consists of.
    path: list[tuple[int, int]] = []
    places, length = [], 0
    for sequence, member in zip(sequences, members):
        path = beginning(path, member.shared)
        added = len(sequence) - member.shared
        if added:
            spans.append(Span(length, length + added, tuple(path)))
            path.append((length, length + added))
            length += added
        places.append(np.concatenate([np.arange(a, b) for a, b in path]))
    at = [np.flatnonzero(sequence.trained) for sequence in sequences]
    new = [np.arange(member.shared, len(sequence)) for sequence, member in zip(sequences, members)]
    tensor = lambda values: torch.from_numpy(np.concatenate(values)).to(device)
    trained = lambda name: tensor([getattr(one, name)[i] for one, i in zip(sequences, at)])
    return PackedRow(
        tokens=tensor([one.tokens[i] for one, i in zip(sequences, new)])[None],
        positions=tensor(new)[None],
        spans=RowSpans(spans, torch.device(device)),
        before=tensor([place[i - 1] for place, i in zip(places, at)]),
        targets=trained("tokens"),
        logprobs=trained("logprobs"),
        teacher=trained("teacher"),
        sequence=tensor([np.full(len(i), number) for number, i in enumerate(at)]),
        members=[one.index for one in members],
    )


def beginning(path: list[tuple[int, int]], tokens: int) -> list[tuple[int, int]]:
    """The pieces of the first tokens of a path."""
    found = []
    for start, end in path:
        if tokens <= 0:
            break
        found.append((start, min(end, start + tokens)))
        tokens -= end - start
    return found
