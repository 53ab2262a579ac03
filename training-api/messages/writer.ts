/** Writes an answer as the events of a message. Pure; knows no sockets. */
import type { ChatLogprobs, ChatUsage } from '../../contract/chat-answer.js'
import type { AnswerWriter } from '../../domain/chat/answer-writer.js'
import type { AnswerHead } from '../../domain/chat/collect.js'
import { usageOf as chatUsageOf, logprobContent } from '../../domain/chat/logprobs.js'
import type { HeddleError } from '../../platform/errors/error.js'
import type { Delta, Finish, GenerateEvent, Started, Usage } from '../../proto/heddle/node/v1/messages.js'
import { ending, isShown, type MessageForm, messageHead, thinkingBlock, usageOf } from './answer.js'
import { messageProblem } from './problem.js'

/** The block that is open. */
type Open = { type: 'text' } | { type: 'thinking'; text: string } | { type: 'tool_use'; call: number }

export class MessageWriter implements AnswerWriter {
  private started: Started | undefined
  private usage: Usage | undefined
  private finish: Finish | undefined
  private generated = 0
  private open: Open | undefined
  /** the index of the open block, or of the next one */
  private index = 0
  /** white space that becomes part of a text, or of nothing */
  private held = ''
  private readonly tokenIds: number[] = []
  private readonly logprobs: NonNullable<ChatLogprobs['content']> = []

  constructor(
    private readonly head: AnswerHead,
    private readonly form: MessageForm,
  ) {}

  lines(event: GenerateEvent): string {
    if (event.started && !this.started) return this.begin(event.started)
    if (event.done) this.usage = event.done.usage ?? undefined
    return event.delta ? this.delta(event.delta) : ''
  }

  end(): string {
    const { answering } = this.form
    const usage = this.chatUsage()
    const stop = this.finish?.stopReason === 'stop' ? this.finish.stop : undefined
    return (
      this.close() +
      line({
        type: 'message_delta',
        delta: ending(this.finish?.reason ?? 'stop', stop ?? undefined, usage, answering),
        usage: usageOf(usage),
        ...(answering.tokenIds && { token_ids: this.tokenIds }),
        ...(answering.logprobs && { logprobs: { content: this.logprobs } }),
      }) +
      line({ type: 'message_stop' })
    )
  }

  failed(error: HeddleError): string {
    return line(messageProblem(error))
  }

  quiet(): string {
    return line({ type: 'ping' })
  }

  private begin(started: Started): string {
    this.started = started
    const message = {
      ...messageHead(this.head.id, this.head.model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageOf(this.chatUsage()),
      ...(this.form.answering.tokenIds && { prompt_token_ids: started.promptTokenIds }),
    }
    return line({ type: 'message_start', message }) + this.quiet()
  }

  private delta({ reasoning, text, toolCalls, tokenIds, logprobs, finish }: Delta): string {
    const { answering } = this.form
    this.generated += tokenIds.length
    if (answering.tokenIds) for (const id of tokenIds) this.tokenIds.push(id)
    if (answering.logprobs) for (const one of logprobContent(logprobs)) this.logprobs.push(one)
    if (finish) this.finish = finish
    let lines = ''
    if (reasoning !== '' && answering.thinking !== 'none') lines += this.thinking(reasoning)
    if (text !== '') lines += this.text(text)
    for (const call of toolCalls) lines += this.call(call)
    return lines
  }

  private thinking(thinking: string): string {
    const { open } = this
    const begun =
      open?.type === 'thinking' ? '' : this.begun({ type: 'thinking', text: '' }, thinkingBlock('', ''))
    if (this.open?.type === 'thinking') this.open.text += thinking
    return (
      begun +
      (this.form.answering.thinking === 'shown' ? this.piece({ type: 'thinking_delta', thinking }) : '')
    )
  }

  private text(more: string): string {
    const text = this.held + more
    if (this.open?.type === 'text') return this.piece({ type: 'text_delta', text })
    this.held = isShown(text) ? '' : text
    if (this.held !== '') return ''
    return this.begun({ type: 'text' }, { type: 'text', text: '' }) + this.piece({ type: 'text_delta', text })
  }

  private call({ index, id, name, arguments: input }: Delta['toolCalls'][number]): string {
    const isOpen = this.open?.type === 'tool_use' && this.open.call === index
    const begun = isOpen
      ? ''
      : this.begun({ type: 'tool_use', call: index }, { type: 'tool_use', id, name, input: {} })
    return begun + (input === '' ? '' : this.piece({ type: 'input_json_delta', partial_json: input }))
  }

  /** Ends the open block and begins another. */
  private begun(open: Open, block: object): string {
    const closed = this.close()
    this.open = open
    return closed + line({ type: 'content_block_start', index: this.index, content_block: block })
  }

  private piece(delta: object): string {
    return line({ type: 'content_block_delta', index: this.index, delta })
  }

  private close(): string {
    const { open } = this
    if (!open) return ''
    this.open = undefined
    const signature = open.type === 'thinking' ? this.form.sign(open.text) : ''
    const signed = signature === '' ? '' : this.piece({ type: 'signature_delta', signature })
    return signed + line({ type: 'content_block_stop', index: this.index++ })
  }

  private chatUsage(): ChatUsage {
    const { promptTokens = 0, cachedTokens = 0 } = this.started ?? {}
    return chatUsageOf(this.usage ?? { promptTokens, cachedTokens, completionTokens: this.generated })
  }
}

function line(event: { type?: unknown } & Record<string, unknown>): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`
}
