"""Reads trajectory groups as clients send them, and turns them into token sequences with advantages. Pure. Knows nothing
of losses or of models."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .advantages import balanced, group_advantages
from .errors import TrainingError
from .tokens import ChatTokens, Sampled, TokenSequence, Turn


@dataclass(frozen=True, slots=True)
class TrainedSequence:
    sequence: TokenSequence
    advantage: float


@dataclass(slots=True)
class GroupTokens:
    """rewards, exceptions, metrics: of the whole group, whether it teaches something or not."""

    sequences: list[TrainedSequence] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    exceptions: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    # Sequences longer than the model can read.
    dropped: int = 0

    @property
    def trainable(self) -> bool:
        return bool(self.sequences)


def group_tokens(
    group: dict, at: int, chat: ChatTokens, context: int, scale_rewards: bool = True, advantage_balance: float = 0.0
) -> GroupTokens:
    """at: the group's place, for messages. context: tokens. Raises BAD_DATA."""
    where = f"trajectory_groups[{at}]"
    trajectories = group.get("trajectories") if isinstance(group, dict) else None
    if not isinstance(trajectories, list):
        raise bad(where, "needs `trajectories`, an array")
    result = GroupTokens(
        rewards=[reward_of(one, f"{where}.trajectories[{i}]") for i, one in enumerate(trajectories)],
        exceptions=len(group.get("exceptions") or []),
        metrics={name: float(value) for name, value in (group.get("metrics") or {}).items() if finite(value)},
    )
    # Read in any case: what is wrong is told, whether it would have taught something or not.
    read = [histories_of(one, f"{where}.trajectories[{i}]", chat) for i, one in enumerate(trajectories)]
    advantages = group_advantages(result.rewards, scale_rewards)
    if advantages is None:
        return result
    for i, (histories, advantage) in enumerate(zip(read, advantages)):
        weighed = balanced(advantage, advantage_balance)
        if weighed == 0:
            continue
        for turns, tools in histories:
            try:
                sequences = chat.sequences(turns, tools)
            except TrainingError as error:
                raise bad(f"{where}.trajectories[{i}]", f"can't be used: {error.message}") from error
            for sequence in sequences:
                if len(sequence) > context:
                    result.dropped += 1
                elif sequence.trained_tokens:
                    result.sequences.append(TrainedSequence(sequence, weighed))
    return result


def reward_of(trajectory: object, where: str) -> float:
    if not isinstance(trajectory, dict):
        raise bad(where, "has to be an object")
    reward = trajectory.get("reward", 0.0)
    if not finite(reward):
        raise bad(where, "has a reward that is not a number")
    return float(reward)


def finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def histories_of(trajectory: dict, where: str, chat: ChatTokens) -> list[tuple[list[Turn], list[dict] | None]]:
    histories = [trajectory, *(trajectory.get("additional_histories") or [])]
    read = [
        (turns_of(history, where if i == 0 else f"{where}.additional_histories[{i - 1}]", chat), history.get("tools"))
        for i, history in enumerate(histories)
    ]
    if not any(turn.learnt for turns, _ in read for turn in turns):
        raise bad(where, "has no choice: only items with finish_reason and message are learnt")
    return read


def turns_of(history: dict, where: str, chat: ChatTokens) -> list[Turn]:
    items = history.get("messages_and_choices") or []
    if not isinstance(items, list):
        raise bad(where, "needs `messages_and_choices`, an array")
    return [turn_of(item, f"{where}.messages_and_choices[{i}]", chat) for i, item in enumerate(items)]


def turn_of(item: object, where: str, chat: ChatTokens) -> Turn:
    """An item with finish_reason and message is a choice, and learnt; any other is a message, and context."""
    if not isinstance(item, dict):
        raise bad(where, "has to be an object")
    if "finish_reason" not in item or "message" not in item:
        return Turn(item)
    message = item["message"]
    if not isinstance(message, dict):
        raise bad(where, "has a message that is no object")
    message = {"role": "assistant", **{key: value for key, value in message.items() if value is not None}}
    return Turn(message, True, sampled_of(item, message, where, chat))


def sampled_of(choice: dict, message: dict, where: str, chat: ChatTokens) -> Sampled | None:
    """The tokens that the choice's logprobs name; None if it has none."""
    entries = (choice.get("logprobs") or {}).get("content")
    if not entries:
        return None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise bad(where, "has logprobs that are no array of objects")
    if not all(logprob(entry.get("logprob")) for entry in entries):
        raise bad(where, "has a logprob that is not a number")
    sampled = chat.sampled(entries)
    if sampled is None:
        # Tokens of another model, or halves of characters: the message is tokenised anew, its logprobs recomputed.
        return None
    plain = message.get("content")
    # Calls and reasoning are shown otherwise than they were sampled.
    alone = plain and not message.get("tool_calls") and not message.get("reasoning")
    if alone and plain.strip() not in chat.text(sampled.tokens):
        raise bad(where, "has logprobs that don't belong to its message")
    return sampled


def logprob(value: object) -> bool:
    """Absent: known is which token it was, but not how likely."""
    return value is None or finite(value)


def bad(where: str, why: str) -> TrainingError:
    return TrainingError("BAD_DATA", f"{where} {why}.")
