/**
 * Dispatches chat requests to workers through a queue, and returns their answers. A request whose worker dies, or
 * returns it, before the answer begins is queued again; every other failure is reported within seconds.
 */
import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { HeddleError } from '../../../platform/errors/error.js'
import { parsedAs } from '../../../platform/json/parse.js'
import { closed } from '../../../platform/redis/closing.js'
import { failFastConnection } from '../../../platform/redis/connection.js'
import {
  answersChannel,
  BEATS_CHANNEL,
  CALLERS_CHANNEL,
  chatQueueName,
  controlChannel,
  NODES_CHANNEL,
  QUEUE_PREFIX,
} from '../../../platform/redis/names.js'
import { currentSpan } from '../../../platform/telemetry/tracing.js'
import { accepted, BEAT_MS, beat, type ChatJob, type Control, failed, SILENCE_MS } from '../chat-job.js'
import { FRAME, type Frame, unpackFrames } from '../frames.js'
import { NodeBoard } from '../node-board.js'
import { problemOf, problems } from '../problem.js'
import { Backlog } from './backlog.js'
import { FairQueue, type Refusal, type Submitter, UNSCHEDULED, type WaitingLimits } from './fair-queue.js'
import type { Places } from './idle-slots.js'
import { Pending } from './pending.js'
import { WorkerLiveness } from './worker-liveness.js'

const TICK_MS = BEAT_MS
/** A job that is neither in the queue nor taken for this long is lost. */
const LOST_MS = 2_000
/** Most attempts per request; one that a worker returned untouched does not count. */
const MOST_TRIES = 3
const UNTRIED = new Set(['NO_NODE', 'NODE_PAUSED'])
/** A frame holds the attempt number in one byte. */
const MOST_ATTEMPTS = 255

const PART_LOST = 'A part of the answer was lost; send the request again.'

/** A request to dispatch. */
export interface Work {
  model: string
  submitter: Submitter
  /** it runs in an idle place only */
  background?: boolean
  deadline: number
  adapter?: ChatJob['adapter']
  prefixes: string[]
  /** it is a request for embeddings */
  embeds?: boolean
  /** makes the encoded GenerateRequest or EmbedRequest of an attempt; `name` is unique among running ones */
  generate: (name: string) => Buffer
}

export interface DispatcherOptions {
  waiting: WaitingLimits
  /** how long a request waits for a lost node to return */
  returnMs: number
}

interface Flight {
  pending: Pending
  work: Work
  /** the traceparent of the caller's span */
  trace: string | undefined
  /** performance.now() when queued */
  queuedAt: number
  tries: number
  /** engines that ended while they worked on it */
  deaths: number
}

export class Dispatcher {
  readonly board: NodeBoard
  readonly workers = new WorkerLiveness()
  private readonly backlog = new Backlog()
  private readonly fairQueue: FairQueue
  private readonly commands: Redis
  private readonly subscriber: Redis
  private readonly queues = new Map<string, Queue>()
  private readonly flights = new Map<number, Flight>()
  /** Changes when the connection is lost: answers to the old id then have no listener, which informs the workers. */
  private api = ''
  private listening = false
  private counter = 0
  private tick: NodeJS.Timeout | undefined

  /** @param url of Redis */
  constructor(
    url: string,
    private readonly options: DispatcherOptions,
  ) {
    this.board = new NodeBoard(options.returnMs)
    this.commands = failFastConnection(url)
    this.subscriber = failFastConnection(url)
    this.fairQueue = new FairQueue(this.commands, options.waiting)
    this.subscriber.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.message(channel.toString('latin1'), message),
    )
    this.subscriber.on('ready', () => void this.listen())
    this.subscriber.on('close', () => this.lost())
  }

  start(): void {
    this.tick = setInterval(() => this.look(), TICK_MS)
  }

  /** True if requests can be dispatched now. */
  get ready(): boolean {
    return this.listening && this.commands.status === 'ready'
  }

  get inFlight(): number {
    return this.flights.size
  }

  /** The connection, for other commands of this service; commands that can't be sent now fail at once. */
  get redis(): Redis {
    return this.commands
  }

  /** Throws if this process's own waiting requests already exceed a limit; needs no round trip. @throws `QUEUE_FULL` */
  checkRoom(model: string, { key, entity }: Submitter): void {
    const { perKey, perEntity } = this.options.waiting
    const ofKey = this.backlog.waiting(model, { key })
    const ofEntity = this.backlog.waiting(model, { entity })
    if (ofKey >= perKey) throw this.full(model, { limit: 'key', waiting: ofKey })
    if (ofEntity >= perEntity) throw this.full(model, { limit: 'entity', waiting: ofEntity })
  }

  private full(model: string, { limit, waiting }: Refusal): HeddleError {
    return problems.queueFull(model, limit, this.backlog.secondsFor(model, waiting))
  }

  /** Queues `work`. The caller reads its events to the end, or leaves. @throws `QUEUES_AWAY`, `QUEUE_FULL` */
  async send(work: Work): Promise<Pending> {
    if (!this.ready) throw problems.queuesAway()
    this.counter = (this.counter + 1) >>> 0
    const request = this.counter
    const pending: Pending = new Pending(request, {
      read: (bytes) => this.tell(pending, { read: [[request, pending.attempt, bytes]] }),
      left: () => this.left(request),
    })
    const trace = currentSpan()?.traceparent
    const flight: Flight = { pending, work, trace, queuedAt: performance.now(), tries: 1, deaths: 0 }
    this.flights.set(request, flight)
    this.backlog.queued(work.model, work.submitter)
    let refused: Refusal | undefined
    try {
      refused = await this.enqueue(flight)
    } catch (error) {
      this.drop(request)
      throw problems.queuesAway(error)
    }
    if (!refused) return pending
    this.drop(request)
    throw this.full(work.model, refused)
  }

  /** Jobs of `model` that no worker has taken, as far as known. */
  waiting(model: string): number {
    return Math.max(this.backlog.waiting(model), this.workers.waiting(chatQueueName(model)))
  }

  /** The places of the model's nodes that are up and not paused. */
  places(model: string): Places {
    const nodes = this.board.serving(model).filter(({ paused }) => !paused)
    const sum = (of: (node: (typeof nodes)[number]) => number) =>
      nodes.reduce((total, node) => total + of(node), 0)
    let live = 0
    for (const { work } of this.flights.values()) if (work.model === model && !work.background) live++
    const waiting = sum((node) => node.waiting) + this.workers.waiting(chatQueueName(model))
    return { all: sum(({ slots }) => slots), live, busy: sum(({ running }) => running) + waiting, waiting }
  }

  async stop(): Promise<void> {
    clearInterval(this.tick)
    for (const { pending } of this.flights.values()) pending.fail(problems.lost('This process is stopping.'))
    await closed([...this.queues.values()].map((queue) => queue.close()))
    this.commands.disconnect()
    this.subscriber.disconnect()
  }

  private async enqueue({ pending, work, trace, deaths }: Flight): Promise<Refusal | undefined> {
    const { request, attempt } = pending
    const { model, submitter, deadline } = work
    const jobId = this.jobId(pending)
    const job: ChatJob = {
      v: 1,
      api: this.api,
      request,
      attempt,
      ...(deaths > 0 && { deaths }),
      deadline,
      ...(work.adapter && { adapter: work.adapter }),
      prefixes: work.prefixes,
      ...(trace !== undefined && { trace }),
      ...(work.embeds && { embeds: true }),
      generate: work.generate(jobId).toString('base64'),
    }
    const options = { jobId, removeOnComplete: true, removeOnFail: true, priority: UNSCHEDULED }
    await this.queueOf(model).add('chat', job, options)
    const refused = await this.fairQueue.schedule(model, jobId, submitter, deadline - Date.now(), attempt > 0)
    if (refused) await this.queueOf(model).remove(jobId)
    return refused
  }

  /** Removes a job that no worker has taken from the queue. */
  private unqueue({ pending, work }: Flight): void {
    const { model, submitter } = work
    const job = this.jobId(pending)
    void this.fairQueue
      .withdraw(model, job, submitter)
      .then(() => this.queueOf(model).remove(job))
      .catch(() => undefined)
  }

  private jobId({ request, attempt }: Pending): string {
    return `${this.api}-${request}-${attempt}`
  }

  private queueOf(model: string): Queue {
    let queue = this.queues.get(model)
    if (!queue) {
      queue = new Queue(chatQueueName(model), { connection: this.commands, prefix: QUEUE_PREFIX })
      const made = queue
      made.on('error', () => undefined)
      // A queue created while the connection was lost never becomes ready; the next request creates another.
      made.waitUntilReady().catch(() => this.queues.get(model) === made && this.queues.delete(model))
      this.queues.set(model, made)
    }
    return queue
  }

  private async listen(): Promise<void> {
    this.api = randomUUID()
    try {
      await this.subscriber.subscribe(answersChannel(this.api), BEATS_CHANNEL, NODES_CHANNEL)
      this.listening = true
      await this.board.read(this.commands)
    } catch {
      // The connection was lost again; the next one retries.
    }
  }

  private lost(): void {
    this.listening = false
    for (const { pending } of this.flights.values())
      pending.fail(problems.lost('The connection to the queues was lost during the request; send it again.'))
    this.flights.clear()
    this.backlog.clear()
  }

  private message(channel: string, message: Buffer): void {
    if (channel === BEATS_CHANNEL) {
      const said = parsedAs(beat, message)
      if (said) this.workers.heard(said)
    } else if (channel === NODES_CHANNEL) this.board.note(message.toString('utf8'))
    else if (channel === answersChannel(this.api)) {
      try {
        for (const frame of unpackFrames(message)) this.frame(frame)
      } catch {
        // From a worker of another release, or truncated: the number of the next frame reveals the gap.
      }
    }
  }

  private frame(frame: Frame): void {
    const flight = this.flights.get(frame.request)
    const current = flight?.pending.attempt === frame.attempt
    if (frame.kind === FRAME.accepted) {
      const worker = parsedAs(accepted, frame.payload)?.worker
      if (worker === undefined) return
      this.workers.seen(worker)
      if (!flight || !current) {
        // The caller left while it waited; only the worker does not know yet.
        this.control(worker, { cancel: [[frame.request, frame.attempt]] })
        return
      }
      flight.pending.worker = worker
      this.backlog.taken(flight.work.model, flight.work.submitter)
    }
    if (!flight || !current) return
    if (!flight.pending.take(frame)) this.failFlight(flight, PART_LOST)
    else if (frame.kind === FRAME.failed) this.ended(flight, frame)
    else if (flight.pending.ended) this.drop(frame.request)
  }

  private ended(flight: Flight, frame: Frame): void {
    const why = parsedAs(failed, frame.payload)
    if (why?.code === 'ENGINE_DIED') flight.deaths++
    if (why?.retriable && this.again(flight, !UNTRIED.has(why.code))) return
    this.drop(frame.request)
    flight.pending.fail(why ? problemOf(why) : problems.lost(PART_LOST))
  }

  /** Queues the request again, if attempts remain. @param tried a worker started on it */
  private again(flight: Flight, tried = true): boolean {
    const { pending, work } = flight
    if (tried) flight.tries++
    if (flight.tries > MOST_TRIES || pending.attempt >= MOST_ATTEMPTS) return false
    if (pending.begun || Date.now() > work.deadline) return false
    if (pending.worker !== undefined) this.backlog.queued(work.model, work.submitter)
    // A worker that merely hung would otherwise keep working on it.
    this.tell(pending, { cancel: [[pending.request, pending.attempt]] })
    pending.again()
    flight.queuedAt = performance.now()
    this.enqueue(flight).catch((error) => {
      this.drop(pending.request)
      pending.fail(problems.queuesAway(error))
    })
    return true
  }

  private failFlight(flight: Flight, reason: string): void {
    const { pending } = flight
    this.tell(pending, { cancel: [[pending.request, pending.attempt]] })
    this.drop(pending.request)
    pending.fail(problems.lost(reason))
  }

  /** The reader left: cancels the request at its worker. */
  private left(request: number): void {
    const flight = this.flights.get(request)
    if (!flight) return
    const { pending } = flight
    this.drop(request)
    pending.fail(problems.lost('The caller went away.'))
    if (pending.worker !== undefined) this.tell(pending, { cancel: [[request, pending.attempt]] })
    else this.unqueue(flight)
  }

  private drop(request: number): void {
    const flight = this.flights.get(request)
    if (!flight) return
    this.flights.delete(request)
    if (flight.pending.worker === undefined) this.backlog.left(flight.work.model, flight.work.submitter)
  }

  private tell({ worker }: Pending, what: Omit<Control, 'api'>): void {
    if (worker !== undefined) this.control(worker, what)
  }

  private control(worker: string, what: Omit<Control, 'api'>): void {
    const text = JSON.stringify({ api: this.api, ...what } satisfies Control)
    void this.commands.publish(controlChannel(worker), text).catch(() => undefined)
  }

  /** Handles requests whose worker has gone silent, that no worker can take, or that are late. */
  private look(): void {
    this.workers.look()
    // Workers abandon requests of a process that goes silent.
    if (this.flights.size > 0) void this.commands.publish(CALLERS_CHANNEL, this.api).catch(() => undefined)
    const now = Date.now()
    for (const flight of this.flights.values()) {
      const { pending, work } = flight
      if (pending.worker !== undefined && this.workers.silent(pending.worker, SILENCE_MS)) {
        if (this.again(flight)) continue
        this.failFlight(flight, 'The worker that had the request is gone; send it again.')
      } else if (now > work.deadline + 2 * TICK_MS) {
        pending.fail(problems.tooLate())
        pending.leave()
      } else if (pending.worker === undefined) {
        if (this.jobLost(flight) && !this.again(flight))
          this.failFlight(flight, 'The request was lost on its way to a worker; send it again.')
        else this.lookForNodes(flight)
      }
    }
  }

  /** True if a worker took the job but died, or lost its connection, before accepting it. */
  private jobLost({ work, queuedAt }: Flight): boolean {
    return this.workers.foundEmpty(chatQueueName(work.model), queuedAt + LOST_MS)
  }

  /** Fails a request for a model whose nodes have not returned in time. */
  private lookForNodes(flight: Flight): void {
    const { pending, work } = flight
    if (this.board.awaited(work.model).length > 0) return
    this.drop(pending.request)
    this.unqueue(flight)
    pending.fail(problems.noNode(work.model))
  }
}
