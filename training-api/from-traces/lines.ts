/**
 * From rows to lines of training data: conversations for SFT as they come, groups of answers to one prompt for RL at the
 * end. What is left out is told in its place. Pure but for the rows' coming; knows nothing of HTTP.
 */
import { createHash } from 'node:crypto'
import { conversationFault } from '../../domain/training/conversations.js'
import { groupFault } from '../../domain/training/trajectories.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Example, exampleOf, type Reading, type Row } from './example.js'
import { LeftOut } from './left-out.js'

/** JSON lines of what is trained on, and what was left out, in the order of the rows. */
export type Outcome =
  | { line: string; ids: readonly string[]; rewards: readonly (number | undefined)[] }
  | { left: LeftOut; id: string }

export type Kind = 'sft' | 'rl'

/** Groups need all answers to a prompt together, so this much of them is held. */
const HELD_CHARACTERS = 128 * 2 ** 20

/** @param rows one at a time; no more are held than RL has to */
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

/** What is asked of data that callers send themselves. @throws LeftOut */
function checkTrainable(example: Example, kind: Kind): void {
  const fault = kind === 'rl' ? groupFault({ trajectories: [trajectoryOf(example)] }) : undefined
  const why = fault
    ? `${fault.path.slice(2).join('.')}: ${fault.message}`
    : conversationFault(conversationOf(example))
  if (why !== undefined) throw new LeftOut('bad_message', `It can't be trained on: ${why}.`)
}

/** The same answer to the same prompt; in a group, another call with the same answer is another sample. */
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

/** As the training client sends groups: the answer is a choice, and learnt; what went before is context. */
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
