/** `POST /v1/chat/completions`, with and without a slash at its end, bound. */
import { createChatCompletion, createChatCompletionSlash } from '../../common/contract/chat-answer.js'
import { type Bound, Reply, type Request, serve } from '../../common/http/request.js'
import { uuid7 } from '../../common/ids/uuid7.js'
import { jobPriority } from '../../common/queues/priority.js'
import { generateRequest } from '../../proto/heddle/node/v1/messages.js'
import type { Dispatcher } from '../dispatch/dispatcher.js'
import type { ModelResolver, Target } from '../models/resolver.js'
import { problems } from '../problem.js'
import { type Asked, asked } from '../trace/asked.js'
import { callText } from '../trace/call.js'
import type { Tracer } from '../trace/tracer.js'
import type { StreamWanted } from './chunks.js'
import { generateRequestOf } from './generate.js'
import type { RateLimits } from './limits.js'
import type { ChatMetrics } from './metrics.js'
import { prefixesOf } from './prefixes.js'
import { type ChatRequest, readChatRequest } from './request.js'
import { type Outcome, stream, whole } from './run.js'

export interface ChatParts {
  dispatcher: Dispatcher
  models: ModelResolver
  limits: RateLimits
  tracer: Tracer
  metrics: ChatMetrics
  /** most requests of one model that may wait */
  queueLimit: number
  /** most time of one request, in ms */
  limitMs: number
}

export function chatRoutes(parts: ChatParts): Bound[] {
  const handle = (request: Request) => complete(parts, request)
  return [serve(createChatCompletion, handle), serve(createChatCompletionSlash, handle)]
}

async function complete(parts: ChatParts, request: Request): Promise<Reply> {
  const began = performance.now()
  const { dispatcher, models, limits, queueLimit } = parts
  const { principal, headers } = request
  const chat = readChatRequest(request.bytes)
  const trace = asked(headers, principal)
  const target = await models.resolve(chat.fields.model, principal)
  const priority = priorityOf(chat, target, dispatcher)
  const line = dispatcher.waiting(target.base)
  if (line >= queueLimit)
    throw problems.queueFull(target.base, dispatcher.backlog.secondsFor(target.base, line))
  await limits.admit(principal.keyId)
  const pending = await dispatcher.send({
    model: target.base,
    priority,
    deadline: Date.now() + parts.limitMs,
    adapter: target.adapter,
    prefixes: prefixesOf(chat.fields, target.adapter?.id ?? ''),
    generate: (name) => generateRequest.encode(generateRequestOf(chat, name, target.adapter?.id ?? '')),
  })
  const run = {
    pending,
    head: {
      id: `chatcmpl-${chat.fields.request_id ?? uuid7()}`,
      created: Math.floor(Date.now() / 1000),
      model: target.name,
    },
    wanted: wantedOf(chat),
    signal: request.signal,
    began,
    collect: trace !== undefined,
    ended: (outcome: Outcome) => {
      void limits.spend(principal.keyId, outcome.answer.usage.total_tokens)
      parts.metrics.ended(outcome)
      if (trace) writeTrace(parts.tracer, trace, { chat, target, outcome, request, began })
    },
  }
  const more: Record<string, string> = trace ? { 'x-heddle-call-id': trace.id } : {}
  if (chat.fields.stream) {
    return new Reply(200, 'text/event-stream; charset=utf-8', stream(run), {
      ...more,
      'cache-control': 'no-cache',
      // Proxies that gather an answer before they pass it on would undo the streaming.
      'x-accel-buffering': 'no',
    })
  }
  return new Reply(200, 'application/json', JSON.stringify(await whole(run)), more)
}

/** The job's place in the queue; undefined where all are alike. @throws `NO_PRIORITIES` (400) */
function priorityOf({ fields }: ChatRequest, target: Target, { board }: Dispatcher): number | undefined {
  const priority = fields.priority ?? 0
  if (board.serving(target.base).some((node) => node.priorities)) return jobPriority(priority)
  if (priority !== 0) throw problems.noPriorities(target.base)
  return undefined
}

function wantedOf({ fields }: ChatRequest): StreamWanted {
  const options = fields.stream_options
  return {
    logprobs: fields.logprobs ?? false,
    tokenIds: fields.return_token_ids ?? false,
    usage: options ? (options.include_usage ?? true) : false,
    continuousUsage: options?.continuous_usage_stats ?? false,
  }
}

interface Traced {
  chat: ChatRequest
  target: Target
  outcome: Outcome
  request: Request
  began: number
}

function writeTrace(tracer: Tracer, trace: Asked, { chat, target, outcome, request, began }: Traced): void {
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
