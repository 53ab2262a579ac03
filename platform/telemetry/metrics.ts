/**
 * A process's Prometheus metrics: HTTP exchanges, memory and event loop. Services add their own to the same registry.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Finished } from '../http/app.js'

/** Time between two samples of the event loop's delay: each wakes an idle process. */
const LAG_SAMPLE_MS = 100

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Sets the gauge called `name`. */
export type SetGauge<Name extends string> = (
  name: Name,
  value: number,
  labels?: Record<string, string>,
) => void

/** Metrics per route, cached so that an exchange costs a few additions and no look-up by label. */
interface RouteNumbers {
  seconds: Histogram.Internal<'route'>
  bytesIn: Counter.Internal
  bytesOut: Counter.Internal
  byStatus: Map<number, Counter.Internal>
}

export class Metrics {
  /** add a service's own counters here: `new Counter({ …, registers: [metrics.registry] })` */
  readonly registry = new Registry()
  private readonly requests = this.counter(
    'http_requests_total',
    'Answered requests; 499: the client disconnected.',
    ['route', 'status'],
  )
  private readonly bytesIn = this.counter('http_request_bytes_total', 'Bytes of request bodies.', ['route'])
  private readonly bytesOut = this.counter('http_response_bytes_total', 'Bytes of answers.', ['route'])
  private readonly seconds = new Histogram({
    name: 'heddle_http_request_seconds',
    help: 'From the first line of a request to the last byte of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [this.registry],
  })
  private readonly routes = new Map<string, RouteNumbers>()

  /** @param heldBytes reads how many bytes of bodies are in memory */
  constructor(heldBytes: () => number = () => 0) {
    // Resident memory, CPU time, event-loop delay and garbage collection, under the names that dashboards expect.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS })
    this.gauge('http_held_bytes', 'Bytes of request bodies in memory.', heldBytes)
  }

  /** A hook for `App`. */
  readonly exchange = ({ spec, status, seconds, bytesIn, bytesOut }: Finished): void => {
    let numbers = this.routes.get(spec.id)
    if (!numbers) {
      const route = { route: spec.id }
      numbers = {
        seconds: this.seconds.labels(route),
        bytesIn: this.bytesIn.labels(route),
        bytesOut: this.bytesOut.labels(route),
        byStatus: new Map(),
      }
      this.routes.set(spec.id, numbers)
    }
    let answered = numbers.byStatus.get(status)
    if (!answered) {
      answered = this.requests.labels({ route: spec.id, status: String(status) })
      numbers.byStatus.set(status, answered)
    }
    answered.inc()
    numbers.seconds.observe(seconds)
    numbers.bytesIn.inc(bytesIn)
    numbers.bytesOut.inc(bytesOut)
  }

  /** A counter called `heddle_${name}`. */
  counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name: `heddle_${name}`, help, labelNames, registers: [this.registry] })
  }

  /** A gauge called `heddle_${name}` whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `heddle_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }

  /**
   * Gauges called `heddle_${name}` that one call of `read` fills on a scrape. State outside this process is read at
   * most once per `everyMs`, and reports nothing while it is unreachable.
   */
  family<Name extends string>(
    about: Record<Name, { help: string; labels?: readonly string[] }>,
    read: (set: SetGauge<Name>) => Promise<void>,
    everyMs = 10_000,
  ): void {
    const gauges = new Map<Name, Gauge>()
    let readAt = Number.NEGATIVE_INFINITY
    const refresh = async () => {
      const values: [Name, number, Record<string, string>][] = []
      const seen = await read((name, value, labels = {}) => void values.push([name, value, labels])).then(
        () => true,
        () => false,
      )
      for (const gauge of gauges.values()) gauge.reset()
      // A gauge without labels would report a 0 that was never measured.
      for (const [name, { labels = [] }] of Object.entries(about) as [Name, { labels?: string[] }][])
        if (labels.length === 0 && !values.some(([one]) => one === name)) gauges.get(name)?.set(Number.NaN)
      if (seen) for (const [name, value, labels] of values) gauges.get(name)?.set(labels, value)
    }
    let under: Promise<void> | undefined
    const fresh = () => {
      if (under === undefined && performance.now() - readAt >= everyMs) {
        readAt = performance.now()
        under = refresh().finally(() => {
          under = undefined
        })
      }
      return under
    }
    for (const [name, { help, labels = [] }] of Object.entries(about) as [
      Name,
      { help: string; labels?: string[] },
    ][]) {
      const gauge = new Gauge({
        name: `heddle_${name}`,
        help,
        labelNames: labels,
        registers: [this.registry],
        collect: async () => fresh(),
      })
      gauges.set(name, gauge)
    }
  }

  /** A histogram called `heddle_${name}`. */
  histogram<L extends string>(
    name: string,
    help: string,
    buckets: number[] = SECONDS,
    labelNames: L[] = [],
  ): Histogram<L> {
    return new Histogram({ name: `heddle_${name}`, help, buckets, labelNames, registers: [this.registry] })
  }
}
