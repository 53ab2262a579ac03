/** Why a row is left out of training: a stable code and a sentence. Thrown while rows become examples. Pure. */
import type { LeftOutReason } from '../../contract/training-data.js'

const SENTENCES: Record<LeftOutReason, string> = {
  failed: 'The call ended with an exception.',
  unfinished: 'The call has not ended.',
  no_messages: 'No messages and no plain question and answer; name the fields of the prompt with `template`.',
  no_answer: 'The assistant answered with no text and no tool call.',
  bad_message: 'A message has no role or no readable content.',
  not_text: 'It contains images, audio or files; only text can be trained on.',
  unresolved_ref:
    "It contains a ref whose value can't be read: it was deleted, or this key may not read its project.",
  no_value: 'A field of the template is missing.',
  no_reward: 'It has no reward.',
  low_reward: 'Its reward is below min_reward.',
  single_answer: 'It is the only answer to its prompt, so there is nothing to compare it with.',
  same_rewards: 'All answers to its prompt have the same reward, so there is nothing to learn.',
  same_answers: 'Its two answers are the same.',
  no_pair:
    'There is no other answer to its prompt, with another reward, to compare it with; name two answers with `template`.',
  duplicate: 'It is a duplicate of another example.',
  secret: 'It contains what looks like a key or a password.',
  too_long: 'It is longer than 4 MiB.',
  no_token_ids:
    'No token ids are kept beside it; switch them on for the project, or send x-heddle-keep-token-ids: true with requests.',
}

export class LeftOut extends Error {
  override readonly name = 'LeftOut'

  /** @param message a more specific sentence than the reason's own */
  constructor(
    readonly reason: LeftOutReason,
    message = SENTENCES[reason],
  ) {
    super(message)
  }
}
