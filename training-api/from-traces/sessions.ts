/**
 * Makes trajectories of sessions: the calls of one thread are turns, joined by their tokens. Holds the sessions until the
 * last row is read. Pure but for reading rows.
 */
import type { JobKind } from '../../domain/training/jobs.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Example, exampleOf, type Reading, rewardIn } from './example.js'
import { LeftOut } from './left-out.js'
import type { ChatMessage } from './messages.js'
import { conversationOf, groupOutcomes, type Outcome, promptKey } from './outcome.js'
import type { Row } from './row.js'
import { addTurn, type Sequence } from './sequences.js'

/** A sequence of a session with the messages of its last turn, for models with another vocabulary. */
interface History extends Sequence {
  vocabulary: string
  last: Example
}

interface Session {
  first: Example
  histories: History[]
  ids: string[]
  rewards: number[]
}

interface Rewarded extends Session {
  /** undefined: the source has none */
  reward: number | undefined
}

/** The most tokens held, of 8 bytes each. */
const HELD_TOKENS = 16 * 2 ** 20

/** @param rows calls, in the order of their times */
export async function* sessionOutcomes(
  rows: AsyncIterable<Row>,
  kind: Exclude<JobKind, 'dpo'>,
  { reward: rule, min_reward: least, ...reading }: Reading,
): AsyncGenerator<Outcome> {
  const sessions = new Map<string, Session>()
  let held = 0
  for await (const row of rows) {
    try {
      const example = exampleOf(row, { ...reading, reward: null, min_reward: null })
      if (!example.tokens) throw new LeftOut('no_token_ids')
      const session = sessionOf(sessions, row, example)
      held += addExample(session, example, example.tokens)
      const reward = rule ? rewardIn(rule, row.value) : undefined
      if (reward !== undefined) session.rewards.push(reward)
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      yield { left: error, id: row.id }
    }
    if (held > HELD_TOKENS)
      throw errors.badRequest(
        'These sessions hold more than 16 million tokens; narrow the query, or train on a part.',
      )
  }
  const whole: Rewarded[] = []
  for (const session of sessions.values()) {
    const reward = meanOf(session.rewards)
    const why = rule && reward === undefined ? 'no_reward' : isBelow(reward, least) ? 'low_reward' : undefined
    if (why) for (const id of session.ids) yield { left: new LeftOut(why), id }
    else whole.push({ ...session, reward })
  }
  if (kind === 'rl') yield* groupsOf(whole)
  else for (const session of whole) yield* conversationsOf(session)
}

function sessionOf(sessions: Map<string, Session>, { value, id }: Row, first: Example): Session {
  const key = value.thread_id ? `thread ${value.thread_id}` : `trace ${value.trace_id ?? id}`
  const session = sessions.get(key) ?? { first, histories: [], ids: [], rewards: [] }
  sessions.set(key, session)
  return session
}

/** @returns how many tokens are new */
function addExample(
  session: Session,
  example: Example,
  { vocabulary, ...turn }: NonNullable<Example['tokens']>,
): number {
  const { histories, ids } = session
  const same = histories.filter((one) => one.vocabulary === vocabulary)
  const begin = (): History => {
    const history = { vocabulary, ids: [], trained: [], last: example }
    histories.push(history)
    return history
  }
  const before = same.map((one) => one.ids.length)
  const history = addTurn(same, turn, begin)
  history.last = example
  ids.push(example.id)
  return history.ids.length - (before[same.indexOf(history)] ?? 0)
}

/** A line for each sequence. */
function* conversationsOf({ histories, ids, reward }: Rewarded): Generator<Outcome> {
  for (const [i, history] of histories.entries())
    yield {
      line: JSON.stringify({ ...conversationOf(history.last), tokens: tokensOf(history) }),
      // The calls of a session count once.
      ids: i === 0 ? ids : [],
      rewards: i === 0 ? [reward] : [],
    }
}

/** Sessions that began with the same prompt are compared with each other. */
function* groupsOf(sessions: readonly Rewarded[]): Generator<Outcome> {
  const groups = new Map<string, Rewarded[]>()
  for (const session of sessions) {
    const key = promptKey(session.first)
    groups.set(key, [...(groups.get(key) ?? []), session])
  }
  for (const group of groups.values()) yield* groupOutcomes(group, trajectoryOf)
}

function trajectoryOf({ histories, reward, ids }: Rewarded) {
  const [first, ...more] = histories.map(historyOf)
  return { ...first, additional_histories: more, reward, metrics: {}, metadata: { source: ids[0] }, logs: [] }
}

/** The answers of its turns are choices. */
function historyOf(history: History) {
  const { last, trained } = history
  const { prompt, answer, tools } = last
  const answers = prompt.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))
  const chosen = new Set(trained.length > 1 ? answers.slice(1 - trained.length) : [])
  const choice = (message: ChatMessage, finish: string) => ({
    finish_reason: finish,
    index: 0,
    logprobs: null,
    message,
  })
  const before = prompt.map((message, i) =>
    chosen.has(i) ? choice(message, message.tool_calls ? 'tool_calls' : 'stop') : message,
  )
  return {
    messages_and_choices: [...before, choice(answer.message, answer.finishReason)],
    tools: tools ?? null,
    tokens: tokensOf(history),
  }
}

const tokensOf = ({ vocabulary, ids, trained }: History) => ({ vocabulary, ids, trained })

function meanOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

const isBelow = (reward: number | undefined, least: number | null): boolean =>
  least !== null && reward !== undefined && reward < least
