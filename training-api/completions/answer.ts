/** Writes text completions, whole or as the data of server-sent events, from the events of a node. Pure. */
import type { ChatUsage } from '../../contract/chat-answer.js'
import type { CompletionChoice, CompletionLogprobs } from '../../contract/text-completions.js'
import type { AnswerWriter } from '../../domain/chat/answer-writer.js'
import { type AnswerHead, stopReasonOf } from '../../domain/chat/collect.js'
import { usageOf } from '../../domain/chat/logprobs.js'
import type { HeddleError } from '../../platform/errors/error.js'
import type {
  Delta,
  Done,
  Finish,
  GenerateEvent,
  Started,
  TokenLogprob,
} from '../../proto/heddle/node/v1/messages.js'
import { problemBody } from '../problem.js'
import type { CompletionWanted } from './read.js'

interface Parts {
  text: string
  logprobs: TokenLogprob[]
  tokenIds: number[]
  finish?: Finish
}

/** What identifies a completion: of all its prompts, the first one's. */
export function headOf({ id, created, model }: AnswerHead) {
  return { id: id.replace(/^chatcmpl-/, 'cmpl-'), object: 'text_completion' as const, created, model }
}

/** The choices of one prompt. */
export class PromptAnswer {
  private readonly parts = new Map<number, Parts>()
  private started: Started | undefined
  private done: Done | undefined

  /** @param first the index of its first choice */
  constructor(
    private readonly wanted: CompletionWanted,
    private readonly first: number,
  ) {}

  add(event: GenerateEvent): void {
    if (event.started) this.started = event.started
    else if (event.done) this.done = event.done
    else if (event.delta) {
      const { index, text, logprobs, tokenIds, finish } = event.delta
      const parts = this.parts.get(index) ?? { text: '', logprobs: [], tokenIds: [] }
      this.parts.set(index, parts)
      parts.text += text
      for (const one of logprobs) parts.logprobs.push(one)
      for (const one of tokenIds) parts.tokenIds.push(one)
      if (finish) parts.finish = finish
    }
  }

  get usage(): ChatUsage {
    const { promptTokens = 0, completionTokens = 0, cachedTokens = 0 } = this.done?.usage ?? {}
    return usageOf({
      promptTokens,
      cachedTokens,
      completionTokens: this.wanted.nothing ? 0 : completionTokens,
    })
  }

  choices(): CompletionChoice[] {
    const { echo, logprobs, nothing, tokenIds } = this.wanted
    const prompt = echo ? (this.started?.promptText ?? '') : ''
    return [...this.parts]
      .sort(([a], [b]) => a - b)
      .map(([index, parts]) => ({
        index: this.first + index,
        text: prompt + (nothing ? '' : parts.text),
        logprobs:
          logprobs === undefined
            ? null
            : joined([
                ...(echo ? promptLogprobs(prompt, this.done) : []),
                ...(nothing ? [] : generatedLogprobs(parts.logprobs)),
              ]),
        finish_reason: nothing ? 'length' : (parts.finish?.reason ?? null),
        stop_reason: nothing ? null : stopReasonOf(parts.finish),
        ...(tokenIds && {
          token_ids: nothing ? [] : parts.tokenIds,
          prompt_token_ids: this.started?.promptTokenIds ?? [],
        }),
      }))
  }
}

/** A token, and how likely it and others were there. */
interface Place {
  text: string
  logprob: number | null
  top: Record<string, number> | null
}

function generatedLogprobs(all: readonly TokenLogprob[]): Place[] {
  return all.map((one) => placeOf(one, one.top))
}

/** The first token has no context, so the node doesn't tell it: its text is what is left of the prompt. */
function promptLogprobs(prompt: string, done: Done | undefined): Place[] {
  const places = (done?.promptLogprobs ?? []).slice(1).map(({ tokens: [own, ...top] }) => placeOf(own!, top))
  const known = places.reduce((sum, { text }) => sum + text.length, 0)
  const first = prompt.slice(0, Math.max(0, prompt.length - known))
  return done?.promptLogprobs.length ? [{ text: first, logprob: null, top: null }, ...places] : []
}

function placeOf(own: TokenLogprob, top: readonly TokenLogprob[]): Place {
  return {
    text: own.token,
    logprob: own.logprob,
    top: Object.fromEntries([own, ...top].map(({ token, logprob }) => [token, logprob])),
  }
}

/** Tokens in the form of the interface. @param from the offset of the first one's text */
function joined(places: readonly Place[], from = 0): CompletionLogprobs {
  let at = from
  const offsets = places.map(({ text }) => {
    at += text.length
    return at - text.length
  })
  return {
    tokens: places.map(({ text }) => text),
    token_logprobs: places.map(({ logprob }) => logprob),
    top_logprobs: places.map(({ top }) => top),
    text_offset: offsets,
  }
}

/** Writes the chunks of one prompt's choices; who joins the streams of all prompts ends them. */
export class CompletionWriter implements AnswerWriter {
  private readonly answer: PromptAnswer
  private readonly offsets = new Map<number, number>()
  private started: Started | undefined
  /** it has told of an error, which ends the stream */
  broken = false

  constructor(
    private readonly head: ReturnType<typeof headOf>,
    private readonly wanted: CompletionWanted,
    private readonly first: number,
  ) {
    this.answer = new PromptAnswer(wanted, first)
  }

  get usage(): ChatUsage {
    return this.answer.usage
  }

  lines(event: GenerateEvent): string {
    if (event.started) this.started = event.started
    if (event.done) this.answer.add(event)
    return event.delta ? this.delta(event.delta) : ''
  }

  /** Other prompts' choices may follow. */
  end(): string {
    return ''
  }

  failed(error: HeddleError): string {
    this.broken = true
    return `${dataLine(problemBody(error))}${DONE_LINE}`
  }

  private delta({ index, text, logprobs, tokenIds, finish }: Delta): string {
    const { echo, nothing } = this.wanted
    const isFirst = !this.offsets.has(index)
    const before = isFirst && echo ? (this.started?.promptText ?? '') : ''
    const offset = (this.offsets.get(index) ?? 0) + before.length
    const said = nothing ? '' : text
    const places = generatedLogprobs(logprobs)
    this.offsets.set(index, offset + places.reduce((sum, place) => sum + place.text.length, 0))
    if (before + said === '' && !finish && tokenIds.length === 0) return ''
    const choice: CompletionChoice = {
      index: this.first + index,
      text: before + said,
      logprobs: this.wanted.logprobs === undefined ? null : joined(places, offset),
      finish_reason: finish ? (nothing ? 'length' : finish.reason) : null,
      ...(finish && { stop_reason: nothing ? null : stopReasonOf(finish) }),
      ...(this.wanted.tokenIds && { token_ids: nothing ? [] : tokenIds }),
      ...(this.wanted.tokenIds && isFirst && { prompt_token_ids: this.started?.promptTokenIds ?? [] }),
    }
    return dataLine({ ...this.head, choices: [choice] })
  }
}

export const DONE_LINE = 'data: [DONE]\n\n'
export const dataLine = (value: object) => `data: ${JSON.stringify(value)}\n\n`

export function usageSum(all: readonly ChatUsage[]) {
  const sum = (name: 'prompt_tokens' | 'completion_tokens' | 'total_tokens') =>
    all.reduce((total, usage) => total + usage[name], 0)
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  }
}
