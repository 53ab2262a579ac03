/**
 * Turns rows into lines of training data: conversations for SFT in order, groups of answers to one prompt for RL at the
 * end, for DPO pairs of them, or those of rows that have two answers, for KTO answers that are good or bad. Rows that
 * are left out are reported in their place. Pure but for reading rows.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { conversationFault } from '../../domain/training/conversations.js'
import type { JobKind } from '../../domain/training/jobs.js'
import { groupFault } from '../../domain/training/trajectories.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Example, exampleOf, type Reading } from './example.js'
import { LeftOut } from './left-out.js'
import type { ChatMessage } from './messages.js'
import { conversationOf, groupOutcomes, type Outcome, promptKey } from './outcome.js'
import type { Row } from './row.js'
import { addTurn, type Sequence } from './sequences.js'
import { sessionOutcomes } from './sessions.js'

/** Whether an answer is good, where the source doesn't say. */
const JUDGED_BY: Record<Row['kind'], NonNullable<Reading['reward']>> = {
  call: { from: 'reaction', values: { '👍': 1, '👎': 0 } },
  row: { from: 'column', path: 'label' },
}
/** Answers with at least this reward are good. */
const GOOD_REWARD = 0.5

/** The most characters held: a group needs all answers to a prompt together. */
const HELD_CHARACTERS = 128 * 2 ** 20

/** @param rows read one at a time; those that have to be compared are held */
export async function* outcomes(
  rows: AsyncIterable<Row>,
  kind: JobKind,
  reading: Reading & { keep_duplicates: boolean; sessions: boolean },
): AsyncGenerator<Outcome> {
  if (reading.sessions) {
    if (kind === 'dpo' || kind === 'kto')
      throw errors.badRequest('Sessions have no answers to compare or judge; train on them by SFT or RL.')
    yield* sessionOutcomes(rows, kind, reading)
    return
  }
  const seen = new Set<string>()
  const groups = new Map<string, Example[]>()
  let held = 0
  const good = reading.min_reward ?? GOOD_REWARD
  const readingOf = (row: Row): Reading =>
    kind === 'kto' ? { ...reading, reward: reading.reward ?? JUDGED_BY[row.kind], min_reward: null } : reading
  for await (const row of rows) {
    let example: Example
    try {
      example = exampleOf(row, readingOf(row))
      checkTrainable(example, kind)
      if (!reading.keep_duplicates && isKnown(seen, example, kind)) throw new LeftOut('duplicate')
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      yield { left: error, id: row.id }
      continue
    }
    if (kind === 'sft' || kind === 'kto' || (kind === 'dpo' && example.rejected)) {
      const line =
        kind === 'sft'
          ? withTokens(conversationOf(example), example)
          : kind === 'kto'
            ? judgedOf(example, good)
            : pairOf(example, example.rejected!)
      yield { line: JSON.stringify(line), ids: [example.id], rewards: [example.reward] }
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
  for (const group of groups.values())
    yield* kind === 'dpo' ? pairOutcomes(group) : groupOutcomes(group.map(sourced), trajectoryOf)
}

/** Makes the same checks as for data that callers send themselves. @throws LeftOut */
function checkTrainable(example: Example, kind: JobKind): void {
  const fault = kind === 'rl' ? groupFault({ trajectories: [trajectoryOf(example)] }) : undefined
  const why = fault
    ? `${fault.path.slice(2).join('.')}: ${fault.message}`
    : conversationFault(conversationOf(example))
  if (why !== undefined) throw new LeftOut('bad_message', `It can't be trained on: ${why}.`)
  if (kind !== 'dpo' || !example.rejected) return
  const worse = conversationFault({ messages: [...example.prompt, example.rejected], tools: example.tools })
  if (worse !== undefined) throw new LeftOut('bad_message', `It can't be trained on: ${worse}.`)
  if (isDeepStrictEqual(example.rejected, example.answer.message)) throw new LeftOut('same_answers')
}

/** Whether the prompt and answer were seen before; in a group, another call with the same answer is another sample. */
function isKnown(seen: Set<string>, example: Example, kind: JobKind): boolean {
  const { prompt, answer, tools, rejected, reward } = example
  const apart = { sft: undefined, dpo: rejected, kto: reward, rl: example.id }[kind]
  const hash = createHash('sha256')
    .update(JSON.stringify([prompt, answer.message, tools, apart]))
    .digest('base64')
  if (seen.has(hash)) return true
  seen.add(hash)
  return false
}

function withTokens(line: object, { tokens }: Example) {
  return { ...line, ...tokensOf(tokens) }
}

/** One turn as a sequence. */
function tokensOf(tokens: Example['tokens']) {
  if (!tokens) return {}
  const sequences: Sequence[] = []
  const { ids, trained } = addTurn(sequences, tokens, () => ({ ids: [], trained: [] }))
  return { tokens: { vocabulary: tokens.vocabulary, ids, trained } }
}

function pairOf({ prompt, answer, tools }: Example, rejected: ChatMessage) {
  return { prompt, chosen: [answer.message], rejected: [rejected], ...(tools && { tools }) }
}

function judgedOf({ prompt, answer, tools, reward = 0 }: Example, good: number) {
  return { prompt, completion: [answer.message], label: reward >= good, ...(tools && { tools }) }
}

/** The best answer with the worst, the second best with the second worst, and so on, as long as their rewards differ. */
function* pairOutcomes(group: readonly Example[]): Generator<Outcome> {
  const ranked = group.toSorted((a, b) => (b.reward ?? 0) - (a.reward ?? 0))
  for (const [i, better] of ranked.entries()) {
    const worse = ranked[ranked.length - 1 - i]!
    const apart = (better.reward ?? 0) - (worse.reward ?? 0)
    if (apart > 0)
      yield {
        line: JSON.stringify(pairOf(better, worse.answer.message)),
        ids: [better.id, worse.id],
        rewards: [better.reward, worse.reward],
      }
    else if (apart === 0) yield { left: new LeftOut('no_pair'), id: better.id }
  }
}

const sourced = (example: Example) => ({ ...example, ids: [example.id] })

/** The answer is a choice, which is trained on; messages before it are context. */
function trajectoryOf({ id, prompt, answer, tools, tokens, reward }: Example) {
  return {
    messages_and_choices: [
      ...prompt,
      { finish_reason: answer.finishReason, index: 0, logprobs: answer.logprobs, message: answer.message },
    ],
    tools: tools ?? null,
    ...tokensOf(tokens),
    additional_histories: [],
    reward,
    metrics: {},
    metadata: { source: id },
    logs: [],
  }
}
