/**
 * The service's own chat, for every service that completes one: from a checked request to its place in the queue, and
 * the answer back. Models are those that the caller may read. Knows nothing of HTTP, and writes down nothing.
 */

import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { generateRequest } from '../../proto/heddle/node/v1/messages.js'
import type { StreamWanted } from './chunks.js'
import { Dispatcher } from './dispatch/dispatcher.js'
import type { Submitter, WaitingLimits } from './dispatch/fair-queue.js'
import { generateRequestOf } from './generate.js'
import { RateLimits } from './limits.js'
import { cacheSaltOf, tenantOf } from './owner.js'
import { prefixesOf } from './prefixes.js'
import { boundedPriority } from './priority.js'
import { problems } from './problem.js'
import { type ChatRequest, readChatRequest } from './request.js'
import { ModelResolver, type Target } from './resolver.js'
import { type Outcome, type Run, whole } from './run.js'

export interface ChatOptions {
  store: Store
  redisUrl: string
  /** requests of one model that may wait */
  waiting: WaitingLimits
  /** most time of one chat completion, waiting included */
  chatSeconds: number
  /** most time that a request waits for a node of its model that went */
  nodeReturnSeconds: number
  /** of one key; 0: no limit */
  requestsPerMinute: number
  tokensPerMinute: number
}

/** Who asks, and for what. */
export interface ChatCall {
  chat: ChatRequest
  principal: Principal
  /** aborted when nobody waits any more */
  signal: AbortSignal
  /** performance.now() when the request came; absent: now */
  began?: number
  /** the whole answer is wanted at the end of a stream, too */
  collect?: boolean
  /** called once when it is over, however that is */
  ended?: (outcome: Outcome, target: Target) => void
}

export class Chat {
  readonly dispatcher: Dispatcher
  private readonly models: ModelResolver
  private readonly limits: RateLimits

  constructor(private readonly options: ChatOptions) {
    this.dispatcher = new Dispatcher(options.redisUrl, {
      waiting: options.waiting,
      returnMs: options.nodeReturnSeconds * 1000,
    })
    this.models = new ModelResolver(options.store, this.dispatcher.board)
    this.limits = new RateLimits(this.dispatcher.redis, options)
  }

  start(): void {
    this.dispatcher.start()
  }

  /** Ends what is under way with an error. */
  stop(): Promise<void> {
    return this.dispatcher.stop()
  }

  /**
   * Whether `model` is one that is served here, or was trained here and the caller may read it.
   * @throws what stands in the way of looking: 503
   */
  async serves(model: string, principal: Principal): Promise<boolean> {
    try {
      await this.models.resolve(model, principal)
      return true
    } catch (error) {
      if (error instanceof HeddleError && error.code === 'UNKNOWN_MODEL') return false
      throw error
    }
  }

  /** The answer to the JSON of a request, in one piece. @throws HeddleError */
  async complete(
    bytes: Uint8Array,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ChatCompletionResponse> {
    return whole(await this.begin({ chat: readChatRequest(bytes), principal, signal }))
  }

  /**
   * Queues a request. Read the run to its end by `whole` or `stream`.
   * @throws 404 for no such model, 429 when too much waits or was used, 503 while nothing serves it
   */
  async begin({ chat, principal, signal, began, collect, ended }: ChatCall): Promise<Run> {
    const { dispatcher, limits, options } = this
    const { fields } = chat
    const target = await this.models.resolve(fields.model, principal)
    const submitter = submitterOf(principal, priorityOf(chat, target, dispatcher))
    dispatcher.checkRoom(target.base, submitter)
    await limits.admit(principal.keyId)
    const adapterId = target.adapter?.id ?? ''
    const cacheSalt = cacheSaltOf(submitter.entity, fields.cache_salt)
    const priority = submitter.ranked ? submitter.priority : 0
    const pending = await dispatcher.send({
      model: target.base,
      submitter,
      deadline: Date.now() + options.chatSeconds * 1000,
      adapter: target.adapter,
      prefixes: prefixesOf(fields, adapterId, cacheSalt),
      generate: (requestId) =>
        generateRequest.encode(generateRequestOf(chat, { requestId, adapterId, cacheSalt, priority })),
    })
    // Of an answer whose caller is gone already, nobody reads a stream.
    if (signal.aborted) pending.leave()
    return {
      pending,
      head: {
        id: `chatcmpl-${fields.request_id ?? uuid7()}`,
        created: Math.floor(Date.now() / 1000),
        model: target.name,
      },
      wanted: wantedOf(chat),
      signal,
      began: began ?? performance.now(),
      collect: collect ?? false,
      ended: (outcome) => {
        void limits.spend(principal.keyId, outcome.answer.usage.total_tokens)
        ended?.(outcome, target)
      },
    }
  }
}

/**
 * A priority orders what the caller's own entity has waiting. Against everybody's work it holds for who administers
 * everything (`*:admin`) alone.
 */
function submitterOf(principal: Principal, priority: number): Submitter {
  const ranked = priority !== 0 && principal.may('admin', '*')
  return { entity: tenantOf(principal), key: principal.keyId, priority, ranked }
}

/** @throws `NO_PRIORITIES` (400) where all are alike */
function priorityOf({ fields }: ChatRequest, target: Target, { board }: Dispatcher): number {
  const priority = boundedPriority(fields.priority ?? 0)
  if (priority !== 0 && !board.awaited(target.base).some((node) => node.priorities))
    throw problems.noPriorities(target.base)
  return priority
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
