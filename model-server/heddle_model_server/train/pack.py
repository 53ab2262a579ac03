"""Packs token sequences into rows, several per row, each with positions from 0, so that nothing is padding. Pure,
apart from tensors. Knows nothing of what is computed over a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from .tokens import TokenSequence


@dataclass(slots=True)
class PackedRow:
    """One pass of the model. tokens, positions: [1, length]. The others have one entry per trained token: before:
    the index of the preceding token in the row; targets: the token; logprobs: by the sampling policy; teacher: by a
    teacher; sequence: the index of its sequence in the row."""

    tokens: torch.Tensor
    positions: torch.Tensor
    before: torch.Tensor
    targets: torch.Tensor
    logprobs: torch.Tensor
    teacher: torch.Tensor
    sequence: torch.Tensor
    # Indices in the list that was packed.
    members: list[int]


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


def pack(sequences: list[TokenSequence], row_tokens: int, device: torch.device | str = "cpu") -> list[PackedRow]:
    """row_tokens: the most tokens per row."""
    return [
        row_of([sequences[i] for i in members], members, device)
        for members in assign_rows([len(sequence) for sequence in sequences], row_tokens)
    ]


def row_of(sequences: list[TokenSequence], members: list[int], device: torch.device | str) -> PackedRow:
    """One row of these sequences. members: their indices."""
    trained = np.concatenate([sequence.trained for sequence in sequences])
    at = np.flatnonzero(trained)
    tokens = np.concatenate([sequence.tokens for sequence in sequences])
    logprobs = np.concatenate([sequence.logprobs for sequence in sequences])
    teacher = np.concatenate([sequence.teacher for sequence in sequences])
    owner = np.repeat(np.arange(len(sequences)), [len(sequence) for sequence in sequences])
    tensor = lambda values: torch.from_numpy(values).to(device)
    return PackedRow(
        tokens=tensor(tokens)[None],
        positions=tensor(np.concatenate([np.arange(len(sequence)) for sequence in sequences]))[None],
        before=tensor(at - 1),
        targets=tensor(tokens[at]),
        logprobs=tensor(logprobs[at]),
        teacher=tensor(teacher[at]),
        sequence=tensor(owner[at]),
        members=members,
    )
