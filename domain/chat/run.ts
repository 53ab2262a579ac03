/**
 * Runs one chat completion, from the queue to the caller, as a complete answer or a stream, and reports the outcome.
 */

import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { GenerateEvent } from '../../proto/heddle/node/v1/messages.js'
import type { AnswerWriter } from './answer-writer.js'
import { ChunkWriter, type StreamWanted } from './chunks.js'
import { type AnswerHead, Collector, type TokenIds } from './collect.js'
import type { Pending } from './dispatch/pending.js'

/** How often an idle stream sends a line: proxies and servers close silent connections. */
const QUIET_MS = 5_000
const QUIET_LINE = Buffer.from(': working\n\n')

/** The outcome of a completion, or of embeddings. */
export interface Outcome<Answer = ChatCompletionResponse> {
  /** without token ids, which are kept apart */
  answer: Answer
  /** undefined: they are not kept */
  tokens?: TokenIds | undefined
  /** ms from the start; undefined: no token arrived */
  firstTokenMs: number | undefined
  error: HeddleError | undefined
}

type Result<Answer> = Pick<Outcome<Answer>, 'answer' | 'tokens'>

function resultOf(collector: Collector): Result<ChatCompletionResponse> {
  return { answer: collector.answer(false), tokens: collector.tokens() }
}

/** A request that was queued. */
export interface Queued<Answer> {
  pending: Pending
  /** aborted when the caller leaves */
  signal: AbortSignal
  /** performance.now() when the request arrived */
  began: number
  /** called once, whatever happens */
  ended: (outcome: Outcome<Answer>) => void
}

export interface Run extends Queued<ChatCompletionResponse> {
  head: AnswerHead
  wanted: StreamWanted
  /** collect the complete answer even when streaming */
  collect: boolean
  /** keep the tokens apart from the answer */
  keepsTokens: boolean
}

/** The complete answer. @param see is given each event, too @throws HeddleError */
export async function whole(
  run: Run,
  see: (event: GenerateEvent) => void = () => undefined,
): Promise<ChatCompletionResponse> {
  const collector = new Collector(run.head, run.wanted, run.keepsTokens)
  for await (const events of follow(run, () => resultOf(collector)))
    for (const event of events) {
      collector.add(event)
      see(event)
    }
  return collector.answer()
}

/**
 * The answer as server-sent events. An error before the first event is thrown; a later one becomes an event.
 * @param begun events of another answer were sent before
 */
export async function* stream(
  run: Run,
  writer: AnswerWriter = new ChunkWriter(run.head, run.wanted),
  begun = false,
): AsyncGenerator<Uint8Array> {
  const collector = new Collector(run.head, run.wanted, run.keepsTokens)
  const result = () => resultOf(collector)
  try {
    for await (const events of follow(run, result, () => (begun ? QUIET_MS : undefined))) {
      if (events.length === 0) {
        yield writer.quiet ? Buffer.from(writer.quiet()) : QUIET_LINE
        continue
      }
      let lines = ''
      for (const event of events) {
        lines += writer.lines(event)
        collector.add(event, run.collect)
      }
      if (lines === '') continue
      begun = true
      yield Buffer.from(lines)
    }
    yield Buffer.from(await writer.end())
  } catch (error) {
    if (!begun) throw error
    yield Buffer.from(await writer.failed(known(error)))
  }
}

/**
 * The events of a request in batches; records the first token, the end and a disconnect of the caller.
 * @param result what has come so far
 */
export async function* follow<Answer>(
  run: Queued<Answer>,
  result: () => Result<Answer>,
  quiet: () => number | undefined = () => undefined,
): AsyncGenerator<GenerateEvent[]> {
  const { pending, signal, began } = run
  let firstTokenMs: number | undefined
  let error: HeddleError | undefined
  const leave = () => pending.leave()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    for (;;) {
      const events = await pending.next(quiet())
      if (!events) return
      if (firstTokenMs === undefined && events.some(({ event }) => event === 'delta'))
        firstTokenMs = performance.now() - began
      yield events
    }
  } catch (thrown) {
    error = known(thrown)
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
    pending.leave()
    if (signal.aborted) error = new HeddleError('CALLER_GONE', 499, 'The caller went away.')
    run.ended({ ...result(), firstTokenMs, error })
  }
}

function known(error: unknown): HeddleError {
  return error instanceof HeddleError ? error : errors.internal()
}
