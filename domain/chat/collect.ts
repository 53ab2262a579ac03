/** Assembles the events of one request into a complete answer, for callers that don't stream and for traces. Pure. */

import type { ChatChoice, ChatCompletionResponse, ChatLogprobs } from '../../contract/chat-answer.js'
import type { Delta, Done, Finish, GenerateEvent, Started } from '../../proto/heddle/node/v1/messages.js'
import { logprobContent, promptLogprobs, usageOf } from './logprobs.js'

/** The metadata of an answer. */
export interface AnswerHead {
  /** `chatcmpl-…` */
  id: string
  /** Unix seconds */
  created: number
  /** the model as the caller wrote it */
  model: string
}

/** The optional parts that the caller asked for. */
export interface Wanted {
  logprobs: boolean
  tokenIds: boolean
}

/** The tokens of a completion. */
export interface TokenIds {
  /** names what the ids mean; empty: the node doesn't say */
  vocabulary: string
  prompt: number[]
  /** of each choice */
  completions: number[][]
}

interface Parts {
  text: string
  reasoning: string
  calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tokenIds: number[]
  logprobs: NonNullable<ChatLogprobs['content']>
  finish?: Finish
}

export class Collector {
  private readonly choices: Parts[] = []
  private started: Started | undefined
  private done: Done | undefined
  private generated = 0

  constructor(
    private readonly head: AnswerHead,
    private readonly wanted: Wanted,
    private readonly keepsTokens = false,
  ) {}

  /** Adds the next event. @param keep false: counts text without keeping it */
  add(event: GenerateEvent, keep = true): void {
    if (event.started) this.started = event.started
    else if (event.delta) {
      this.generated += event.delta.tokenIds.length
      if (keep) this.delta(event.delta)
    } else if (event.done) this.done = event.done
  }

  private delta(delta: Delta): void {
    const parts = this.partsOf(delta.index)
    parts.text += delta.text
    parts.reasoning += delta.reasoning
    for (const { index, id, name, arguments: text } of delta.toolCalls) {
      parts.calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } }
      const call = parts.calls[index]
      if (id !== '') call.id = id
      if (name !== '') call.function.name = name
      call.function.arguments += text
    }
    if (this.wanted.tokenIds || this.keepsTokens) for (const id of delta.tokenIds) parts.tokenIds.push(id)
    if (this.wanted.logprobs) for (const one of logprobContent(delta.logprobs)) parts.logprobs.push(one)
    if (delta.finish) parts.finish = delta.finish
  }

  private partsOf(index: number): Parts {
    for (let i = this.choices.length; i <= index; i++)
      this.choices.push({ text: '', reasoning: '', calls: [], tokenIds: [], logprobs: [] })
    return this.choices[index]!
  }

  /** The tokens so far; undefined: they are not kept, or the node hasn't begun. */
  tokens(): TokenIds | undefined {
    const { started, choices } = this
    if (!this.keepsTokens || !started) return undefined
    const { vocabulary, promptTokenIds: prompt } = started
    return { vocabulary, prompt, completions: choices.map(({ tokenIds }) => tokenIds) }
  }

  /** The answer so far; complete after the last event. @param tokenIds with those, if the caller wants them */
  answer(tokenIds = this.wanted.tokenIds): ChatCompletionResponse {
    const { started, done } = this
    const usage = done?.usage ?? {
      promptTokens: started?.promptTokens ?? 0,
      completionTokens: this.generated,
      cachedTokens: started?.cachedTokens ?? 0,
    }
    return {
      id: this.head.id,
      object: 'chat.completion',
      created: this.head.created,
      model: this.head.model,
      choices: this.choices.map((parts, index) => this.choice(parts, index, tokenIds)),
      usage: usageOf(usage),
      ...(done && done.promptLogprobs.length > 0 && { prompt_logprobs: promptLogprobs(done) }),
      ...(tokenIds && { prompt_token_ids: started?.promptTokenIds ?? [] }),
    }
  }

  private choice(parts: Parts, index: number, tokenIds: boolean): ChatChoice {
    const calls = parts.calls.filter(Boolean)
    return {
      index,
      message: {
        role: roleOf(this.started),
        content: parts.text === '' && calls.length > 0 ? null : parts.text,
        refusal: null,
        ...(parts.reasoning !== '' && { reasoning: parts.reasoning }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      logprobs: this.wanted.logprobs ? { content: parts.logprobs } : null,
      finish_reason: parts.finish?.reason ?? null,
      stop_reason: stopReasonOf(parts.finish),
      ...(tokenIds && { token_ids: parts.tokenIds }),
    }
  }
}

/** The stop string or token id that ended a choice; null if it ended otherwise. */
export function stopReasonOf(finish: Finish | null | undefined): string | number | null {
  if (finish?.stopReason === 'stop') return finish.stop ?? null
  if (finish?.stopReason === 'stopTokenId') return finish.stopTokenId ?? null
  return null
}

/** The answer's role: that of the last message if no generation prompt was added. */
export function roleOf(started: Started | undefined): string {
  return started?.role || 'assistant'
}
