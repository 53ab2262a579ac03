/**
 * Validates trajectory groups, by hand, since a job has thousands of them with a log-probability per token;
 * `contract/trajectories.ts` documents the same rules. Pure; knows no tokenizer.
 */
import { halfPairAt } from '../../platform/json/half-pairs.js'
import { isObject } from '../../platform/json/object.js'
import { HALF_PAIR } from './conversations.js'

/** The first problem: where it is, and what to do. */
export interface Fault {
  path: (string | number)[]
  message: string
}

/** Tolerance: log-probabilities are rounded in transit. */
const ROUNDING = 1e-3

/**
 * The first fault of a group; undefined if there is none.
 * @param trained each trajectory must also contain something to train on
 */
export function groupFault(value: unknown, trained = true): Fault | undefined {
  if (!isObject(value)) return fault([], 'Should be an object with trajectories')
  const { trajectories, exceptions, metrics } = value
  if (!Array.isArray(trajectories)) return fault(['trajectories'], 'Should be a list of trajectories')
  if (exceptions !== undefined && exceptions !== null && !Array.isArray(exceptions))
    return fault(['exceptions'], 'Should be a list')
  if (metrics !== undefined && metrics !== null && !isObject(metrics))
    return fault(['metrics'], 'Should be an object with numbers')
  // If every rollout failed, there are only exceptions, which are counted.
  if (trajectories.length === 0 && !(Array.isArray(exceptions) && exceptions.length > 0))
    return fault(['trajectories'], 'Should hold at least one trajectory')
  for (const [i, trajectory] of trajectories.entries()) {
    const found = trajectoryFault(trajectory, trained)
    if (found) return { ...found, path: ['trajectories', i, ...found.path] }
  }
  return undefined
}

function trajectoryFault(value: unknown, trained: boolean): Fault | undefined {
  if (!isObject(value)) return fault([], 'Should be an object')
  const { reward, additional_histories: more } = value
  if (reward !== undefined && (typeof reward !== 'number' || !Number.isFinite(reward)))
    return fault(['reward'], 'Should be a finite number')
  if (more !== undefined && more !== null && !Array.isArray(more))
    return fault(['additional_histories'], 'Should be a list')
  let choices = 0
  for (const [i, history] of [value, ...((more as unknown[] | null) ?? [])].entries()) {
    const where = i === 0 ? [] : ['additional_histories', i - 1]
    if (!isObject(history)) return fault(where, 'Should be an object')
    const half = trained && halfPairAt(history.tools)
    if (half) return fault([...where, 'tools', ...half], `Should not have ${HALF_PAIR}`)
    const items = history.messages_and_choices ?? []
    if (!Array.isArray(items)) return fault([...where, 'messages_and_choices'], 'Should be a list')
    for (const [k, item] of items.entries()) {
      const found = itemFault(item) ?? (trained ? textFault(item) : undefined)
      if (found) return { ...found, path: [...where, 'messages_and_choices', k, ...found.path] }
      if (isChoice(item)) choices++
    }
  }
  if (trained && choices === 0) {
    return fault(
      ['messages_and_choices'],
      'Should hold a choice (an item with finish_reason and message): only choices are trained on',
    )
  }
  return undefined
}

/** Text that becomes tokens must be valid; anything else may contain anything. */
function textFault(item: unknown): Fault | undefined {
  if (!isObject(item)) return undefined
  const half = halfPairAt(isChoice(item) ? { message: item.message } : item)
  return half && fault(half, `Should not have ${HALF_PAIR}`)
}

function isChoice(item: unknown): boolean {
  return isObject(item) && 'finish_reason' in item && 'message' in item
}

function itemFault(item: unknown): Fault | undefined {
  if (!isObject(item)) return fault([], 'Should be a message or a choice')
  if (!isChoice(item))
    return typeof item.role === 'string' ? undefined : fault(['role'], 'Should be the role of the message')
  const { message, logprobs } = item
  if (!isObject(message)) return fault(['message'], 'Should be an object')
  if (logprobs === undefined || logprobs === null) return undefined
  if (!isObject(logprobs)) return fault(['logprobs'], 'Should be an object, or null')
  const { content } = logprobs
  if (content === undefined || content === null) return undefined
  if (!Array.isArray(content)) return fault(['logprobs', 'content'], 'Should be a list')
  for (const [i, entry] of content.entries()) {
    const where = ['logprobs', 'content', i]
    if (!isObject(entry) || typeof entry.token !== 'string')
      return fault(where, 'Should be a token with its logprob')
    for (const name of ['logprob', 'teacher_logprob']) {
      const value = entry[name]
      if (value === undefined || value === null) continue
      if (typeof value !== 'number' || !Number.isFinite(value) || value > ROUNDING)
        return fault([...where, name], 'Should be the logarithm of a probability')
    }
  }
  return belongs(message, content as { token: string }[])
    ? undefined
    : fault(['logprobs', 'content'], 'Should be the tokens of this message; these belong to another one')
}

/**
 * False if the tokens can't be those of the message. Tool calls, reasoning and partial characters look different from
 * their tokens, tokens may be given by id, and tokenizers place spaces differently: all of these pass.
 */
function belongs(message: Record<string, unknown>, tokens: readonly { token: string }[]): boolean {
  const { content, tool_calls: calls, reasoning } = message
  if (typeof content !== 'string' || reasoning || (Array.isArray(calls) && calls.length > 0)) return true
  if (tokens.length === 0 || /^token_id:\d+$/.test(tokens[0]!.token)) return true
  const said = plain(tokens.map(({ token }) => token).join(''))
  return `${said}${content}`.includes('\ufffd') || said.includes(plain(content))
}

/** Removes white space, in any tokenizer's notation, and special tokens, which messages don't show. */
const plain = (text: string) => text.replaceAll(/<[^<>\s]+>|[\s\u2581\u0120\u010a]/gu, '')

function fault(path: (string | number)[], message: string): Fault {
  return { path, message }
}
