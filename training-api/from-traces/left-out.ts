/** Why a row is not trained on: a stable code and a sentence. Thrown by what turns rows into examples. Pure. */
import type { LeftOutReason } from '../../contract/training-data.js'

const SENTENCES: Record<LeftOutReason, string> = {
  failed: 'The call ended with an exception.',
  unfinished: 'The call has not ended.',
  no_messages:
    'Neither messages nor a plain question and answer were found; say with `template` which fields make the prompt.',
  no_answer: 'There is no text and no tool call that the assistant answered with.',
  bad_message: 'A message has no role, or no content that can be read.',
  not_text: 'It holds images, audio or files, and only text is learnt.',
  no_value: 'A field that the template names is missing.',
  no_reward: 'Nothing gives it a reward.',
  low_reward: 'Its reward is below min_reward.',
  single_answer:
    'It is the only answer to its prompt, and answers are compared with others to the same prompt.',
  same_rewards: 'All answers to its prompt have the same reward, which teaches nothing.',
  duplicate: 'The same example is there already.',
  secret: 'It holds what looks like a key or a password.',
  too_long: 'It is longer than 4 MiB.',
}

export class LeftOut extends Error {
  override readonly name = 'LeftOut'

  /** @param message in place of the reason's own sentence, where more can be said */
  constructor(
    readonly reason: LeftOutReason,
    message = SENTENCES[reason],
  ) {
    super(message)
  }
}
