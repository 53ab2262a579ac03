/** What the second step of a write knows of the rows that the first one stored. */

/** How a row says what it says about a call. */
export type CallChangeKind =
  /** a span of an exporter: the same trace and span id is the same call */
  | 'span'
  /** a whole call: it replaces what is stored under its id */
  | 'whole'
  | 'start'
  | 'end'
  /** log records: they become part of the span with their trace and span id */
  | 'log'
  /** the same, and they are shown by themselves, as their span did not come in time */
  | 'lone'
  /** log records that became part of their span a while ago: their rows go */
  | 'joined'

export interface CallChange {
  readonly kind: CallChangeKind
  readonly projectId: string
  readonly id: string
  readonly traceId: string
  /** µs since the epoch; 0: unknown */
  readonly startedAt: number
  readonly ver: number
  /** an end that must find its start, or it is not kept */
  readonly mustPair?: boolean
}

/** A call of one project, as a key of maps. */
export function callKey({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId} ${id}`
}

export interface TraceId {
  readonly projectId: string
  readonly traceId: string
}

export interface SpanId {
  readonly projectId: string
  readonly id: string
  readonly traceId: string
}

/** A span of one project, likewise. */
export function spanKey({ projectId, id, traceId }: SpanId): string {
  return `${projectId} ${traceId} ${id}`
}
