/** Makes one example from a row (a call, or a row of a dataset): a conversation, its answer, its reward. Pure. */
import type { TrainingDataSource } from '../../contract/training-data.js'
import { isObject } from '../../platform/json/object.js'
import { type AnswerFound, answerOf } from './answer.js'
import { LeftOut } from './left-out.js'
import type { ChatMessage } from './messages.js'
import { promptOf, systemOf } from './prompt.js'
import { holdsRef } from './refs.js'
import { type RewardRule, rewardOf } from './reward.js'
import type { Row } from './row.js'
import { holdsSecret } from './secrets.js'
import type { TurnTokens } from './sequences.js'
import { filled, valueAt } from './template.js'

export interface Example {
  id: string
  prompt: ChatMessage[]
  answer: AnswerFound
  tools: Record<string, unknown>[] | undefined
  /** undefined: the source has none, and none is required */
  reward: number | undefined
  /** the answer that is worse; undefined: the row has one answer */
  rejected: ChatMessage | undefined
  /** as the model had them; undefined: they were not kept */
  tokens: (TurnTokens & { vocabulary: string }) | undefined
}

/** The part of a source that says how to read rows. */
export type Reading = Pick<TrainingDataSource, 'template' | 'reward' | 'min_reward'>

const MOST_CHARACTERS = 4 * 2 ** 20
const ANSWERS = ['completion', 'response', 'answer', 'output', 'chosen', 'target'] as const

/** @throws LeftOut */
export function exampleOf(row: Row, { template, reward: rule, min_reward: least }: Reading): Example {
  const { value } = row
  if (row.kind === 'call') hasEnded(value)
  const reward = rule ? rewardIn(rule, value) : undefined
  if (rule && reward === undefined) throw new LeftOut('no_reward')
  if (least !== null && reward !== undefined && reward < least) throw new LeftOut('low_reward')
  const { prompt, answer, tools, rejected } = template
    ? byTemplate(template, value)
    : row.kind === 'call' || isObject(value.inputs)
      ? ofCall(value)
      : ofRow(value)
  if (prompt.length === 0 || prompt.every(({ role }) => role === 'system')) throw new LeftOut('no_messages')
  const all = [...prompt, answer.message, ...(rejected ? [rejected] : [])]
  const text = JSON.stringify([all, tools])
  if (text.length > MOST_CHARACTERS) throw new LeftOut('too_long')
  if (holdsRef(text)) throw new LeftOut('unresolved_ref')
  if (holdsSecret(all)) throw new LeftOut('secret')
  return { id: row.id, prompt, answer, tools, reward, rejected, tokens: tokensOf(value) }
}

/** The reward of a call or a row; undefined: it has none. */
export function rewardIn(rule: RewardRule, value: Record<string, unknown>): number | undefined {
  const feedback = valueAt(value, 'summary.weave.feedback')
  return rewardOf(rule, value, Array.isArray(feedback) ? feedback : [])
}

/** Those of the first choice, as the answer is. */
function tokensOf({ token_ids: tokens }: Record<string, unknown>): Example['tokens'] {
  if (!isObject(tokens)) return undefined
  const { vocabulary, prompt, completions } = tokens as {
    vocabulary: string
    prompt: number[]
    completions: number[][]
  }
  const [completion = []] = completions
  return completion.length === 0 || vocabulary === '' ? undefined : { vocabulary, prompt, completion }
}

type Conversation = Pick<Example, 'prompt' | 'answer' | 'tools' | 'rejected'>

function hasEnded(call: Record<string, unknown>): void {
  if (typeof call.exception === 'string' && call.exception !== '') throw new LeftOut('failed')
  if (call.ended_at === null || call.ended_at === undefined) throw new LeftOut('unfinished')
}

function ofCall({ inputs, output, attributes }: Record<string, unknown>): Conversation {
  const { messages, tools } = promptOf(inputs)
  const system = messages.some(({ role }) => role === 'system') ? [] : systemOf(attributes)
  return {
    prompt: [...system, ...beforeAnswer(messages, output)],
    answer: answerOf(output),
    tools,
    rejected: undefined,
  }
}

/** Cuts the answer off the prompt: some spans repeat it in their inputs. */
function beforeAnswer(messages: ChatMessage[], output: unknown): ChatMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return messages
  const { message } = answerOf(output)
  return last.content === message.content ? messages.slice(0, -1) : messages
}

/** A row holds a whole conversation, or a prompt and its answer in separate fields. */
function ofRow(row: Record<string, unknown>): Conversation {
  const key = ANSWERS.find((one) => row[one] !== undefined && row[one] !== null && row[one] !== '')
  const { [key ?? '']: _, rejected: worse, ...asked } = row
  const rejected = worse === undefined || worse === null ? undefined : answerOf(worse).message
  const { messages, tools } = promptOf(asked)
  const last = messages.at(-1)
  if (last?.role === 'assistant')
    return { prompt: messages.slice(0, -1), answer: answerOf(last), tools, rejected }
  if (key === undefined) throw new LeftOut('no_answer')
  return { prompt: messages, answer: answerOf(row[key]), tools, rejected }
}

function byTemplate(template: NonNullable<Reading['template']>, row: Record<string, unknown>): Conversation {
  const system = template.system === null ? [] : [{ role: 'system', content: filled(template.system, row) }]
  return {
    prompt: [...system, { role: 'user', content: filled(template.prompt, row) }],
    answer: answerOf(filled(template.completion, row)),
    tools: undefined,
    rejected: template.rejected === null ? undefined : answerOf(filled(template.rejected, row)).message,
  }
}
