/**
 * The messages of a call, whichever interface it spoke: OpenAI's chat and responses, Anthropic's messages, Gemini's
 * contents, and what instrumentations make of them. Pure.
 */
import type { Call } from '../../api/client'
import { NO_REFS, type Refs } from '../../api/refs'
import { type Fields, isFields, parsed } from '../../ui/parsed'

/** @property ref where the value comes from, if it is not in the call itself */
export type Part =
  | { kind: 'text'; text: string; ref?: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'image'; url: string }
  | { kind: 'tool-call'; id: string; name: string; input: unknown; result?: unknown }
  /** of a call that is not among the messages */
  | { kind: 'tool-result'; id: string; result: unknown }
  | { kind: 'json'; value: unknown; ref?: string }

export interface Message {
  role: string
  parts: Part[]
  /** the call made it, rather than being given it */
  isOutput: boolean
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The conversation; empty if the call is none. */
export function messagesOf(call: Pick<Call, 'inputs' | 'output'>, refs: Refs = NO_REFS): Message[] {
  const inputs = askedOf(call.inputs)
  const output = bare(call.output)
  const messages: Message[] = []
  const add = (raw: unknown, isOutput: boolean) => {
    const message = messageOf(follow(raw, refs), isOutput, refs)
    if (message !== undefined && message.parts.length > 0) messages.push(message)
  }
  const system = inputs.system ?? inputs.instructions ?? inputs.system_instruction
  if (typeof system === 'string' || Array.isArray(system)) add({ role: 'system', content: system }, false)
  const given =
    inputs.messages ??
    inputs.input_messages ??
    inputs.contents ??
    (Array.isArray(inputs.input) ? inputs.input : undefined)
  for (const raw of listOf(follow(given, refs))) add(raw, false)
  const text = inputs.input ?? inputs.prompt
  if (given === undefined && typeof text === 'string' && answersOf(output).length > 0)
    add({ role: 'user', content: text }, false)
  if (messages.length === 0) return []
  for (const raw of answersOf(output)) add(raw, true)
  return withResults(messages)
}

/** Results stand with their calls. One whose call is not among the messages stands by itself. */
function withResults(messages: readonly Message[]): Message[] {
  const calls = new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.kind === 'tool-call' && part.id !== '' ? [[part.id, part] as const] : [],
      ),
    ),
  )
  return messages.flatMap((message) => {
    const parts = message.parts.filter((part) => {
      const call = part.kind === 'tool-result' ? calls.get(part.id) : undefined
      if (part.kind !== 'tool-result' || call === undefined) return true
      call.result = part.result
      return false
    })
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })
}

/** What a value that is only a ref points at. */
const follow = (value: unknown, refs: Refs): unknown =>
  typeof value === 'string' ? (refs.get(value) ?? value) : value

/** A text, or what a text that is only a ref points at. */
export function textPart(text: string, refs: Refs): Part {
  const found = refs.get(text)
  if (found === undefined) return { kind: 'text', text }
  if (typeof found === 'string') return { kind: 'text', text: found, ref: text }
  if (isFields(found) && found._class_name === 'StringPrompt' && typeof found.content === 'string')
    return { kind: 'text', text: found.content, ref: text }
  return { kind: 'json', value: found, ref: text }
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

function messageOf(given: unknown, isOutput: boolean, refs: Refs): Message | undefined {
  const raw = isFields(given) && isFields(given.message) ? given.message : given
  if (!isFields(raw)) return undefined
  const role =
    textOf(raw.role) ||
    (isOutput ? 'assistant' : textOf(raw.type) === 'function_call_output' ? 'tool' : 'user')
  const answered =
    textOf(raw.tool_call_id) || (raw.type === 'function_call_output' ? textOf(raw.call_id) : '')
  const content = raw.content ?? raw.parts ?? raw.output
  if (answered !== '')
    return {
      role,
      parts: [{ kind: 'tool-result', id: answered, result: parsed(follow(content, refs)) }],
      isOutput,
    }
  const parts: Part[] = []
  const reasoning = textOf(raw.reasoning_content) || textOf(raw.reasoning)
  if (reasoning !== '') parts.push({ kind: 'reasoning', text: reasoning })
  if (['function_call', 'reasoning'].includes(textOf(raw.type))) addPart(raw, parts, refs)
  else if (typeof content === 'string') content !== '' && parts.push(textPart(content, refs))
  else if (Array.isArray(content)) for (const part of content) addPart(part, parts, refs)
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

function addPart(given: unknown, parts: Part[], refs: Refs): void {
  const part = follow(given, refs)
  if (typeof part === 'string') {
    parts.push(textPart(String(given), refs))
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
    const result = part.content ?? part.result ?? part.response ?? value
    parts.push({ kind: 'tool-result', id, result: parsed(follow(result, refs)) })
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
  } else if (typeof part.text === 'string') parts.push(textPart(part.text, refs))
  else if (typeof part.content === 'string') parts.push(textPart(part.content, refs))
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
