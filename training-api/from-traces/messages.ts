/**
 * Converts chat messages from the dialects that programs trace to the one that models are trained on. Reads OpenAI chat
 * and responses, Anthropic and Gemini content, OpenTelemetry's gen_ai parts, OpenInference, LangChain and ShareGPT.
 * Pure.
 */
import { isObject } from '../../platform/json/object.js'
import { LeftOut } from './left-out.js'
import { holdsRef } from './refs.js'

export interface ToolCall {
  id?: string
  type: 'function'
  /** arguments: JSON text */
  function: { name: string; arguments: string }
}

export interface ChatMessage {
  role: string
  content: string | null
  name?: string
  tool_calls?: ToolCall[]
  tool_call_id?: string
}

const ROLES = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['model', 'assistant'],
  ['gpt', 'assistant'],
  ['bot', 'assistant'],
])

/** Content parts that are not trained on. */
const PASSED_OVER = new Set(['reasoning', 'thinking', 'redacted_thinking'])
/** Content parts whose text is in `text`, or (OpenTelemetry) in `content`. */
const TEXTS = new Set(['text', 'input_text', 'output_text', 'refusal'])

/** @throws LeftOut */
export function messagesOf(list: readonly unknown[]): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const item of list) for (const message of messagesIn(item)) add(messages, message)
  return messages
}

/** Adds a message; tool calls that follow the assistant's text join its message. */
function add(messages: ChatMessage[], message: ChatMessage): void {
  const last = messages.at(-1)
  const goesOn = last?.role === 'assistant' && message.role === 'assistant' && message.content === null
  if (goesOn && message.tool_calls)
    messages[messages.length - 1] = {
      ...last,
      tool_calls: [...(last.tool_calls ?? []), ...message.tool_calls],
    }
  else messages.push(message)
}

/** Reads an item, which may hold several messages: tool results beside the user's text. @throws LeftOut */
export function messagesIn(item: unknown): ChatMessage[] {
  if (!isObject(item)) throw new LeftOut('bad_message')
  if (item.type === 'reasoning') return []
  if (item.type === 'function_call') return [calling([toolCall(item, item.call_id)])]
  if (item.type === 'function_call_output') return [toolResult(item.call_id, item.output)]
  if (item.content === undefined && isObject(item.message))
    return messagesIn({ role: item.role, ...openInference(item.message) })
  // LangChain's serialised form keeps the fields one level down.
  if (item.role === undefined && isObject(item.kwargs))
    return messagesIn({ ...langchainRole(item), ...item.kwargs })
  return conversed(item)
}

/** Unwraps OpenInference's content parts and tool calls: each is nested under a key that names its kind. */
function openInference(message: Record<string, unknown>): Record<string, unknown> {
  const inside = (list: unknown, name: string) =>
    listOf(list).map((one) => (isObject(one) && isObject(one[name]) ? one[name] : one))
  return {
    ...message,
    content: message.content ?? inside(message.contents, 'message_content'),
    tool_calls: inside(message.tool_calls, 'tool_call'),
  }
}

function conversed(item: Record<string, unknown>): ChatMessage[] {
  const said = item.role ?? item.from ?? item.type
  if (typeof said !== 'string' || said === '') throw new LeftOut('bad_message')
  const role = ROLES.get(said) ?? said
  const found = contentOf(item.content ?? item.parts ?? item.value ?? null)
  const calls = [...listOf(item.tool_calls).map((one) => toolCall(one)), ...found.calls]
  if (isObject(item.function_call)) calls.push(toolCall(item.function_call))
  const id = item.tool_call_id
  const own: ChatMessage = {
    role,
    content: found.texts.length > 0 ? found.texts.join('') : null,
    ...(typeof item.name === 'string' && item.name !== '' && { name: item.name }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(typeof id === 'string' && { tool_call_id: id }),
  }
  const empty = own.content === null && calls.length === 0
  if (empty && found.results.length > 0) return found.results
  return [...found.results, empty && role !== 'assistant' ? { ...own, content: '' } : own]
}

interface Content {
  texts: string[]
  calls: ToolCall[]
  /** tool results, as separate messages */
  results: ChatMessage[]
}

/** @throws LeftOut for content that is not text */
function contentOf(content: unknown): Content {
  const found: Content = { texts: [], calls: [], results: [] }
  if (content === null) return found
  if (typeof content === 'string') return { ...found, texts: [content] }
  for (const part of Array.isArray(content) ? content : [content]) readPart(part, found)
  return found
}

function readPart(part: unknown, found: Content): void {
  if (typeof part === 'string') {
    addText(part, found)
    return
  }
  if (!isObject(part)) throw new LeftOut('bad_message')
  const type = part.type
  if (typeof type === 'string' && PASSED_OVER.has(type)) return
  if (type === 'tool_use' || type === 'tool_call') return void found.calls.push(toolCall(part))
  if (type === 'tool_result') return void found.results.push(toolResult(part.tool_use_id, part.content))
  if (type === 'tool_call_response')
    return void found.results.push(toolResult(part.id, part.response ?? part.result))
  if (isObject(part.functionCall)) return void found.calls.push(toolCall(part.functionCall))
  if (isObject(part.functionResponse))
    return void found.results.push(toolResult(part.functionResponse.name, part.functionResponse.response))
  // Gemini's parts, content that is a single object, and a prompt that a ref led to have no type.
  const isText =
    type === undefined
      ? part.text !== undefined || part.parts !== undefined || part._class_name === 'StringPrompt'
      : typeof type === 'string' && TEXTS.has(type)
  if (!isText) throw new LeftOut('not_text')
  if (type === undefined && Array.isArray(part.parts)) {
    for (const inner of part.parts) readPart(inner, found)
    return
  }
  const text = part.text ?? part.content ?? part.refusal
  if (typeof text !== 'string') throw new LeftOut('bad_message')
  addText(text, found)
}

/** Parts are joined, after which a ref among them could not be told from text that mentions one. */
function addText(text: string, found: Content): void {
  if (holdsRef(JSON.stringify(text))) throw new LeftOut('unresolved_ref')
  found.texts.push(text)
}

function toolCall(value: unknown, otherId?: unknown): ToolCall {
  if (!isObject(value)) throw new LeftOut('bad_message')
  const inner = isObject(value.function) ? value.function : value
  const name = inner.name ?? value.toolName
  if (typeof name !== 'string' || name === '') throw new LeftOut('bad_message')
  const given = inner.arguments ?? inner.args ?? inner.input ?? {}
  const id = otherId ?? value.id ?? value.toolCallId
  return {
    ...(typeof id === 'string' && id !== '' && { id }),
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }
}

function calling(calls: ToolCall[]): ChatMessage {
  return { role: 'assistant', content: null, tool_calls: calls }
}

function toolResult(id: unknown, result: unknown): ChatMessage {
  const plain = Array.isArray(result) ? contentOf(result).texts.join('') : result
  return {
    role: 'tool',
    content: typeof plain === 'string' ? plain : JSON.stringify(plain ?? null),
    ...(typeof id === 'string' && id !== '' && { tool_call_id: id }),
  }
}

function langchainRole(item: Record<string, unknown>): { role: string } {
  const kind = listOf(item.id).at(-1)
  const role = typeof kind === 'string' ? kind.replace(/Message(Chunk)?$/, '').toLowerCase() : ''
  if (role === '') throw new LeftOut('bad_message')
  return { role: ROLES.get(role) ?? role }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Converts tools from OpenAI's two forms and Anthropic's to that of chat requests; undefined if there are none. */
export function toolsOf(value: unknown): Record<string, unknown>[] | undefined {
  const tools = listOf(value).filter(isObject).map(toolOf)
  return tools.length > 0 ? tools : undefined
}

function toolOf(tool: Record<string, unknown>): Record<string, unknown> {
  if (isObject(tool.function)) return { type: 'function', function: tool.function }
  const { name, description } = tool
  const parameters = tool.parameters ?? tool.input_schema ?? {}
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }
}
