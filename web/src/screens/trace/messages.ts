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
export function messagesOf(call: Pick<Call, 'inputs' | 'output'>): Message[] {
  const inputs = askedOf(call.inputs)
  const output = bare(call.output)
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
  const text = inputs.input ?? inputs.prompt
  if (given === undefined && typeof text === 'string' && answersOf(output).length > 0)
    add({ role: 'user', content: text }, false)
  if (messages.length === 0) return []
  for (const raw of answersOf(output)) add(raw, true)
  for (const { parts } of messages)
    for (const part of parts)
      if (part.kind === 'tool-call' && results.has(part.id)) part.result = results.get(part.id)
  return messages
}

/** What was asked, without the key of a span's attribute around it. */
export function askedOf(inputs: Call['inputs']): Record<string, unknown> {
  const asked = bare(inputs)
  return Array.isArray(asked) ? { messages: asked } : isFields(asked) ? asked : {}
}

/** Attributes of messages whose keys have no dot. */
const DOTLESS = ['all_messages_events', 'final_result']

/** Of a span, what was given and answered is the value of one attribute, below its key: `{"input.value": …}`. */
function bare(value: unknown): unknown {
  const [key, second] = isFields(value) ? Object.keys(value) : []
  if (key === undefined || second !== undefined) return value
  return key.includes('.') || DOTLESS.includes(key) ? parsed((value as Fields)[key]) : value
}

function answersOf(output: unknown): unknown[] {
  if (Array.isArray(output))
    return output.filter(
      (one) => isFields(one) && ['role', 'content', 'parts', 'message'].some((key) => key in one),
    )
  if (!isFields(output)) return typeof output === 'string' ? [{ role: 'assistant', content: output }] : []
  if (Array.isArray(output.choices))
    return output.choices.map((choice) => (isFields(choice) ? (choice.message ?? choice) : choice))
  if (Array.isArray(output.candidates))
    return output.candidates.map((one) => (isFields(one) ? one.content : one))
  if (Array.isArray(output.output)) return output.output
  if (Array.isArray(output.messages)) return output.messages
  if ('content' in output || 'tool_calls' in output) return [{ role: 'assistant', ...output }]
  if ('text' in output || 'toolCalls' in output)
    return [{ role: 'assistant', content: output.text, tool_calls: output.toolCalls }]
  return []
}

function messageOf(given: unknown, isOutput: boolean, results: Map<string, unknown>): Message | undefined {
  const raw = isFields(given) && isFields(given.message) ? given.message : given
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
  for (const one of listOf(raw.tool_calls)) {
    if (!isFields(one)) continue
    const call = isFields(one.tool_call) ? one.tool_call : one
    parts.push(toolCallOf(call, isFields(call.function) ? call.function : call))
  }
  return { role: role === 'model' ? 'assistant' : role, parts, isOutput }
}

/** @param tool what holds its name and arguments */
const toolCallOf = (call: Fields, tool: Fields = call): Part => ({
  kind: 'tool-call',
  id: textOf(call.call_id) || textOf(call.toolCallId) || textOf(call.id),
  name: textOf(tool.name) || textOf(tool.toolName),
  input: parsed(tool.input ?? tool.arguments ?? tool.args),
})

const TOOL_CALLS = ['tool_use', 'function_call', 'tool_call', 'tool-call']
const TOOL_RESULTS = ['tool_result', 'tool_call_response', 'tool-result']

function addPart(part: unknown, parts: Part[], results: Map<string, unknown>): void {
  if (typeof part === 'string') {
    parts.push({ kind: 'text', text: part })
    return
  }
  if (!isFields(part)) return
  const type = textOf(part.type)
  const image = imageOf(part)
  if (image !== undefined) parts.push({ kind: 'image', url: image })
  else if (TOOL_RESULTS.includes(type)) {
    const id = textOf(part.tool_use_id) || textOf(part.toolCallId) || textOf(part.id)
    const { output } = part
    const value = isFields(output) && 'value' in output ? output.value : output
    results.set(id, parsed(part.content ?? part.result ?? part.response ?? value))
  } else if (TOOL_CALLS.includes(type) || isFields(part.functionCall)) {
    parts.push(toolCallOf(isFields(part.functionCall) ? part.functionCall : part))
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
