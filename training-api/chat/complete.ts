/**
 * Answers a completion that was asked for through any interface of chat: begins it, answers whole or as a stream, counts
 * it, and logs it as a call if the caller asked for that. An interface adds how its body is read and its answer written.
 */

import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import { presentedKey } from '../../domain/auth/api-key.js'
import type { AnswerWriter } from '../../domain/chat/answer-writer.js'
import type { Chat } from '../../domain/chat/chat.js'
import type { ChatRequest } from '../../domain/chat/request.js'
import { type Outcome, type Run, stream, whole } from '../../domain/chat/run.js'
import { Reply, type Request } from '../../platform/http/request.js'
import type { GenerateEvent } from '../../proto/heddle/node/v1/messages.js'
import type { Threads } from '../threads/threads.js'
import { callText, completionCall, type LoggedCall } from '../trace/call.js'
import type { TokenKeeper } from '../trace/token-keeper.js'
import { type TraceRequest, traceRequest } from '../trace/trace-request.js'
import type { Tracer } from '../trace/tracer.js'
import type { ChatMetrics } from './metrics.js'

export interface ChatParts {
  chat: Chat
  threads: Threads
  tracer: Tracer
  tokens: TokenKeeper
  metrics: ChatMetrics
}

/** A completion that was asked for, as a request for a chat completion, whatever form the caller's had. */
export interface Asked {
  /** the interface by which it was asked for; the traced call names it */
  interface: 'chat' | 'messages' | 'responses' | 'completions'
  chat: ChatRequest
  /** JSON of the chat completion request; the traced call's inputs */
  inputs: Uint8Array
  /** performance.now() when the request arrived */
  began: number
  /** writes the stream, if one was asked for; default: chat completion chunks */
  writer?: (run: Run) => AnswerWriter
  /** makes the body of a complete answer, a value or finished JSON; default: a chat completion */
  body?: (answer: ChatCompletionResponse, run: Run) => unknown | Promise<unknown>
  /** sees each event of an answer that isn't streamed, before `body` is called */
  see?: (event: GenerateEvent, run: Run) => void
  /** more headers of the answer */
  headers?: Record<string, string>
  /** collect the complete answer even when streaming */
  collect?: boolean
  /** called once when the completion ends, for whatever reason */
  ended?: (outcome: Outcome) => void
}

/** A completion that has begun. */
export interface Begun {
  run: Run
  /** of the answer */
  headers: Record<string, string>
}

/**
 * Queues it. A traced one names its call in `x-heddle-call-id`, and keeps its tokens beside that if it should.
 * @throws 404 for an unknown model, 429 when limits are reached, 503 while no node serves it, 403 if the caller may not
 * write to the project that it names
 */
export async function begin(parts: ChatParts, request: Request, asked: Asked): Promise<Begun> {
  const { principal, headers: sent, signal } = request
  const { began, inputs, interface: by } = asked
  const { trace, headers, write } = traced(parts, request)
  const keepsTokens = await parts.tokens.wants(sent, trace, asked.chat.fields.return_token_ids ?? false)
  const chat = keepsTokens ? { ...asked.chat, keepsTokens } : asked.chat
  const run = await parts.chat.begin({
    ...{ chat, principal, signal, began, collect: (asked.collect ?? false) || write !== undefined },
    ended: (outcome, target) => {
      parts.metrics.ended(outcome)
      asked.ended?.(outcome)
      write?.(
        completionCall(outcome, target, {
          ...{ inputs, began, interface: by },
          streamed: chat.fields.stream ?? false,
        }),
      )
      if (trace && outcome.tokens && !outcome.error) parts.tokens.keep(trace, outcome.tokens)
    },
  })
  return { run, headers: { ...asked.headers, ...headers } }
}

interface Traced {
  trace: TraceRequest | undefined
  /** of the answer: they name the call */
  headers: Record<string, string>
  /** logs it; undefined: it isn't to be logged */
  write: ((call: LoggedCall) => void) | undefined
}

/**
 * Decides whether a request is logged as a call.
 * @throws like `traceRequest`
 */
export function traced({ tracer }: Pick<ChatParts, 'tracer'>, { headers, principal }: Request): Traced {
  const trace = traceRequest(headers, principal)
  if (!trace) return { trace, headers: {}, write: undefined }
  return {
    trace,
    headers: { 'x-heddle-call-id': trace.id },
    write: (call) => tracer.write(`Bearer ${presentedKey(headers)}`, trace.project, callText(trace, call)),
  }
}

/** @returns the answer, or the stream of it @throws like {@link begin} */
export async function complete(parts: ChatParts, request: Request, asked: Asked): Promise<Reply> {
  const { writer, body, see } = asked
  const { run, headers } = await begin(parts, request, asked)
  if (asked.chat.fields.stream) return streamReply(stream(run, writer?.(run)), headers)
  const answer = await whole(run, see && ((event) => see(event, run)))
  const value = body ? await body(answer, run) : answer
  return new Reply(
    200,
    'application/json',
    typeof value === 'string' ? value : JSON.stringify(value),
    headers,
  )
}

/** The answer that has these server-sent events. */
export function streamReply(chunks: AsyncIterable<Uint8Array>, headers: Record<string, string> = {}): Reply {
  return new Reply(200, 'text/event-stream; charset=utf-8', chunks, {
    ...headers,
    'cache-control': 'no-cache',
    // Tells proxies not to buffer the stream.
    'x-accel-buffering': 'no',
  })
}
