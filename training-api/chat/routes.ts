/** `POST /v1/chat/completions`, with and without a slash at its end, bound. */

import { createChatCompletion, createChatCompletionSlash } from '../../contract/chat-answer.js'
import type { Chat } from '../../domain/chat/chat.js'
import { type ChatRequest, chatRequest } from '../../domain/chat/request.js'
import type { Target } from '../../domain/chat/resolver.js'
import { type Outcome, stream, whole } from '../../domain/chat/run.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import type { Threads } from '../threads/threads.js'
import { callText } from '../trace/call.js'
import { type TraceRequest, traceRequest } from '../trace/trace-request.js'
import type { Tracer } from '../trace/tracer.js'
import type { ChatMetrics } from './metrics.js'

export interface ChatParts {
  chat: Chat
  threads: Threads
  tracer: Tracer
  metrics: ChatMetrics
}

export function chatRoutes(parts: ChatParts): Bound[] {
  const handle = (request: Request) => complete(parts, request)
  return [serve(createChatCompletion, handle), serve(createChatCompletionSlash, handle)]
}

async function complete(parts: ChatParts, request: Request): Promise<Reply> {
  const began = performance.now()
  const { principal, headers, signal, bytes } = request
  const chat = chatRequest(bytes, await parts.threads.run('chat', bytes, bytes.length))
  const trace = traceRequest(headers, principal)
  const run = await parts.chat.begin({
    ...{ chat, principal, signal, began, collect: trace !== undefined },
    ended: (outcome, target) => {
      parts.metrics.ended(outcome)
      if (trace) writeTrace(parts.tracer, trace, { chat, target, outcome, request, began })
    },
  })
  const more: Record<string, string> = trace ? { 'x-heddle-call-id': trace.id } : {}
  if (chat.fields.stream) {
    return new Reply(200, 'text/event-stream; charset=utf-8', stream(run), {
      ...more,
      'cache-control': 'no-cache',
      // Tells proxies not to buffer the stream.
      'x-accel-buffering': 'no',
    })
  }
  return new Reply(200, 'application/json', JSON.stringify(await whole(run)), more)
}

interface Traced {
  chat: ChatRequest
  target: Target
  outcome: Outcome
  request: Request
  began: number
}

function writeTrace(
  tracer: Tracer,
  trace: TraceRequest,
  { chat, target, outcome, request, began }: Traced,
): void {
  const { answer, error, firstTokenMs } = outcome
  const now = Date.now()
  const text = callText(trace, {
    inputs: Buffer.from(request.bytes).toString('utf8'),
    output: answer.choices.length > 0 ? answer : undefined,
    startedAt: now - (performance.now() - began),
    endedAt: now,
    firstTokenMs,
    model: target.name,
    base: target.base,
    usage: answer.usage.total_tokens > 0 ? answer.usage : undefined,
    streamed: chat.fields.stream ?? false,
    error: error?.reason,
  })
  tracer.write(request.headers.get('authorization') ?? '', trace.project, text)
}
