/** Items of a response's input as messages of a chat. Pure. */

import type { ResponseItem, ResponsePart } from '../../contract/responses.js'
import { problems } from '../problem.js'
import { CUSTOM_INPUT, nameSeen } from './tools.js'

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface Message {
  role: string
  content: string | ContentPart[] | null
  reasoning?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** What items may point at. */
export interface Known {
  /** reads the text of a token that an answer carried; undefined: it isn't one of ours */
  open: (token: string) => string | undefined
  /** stored items by id */
  referenced: ReadonlyMap<string, ResponseItem>
  /** types of items that were left out */
  leftOut: Set<string>
}

/** Of a compaction: a user's message with the text. */
const SUMMARY = 'The conversation so far, summed up:\n\n'

/** Items of what only a hosted provider runs: a model here has no use for them. */
const PROVIDERS = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
  ...['mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
])

/**
 * System and developer messages at the beginning become one system message, after the `instructions`; later ones become
 * messages of the user, since most templates refuse a system message in the middle, or drop it.
 * @throws `BAD_INPUT`, `FOREIGN_COMPACTION` (400)
 */
export function messagesOf(
  items: readonly ResponseItem[],
  instructions: string | null | undefined,
  known: Known,
): Message[] {
  const reader = new ItemReader(known)
  if (instructions) reader.system(instructions)
  for (const [at, item] of items.entries()) reader.add(item, `input[${at}]`)
  return reader.messages()
}

class ItemReader {
  private readonly systems: string[] = []
  private readonly said: Message[] = []
  /** the assistant's message that calls and reasoning join */
  private turn: Message | undefined

  constructor(private readonly known: Known) {}

  system(text: string): void {
    this.systems.push(text)
  }

  messages(): Message[] {
    const { systems, said } = this
    return systems.length > 0 ? [{ role: 'system', content: systems.join('\n\n') }, ...said] : said
  }

  add(item: ResponseItem, where: string): void {
    const type = item.type ?? 'message'
    if (type === 'message') this.message(item, where)
    else if (type === 'function_call' || type === 'custom_tool_call') this.call(item, where)
    else if (type === 'function_call_output' || type === 'custom_tool_call_output') this.output(item, where)
    else if (type === 'reasoning') this.reasoning(item)
    else if (type === 'compaction') this.compaction(item, where)
    else if (type === 'item_reference') this.reference(item, where)
    else if (!PROVIDERS.has(type))
      throw bad(where, `is a ${type.slice(0, 100)}, which models here don't take`)
  }

  private message({ role, content }: ResponseItem, where: string): void {
    if (!role) throw bad(where, 'is a message without a role')
    if (content === null || content === undefined) throw bad(where, 'is a message without content')
    const read = contentOf(content, where)
    if (role === 'assistant') {
      if (!this.turn || this.turn.content !== null || this.turn.tool_calls) this.begin()
      this.turn!.content = read
      return
    }
    this.turn = undefined
    if (role !== 'system' && role !== 'developer') this.said.push({ role, content: read })
    else if (this.said.length > 0) this.said.push({ role: 'user', content: read })
    else this.system(textOf(read, where))
  }

  private call({ type, call_id: id, name, namespace, ...item }: ResponseItem, where: string): void {
    if (!id || !name) throw bad(where, `is a ${type} without a ${id ? 'name' : 'call_id'}`)
    const text =
      type === 'custom_tool_call'
        ? JSON.stringify({ [CUSTOM_INPUT]: item.input ?? '' })
        : (item.arguments ?? '')
    const turn = this.turn ?? this.begin()
    turn.tool_calls ??= []
    turn.tool_calls.push({
      id,
      type: 'function',
      function: { name: nameSeen(name, namespace), arguments: text },
    })
  }

  private output({ type, call_id: id, output }: ResponseItem, where: string): void {
    if (!id || output === null || output === undefined)
      throw bad(where, `is a ${type} without ${id ? 'an output' : 'a call_id'}`)
    this.turn = undefined
    this.said.push({ role: 'tool', tool_call_id: id, content: contentOf(output, where) })
  }

  private reasoning({ encrypted_content: token, content, summary }: ResponseItem): void {
    const texts = (parts: unknown) =>
      Array.isArray(parts) ? parts.map((part: ResponsePart) => part.text ?? '').join('\n') : ''
    const text = token ? this.known.open(token) : texts(content) || texts(summary)
    // A session that another provider began goes on without its reasoning.
    if (text === undefined) this.known.leftOut.add('reasoning')
    else if (text !== '') this.begin().reasoning = text
  }

  private compaction({ encrypted_content: token }: ResponseItem, where: string): void {
    if (!token) throw bad(where, 'is a compaction without encrypted_content')
    const text = this.known.open(token)
    if (text === undefined) throw problems.foreignCompaction()
    this.turn = undefined
    this.said.push({ role: 'user', content: SUMMARY + text })
  }

  private reference({ id }: ResponseItem, where: string): void {
    const item = this.known.referenced.get(id ?? '')
    if (!item || item.type === 'item_reference') throw bad(where, 'refers to an item that is not stored')
    this.add(item, where)
  }

  private begin(): Message {
    this.turn = { role: 'assistant', content: null }
    this.said.push(this.turn)
    return this.turn
  }
}

const TEXTS = new Set(['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text'])

function contentOf(content: string | ResponsePart[], where: string): string | ContentPart[] {
  if (typeof content === 'string') return content
  const parts = content.map((part): ContentPart => {
    if (part.type === 'input_image') {
      const url = part.image_url
      if (typeof url !== 'string')
        throw bad(where, 'has an input_image without image_url; files are not stored here')
      return { type: 'image_url', image_url: { url } }
    }
    const text = part.type === 'refusal' ? part.refusal : part.text
    if (!TEXTS.has(part.type) || typeof text !== 'string')
      throw bad(where, `has a part of type ${part.type.slice(0, 100)} that is no text`)
    return { type: 'text' as const, text }
  })
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

function textOf(content: string | ContentPart[], where: string): string {
  if (typeof content === 'string') return content
  const texts = content.map((part) => {
    if (part.type === 'image_url')
      throw bad(where, 'is a system message with an image; put it into a message of the user')
    return part.text
  })
  return texts.join('\n')
}

function bad(where: string, what: string) {
  return problems.refused('BAD_INPUT', `${where} ${what}.`, 'input')
}
