/**
 * Checks lines of DPO data, pairs of answers to one prompt, and writes all forms that are in use as one: {prompt,
 * chosen, rejected, tools?}, lists of messages. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../platform/json/object.js'
import { conversationFault } from './conversations.js'

export type Message = Record<string, unknown>

export interface Pair {
  prompt: Message[]
  chosen: Message[]
  rejected: Message[]
  tools?: Message[]
}

/** The pair, or why it can't be trained on, as part of a sentence. */
export function pairOf(value: unknown): Pair | string {
  if (!isObject(value)) return 'it is not an object with prompt, chosen and rejected'
  const { input } = value
  // As OpenAI's fine-tuning has it; else as TRL does.
  const given = isObject(input)
    ? {
        prompt: input.messages,
        chosen: value.preferred_output,
        rejected: value.non_preferred_output,
        tools: input.tools,
      }
    : value
  const chosen = messagesOf(given.chosen, 'assistant')
  const rejected = messagesOf(given.rejected, 'assistant')
  if (!chosen || !rejected) return 'it needs `chosen` and `rejected`, two answers: texts or lists of messages'
  // Without a prompt of its own, both are whole conversations, which begin alike.
  const whole = given.prompt === undefined || given.prompt === null
  const same = whole ? commonStart(chosen, rejected) : 0
  const prompt = whole ? chosen.slice(0, same) : messagesOf(given.prompt, 'user')
  if (!prompt || prompt.length === 0) return 'it needs `prompt`: a text, or a list of messages'
  const { tools } = given
  const pair = {
    prompt,
    chosen: chosen.slice(same),
    rejected: rejected.slice(same),
    ...(Array.isArray(tools) && tools.length > 0 && { tools }),
  }
  return pairFault(pair, tools) ?? pair
}

function pairFault({ prompt, chosen, rejected }: Pair, tools: unknown): string | undefined {
  for (const [name, answer] of Object.entries({ chosen, rejected })) {
    const fault = conversationFault({ messages: [...prompt, ...answer], tools })
    if (fault !== undefined) return `with its \`${name}\` answer, ${fault}`
    if (!answer.some(({ role }) => role === 'assistant'))
      return `its \`${name}\` answer has no assistant message`
  }
  return isDeepStrictEqual(chosen, rejected) ? 'both of its answers are the same' : undefined
}

/** A text, a message or a list of them as a list; undefined: neither. @param role of the one message that a text is */
export function messagesOf(value: unknown, role: string): Message[] | undefined {
  if (typeof value === 'string' && value.trim() !== '') return [{ role, content: value }]
  if (isObject(value)) return [value]
  return Array.isArray(value) && value.length > 0 ? (value as Message[]) : undefined
}

/** How many messages both begin with; the last of each is an answer. */
function commonStart(one: Message[], other: Message[]): number {
  const most = Math.min(one.length, other.length) - 1
  let same = 0
  while (same < most && isDeepStrictEqual(one[same], other[same])) same++
  return same
}
