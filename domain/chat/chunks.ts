/** Formats the events of one request as server-sent events. Pure; knows no sockets. */

import type { ChatCompletionChunk, ChatUsage } from '../../contract/chat-answer.js'
import type { HeddleError } from '../../platform/errors/error.js'
import type { Delta, Done, GenerateEvent, Started } from '../../proto/heddle/node/v1/messages.js'
import type { AnswerWriter } from './answer-writer.js'
import { type AnswerHead, roleOf, stopReasonOf, type Wanted } from './collect.js'
import { logprobContent, promptLogprobs, usageOf } from './logprobs.js'
import { problemBody } from './problem.js'

export interface StreamWanted extends Wanted {
  /** a final chunk with the usage */
  usage: boolean
  /** the usage so far on every chunk */
  continuousUsage: boolean
}

/** The line that ends every stream. */
const DONE_LINE = 'data: [DONE]\n\n'

type ChunkChoice = ChatCompletionChunk['choices'][number]

/** Writes chunks of `chat.completion.chunk`. */
export class ChunkWriter implements AnswerWriter {
  private readonly begun = new Set<number>()
  private readonly frame: string
  private started: Started | undefined
  private generated = 0
  private first = true

  constructor(
    { id, created, model }: AnswerHead,
    private readonly wanted: StreamWanted,
  ) {
    const { id: _, ...rest } = { id, object: 'chat.completion.chunk', created, model }
    this.frame = `data: {"id":${JSON.stringify(id)},${JSON.stringify(rest).slice(1, -1)},`
  }

  /** The lines for the next event; "" if there are none. */
  lines(event: GenerateEvent): string {
    if (event.started) this.started = event.started
    if (event.delta) return this.delta(event.delta)
    if (event.done) return this.done(event.done)
    return ''
  }

  end(): string {
    return DONE_LINE
  }

  failed(error: HeddleError): string {
    return `data: ${JSON.stringify(problemBody(error))}\n\n${DONE_LINE}`
  }

  private delta(delta: Delta): string {
    const { index, finish } = delta
    let lines = ''
    if (!this.begun.has(index)) {
      this.begun.add(index)
      lines += this.chunk({ index, delta: { role: roleOf(this.started), content: '' } })
    }
    this.generated += delta.tokenIds.length
    const said: ChunkChoice['delta'] = {
      ...(delta.text !== '' && { content: delta.text }),
      ...(delta.reasoning !== '' && { reasoning: delta.reasoning }),
      ...(delta.toolCalls.length > 0 && { tool_calls: delta.toolCalls.map(toolCall) }),
    }
    const tells = (this.wanted.logprobs && delta.logprobs.length > 0) || this.wanted.tokenIds
    if (Object.keys(said).length > 0 || (tells && delta.tokenIds.length > 0)) {
      lines += this.chunk({
        index,
        delta: said,
        logprobs: this.wanted.logprobs ? { content: logprobContent(delta.logprobs) } : null,
        ...(this.wanted.tokenIds && { token_ids: delta.tokenIds }),
      })
    }
    if (finish) {
      lines += this.chunk({
        index,
        delta: {},
        finish_reason: finish.reason,
        stop_reason: stopReasonOf(finish),
      })
    }
    return lines
  }

  private done(done: Done): string {
    const logprobs = promptLogprobs(done)
    const usage = this.wanted.usage && done.usage ? usageOf(done.usage) : undefined
    if (logprobs === undefined && usage === undefined) return ''
    return this.line({ choices: [], ...(usage && { usage }), ...(logprobs && { prompt_logprobs: logprobs }) })
  }

  private chunk(choice: Pick<ChunkChoice, 'index' | 'delta'> & Partial<ChunkChoice>): string {
    const usage = this.wanted.continuousUsage ? this.usageSoFar() : undefined
    const promptIds = this.first && this.wanted.tokenIds ? this.started?.promptTokenIds : undefined
    this.first = false
    return this.line({
      choices: [{ logprobs: null, finish_reason: null, ...choice }],
      ...(usage && { usage }),
      ...(promptIds && { prompt_token_ids: promptIds }),
    })
  }

  private usageSoFar(): ChatUsage {
    const { promptTokens = 0, cachedTokens = 0 } = this.started ?? {}
    return usageOf({ promptTokens, cachedTokens, completionTokens: this.generated })
  }

  private line(rest: Omit<ChatCompletionChunk, 'id' | 'object' | 'created' | 'model'>): string {
    return `${this.frame}${JSON.stringify(rest).slice(1)}\n\n`
  }
}

function toolCall({ index, id, name, arguments: text }: Delta['toolCalls'][number]) {
  return {
    index,
    ...(id !== '' && { id, type: 'function' as const }),
    function: { ...(name !== '' && { name }), ...((text !== '' || name === '') && { arguments: text }) },
  }
}
