/** Checks lines of SFT data: {messages, tools?}. Pure. */
import { halfPairAt } from '../../platform/json/half-pairs.js'
import { isObject } from '../../platform/json/object.js'

/** Why such text can't be trained on. */
export const HALF_PAIR =
  'half of a surrogate pair, which is not valid text (an escape like \\ud83d needs its other half after it)'

/** Why a conversation can't be trained on, as part of a sentence; undefined if it can. */
export function conversationFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object with messages'
  const { messages, tools } = value
  if (!Array.isArray(messages) || messages.length === 0)
    return 'it needs `messages`, a list with at least one message'
  if (tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.every(isObject)))
    return '`tools` must be a list of objects'
  for (const [i, message] of messages.entries()) {
    const why = messageFault(message)
    if (why !== undefined) return `messages[${i}] ${why}`
  }
  if (!messages.some((message) => message.role === 'assistant'))
    return 'it has no assistant message, and only those are trained on'
  const half = halfPairAt({ messages, tools })
  return half && `${placeOf(half)} has ${HALF_PAIR}`
}

function messageFault(message: unknown): string | undefined {
  if (!isObject(message) || typeof message.role !== 'string') return 'needs a role'
  const { content, tool_calls: calls } = message
  const hasCalls = Array.isArray(calls) && calls.length > 0
  if (calls !== undefined && calls !== null && !(Array.isArray(calls) && calls.every(isObject)))
    return 'has tool_calls that are not a list of objects'
  if (typeof content === 'string' || Array.isArray(content)) return undefined
  if ((content === null || content === undefined) && hasCalls) return undefined
  return 'needs content: text, or parts of it'
}

/** messages[0].content */
function placeOf(path: readonly (string | number)[]): string {
  return path.map((one, i) => (typeof one === 'number' ? `[${one}]` : i === 0 ? one : `.${one}`)).join('')
}
