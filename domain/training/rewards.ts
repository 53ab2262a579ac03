/**
 * Trajectory groups that come without rewards: what of them a judge sees, and the same groups with the rewards it gave.
 * Pure; knows no judge.
 */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../platform/json/object.js'

export type Json = Record<string, unknown>

/** A group as a judge sees it. */
export interface JudgedGroup {
  /** the messages that all trajectories begin with */
  question: unknown[]
  /** what follows in each: a text, or a list of messages */
  answers: unknown[]
}

/** Whether a group's rewards are its own, are to be given, or are only partly there. */
export function rewardsOf(group: unknown): 'given' | 'missing' | 'mixed' {
  const trajectories = trajectoriesOf(group)
  const missing = trajectories.filter(({ reward }) => typeof reward !== 'number').length
  if (missing === 0) return 'given'
  return missing === trajectories.length ? 'missing' : 'mixed'
}

/** The trajectories of a group that was checked. */
export function trajectoriesOf(group: unknown): Json[] {
  const list = isObject(group) ? group.trajectories : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** What a judge sees of a group. Trained items are answers, even if all trajectories have the same. */
export function judgedGroup(group: unknown): JudgedGroup {
  const histories = trajectoriesOf(group).map(itemsOf)
  const [first = []] = histories
  let common = 0
  while (
    common < first.length &&
    !isChoice(first[common]) &&
    histories.every((items) => isDeepStrictEqual(items[common], first[common]))
  )
    common++
  return {
    question: first.slice(0, common).map(messageOf),
    answers: histories.map((items) => answerOf(items.slice(common))),
  }
}

/** A trajectory as a scorer of single outputs sees it: its last answer, and columns beside it. */
export function judgedOutput(group: unknown, trajectory: Json): { output: string; row: Json } {
  const items = itemsOf(trajectory)
  const last = items.findLastIndex(isChoice)
  const before = items.slice(0, Math.max(last, 0)).map(messageOf)
  const question = before.findLast((message) => isObject(message) && message.role === 'user')
  return {
    output: last < 0 ? '' : textOf(messageOf(items[last])),
    row: {
      ...(isObject(group) && isObject(group.metadata) ? group.metadata : {}),
      ...(isObject(trajectory.metadata) ? trajectory.metadata : {}),
      messages: before,
      user_input: textOf(question),
    },
  }
}

/** Distinct answers, and for each answer the index of its like: a judge sees a text once. */
export function distinct(answers: readonly unknown[]): { shown: unknown[]; of: number[] } {
  const places = new Map<string, number>()
  const shown: unknown[] = []
  const of = answers.map((answer) => {
    const key = JSON.stringify(answer)
    const known = places.get(key) ?? shown.push(answer) - 1
    places.set(key, known)
    return known
  })
  return { shown, of }
}

/** The group with these rewards, in the order of its trajectories. */
export function rewarded(group: Json, rewards: readonly number[]): Json {
  const trajectories = trajectoriesOf(group).map((one, i) => ({ ...one, reward: rewards[i]! }))
  return { ...group, trajectories }
}

/** The mean reward of a group with trajectories; one without a reward counts 0, as in training. */
export function meanReward(group: unknown): number {
  const rewards = trajectoriesOf(group).map(({ reward }) => (typeof reward === 'number' ? reward : 0))
  return rewards.reduce((sum, one) => sum + one, 0) / rewards.length
}

function itemsOf(trajectory: Json): unknown[] {
  return Array.isArray(trajectory.messages_and_choices) ? trajectory.messages_and_choices : []
}

function isChoice(item: unknown): item is Json & { message: Json } {
  return isObject(item) && 'finish_reason' in item && isObject(item.message)
}

/** The message of an item, without what only training reads. */
function messageOf(item: unknown): unknown {
  return isChoice(item) ? { role: 'assistant', ...item.message } : item
}

function answerOf(items: readonly unknown[]): unknown {
  const messages = items.map(messageOf)
  const [only] = messages
  const isText = messages.length === 1 && isObject(only) && typeof only.content === 'string'
  const hasCalls = isObject(only) && Array.isArray(only.tool_calls) && only.tool_calls.length > 0
  return isText && !hasCalls ? only.content : messages
}

/** A message's text, which may be in parts. */
function textOf(message: unknown): string {
  const content = isObject(message) ? message.content : undefined
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** The number in a scorer's result: itself, true (1) or false (0), or what its `path` holds. */
export function numberIn(value: unknown, path: string | null): number | undefined {
  let here = value
  const steps = path === null ? defaultPath(value) : path.split('.')
  for (const step of steps) here = memberOf(here, step)
  if (typeof here === 'boolean') return here ? 1 : 0
  return typeof here === 'number' && Number.isFinite(here) ? here : undefined
}

/** A field of an object, or an item of a list. */
function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(step) ? value[Number(step)] : undefined
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** Where the built-in scorers have their result. */
const RESULTS = ['score', 'value', 'passed', 'similarity']

function defaultPath(value: unknown): string[] {
  if (!isObject(value)) return []
  const key = RESULTS.find((one) => Object.hasOwn(value, one))
  return key === undefined ? [] : [key]
}
