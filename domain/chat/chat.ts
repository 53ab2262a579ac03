/**
 * Chat completions and embeddings by our own models, for every service that needs them: queues a checked request and
 * returns the answer. Offers only models that the caller may read.
 */

import type { ChatCompletionResponse, ChatUsage } from '../../contract/chat-answer.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { generateRequest } from '../../proto/heddle/node/v1/messages.js'
import type { StreamWanted } from './chunks.js'
import { Dispatcher } from './dispatch/dispatcher.js'
import type { Submitter, WaitingLimits } from './dispatch/fair-queue.js'
import { IdleSlots } from './dispatch/idle-slots.js'
import { type EmbeddingAnswer, type EmbeddingRequest, embedBytes, embedded } from './embed.js'
import { generateRequestOf, type NodeTerms } from './generate.js'
import { type ChatImages, hasImages, type ImageLimits, imagesOf } from './images.js'
import { RateLimits } from './limits.js'
import { cacheSaltOf, prefixesOf, tenantOf } from './prefixes.js'
import { problems } from './problem.js'
import { type ChatRequest, readChatRequest } from './request.js'
import { ModelResolver, type Target } from './resolver.js'
import { type Outcome, type Queued, type Run, whole } from './run.js'

export interface ChatOptions {
  store: Store
  redisUrl: string
  /** limits of waiting requests per model */
  waiting: WaitingLimits
  /** maximum time of a chat completion, waiting included */
  chatSeconds: number
  /** how long a request waits for a lost node of its model to return */
  nodeReturnSeconds: number
  images: ImageLimits
  /** per key; 0: unlimited */
  requestsPerMinute: number
  tokensPerMinute: number
}

/** Who asks, and how. */
interface Call<Answer> {
  principal: Principal
  /** aborted when the caller leaves */
  signal: AbortSignal
  /** performance.now() when the request arrived; absent: now */
  began?: number
  /** it has a place of {@link Chat.idle}; limits of a minute do not count it */
  background?: boolean
  /** called once when it ends, for whatever reason */
  ended?: (outcome: Outcome<Answer>, target: Target) => void
}

/** A request for embeddings with its caller. */
export interface EmbeddingCall extends Call<EmbeddingAnswer> {
  embedding: EmbeddingRequest
}

export interface ChatCall extends Call<ChatCompletionResponse> {
  chat: ChatRequest
  /** collect the complete answer even when streaming */
  collect?: boolean
  /** count the tokens of the prompt, and generate nothing */
  countOnly?: boolean
}

/** What is to be queued, and what of it depends on its target. */
interface Asked {
  model: string | null | undefined
  priority: number | null | undefined
  cacheSalt?: string | null | undefined
  embeds: boolean
  work: (terms: Omit<NodeTerms, 'requestId'>) => {
    prefixes: string[]
    generate: (requestId: string) => Buffer
  }
}

export class Chat {
  readonly dispatcher: Dispatcher
  /** the places that background requests may take */
  readonly idle: IdleSlots
  private readonly models: ModelResolver
  private readonly limits: RateLimits

  constructor(private readonly options: ChatOptions) {
    this.dispatcher = new Dispatcher(options.redisUrl, {
      waiting: options.waiting,
      returnMs: options.nodeReturnSeconds * 1000,
    })
    this.idle = new IdleSlots((model) => this.dispatcher.places(model))
    this.models = new ModelResolver(options.store, this.dispatcher.board)
    this.limits = new RateLimits(this.dispatcher.redis, options)
  }

  start(): void {
    this.dispatcher.start()
  }

  /** Fails all requests in progress. */
  stop(): Promise<void> {
    return this.dispatcher.stop()
  }

  /**
   * What a request for `model` would run on.
   * @param embeds it is one for embeddings; absent: of either kind
   * @throws 404 if this caller has no such model, 503 if no node serves it now, 400 if it is of the other kind
   */
  async target(model: string | null | undefined, principal: Principal, embeds?: boolean): Promise<Target> {
    const target = await this.models.resolve(model, principal)
    if (embeds === undefined || this.dispatcher.board.embeds(target.base) === embeds) return target
    throw embeds ? problems.noEmbeddings(target.name) : problems.noChat(target.name)
  }

  /**
   * True if `model` is served here, or was trained here and the caller may read it.
   * @throws 503 if that can't be looked up
   */
  async serves(model: string, principal: Principal): Promise<boolean> {
    try {
      await this.target(model, principal)
      return true
    } catch (error) {
      if (error instanceof HeddleError && error.code === 'UNKNOWN_MODEL') return false
      throw error
    }
  }

  /** Answers a JSON request with a complete answer. @throws HeddleError */
  async complete(
    bytes: Uint8Array,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ChatCompletionResponse> {
    return whole(await this.begin({ chat: readChatRequest(bytes), principal, signal }))
  }

  /** How many tokens the prompt of a request has, as the model's own template writes it. @throws HeddleError */
  async count(call: Omit<ChatCall, 'ended' | 'collect'>): Promise<number> {
    const { usage } = await whole(await this.begin({ ...call, countOnly: true }))
    return usage.prompt_tokens
  }

  /** Makes the embeddings of a request. @throws like {@link begin} */
  async embed({ embedding, ...call }: EmbeddingCall): Promise<EmbeddingAnswer> {
    const { queued } = await this.queue(call, {
      ...{ model: embedding.model, priority: embedding.priority, embeds: true },
      work: (terms) => ({
        prefixes: [],
        generate: (requestId) => embedBytes(embedding, { ...terms, requestId }),
      }),
    })
    return embedded(queued)
  }

  /**
   * Queues a request. Read the run to its end with `whole` or `stream`.
   * @throws 404 for an unknown model, 400 for one that makes embeddings, 429 when limits are reached, 503 while no node
   * serves it
   */
  async begin({ chat, collect, countOnly, ...call }: ChatCall): Promise<Run> {
    const { fields } = chat
    const images = hasImages(fields) ? await this.images(chat, call) : undefined
    const { queued, target } = await this.queue(call, {
      ...{ model: fields.model, priority: fields.priority, cacheSalt: fields.cache_salt, embeds: false },
      work: (terms) => ({
        prefixes: prefixesOf(fields, terms.adapterId, terms.cacheSalt),
        generate: (requestId) =>
          generateRequest.encode(
            generateRequestOf({ ...chat, images }, { ...terms, requestId, ...(countOnly && { countOnly }) }),
          ),
      }),
    })
    return {
      ...queued,
      head: {
        id: `chatcmpl-${fields.request_id ?? uuid7()}`,
        created: Math.floor(Date.now() / 1000),
        model: target.name,
      },
      wanted: wantedOf(chat),
      collect: collect ?? false,
      keepsTokens: chat.keepsTokens ?? false,
    }
  }

  /** @throws `NO_IMAGES` (400) for a model that takes none, and what {@link imagesOf} throws */
  private async images(
    { fields }: ChatRequest,
    { principal, signal }: Pick<ChatCall, 'principal' | 'signal'>,
  ): Promise<ChatImages> {
    const { base, name } = await this.target(fields.model, principal, false)
    if (!this.dispatcher.board.takesImages(base)) throw problems.noImages(name)
    return imagesOf(fields, this.options.images, signal)
  }

  private async queue<Answer extends { usage: ChatUsage }>(
    { principal, signal, began, background = false, ended }: Call<Answer>,
    { model, priority: wanted, cacheSalt: salt, embeds, work }: Asked,
  ): Promise<{ queued: Queued<Answer>; target: Target }> {
    const { dispatcher, limits, options } = this
    const target = await this.target(model, principal, embeds)
    mustAsk(principal, target.name)
    const submitter = background
      ? backgroundOf(principal)
      : submitterOf(principal, priorityOf(wanted, target, dispatcher))
    dispatcher.checkRoom(target.base, submitter)
    if (!background) await limits.admit(principal.keyId)
    const onNode = background ? hasPriorities(target, dispatcher) : submitter.ranked
    const sent = dispatcher.send({
      model: target.base,
      submitter,
      background,
      embeds,
      deadline: Date.now() + options.chatSeconds * 1000,
      adapter: target.adapter,
      ...work({
        adapterId: target.adapter?.id ?? '',
        cacheSalt: cacheSaltOf(submitter.entity, salt),
        priority: onNode ? submitter.priority : 0,
      }),
    })
    if (!background) this.idle.makeRoom(target.base)
    const pending = await sent
    // The caller is gone already, so no one would read the stream.
    if (signal.aborted) pending.leave()
    const queued: Queued<Answer> = {
      pending,
      signal,
      began: began ?? performance.now(),
      ended: (outcome) => {
        if (!background) void limits.spend(principal.keyId, outcome.answer.usage.total_tokens)
        ended?.(outcome, target)
      },
    }
    return { queued, target }
  }
}

/**
 * A priority orders the waiting requests of the caller's own entity. Only administrators of everything (`*:admin`) get
 * priority over other entities.
 */
function submitterOf(principal: Principal, priority: number): Submitter {
  const ranked = priority !== 0 && principal.may('admin', '*')
  return { entity: tenantOf(principal), key: principal.keyId, priority, ranked }
}

/** Throws `MODEL_NOT_ALLOWED` (403) if the caller's key is for other models. */
function mustAsk(principal: Principal, model: string): void {
  if (!principal.mayAsk(model)) throw errors.modelNotAllowed(model)
}

/** A background request comes after all others, of whichever entity. */
function backgroundOf(principal: Principal): Submitter {
  return { entity: tenantOf(principal), key: principal.keyId, priority: LAST, ranked: true }
}

/** True if every node of the model supports priorities: others refuse a request with one. */
function hasPriorities({ base }: Target, { board }: Dispatcher): boolean {
  return board.awaited(base).every((node) => node.priorities)
}

/** @throws `NO_PRIORITIES` (400) if no node of the model supports priorities */
function priorityOf(wanted: number | null | undefined, target: Target, { board }: Dispatcher): number {
  const priority = boundedPriority(wanted ?? 0)
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

/** The last of all priorities. */
const LAST = 2 ** 31 - 1

/**
 * Clamps a caller's priority (any integer, lower is first, 0 is the default) to the 32 bits that queues and nodes
 * accept. Keeps the order; beyond the range, neighbours become equal. Pure.
 */
export function boundedPriority(priority: number): number {
  return Math.max(-(2 ** 31), Math.min(LAST, priority))
}
