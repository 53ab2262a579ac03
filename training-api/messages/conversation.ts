/**
 * The messages of this interface as those of a chat completion. A turn may consist of several messages here, which are
 * joined as the provider joins them. Pure.
 */
import type { InputMessage, MessageBlock, MessageRequest, MessageTool } from '../../contract/messages.js'
import { isObject } from '../../platform/json/object.js'
import { problems } from '../problem.js'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | { type: 'text'; text: string }[] | null
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
  texts: string[]
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

  /** @throws `NO_IMAGES` and other 400s for what the model can't be shown */
  constructor(
    { system, messages }: Pick<MessageRequest, 'system' | 'messages'>,
    private readonly parts: ConversationParts,
  ) {
    const head = blocksOf(system).map((one) => this.textOf(one))
    const told = head.filter((text) => !ACCOUNTING.test(text))
    if (told.length > 0) this.turn('system').texts.push(...told)
    for (const [at, message] of messages.entries()) this.add(message, at)
  }

  /** The last turn is the model's own: it goes on from there. */
  get isPrefilled(): boolean {
    const last = this.turns.at(-1)
    return last?.role === 'assistant' && last.calls.length === 0 && last.texts.join('') !== ''
  }

  get messages(): ChatMessage[] {
    return this.turns.map(({ role, texts, reasoning, calls, answers }) => ({
      role,
      content: contentOf(texts, calls.length > 0),
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
    const texts = blocks.filter(({ type }) => type !== 'tool_result').flatMap((block) => this.told(block))
    if (texts.length === 0) return
    if (role === 'user') this.turn('user').texts.push(...texts)
    else if (this.turns.every((turn) => turn.role === 'system')) this.turn('system').texts.push(...texts)
    // Many templates take a system message only at the beginning.
    else this.turn('user').texts.push(...texts.map(asReminder))
  }

  /** The turn of `role` that goes on, or a new one. */
  private turn(role: Turn['role']): Turn {
    const last = this.turns.at(-1)
    if (last?.role === role) return last
    const turn: Turn = { role, texts: [], reasoning: [], calls: [] }
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
    else turn.texts.push(this.textOf(block))
  }

  private told(block: MessageBlock): string[] {
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
    return [this.textOf(block)]
  }

  private result({ tool_use_id: id = '', content, is_error: failed }: MessageBlock): void {
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
    const text = blocks.map((one) => this.textOf(one)).join('\n')
    const texts = [failed ? `Error: ${text}` : text]
    this.turns.push({ role: 'tool', texts, reasoning: [], calls: [], answers: id })
  }

  private textOf(block: Pick<MessageBlock, 'type'> & Record<string, unknown>): string {
    const { type, text, title, content, tool_name: tool } = block
    if (type === 'text' && typeof text === 'string') return text
    if (type === 'image') throw problems.noImages('messages')
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

function contentOf(texts: readonly string[], hasCalls: boolean): ChatMessage['content'] {
  if (texts.length === 0 && hasCalls) return null
  return texts.length < 2 ? (texts[0] ?? '') : texts.map((text) => ({ type: 'text', text }))
}

const asReminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`

function titled(title: unknown, ...texts: string[]): string {
  return [...(typeof title === 'string' ? [title] : []), ...texts].filter((text) => text !== '').join('\n')
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
