/**
 * The messages of a call, whichever interface it spoke: OpenAI's chat and responses, Anthropic's messages, Gemini's
 * contents, and what instrumentations make of them. Pure.
 */
import type { Call } from '../../api/client'
import { parsed } from '../../ui/parsed'

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'image'; url: string }
  | { kind: 'tool-call'; id: string; name: string; input: unknown; result?: unknown }
  | { kind: 'json'; value: unknown }

export interface Message {
  role: string
  parts: Part[]
  /** the call made it, rather than being given it */
  isOutput: boolean
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The conversation; empty if the call is none. */
export function messagesOf({ inputs, output }: Pick<Call, 'inputs' | 'output'>): Message[] {
  const messages: Message[] = []
  const results = new Map<string, unknown>()
  const add = (raw: unknown, isOutput: boolean) => {
    const message = messageOf(raw, isOutput, results)
    if (message !== undefined && message.parts.length > 0) messages.push(message)
  }
  const system = inputs.system ?? inputs.instructions ?? inputs.system_instruction
  if (typeof system === 'string') add({ role: 'system', content: system }, false)
  else if (Array.isArray(system)) add({ role: 'system', content: system }, false)
  const given =
    inputs.messages ??
    inputs.input_messages ??
    inputs.contents ??
    (Array.isArray(inputs.input) ? inputs.input : undefined)
  for (const raw of listOf(given)) add(raw, false)
  if (given === undefined && typeof inputs.input === 'string' && hasAnswer(output))
    add({ role: 'user', content: inputs.input }, false)
  if (messages.length === 0) return []
  for (const raw of answersOf(output)) add(raw, true)
  for (const { parts } of messages)
    for (const part of parts)
      if (part.kind === 'tool-call' && results.has(part.id)) part.result = results.get(part.id)
  return messages
}

function hasAnswer(output: unknown): boolean {
  return answersOf(output).length > 0
}

function answersOf(output: unknown): unknown[] {
  if (Array.isArray(output))
    return output.filter((one) => isFields(one) && ('role' in one || 'content' in one || 'parts' in one))
  if (!isFields(output)) return typeof output === 'string' ? [{ role: 'assistant', content: output }] : []
  if (Array.isArray(output.choices))
    return output.choices.map((choice) => (isFields(choice) ? (choice.message ?? choice) : choice))
  if (Array.isArray(output.candidates))
    return output.candidates.map((one) => (isFields(one) ? one.content : one))
  if (Array.isArray(output.output)) return output.output
  if (Array.isArray(output.messages)) return output.messages
  if ('content' in output || 'tool_calls' in output) return [{ role: 'assistant', ...output }]
  return []
}

function messageOf(raw: unknown, isOutput: boolean, results: Map<string, unknown>): Message | undefined {
  if (!isFields(raw)) return undefined
  const role =
    textOf(raw.role) ||
    (isOutput ? 'assistant' : textOf(raw.type) === 'function_call_output' ? 'tool' : 'user')
  // A result stands with its call; where that is not among the messages, it is shown by itself.
  const answered =
    textOf(raw.tool_call_id) || (raw.type === 'function_call_output' ? textOf(raw.call_id) : '')
  const content = raw.content ?? raw.parts ?? raw.output
  if (answered !== '') {
    results.set(answered, parsed(content))
    return undefined
  }
  const parts: Part[] = []
  const reasoning = textOf(raw.reasoning_content) || textOf(raw.reasoning)
  if (reasoning !== '') parts.push({ kind: 'reasoning', text: reasoning })
  if (['function_call', 'reasoning'].includes(textOf(raw.type))) addPart(raw, parts, results)
  else if (typeof content === 'string') content !== '' && parts.push({ kind: 'text', text: content })
  else if (Array.isArray(content)) for (const part of content) addPart(part, parts, results)
  else if (content !== undefined && content !== null) parts.push({ kind: 'json', value: content })
  for (const call of listOf(raw.tool_calls)) {
    if (!isFields(call)) continue
    const tool = isFields(call.function) ? call.function : call
    parts.push({
      kind: 'tool-call',
      id: textOf(call.id),
      name: textOf(tool.name),
      input: parsed(tool.arguments ?? tool.args ?? tool.input),
    })
  }
  return { role: role === 'model' ? 'assistant' : role, parts, isOutput }
}

function addPart(part: unknown, parts: Part[], results: Map<string, unknown>): void {
  if (typeof part === 'string') {
    parts.push({ kind: 'text', text: part })
    return
  }
  if (!isFields(part)) return
  const type = textOf(part.type)
  const image = imageOf(part)
  if (image !== undefined) parts.push({ kind: 'image', url: image })
  else if (type === 'tool_result') results.set(textOf(part.tool_use_id), parsed(part.content))
  else if (
    type === 'tool_use' ||
    type === 'function_call' ||
    type === 'tool_call' ||
    isFields(part.functionCall)
  ) {
    const call = isFields(part.functionCall) ? part.functionCall : part
    const id = textOf(call.call_id) || textOf(call.id)
    parts.push({
      kind: 'tool-call',
      id,
      name: textOf(call.name),
      input: parsed(call.input ?? call.arguments ?? call.args),
    })
  } else if (['thinking', 'reasoning', 'redacted_thinking'].includes(type)) {
    const summary = listOf(part.summary)
      .map((one) => (isFields(one) ? textOf(one.text) : ''))
      .join('\n')
    parts.push({
      kind: 'reasoning',
      text:
        textOf(part.thinking) ||
        textOf(part.text) ||
        textOf(part.content) ||
        summary ||
        '(not shown by the provider)',
    })
  } else if (typeof part.text === 'string') parts.push({ kind: 'text', text: part.text })
  else if (typeof part.content === 'string') parts.push({ kind: 'text', text: part.content })
  else parts.push({ kind: 'json', value: part })
}

/** An address that the page's policy lets it load: images elsewhere are shown as links. */
function imageOf(part: Fields): string | undefined {
  const given = part.image_url
  if (typeof given === 'string') return given
  if (isFields(given) && typeof given.url === 'string') return given.url
  if (part.type === 'image' && isFields(part.source) && typeof part.source.data === 'string')
    return `data:${textOf(part.source.media_type)};base64,${part.source.data}`
  if (isFields(part.inlineData))
    return `data:${textOf(part.inlineData.mimeType)};base64,${textOf(part.inlineData.data)}`
  return undefined
}
