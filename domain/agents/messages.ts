/** What was said to a model and by it, as spans send it in several forms, in one: role, content, why it ended. Pure. */
import type { NormalizedMessage } from '../../contract/agent-span.js'
import { isObject } from '../../platform/json/object.js'

/** Messages in a span's attribute; those that say no role have `role`. */
export function messagesOf(value: unknown, role: string): NormalizedMessage[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value))
    return value.flatMap((one) => (isObject(one) || typeof one === 'string' ? message(one, role) : []))
  if (isObject(value))
    return 'role' in value ? message(value, role) : numbered(value).flatMap((one) => message(one, role))
  const text = textOf(value)
  return text === '' ? [] : [{ role, content: text, finish_reason: '' }]
}

/** `gen_ai.prompt.1.content` without a 0: an object whose keys are numbers. */
function numbered(value: Record<string, unknown>): unknown[] {
  const keys = Object.keys(value)
  return keys.every((key) => /^\d+$/.test(key)) ? keys.map((key) => value[key]) : []
}

function message(value: unknown, role: string): NormalizedMessage[] {
  if (typeof value === 'string') return [{ role, content: value, finish_reason: '' }]
  if (!isObject(value)) return []
  return [
    {
      role: typeof value.role === 'string' && value.role !== '' ? value.role : role,
      content: contentOf(value),
      finish_reason: typeof value.finish_reason === 'string' ? value.finish_reason : '',
    },
  ]
}

function contentOf({ parts, content }: Record<string, unknown>): string {
  if (Array.isArray(parts)) return spaced(parts)
  if (typeof content === 'string') return content
  return Array.isArray(content) ? spaced(content) : ''
}

/** Instructions of a system: their texts. */
export function instructionsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    const text = isObject(one) ? (one.content ?? one.text) : one
    return typeof text === 'string' && text !== '' ? [text] : []
  })
}

/** The parts of a message's content; a text is one part. */
export function partsOf({ content }: NormalizedMessage): Record<string, unknown>[] {
  if (content.startsWith('[')) {
    try {
      const parts = JSON.parse(content) as unknown
      if (Array.isArray(parts))
        return parts.flatMap((part) =>
          isObject(part) ? [part] : typeof part === 'string' ? [{ type: 'text', content: part }] : [],
        )
    } catch {
      // It is a text that begins like a list.
    }
  }
  return content === '' ? [] : [{ type: 'text', content }]
}

const MEDIA = new Set(['uri', 'blob', 'file', 'reasoning', 'tool_call', 'tool_call_response'])

/** The text of a message that is shown. */
export function shownText(message: NormalizedMessage): string {
  return partsOf(message)
    .flatMap((part) => {
      const text = part.content ?? part.text
      return MEDIA.has(String(part.type)) || typeof text !== 'string' || text === '' ? [] : [text]
    })
    .join('\n\n')
}

/** What the model thought. */
export function reasoningOf(messages: readonly NormalizedMessage[]): string {
  return messages
    .flatMap((message) => partsOf(message))
    .flatMap(({ type, content }) => (type === 'reasoning' && typeof content === 'string' ? [content] : []))
    .join('\n')
}

/** A value as text: a text as it is, else JSON; '' for nothing. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : spaced(value)
}

/** JSON with a space behind commas and colons, as Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`)
      .join(', ')}}`
  return JSON.stringify(value) ?? 'null'
}
