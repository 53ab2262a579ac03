/**
 * The inference worker: takes chat requests from the queues of its nodes' models, runs them on the nodes and sends the
 * answers back. Announces its nodes and sends heartbeats.
 */

import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { BEAT_MS, type Beat, type ChatJob, control, type Failed } from '../domain/chat/chat-job.js'
import { Liveness } from '../domain/chat/liveness.js'
import type { NodeAccess } from '../domain/nodes/connection.js'
import { parsedAs } from '../platform/json/parse.js'
import { failFastConnection, retryingConnection } from '../platform/redis/connection.js'
import {
  answersChannel,
  BEATS_CHANNEL,
  CALLERS_CHANNEL,
  controlChannel,
  NODES_CHANNEL,
  NODES_KEY,
} from '../platform/redis/names.js'
import { publish } from '../platform/redis/publish.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Metrics } from '../platform/telemetry/metrics.js'
import { ageOf } from '../platform/time/age.js'
import { Affinity, choose } from './choose.js'
import { Consumer } from './consumer.js'
import { generate, type Nodes } from './generation.js'
import { Node } from './node.js'
import { Outbox } from './outbox.js'
import { ResponseStream } from './response-stream.js'

const ANNOUNCE_MS = 1000
/** When a silent caller counts as gone: longer than a Redis cluster takes to move a subscription. */
const CALLER_GONE_MS = 10_000
/** Announcements of dead workers are removed after this time. */
const FORGET_MS = 3_600_000
/** Jobs taken per slot of the nodes: the surplus begins the moment a slot is free. */
const AHEAD = 1.25

export interface InferenceWorkerOptions {
  redisUrl: string
  /** host:port of each node */
  nodes: readonly string[]
  access: NodeAccess
  log: Log
  metrics: Metrics
  /** seconds that running requests get to finish when the worker stops */
  stopSeconds: number
}

export class InferenceWorker implements Nodes {
  readonly id = randomUUID()
  private readonly redis: Redis
  private readonly prompt: Redis
  private readonly subscriber: Redis
  private readonly nodes: Node[]
  private readonly consumers = new Map<string, Consumer>()
  private readonly responses = new Map<string, ResponseStream>()
  private readonly affinity = new Affinity()
  private readonly callers = new Liveness()
  private readonly outbox: Outbox
  private readonly timers: NodeJS.Timeout[] = []
  private stopping = false

  constructor(private readonly options: InferenceWorkerOptions) {
    const { redisUrl, nodes, access, log, metrics } = options
    this.redis = retryingConnection(redisUrl)
    this.prompt = failFastConnection(redisUrl)
    this.subscriber = failFastConnection(redisUrl)
    this.nodes = nodes.map((address) => new Node(address, access, log, (node) => this.nodeChanged(node)))
    this.outbox = new Outbox(
      (api, message) => publish(this.prompt, answersChannel(api), message),
      (api) => this.callerGone(api),
    )
    this.subscriber.on('message', (channel, text) => {
      if (channel === CALLERS_CHANNEL) this.callers.heard(text)
      else this.control(text)
    })
    this.subscriber.on(
      'ready',
      () => void this.subscriber.subscribe(controlChannel(this.id), CALLERS_CHANNEL).catch(() => undefined),
    )
    // Callers give up when Redis is lost, so nothing is generated for them any more.
    this.prompt.on('close', () => this.cancelAll(() => true))
    metrics.gauge('chat_running', 'Chat requests of this worker.', () => this.responses.size)
    metrics.gauge('nodes_up', 'GPU nodes that are up.', () => this.nodesUp)
  }

  start(): void {
    for (const node of this.nodes) node.start()
    this.timers.push(
      setInterval(() => {
        void this.beat()
        const { gone } = this.callers.look(CALLER_GONE_MS, this.subscriber.status === 'ready')
        for (const api of gone) this.callerSilent(api)
      }, BEAT_MS),
      setInterval(() => void this.announceAll(), ANNOUNCE_MS),
    )
  }

  /** Takes no new requests, lets running ones finish, and returns those that don't finish in time to the queue. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.beat()
    const closing = Promise.all(
      [...this.consumers.values()].map((consumer) => consumer.close().catch(() => undefined)),
    )
    const late = setTimeout(() => this.giveBack(), this.options.stopSeconds * 1000)
    await Promise.race([
      closing,
      new Promise((resolve) => setTimeout(resolve, this.options.stopSeconds * 1000 + 2000)),
    ])
    clearTimeout(late)
    for (const timer of this.timers) clearInterval(timer)
    await this.announceAll()
    await Promise.all(this.nodes.map((node) => node.stop()))
    for (const connection of [this.prompt, this.subscriber, this.redis]) connection.disconnect()
  }

  /** Nodes that are up, including those paused for training. */
  get nodesUp(): number {
    return this.nodes.filter(({ up }) => up).length
  }

  pick(job: ChatJob, without: ReadonlySet<Node>): Node | undefined {
    const adapter = job.adapter?.id
    const model = this.models.get(job)
    const candidates = this.nodes
      .filter((node) => node.ready && node.info?.model === model && !without.has(node))
      .map((node) => ({
        node,
        load: node.fullness,
        adapter: adapter === undefined || node.holds(adapter),
        prefix: this.affinity.seen(job.prefixes, node.address),
      }))
    return choose(candidates)?.node
  }

  took(job: ChatJob, node: Node): void {
    this.affinity.note(job.prefixes, node.address)
  }

  /** The model of each job's queue. */
  private readonly models = new WeakMap<ChatJob, string>()

  private async work(model: string, job: ChatJob): Promise<void> {
    const key = `${job.api} ${job.request} ${job.attempt}`
    const response = new ResponseStream(job, this.outbox)
    this.models.set(job, model)
    this.responses.set(key, response)
    this.callers.heard(job.api)
    try {
      // Don't accept a request before answers can be sent.
      await ready(this.prompt)
      response.accepted(this.id)
      await generate(job, this, response)
    } catch (error) {
      this.options.log.error({ err: error }, 'a request failed unexpectedly')
      response.failed(unforeseen)
    } finally {
      this.responses.delete(key)
    }
  }

  private control(text: string): void {
    const message = parsedAs(control, text)
    if (!message) return
    const { api, cancel = [], read = [] } = message
    for (const [request, attempt] of cancel) this.responses.get(`${api} ${request} ${attempt}`)?.cancel()
    for (const [request, attempt, bytes] of read)
      this.responses.get(`${api} ${request} ${attempt}`)?.progress(bytes)
  }

  /** Fails the caller's requests, so that one that only hung can retry. */
  private callerSilent(api: string): void {
    for (const [key, response] of this.responses) if (key.startsWith(`${api} `)) response.failed(unheard)
    this.outbox.flush()
    this.callerGone(api)
  }

  private callerGone(api: string): void {
    this.cancelAll((key) => key.startsWith(`${api} `))
  }

  private cancelAll(which: (key: string) => boolean): void {
    for (const [key, response] of this.responses) if (which(key)) response.cancel()
  }

  private giveBack(): void {
    for (const response of this.responses.values()) {
      response.failed(stopped)
      this.outbox.flush()
      response.cancel()
    }
  }

  private nodeChanged(node: Node): void {
    const model = node.info?.model
    if (model === undefined || this.stopping) return
    let consumer = this.consumers.get(model)
    if (!consumer) {
      consumer = new Consumer(
        model,
        this.redis,
        (job) => this.work(model, job),
        (error) => this.options.log.debug({ err: error }, 'a queue had an error'),
      )
      this.consumers.set(model, consumer)
    }
    const slots = this.nodes
      .filter((one) => one.ready && one.info?.model === model)
      .reduce((sum, one) => sum + Math.ceil(one.info!.slots * AHEAD), 0)
    void consumer.widen(slots).catch(() => undefined)
    void this.announce(node)
  }

  private async beat(): Promise<void> {
    const waiting: Record<string, number> = {}
    try {
      for (const [model, consumer] of this.consumers) {
        waiting[consumer.queue] = await consumer.waiting()
        if (waiting[consumer.queue]) this.wake(model)
      }
      const message: Beat = { worker: this.id, stopping: this.stopping, waiting }
      await this.prompt.publish(BEATS_CHANNEL, JSON.stringify(message))
    } catch {
      // Redis is unreachable; listeners notice that themselves.
    }
  }

  /** Requests for `model` wait: its nodes that are paused for training are asked to serve in between. */
  private wake(model: string): void {
    const nodes = this.nodes.filter(({ info }) => info?.model === model)
    if (!nodes.some(({ ready }) => ready)) for (const node of nodes) void node.wake()
  }

  private async announceAll(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.announce(node)))
    await this.forgetOld().catch(() => undefined)
  }

  private async announce(node: Node): Promise<void> {
    const current = node.announcement(this.id, Date.now())
    if (!current) return
    const text = JSON.stringify(this.stopping ? { ...current, up: false } : current)
    await Promise.all([
      this.prompt.hset(NODES_KEY, `${this.id} ${node.address}`, text),
      this.prompt.publish(NODES_CHANNEL, text),
    ]).catch(() => undefined)
  }

  private forgotten = 0

  private async forgetOld(): Promise<void> {
    const now = Date.now()
    if (now - this.forgotten < FORGET_MS / 60) return
    this.forgotten = now
    for (const [field, text] of Object.entries(await this.prompt.hgetall(NODES_KEY))) {
      const { at = 0 } = parsedAs(z.object({ at: z.number() }), text) ?? {}
      if (ageOf(at, now) > FORGET_MS) await this.prompt.hdel(NODES_KEY, field)
    }
  }
}

/** Resolves when the connection can send. */
function ready(redis: Redis): Promise<void> | undefined {
  if (redis.status === 'ready') return undefined
  return new Promise((resolve) => redis.once('ready', () => resolve()))
}

const unforeseen: Failed = {
  code: 'INTERNAL',
  status: 13,
  message: 'The inference worker failed unexpectedly; its log has the cause.',
  retriable: false,
}

const unheard: Failed = {
  code: 'CALLER_SILENT',
  status: 14,
  message: 'The process waiting for the answer was silent for too long; send the request again.',
  retriable: true,
}
const stopped: Failed = {
  code: 'WORKER_STOPPING',
  status: 14,
  message: 'The worker running the request was stopped; send it again.',
  retriable: true,
}
