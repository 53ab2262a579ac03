/** Writes a response: as the events of a stream, and as the whole that the last event has, too. Pure; knows no sockets. */

import type { ChatUsage } from '../../contract/chat-answer.js'
import type { Response, ResponseStatus } from '../../contract/responses.js'
import type { AnswerWriter } from '../../domain/chat/answer-writer.js'
import { usageOf } from '../../domain/chat/logprobs.js'
import type { HeddleError } from '../../platform/errors/error.js'
import type { Done, GenerateEvent, Started } from '../../proto/heddle/node/v1/messages.js'
import { Output, type OutputEvent } from './output.js'
import type { Answering } from './read.js'

export interface ResponseHead {
  /** `resp_…` */
  id: string
  /** Unix seconds */
  created: number
  /** as the caller wrote it */
  model: string
}

/** Length of the prefix `resp_`. */
const PREFIX = 'resp_'.length

export interface WriterOptions {
  head: ResponseHead
  answering: Answering
  /** makes the token of a reasoning */
  seal: (reasoning: string) => string
  /** stores the response before its end is sent; a rejection is sent instead */
  store: (response: string, status: ResponseStatus) => Promise<void>
}

export class ResponseWriter implements AnswerWriter {
  private readonly output: Output
  private started: Started | undefined
  private done: Done | undefined
  private finish = ''
  private readonly tokens: number[] = []
  private generated = 0
  private number = 0

  constructor(private readonly options: WriterOptions) {
    const { head, answering, seal } = options
    this.output = new Output(head.id.slice(PREFIX), answering, answering.encrypted ? seal : undefined)
  }

  lines(event: GenerateEvent): string {
    if (event.started) return this.begun(event.started)
    if (event.done) this.done = event.done
    if (!event.delta) return ''
    const { delta } = event
    this.generated += delta.tokenIds.length
    if (this.options.answering.tokenIds) for (const id of delta.tokenIds) this.tokens.push(id)
    if (delta.finish) this.finish = delta.finish.reason
    return this.output.add(delta).map(this.line).join('')
  }

  async end(): Promise<string> {
    const lines = this.output.end(this.isWhole).map(this.line).join('')
    const whole = await this.whole()
    return lines + this.responseLine(`response.${this.isWhole ? 'completed' : 'incomplete'}`, whole)
  }

  async failed(error: HeddleError): Promise<string> {
    const whole = this.text('failed', failureOf(error))
    // The caller gets this failure, not that of storing it.
    await this.options.store(whole, 'failed').catch(() => undefined)
    return this.responseLine('response.failed', whole)
  }

  /** JSON of the complete answer, after the last event; stored. */
  async whole(): Promise<string> {
    this.output.end(this.isWhole)
    const status = this.isWhole ? 'completed' : 'incomplete'
    const whole = this.text(status)
    await this.options.store(whole, status)
    return whole
  }

  /** JSON of the response before its answer has begun. */
  queued(): string {
    return this.text('queued')
  }

  private get isWhole(): boolean {
    return this.finish !== 'length'
  }

  private begun(started: Started): string {
    const isFirst = this.started === undefined
    this.started = started
    if (!isFirst) return ''
    const whole = this.text('in_progress')
    return this.responseLine('response.created', whole) + this.responseLine('response.in_progress', whole)
  }

  /** JSON of the response as it is now. */
  private text(status: ResponseStatus, error: Response['error'] = null): string {
    const { head, answering } = this.options
    const isOver = status === 'completed' || status === 'incomplete'
    const known = {
      id: head.id,
      object: 'response',
      created_at: head.created,
      status,
      ...(status === 'completed' && { completed_at: Math.floor(Date.now() / 1000) }),
      error,
      incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      model: head.model,
      output: this.output.items,
      usage: isOver ? this.usage() : null,
      ...(answering.tokenIds &&
        isOver && { prompt_token_ids: this.started?.promptTokenIds ?? [], token_ids: this.tokens }),
    }
    return `${JSON.stringify(known).slice(0, -1)},${answering.repeated}}`
  }

  private usage(): Response['usage'] {
    const { promptTokens = 0, cachedTokens = 0 } = this.started ?? {}
    return responseUsage(
      usageOf(this.done?.usage ?? { promptTokens, cachedTokens, completionTokens: this.generated }),
    )
  }

  private readonly line = ({ type, ...fields }: OutputEvent): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.number++, ...fields })}\n\n`

  private responseLine(type: string, response: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.number++},"response":${response}}\n\n`
  }
}

/** The tokens of a chat completion in this interface's form. */
export function responseUsage(usage: ChatUsage): NonNullable<Response['usage']> {
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: {
      cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      cache_write_tokens: 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
  }
}

/** The error of a failed response; `reason` is this service's own code. */
function failureOf({ status, code, reason }: HeddleError): Response['error'] {
  const kind = status === 429 ? 'rate_limit_exceeded' : status < 500 ? 'invalid_prompt' : 'server_error'
  return { code: kind, message: reason, reason: code }
}
