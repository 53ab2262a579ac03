/** What a call was asked, as a text: whatever wrote its inputs. Pure. */
import { isObject } from '../../platform/json/object.js'
import { messagesOf, shownText } from '../agents/messages.js'

/** Names under which programs are asked something, the likeliest first. */
export const ASKED = ['message', 'user_message', 'input', 'question', 'query', 'prompt', 'text', 'content']

/** Names of a list of messages. */
const LISTS = ['messages', 'input_messages', 'contents', 'input', 'prompt']

/**
 * The last message of a user among the inputs, or the text that it is clear was asked.
 * @param inputs JSON text
 * @returns '' if they say nothing that can be shown as a text
 */
export function askedText(inputs: string): string {
  return textIn(parsed(inputs))
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return lastOfUser(value)
  if (!isObject(value)) return ''
  const { self: _, ...fields } = value
  const keys = Object.keys(fields)
  // Of a span, the value of one attribute, below its key.
  if (keys.length === 1) {
    const [only] = Object.values(fields)
    const inner = typeof only === 'string' ? parsed(only) : only
    if (Array.isArray(inner) || isObject(inner)) return textIn(inner)
    return typeof only === 'string' ? only : ''
  }
  const list = LISTS.map((name) => fields[name]).find(Array.isArray)
  if (list !== undefined) return lastOfUser(list)
  const name = ASKED.find((one) => typeof fields[one] === 'string')
  return name === undefined ? '' : (fields[name] as string)
}

function lastOfUser(list: unknown[]): string {
  const said = messagesOf(list, 'user').filter(({ role }) => role === 'user' || role === 'human')
  return said.map(shownText).findLast((text) => text !== '') ?? ''
}

/** The value of a JSON text, or the text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
