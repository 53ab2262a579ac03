/** The order to a load process and its result, sent over Node's process channel. */

export interface Order {
  port: number
  path: string
  headers: Record<string, string>
  /** entity/project of all spans. */
  project: string
  /** Spans a request, a multiple of ten. */
  spans: number
  encoding: 'identity' | 'gzip'
  connections: number
  /** Seconds before the measured ones. */
  warmSeconds: number
  /** Seconds that are measured; ends earlier when `total` spans were sent. */
  seconds: number
  /** Spans a second, sent on a clock whatever the answers; absent: as fast as the answers come. */
  rate?: number
  /** Spans to send in all; absent: until time is up. */
  total?: number
  /** Number of the first span; no two loads on one store may overlap under one seed. */
  firstSerial: number
  seed: number
  /** µs since the epoch of the first span's start and between spans; absent: now. */
  clock?: { start: number; step: number }
}

export interface Outcome {
  /** Of the measured seconds. */
  acknowledgedSpans: number
  acknowledgedRequests: number
  seconds: number
  /** ms from when a request was due to its good answer, sorted. */
  latencies: number[]
  /** Of the whole run, the warm-up and what was under way at the end included. */
  allAcknowledgedSpans: number
  /** Number after that of the last span sent. */
  nextSerial: number
  /** Answers that were not 200, by status, and broken connections as 0. */
  refused: Record<string, number>
  /** µs of this process's CPU a span sent, in the measured seconds. */
  generatorMicros: number
  bytesPerSpan: number
}

export type FromLoad =
  | { kind: 'prepared' }
  | { kind: 'measuring' }
  | { kind: 'measured' }
  | { kind: 'done'; outcome: Outcome }

export type ToLoad = { kind: 'order'; order: Order } | { kind: 'go' } | { kind: 'stop' }
