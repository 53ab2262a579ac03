"""Reads trajectory groups as clients send them, and converts them to token sequences with advantages. Pure."""

import math
from dataclasses import dataclass, field

from .advantages import balanced, group_advantages
from .errors import TrainingError
from .tokens import ChatTokens, Sampled, TokenSequence, Turn, are_numbers


@dataclass(frozen=True, slots=True)
class TrainedSequence:
    """of_trajectory: trained tokens of its whole trajectory."""

    sequence: TokenSequence
    advantage: float
    of_trajectory: int


@dataclass(slots=True)
class GroupTokens:
    """rewards, exceptions, metrics: of the whole group, trainable or not, without skipped trajectories."""

    sequences: list[TrainedSequence] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    exceptions: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    # Sequences longer than the model's context.
    dropped: int = 0
    # Why trajectories can't be trained on.
    skipped: list[TrainingError] = field(default_factory=list)

    @property
    def trainable(self) -> bool:
        """Whether the group has sequences to train on."""
        return bool(self.sequences)


def group_tokens(
    group: dict,
    at: int,
    chat: ChatTokens,
    context: int,
    scale_rewards: bool = True,
    advantage_balance: float = 0.0,
    distils: bool = False,
) -> GroupTokens:
    """at: the group's index, for error messages. context: in tokens. distils: trajectories teach without a reward. Skips
    invalid trajectories and compares the others. Raises BAD_DATA for an invalid group."""
    where = f"trajectory_groups[{at}]"
    trajectories = group.get("trajectories") if isinstance(group, dict) else None
    need(isinstance(trajectories, list), where, "needs `trajectories`, an array")
    exceptions, metrics = group.get("exceptions") or [], group.get("metrics") or {}
    typed = isinstance(exceptions, list) and isinstance(metrics, dict)
    need(typed, where, "has exceptions that are no array, or metrics that are no object")
    result = GroupTokens(
        exceptions=len(exceptions),
        metrics={name: float(value) for name, value in metrics.items() if finite(value)},
    )

    def keep_valid(work, items: list) -> list:
        """What `work` makes of items, without those that it can't use."""
        made = []
        for item in items:
            try:
                made.append(work(item))
            except TrainingError as error:
                if error.code != "BAD_DATA":
                    raise
                result.skipped.append(error)
        return made

    # Always validated, so that errors are reported even if the group isn't trainable.
    read = keep_valid(
        lambda one: trajectory_of(one[1], f"{where}.trajectories[{one[0]}]", chat), list(enumerate(trajectories))
    )
    if distils or group_advantages([one.reward for one in read], scale_rewards) is not None:
        tokenised = keep_valid(lambda one: (one.reward, one.sequences(chat)), read)
    else:
        tokenised = [(one.reward, []) for one in read]
    result.rewards = [reward for reward, _ in tokenised]
    advantages = group_advantages(result.rewards, scale_rewards) or [0.0] * len(tokenised)
    for (_, sequences), advantage in zip(tokenised, advantages):
        if advantage == 0 and not distils:
            continue
        kept = [one for one in sequences if len(one) <= context and one.trained_tokens]
        result.dropped += sum(len(one) > context for one in sequences)
        tokens = sum(one.trained_tokens for one in kept)
        result.sequences += [TrainedSequence(one, balanced(advantage, advantage_balance), tokens) for one in kept]
    return result


@dataclass(frozen=True, slots=True)
class Trajectory:
    where: str
    reward: float
    # The turns of each, its tools, and its tokens if they are known.
    histories: list[tuple[list[Turn], list[dict] | None, object]]

    def sequences(self, chat: ChatTokens) -> list[TokenSequence]:
        """Its token sequences. Raises BAD_DATA."""
        try:
            return [one for history in self.histories for one in self._sequences(chat, *history)]
        except TrainingError as error:
            raise bad(self.where, f"can't be used: {error.message}") from error

    def _sequences(
        self, chat: ChatTokens, turns: list[Turn], tools: list[dict] | None, tokens: object
    ) -> list[TokenSequence]:
        kept = chat.kept(tokens)
        if kept is None:
            return chat.sequences(turns, tools)
        sampled = [turn.sampled for turn in turns if turn.trained and turn.sampled]
        if sum(len(one.tokens) for one in sampled) == kept.trained_tokens:
            kept.logprobs[kept.trained] = [value for one in sampled for value in one.logprobs]
            kept.teacher[kept.trained] = [value for one in sampled for value in one.teacher]
        return [kept]


def trajectory_of(value: object, where: str, chat: ChatTokens) -> Trajectory:
    """Raises BAD_DATA."""
    need(isinstance(value, dict), where, "must be an object")
    reward, more = value.get("reward", 0.0), value.get("additional_histories") or []
    need(finite(reward), where, "has a reward that is not a number")
    whole = isinstance(more, list) and all(isinstance(one, dict) for one in more)
    need(whole, where, "has additional_histories that are no array of objects")
    places = [where, *(f"{where}.additional_histories[{i}]" for i in range(len(more)))]
    histories = [
        (turns_of(one, place, chat), one.get("tools"), one.get("tokens")) for one, place in zip([value, *more], places)
    ]
    trained = any(turn.trained for turns, _, _ in histories for turn in turns)
    need(trained, where, "has no choice: only items with finish_reason and message are trained on")
    return Trajectory(where, float(reward), histories)


def finite(value: object) -> bool:
    """Whether the value is a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)


def turns_of(history: dict, where: str, chat: ChatTokens) -> list[Turn]:
    """Raises BAD_DATA."""
    items = history.get("messages_and_choices") or []
    need(isinstance(items, list), where, "needs `messages_and_choices`, an array")
    return [turn_of(item, f"{where}.messages_and_choices[{i}]", chat) for i, item in enumerate(items)]


def turn_of(item: object, where: str, chat: ChatTokens) -> Turn:
    """An item with finish_reason and message is a choice, and trained; any other is a message, and context."""
    need(isinstance(item, dict), where, "must be an object")
    if "finish_reason" not in item or "message" not in item:
        return Turn(item)
    need(isinstance(item["message"], dict), where, "has a message that is no object")
    message = {"role": "assistant", **{key: value for key, value in item["message"].items() if value is not None}}
    sampled, prompt = sampled_of(item, message, where, chat), item.get("prompt_token_ids")
    need(prompt is None or are_numbers(prompt), where, "has prompt_token_ids that are no array of numbers")
    # A prompt of another model's tokens is rendered anew, as answers are tokenised anew.
    return Turn(message, True, sampled, prompt if sampled is not None and chat.are_ids(prompt) else None)


def sampled_of(choice: dict, message: dict, where: str, chat: ChatTokens) -> Sampled | None:
    """The choice's token_ids, else the tokens named in its logprobs; None if it has neither."""
    logprobs = choice.get("logprobs") or {}
    need(isinstance(logprobs, dict), where, "has logprobs that are no object")
    entries, ids = logprobs.get("content"), choice.get("token_ids")
    need(ids is None or are_numbers(ids), where, "has token_ids that are no array of numbers")
    ids = ids if ids and chat.are_ids(ids) else None
    if not entries:
        return Sampled(ids, *([math.nan] * len(ids) for _ in range(2))) if ids else None
    objects = isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)
    need(objects, where, "has logprobs that are no array of objects")
    # Without a value the token is known, and its likelihood isn't.
    told = [entry.get(name) for entry in entries for name in ("logprob", "teacher_logprob")]
    need(all(one is None or finite(one) for one in told), where, "has a logprob that is not a number")
    sampled = chat.sampled(entries, ids if ids and len(ids) == len(entries) else None)
    if sampled is None:
        # Tokens of another model, or halves of characters: the message is tokenised anew, its logprobs recomputed.
        return None
    plain = message.get("content")
    # Tool calls and reasoning look different from the sampled text.
    alone = isinstance(plain, str) and not message.get("tool_calls") and not message.get("reasoning")
    belongs = not alone or plain.strip() in chat.text(sampled.tokens)
    need(belongs, where, "has logprobs that don't belong to its message")
    return sampled


def need(holds: bool, where: str, why: str) -> None:
    """Raises BAD_DATA unless it holds. why: the end of the sentence, without a full stop."""
    if not holds:
        raise bad(where, why)


def bad(where: str, why: str) -> TrainingError:
    """An error in the data."""
    return TrainingError("BAD_DATA", f"{where} {why}.")
