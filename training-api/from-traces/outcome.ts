/** What becomes of rows: lines of training data, or why they are left out. Pure. */
import { createHash } from 'node:crypto'
import type { Example } from './example.js'
import { LeftOut } from './left-out.js'

/** A JSON line to train on, or a row that was left out, in the order of the rows. */
export type Outcome =
  | { line: string; ids: readonly string[]; rewards: readonly (number | undefined)[] }
  | { left: LeftOut; id: string }

/** Names what was asked. */
export function promptKey({ prompt, tools }: Example): string {
  return createHash('sha256')
    .update(JSON.stringify([prompt, tools]))
    .digest('base64')
}

/** A line of SFT data. */
export function conversationOf({ prompt, answer, tools }: Example) {
  return { messages: [...prompt, answer.message], ...(tools && { tools }) }
}

/** What is compared with others in a group. */
interface Member {
  ids: readonly string[]
  reward?: number | undefined
}

/** A group in the training client's form, or its members left out. Where none has a reward, a scorer gives them later. */
export function* groupOutcomes<M extends Member>(
  group: readonly M[],
  trajectoryOf: (member: M) => object,
): Generator<Outcome> {
  const rewards = group.map(({ reward }) => reward)
  const ids = group.flatMap((member) => member.ids)
  const why =
    group.length < 2
      ? 'single_answer'
      : rewards[0] !== undefined && rewards.every((one) => one === rewards[0])
        ? 'same_rewards'
        : ''
  if (why !== '') for (const id of ids) yield { left: new LeftOut(why), id }
  else yield { line: groupLine(group.map(trajectoryOf)), ids, rewards }
}

function groupLine(trajectories: readonly object[]): string {
  return JSON.stringify({ trajectories, exceptions: [], metadata: {}, metrics: {}, logs: [] })
}
