/**
 * Turns rows into lines of training data: conversations for SFT in order, groups of answers to one prompt for RL at the
 * end. Rows that are left out are reported in their place. Pure but for reading rows; knows nothing of HTTP.
 */
import { createHash } from 'node:crypto'
import { conversationFault } from '../../domain/training/conversations.js'
import { groupFault } from '../../domain/training/trajectories.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Example, exampleOf, type Reading } from './example.js'
import { LeftOut } from './left-out.js'
import type { Row } from './row.js'

/** A JSON line to train on, or a row that was left out, in the order of the rows. */
export type Outcome =
  | { line: string; ids: readonly string[]; rewards: readonly (number | undefined)[] }
  | { left: LeftOut; id: string }

export type Kind = 'sft' | 'rl'

/** The most characters held: a group needs all answers to a prompt together. */
const HELD_CHARACTERS = 128 * 2 ** 20

/** @param rows read one at a time; only RL holds them */
export async function* outcomes(
  rows: AsyncIterable<Row>,
  kind: Kind,
  reading: Reading & { keep_duplicates: boolean },
): AsyncGenerator<Outcome> {
  const seen = new Set<string>()
  const groups = new Map<string, Example[]>()
  let held = 0
  for await (const row of rows) {
    let example: Example
    try {
      example = exampleOf(row, reading)
      checkTrainable(example, kind)
      if (!reading.keep_duplicates && isKnown(seen, example, kind)) throw new LeftOut('duplicate')
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      yield { left: error, id: row.id }
      continue
    }
    if (kind === 'sft') {
      yield { line: JSON.stringify(conversationOf(example)), ids: [example.id], rewards: [example.reward] }
      continue
    }
    const key = promptKey(example)
    const group = groups.get(key)
    if (group) group.push(example)
    else groups.set(key, [example])
    held += JSON.stringify(example).length
    if (held > HELD_CHARACTERS)
      throw errors.badRequest(
        'These rows hold more than 128 MiB of text; narrow the query, or train on a part.',
      )
  }
  for (const group of groups.values()) yield* groupOutcomes(group)
}

/** Makes the same checks as for data that callers send themselves. @throws LeftOut */
function checkTrainable(example: Example, kind: Kind): void {
  const fault = kind === 'rl' ? groupFault({ trajectories: [trajectoryOf(example)] }) : undefined
  const why = fault
    ? `${fault.path.slice(2).join('.')}: ${fault.message}`
    : conversationFault(conversationOf(example))
  if (why !== undefined) throw new LeftOut('bad_message', `It can't be trained on: ${why}.`)
}

/** Whether the prompt and answer were seen before; in a group, another call with the same answer is another sample. */
function isKnown(seen: Set<string>, example: Example, kind: Kind): boolean {
  const { prompt, answer, tools } = example
  const id = kind === 'rl' ? example.id : ''
  const hash = createHash('sha256')
    .update(JSON.stringify([prompt, answer.message, tools, id]))
    .digest('base64')
  if (seen.has(hash)) return true
  seen.add(hash)
  return false
}

function promptKey({ prompt, tools }: Example): string {
  return createHash('sha256')
    .update(JSON.stringify([prompt, tools]))
    .digest('base64')
}

function conversationOf({ prompt, answer, tools }: Example) {
  return { messages: [...prompt, answer.message], ...(tools && { tools }) }
}

function* groupOutcomes(group: readonly Example[]): Generator<Outcome> {
  const rewards = group.map(({ reward = 0 }) => reward)
  const why =
    group.length < 2 ? 'single_answer' : rewards.every((one) => one === rewards[0]) ? 'same_rewards' : ''
  if (why !== '') for (const { id } of group) yield { left: new LeftOut(why), id }
  else yield { line: groupLine(group), ids: group.map(({ id }) => id), rewards }
}

/** A group in the training client's form: the answer is a choice, which is trained on; messages before it are context. */
function groupLine(group: readonly Example[]): string {
  const trajectories = group.map(trajectoryOf)
  return JSON.stringify({ trajectories, exceptions: [], metadata: {}, metrics: {}, logs: [] })
}

function trajectoryOf({ id, prompt, answer, tools, reward = 0 }: Example) {
  return {
    messages_and_choices: [
      ...prompt,
      { finish_reason: answer.finishReason, index: 0, logprobs: answer.logprobs, message: answer.message },
    ],
    tools: tools ?? null,
    additional_histories: [],
    reward,
    metrics: {},
    metadata: { source: id },
    logs: [],
  }
}
