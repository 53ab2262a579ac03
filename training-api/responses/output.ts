/** The output of a response as it is generated: items, one open at a time, and the events that tell of them. Pure. */

import type { ChatLogprobs } from '../../contract/chat-answer.js'
import type { ResponseOutputItem } from '../../contract/responses.js'
import { logprobContent } from '../../domain/chat/logprobs.js'
import type { Delta, ToolCallDelta } from '../../proto/heddle/node/v1/messages.js'
import type { Answering } from './read.js'
import { CUSTOM_INPUT } from './tools.js'

/** An event of the stream, without its number. */
export interface OutputEvent {
  type: `response.${string}`
  [field: string]: unknown
}

type Logprobs = NonNullable<ChatLogprobs['content']>

interface Open {
  kind: 'reasoning' | 'message' | 'call'
  /** of the node's answer; -1 unless it is a call */
  call: number
  id: string
  text: string
  name: string
  callId: string
}

const PREFIX = { reasoning: 'rs', message: 'msg', function: 'fc', custom: 'ctc' }

export class Output {
  /** the items that are complete */
  readonly items: ResponseOutputItem[] = []
  private open: Open | undefined
  private events: OutputEvent[] = []
  private logprobs: Logprobs = []

  /**
   * @param key names the response within the ids of items
   * @param seal makes the token of a reasoning; undefined: none is wanted
   */
  constructor(
    private readonly key: string,
    private readonly wanted: Pick<Answering, 'tools' | 'summary' | 'logprobs'>,
    private readonly seal: ((reasoning: string) => string) | undefined,
  ) {}

  /** The events of the node's next delta. */
  add(delta: Delta): OutputEvent[] {
    const logprobs = this.wanted.logprobs ? logprobContent(delta.logprobs) : []
    if (delta.reasoning !== '') this.reasoning(delta.reasoning)
    if (delta.text !== '' || (logprobs.length > 0 && this.open?.kind === 'message'))
      this.text(delta.text, logprobs)
    for (const call of delta.toolCalls) this.call(call)
    return this.taken()
  }

  /** The events of the end. @param isWhole false: the last item was cut off */
  end(isWhole: boolean): OutputEvent[] {
    // An empty answer is a message, too.
    if (this.items.length === 0 && !this.open) this.text('', [])
    this.close(isWhole ? 'completed' : 'incomplete')
    return this.taken()
  }

  private taken(): OutputEvent[] {
    return this.events.splice(0)
  }

  private reasoning(delta: string): void {
    const { kind, part } = this.wanted.summary ? SUMMARY : REASONING
    const open = this.switchTo('reasoning')
    if (open.text === '') {
      this.tell(kind.added, { ...this.place(open), ...part.index, part: { type: part.type, text: '' } })
    }
    open.text += delta
    this.tell(`${kind.text}.delta`, { ...this.place(open), ...part.index, delta })
  }

  private text(delta: string, logprobs: Logprobs): void {
    const isNew = this.open?.kind !== 'message'
    const open = this.switchTo('message')
    const at = { ...this.place(open), content_index: 0 }
    if (isNew) this.tell('response.content_part.added', { ...at, part: this.textPart('') })
    open.text += delta
    for (const one of logprobs) this.logprobs.push(one)
    if (delta !== '' || logprobs.length > 0)
      this.tell('response.output_text.delta', { ...at, delta, logprobs })
  }

  private call({ index, id, name, arguments: delta }: ToolCallDelta): void {
    const open = this.switchTo('call', index, id, name)
    open.text += delta
    // A custom tool's input is known when the JSON around it is complete.
    if (delta !== '' && !this.isCustom(open))
      this.tell('response.function_call_arguments.delta', { ...this.place(open), delta })
  }

  private isCustom({ name }: Open): boolean {
    return this.toolOf(name)?.isCustom ?? false
  }

  private toolOf(name: string) {
    return Object.hasOwn(this.wanted.tools, name) ? this.wanted.tools[name] : undefined
  }

  /** The open item, if it is this one; else ends it and opens this one. */
  private switchTo(kind: Open['kind'], call = -1, callId = '', name = ''): Open {
    if (this.open?.kind === kind && this.open.call === call) return this.open
    this.close('completed')
    const prefix = kind === 'call' ? (this.toolOf(name)?.isCustom ? 'custom' : 'function') : kind
    const id = `${PREFIX[prefix]}_${this.key}${this.items.length.toString(16).padStart(4, '0')}`
    this.open = { kind, call, id, text: '', name, callId }
    this.tell('response.output_item.added', {
      output_index: this.items.length,
      item: this.item(this.open, 'in_progress'),
    })
    return this.open
  }

  private close(status: 'completed' | 'incomplete'): void {
    const { open } = this
    if (!open) return
    const place = this.place(open)
    const item = this.item(open, status)
    if (open.kind === 'reasoning') {
      const { kind, part } = this.wanted.summary ? SUMMARY : REASONING
      this.tell(`${kind.text}.done`, { ...place, ...part.index, text: open.text })
      this.tell(kind.done, { ...place, ...part.index, part: { type: part.type, text: open.text } })
    } else if (open.kind === 'message') {
      const at = { ...place, content_index: 0 }
      const part = this.textPart(open.text)
      this.tell('response.output_text.done', { ...at, text: open.text, logprobs: part.logprobs })
      this.tell('response.content_part.done', { ...at, part })
    } else if (this.isCustom(open)) {
      const { input } = item
      this.tell('response.custom_tool_call_input.delta', { ...place, delta: input })
      this.tell('response.custom_tool_call_input.done', { ...place, input })
    } else {
      this.tell('response.function_call_arguments.done', { ...place, name: item.name, arguments: open.text })
    }
    this.tell('response.output_item.done', { output_index: this.items.length, item })
    this.items.push(item)
    this.open = undefined
    this.logprobs = []
  }

  /** The item with what it has so far; in progress: without its content. */
  private item(open: Open, status: 'in_progress' | 'completed' | 'incomplete'): ResponseOutputItem {
    const { id, text } = open
    const begins = status === 'in_progress'
    if (open.kind === 'message')
      return { id, type: 'message', status, role: 'assistant', content: begins ? [] : [this.textPart(text)] }
    if (open.kind === 'reasoning') {
      const parts = begins ? [] : [{ type: this.wanted.summary ? 'summary_text' : 'reasoning_text', text }]
      return {
        ...{ id, type: 'reasoning', status },
        ...(this.wanted.summary ? { summary: parts } : { summary: [], content: parts }),
        ...(this.seal && { encrypted_content: begins ? '' : this.seal(text) }),
      }
    }
    const { name = open.name, namespace } = this.toolOf(open.name) ?? {}
    const named = { call_id: open.callId, name, ...(namespace !== undefined && { namespace }) }
    return this.isCustom(open)
      ? { id, type: 'custom_tool_call', status, ...named, input: customInput(text) }
      : { id, type: 'function_call', status, ...named, arguments: text }
  }

  private textPart(text: string) {
    return { type: 'output_text', text, annotations: [], logprobs: this.logprobs }
  }

  private place({ id }: Open) {
    return { item_id: id, output_index: this.items.length }
  }

  private tell(type: OutputEvent['type'], fields: object): void {
    this.events.push({ type, ...fields })
  }
}

/** How reasoning is written: as a summary, or as it is. */
const SUMMARY = {
  kind: {
    added: 'response.reasoning_summary_part.added',
    text: 'response.reasoning_summary_text',
    done: 'response.reasoning_summary_part.done',
  },
  part: { type: 'summary_text', index: { summary_index: 0 } },
} as const
const REASONING = {
  kind: {
    added: 'response.content_part.added',
    text: 'response.reasoning_text',
    done: 'response.content_part.done',
  },
  part: { type: 'reasoning_text', index: { content_index: 0 } },
} as const

/** The text within the arguments of a custom tool's function; the arguments themselves if they aren't as expected. */
function customInput(text: string): string {
  try {
    const { [CUSTOM_INPUT]: input } = JSON.parse(text) as Record<string, unknown>
    return typeof input === 'string' ? input : text
  } catch {
    return text
  }
}
