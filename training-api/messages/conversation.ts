/**
 * The messages of this interface as those of a chat completion. A turn may consist of several messages here, which are
 * joined as the provider joins them. Pure.
 */
import type { InputMessage, MessageBlock, MessageRequest, MessageTool } from '../../contract/messages.js'
import { isObject } from '../../platform/json/object.js'
import { problems } from '../problem.js'

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | ContentPart[] | null
  reasoning?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** What a conversation needs beside its messages. */
export interface ConversationParts {
  /** the JSON text of the input of a tool call, by the places of its message and block */
  inputText: (message: number, block: number) => string
  /** the reasoning behind a signature; undefined: it isn't ours */
  open: (signature: string) => string | undefined
}

interface Turn {
  role: ChatMessage['role']
  parts: ContentPart[]
  reasoning: string[]
  calls: NonNullable<ChatMessage['tool_calls']>
  answers?: string
}

/** A client's accounting of its requests, which says nothing to a model. */
const ACCOUNTING = /^x-anthropic-billing-header:/

/** Blocks of tools that the provider ran. Another model can do without. */
const PROVIDERS_OWN =
  /^(server_tool_use|mcp_tool_(use|result|listing)|[a-z_]{1,60}_tool_result|container_upload|fallback)$/

export class Conversation {
  private readonly turns: Turn[] = []
  /** tools that a block has made known, by name; false: taken away again */
  readonly toolChanges = new Map<string, boolean>()
  /** tools that were defined in mid-conversation */
  readonly toolsAdded: MessageTool[] = []
  /** types of blocks that were left out */
  readonly leftOut = new Set<string>()

  /** @throws 400 for what the model can't be shown */
  constructor(
    { system, messages }: Pick<MessageRequest, 'system' | 'messages'>,
    private readonly parts: ConversationParts,
  ) {
    const head = blocksOf(system).map((one) => this.textOf(one))
    const told = head.filter((text) => !ACCOUNTING.test(text))
    if (told.length > 0) this.turn('system').parts.push(...told.map(textPart))
    for (const [at, message] of messages.entries()) this.add(message, at)
  }

  /** The last turn is the model's own: it goes on from there. */
  get isPrefilled(): boolean {
    const last = this.turns.at(-1)
    return (
      last?.role === 'assistant' &&
      last.calls.length === 0 &&
      last.parts.some((part) => part.type === 'text' && part.text !== '')
    )
  }

  get messages(): ChatMessage[] {
    return this.turns.map(({ role, parts, reasoning, calls, answers }) => ({
      role,
      content: contentOf(parts, calls.length > 0),
      ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(answers !== undefined && { tool_call_id: answers }),
    }))
  }

  private add({ role, content }: InputMessage, at: number): void {
    const blocks = blocksOf(content)
    if (role === 'assistant') {
      const turn = this.turn('assistant')
      for (const [i, block] of blocks.entries()) this.said(turn, block, at, i)
      return
    }
    const results = blocks.filter(({ type }) => type === 'tool_result')
    for (const block of results) this.result(block)
    const parts = blocks.filter(({ type }) => type !== 'tool_result').flatMap((block) => this.told(block))
    if (parts.length === 0) return
    if (role === 'user') this.turn('user').parts.push(...parts)
    else if (this.turns.every((turn) => turn.role === 'system')) this.turn('system').parts.push(...parts)
    // Many templates take a system message only at the beginning.
    else this.turn('user').parts.push(...parts.map(asReminder))
  }

  /** The turn of `role` that goes on, or a new one. */
  private turn(role: Turn['role']): Turn {
    const last = this.turns.at(-1)
    if (last?.role === role) return last
    const turn: Turn = { role, parts: [], reasoning: [], calls: [] }
    this.turns.push(turn)
    return turn
  }

  private said(turn: Turn, block: MessageBlock, at: number, i: number): void {
    const { type, id = '', name = '' } = block
    if (type === 'tool_use')
      turn.calls.push({ id, type: 'function', function: { name, arguments: this.parts.inputText(at, i) } })
    else if (type === 'thinking' || type === 'redacted_thinking') {
      const reasoning = this.parts.open(block.signature ?? '')
      if (reasoning !== undefined) turn.reasoning.push(reasoning)
      else this.leftOut.add(type)
    } else if (PROVIDERS_OWN.test(type)) this.leftOut.add(type)
    else turn.parts.push(this.partOf(block))
  }

  private told(block: MessageBlock): ContentPart[] {
    const { type, tool } = block
    if (type === 'tool_addition' || type === 'tool_removal') {
      if (tool?.definition) this.toolsAdded.push(tool.definition)
      const name = tool?.definition?.name ?? tool?.name
      if (name !== undefined) this.toolChanges.set(name, type === 'tool_addition')
      return []
    }
    if (PROVIDERS_OWN.test(type)) {
      this.leftOut.add(type)
      return []
    }
    return [this.partOf(block)]
  }

  private partOf(block: Pick<MessageBlock, 'type'> & Record<string, unknown>): ContentPart {
    return block.type === 'image' ? imagePart(block.source) : textPart(this.textOf(block))
  }

  private result({ tool_use_id: id = '', content, is_error: failed }: MessageBlock): void {
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
    const images = blocks.filter(({ type }) => type === 'image')
    const text = blocks.flatMap((one) => (one.type === 'image' ? [] : [this.textOf(one)])).join('\n')
    const parts = [textPart(failed ? `Error: ${text}` : text), ...images.map((one) => this.partOf(one))]
    this.turns.push({ role: 'tool', parts, reasoning: [], calls: [], answers: id })
  }

  private textOf(block: Pick<MessageBlock, 'type'> & Record<string, unknown>): string {
    const { type, text, title, content, tool_name: tool } = block
    if (type === 'text' && typeof text === 'string') return text
    if (type === 'document') return titled(title, this.documentText(block.source))
    if (type === 'search_result') return titled(title, String(block.source ?? ''), this.joined(content))
    if (type === 'compaction' && typeof content === 'string') return content
    if (type === 'tool_reference' && typeof tool === 'string') {
      this.toolChanges.set(tool, true)
      return `You can use the tool ${tool} now.`
    }
    throw problems.refused(
      'BAD_MESSAGES',
      `This interface takes no block ${quoted(type)} here; send text.`,
      'messages',
    )
  }

  private documentText(source: unknown): string {
    if (isObject(source)) {
      if (source.type === 'text' && typeof source.data === 'string') return source.data
      if (source.type === 'content') return this.joined(source.content)
    }
    throw problems.refused(
      'BAD_MESSAGES',
      'The models served here read documents as text only; send their text.',
      'messages',
    )
  }

  private joined(content: unknown): string {
    if (typeof content === 'string') return content
    const blocks = Array.isArray(content) ? content.filter(isObject) : []
    return blocks.map((one) => this.textOf({ ...one, type: String(one.type) })).join('\n')
  }
}

function blocksOf(content: InputMessage['content']): MessageBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

function contentOf(parts: readonly ContentPart[], hasCalls: boolean): ChatMessage['content'] {
  const [first] = parts
  if (!first) return hasCalls ? null : ''
  return parts.length === 1 && first.type === 'text' ? first.text : [...parts]
}

const textPart = (text: string): ContentPart => ({ type: 'text', text })

/** @throws 400 for a source that is neither base64 nor an address */
function imagePart(source: unknown): ContentPart {
  const { type, media_type: mime, data, url } = isObject(source) ? source : {}
  if (type === 'url' && typeof url === 'string') return { type: 'image_url', image_url: { url } }
  if (type === 'base64' && typeof data === 'string')
    return { type: 'image_url', image_url: { url: `data:${String(mime)};base64,${data}` } }
  throw problems.refused('BAD_IMAGE', 'The source of an image has to be base64 or url.', 'messages')
}

const asReminder = (part: ContentPart): ContentPart =>
  part.type === 'text' ? textPart(`<system-reminder>\n${part.text}\n</system-reminder>`) : part

function titled(title: unknown, ...texts: string[]): string {
  return [...(typeof title === 'string' ? [title] : []), ...texts].filter((text) => text !== '').join('\n')
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
