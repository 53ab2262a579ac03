/**
 * The load process: makes its bodies, waits for the word, sends them over many connections, one request at a
 * time on each, and counts. Closed loop: the next request goes when the answer came. Open loop: requests are due
 * on a clock, and a late answer counts from when its request was due. Identity bodies are stamped before each
 * use; gzip bodies are all made beforehand, since a compressed body can't be stamped.
 */
import { gzipSync } from 'node:zlib'
import { Connection, postHead } from './connection.js'
import type { FromLoad, Order, Outcome, ToLoad } from './order.js'
import { buildBody, type SpanBody, stamp } from './span-body.js'

/** Spans with different texts that identity bodies draw from. */
const POOL_SPANS = 30_000
/** Spans made beforehand for each second of a gzip load. */
const GZIP_SPANS_PER_SECOND = 60_000

class Load {
  private serial: number
  private readonly identity: { head: Buffer; body: SpanBody }[] = []
  private readonly ready: { head: Buffer; body: Buffer }[] = []
  private sentSpans = 0
  private measuredSpans = 0
  private measuring = false
  private over = false
  private bytes = 0
  private readonly outcome: Outcome
  /** Ends the measured seconds. */
  stop: () => void = () => {}
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop = resolve
  })

  private readonly order: Order

  constructor(given: Order) {
    // No more connections, and so bodies, than there are requests.
    const requests = Math.ceil((given.total ?? Number.POSITIVE_INFINITY) / given.spans)
    this.order = { ...given, connections: Math.min(given.connections, requests) }
    const { order } = this
    this.serial = order.firstSerial
    this.outcome = {
      acknowledgedSpans: 0,
      acknowledgedRequests: 0,
      seconds: 0,
      latencies: [],
      allAcknowledgedSpans: 0,
      nextSerial: 0,
      refused: {},
      generatorMicros: 0,
      bytesPerSpan: 0,
    }
    if (order.encoding === 'gzip') this.prepareGzip()
    else this.prepareIdentity()
  }

  async run(): Promise<Outcome> {
    const { warmSeconds, seconds, connections, rate } = this.order
    const warm = performance.now() + warmSeconds * 1000
    const started = performance.now()
    const senders = Array.from({ length: connections }, (_, sender) =>
      rate === undefined ? this.closed(sender) : this.open(sender, started),
    )
    const all = Promise.all(senders)
    await Promise.race([all, pause(warm - performance.now())])
    this.measuring = true
    tell({ kind: 'measuring' })
    const from = performance.now()
    const cpu = process.cpuUsage()
    await Promise.race([all, this.stopped, pause(seconds * 1000)])
    this.measuring = false
    const used = process.cpuUsage(cpu)
    this.outcome.seconds = (performance.now() - from) / 1000
    this.outcome.generatorMicros = (used.user + used.system) / Math.max(1, this.measuredSpans)
    tell({ kind: 'measured' })
    this.over = true
    await all
    this.outcome.nextSerial = this.serial
    this.outcome.latencies.sort((a, b) => a - b)
    this.outcome.bytesPerSpan = this.bytes / Math.max(1, this.sentSpans)
    return this.outcome
  }

  private prepareIdentity(): void {
    const { spans, connections, seed, project } = this.order
    // One body for each connection at least, since a body is in use until it is answered.
    const pool = Math.ceil(Math.min(POOL_SPANS, this.order.total ?? POOL_SPANS) / spans)
    const bodies = Math.max(connections, pool)
    for (let n = 0; n < bodies; n++) {
      const body = buildBody(spans, seed + n, project)
      this.identity.push({ head: this.headOf(body.bytes.length), body })
    }
  }

  private prepareGzip(): void {
    const { spans, seed, project, seconds, warmSeconds, total } = this.order
    const wanted = total ?? (seconds + warmSeconds) * (this.order.rate ?? GZIP_SPANS_PER_SECOND)
    const templates = Array.from({ length: Math.ceil(POOL_SPANS / spans) }, (_, n) =>
      buildBody(spans, seed + n, project),
    )
    for (let made = 0, n = 0; made < wanted; made += spans, n++) {
      const template = templates[n % templates.length]!
      this.restamp(template)
      const body = gzipSync(template.bytes, { level: 1 })
      this.ready.push({ head: this.headOf(body.length), body })
    }
  }

  private headOf(length: number): Buffer {
    const { path, headers, encoding } = this.order
    return postHead(path, length, {
      ...headers,
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    })
  }

  private restamp(body: SpanBody): void {
    const { clock, seed, firstSerial } = this.order
    const start = clock ? clock.start + (this.serial - firstSerial) * clock.step : Date.now() * 1000
    stamp(body, this.serial, seed, start, clock?.step ?? 1)
    this.serial += body.spans
  }

  /** The next request of a sender; undefined when nothing is left to send. */
  private next(turn: number): { head: Buffer; body: Buffer } | undefined {
    if (this.over || (this.order.total !== undefined && this.sentSpans >= this.order.total)) return undefined
    this.sentSpans += this.order.spans
    if (this.measuring) this.measuredSpans += this.order.spans
    if (this.order.encoding === 'gzip') {
      const request = this.ready.pop()
      this.bytes += request?.body.length ?? 0
      return request
    }
    const { head, body } = this.identity[turn % this.identity.length]!
    this.restamp(body)
    this.bytes += body.bytes.length
    return { head, body: body.bytes }
  }

  /** Bodies of a sender: every `connections`th of the pool, so that no two senders use one at once. */
  private turn(sender: number, round: number): number {
    const { connections } = this.order
    const own = Math.max(1, Math.floor(this.identity.length / connections))
    return sender + (round % own) * connections
  }

  private async closed(sender: number): Promise<void> {
    let connection = new Connection(this.order.port)
    for (let round = 0; ; round++) {
      const request = this.next(this.turn(sender, round))
      if (request === undefined) break
      connection = await this.deliver(connection, request, performance.now())
    }
    connection.close()
  }

  private async open(sender: number, started: number): Promise<void> {
    const { connections, spans, rate = 1 } = this.order
    const every = (spans / rate) * 1000
    let connection = new Connection(this.order.port)
    for (let round = 0; ; round++) {
      const due = started + (sender + round * connections) * every
      if (due > performance.now()) await pause(due - performance.now())
      const request = this.next(this.turn(sender, round))
      if (request === undefined) break
      connection = await this.deliver(connection, request, due)
    }
    connection.close()
  }

  /** Sends until it is acknowledged; the same bytes each time, as exporters do. */
  private async deliver(
    connection: Connection,
    { head, body }: { head: Buffer; body: Buffer },
    due: number,
  ): Promise<Connection> {
    let current = connection
    for (;;) {
      try {
        const { status, retryAfter } = await current.send(head, body)
        if (status === 200) break
        if (status !== 429 && status !== 503) fail(`an answer ${status}`)
        this.refuse(status)
        await pause(Math.min(1, Math.max(0.05, retryAfter)) * 1000 * Math.random())
      } catch {
        this.refuse(0)
        await pause(100)
        current = new Connection(this.order.port)
      }
    }
    this.outcome.allAcknowledgedSpans += this.order.spans
    if (this.measuring) {
      this.outcome.acknowledgedSpans += this.order.spans
      this.outcome.acknowledgedRequests++
      this.outcome.latencies.push(performance.now() - due)
    }
    return current
  }

  private refuse(status: number): void {
    this.outcome.refused[status] = (this.outcome.refused[status] ?? 0) + 1
  }
}

function tell(message: FromLoad): void {
  process.send?.(message)
}

/** The load itself is wrong, or the server is: no figure would mean anything. */
function fail(what: string): never {
  process.stderr.write(`the load got ${what}\n`)
  process.exit(1)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}

let load: Load | undefined
process.on('message', (message: ToLoad) => {
  if (message.kind === 'order') {
    load = new Load(message.order)
    tell({ kind: 'prepared' })
  } else if (message.kind === 'stop') load?.stop()
  else if (load) {
    void load.run().then((outcome) => {
      process.send?.({ kind: 'done', outcome } satisfies FromLoad, () => process.exit(0))
    })
  }
})
